import { randomBytes } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { access, link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inOneLine, makeDirectories } from "@waypost/server";
import type { Demo } from "./demo.ts";
import type { DevSettings } from "./settings.ts";

/** Created at the first start and kept: the encrypted values in the database cannot be read without them. */
export type Secrets = { operator_key: string; encryption_key: string; app_secret: string; verify_token: string };

/**
 * Creates the data directory and its `secrets.json`, or reads those of an earlier start. Throws an error of one line when the
 * directory cannot be used or its secrets are gone. Uses no synchronous calls: a file system that does not answer must not
 * keep this process from being stopped.
 */
export async function openFiles({ dataDir, devFile, databaseUrl }: DevSettings): Promise<Secrets> {
  const path = join(dataDir, "secrets.json");
  try {
    await makeDirectories(dataDir);
    if (!(await isThere(path))) {
      if (databaseUrl === null && (await hasDatabase(dataDir))) throw new Error(lostSecrets(dataDir, path));
      await createOnce(path, newSecrets());
    }
    // Detects a directory that became read-only: reported here, in one line, and not by PostgreSQL later.
    await writeFile(`${devFile}.new`, "", { mode: 0o600 });
    await rm(`${devFile}.new`);
    return await readSecrets(path);
  } catch (error) {
    throw inOneLine(error, dataDir);
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** True when the directory contains a cluster, or a pointer to one elsewhere. */
const hasDatabase = async (dataDir: string): Promise<boolean> =>
  (await isThere(join(dataDir, "postgres/cluster"))) || (await isThere(join(dataDir, "postgres.location")));

const lostSecrets = (dataDir: string, path: string): string =>
  `${path} is gone, and the database in ${dataDir} cannot be read without it: bring it back, or name another directory in WAYPOST_DATA_DIR.`;

function newSecrets(): Secrets {
  return {
    operator_key: `wp_operator_${randomBytes(24).toString("base64url")}`,
    encryption_key: randomBytes(32).toString("base64"),
    app_secret: randomBytes(16).toString("hex"),
    verify_token: randomBytes(16).toString("hex"),
  };
}

/** Atomic, and only if the file does not exist: two first starts at once use the same secrets. */
async function createOnce(path: string, value: object): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, textOf(value), { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if (!(await isThere(path))) throw error;
  } finally {
    await rm(draft);
  }
}

async function readSecrets(path: string): Promise<Secrets> {
  const text = await readFile(path, "utf8");
  try {
    const kept = JSON.parse(text) as Secrets; // written above
    if (kept.encryption_key && kept.operator_key && kept.app_secret && kept.verify_token) return kept;
  } catch {
    // Reported below: the text of a syntax error would quote the file.
  }
  throw new Error(`${path} is damaged: bring it back from a copy, or name another directory in WAYPOST_DATA_DIR.`);
}

/** The contents of `dev.json`; without `control_url` the clock cannot be moved. */
export type DevFile = {
  base_url: string;
  operator_key: string;
  simulator_url: string;
  console_url: string;
  control_url?: string;
} & Demo;

/** Writes `dev.json`, for programs that use this gateway, and returns its contents. */
export function writeDevFile(
  settings: DevSettings,
  operatorKey: string,
  demo: Demo,
  controlUrl: string | null,
): DevFile {
  const dev = {
    base_url: settings.gatewayUrl,
    operator_key: operatorKey,
    ...demo,
    simulator_url: settings.simulatorUrl,
    console_url: `${settings.gatewayUrl}/`,
    ...(controlUrl === null ? {} : { control_url: controlUrl }),
  };
  // Renamed when complete: a start that is killed here leaves the old file or the new one.
  writeFileSync(`${settings.devFile}.new`, textOf(dev), { mode: 0o600 });
  renameSync(`${settings.devFile}.new`, settings.devFile);
  return dev;
}

const textOf = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
