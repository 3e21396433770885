import { randomBytes } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { access, link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inOneLine, makeDirectories } from "@waypost/server";
import type { Demo } from "./demo.ts";
import type { DevSettings } from "./dev-settings.ts";

/** Made at the first start and kept: what the database holds encrypted cannot be read without them. */
export type Secrets = { operator_key: string; encryption_key: string; app_secret: string; verify_token: string };

/**
 * Makes the data directory and its `secrets.json`, or reads what an earlier start made. Throws one line for a person when
 * the directory cannot be used or its secrets are gone. Never blocks: a file system that does not answer must not keep this
 * process from being stopped.
 */
export async function openFiles({ dataDir, devFile, databaseUrl }: DevSettings): Promise<Secrets> {
  const path = join(dataDir, "secrets.json");
  try {
    await makeDirectories(dataDir);
    if (!(await isThere(path))) {
      if (databaseUrl === null && (await hasDatabase(dataDir))) throw new Error(lostSecrets(dataDir, path));
      await makeOnce(path, newSecrets());
    }
    // Also on a directory that became read-only: told here, in one line, and not by PostgreSQL later.
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

/** The directory's own cluster, or a pointer to one elsewhere. */
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

/** Appears whole, and only if it is not there: of two first starts at once both keep the same secrets. */
async function makeOnce(path: string, value: object): Promise<void> {
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
    // Told below: a syntax error's own words would quote the file.
  }
  throw new Error(`${path} is damaged: bring it back from a copy, or name another directory in WAYPOST_DATA_DIR.`);
}

/** What `dev.json` says. */
export type DevFile = { base_url: string; operator_key: string; simulator_url: string; console_url: string } & Demo;

/** Writes `dev.json`, for programs that want to use this house, and gives what is in it. */
export function writeDevFile(settings: DevSettings, operatorKey: string, demo: Demo): DevFile {
  const dev = {
    base_url: settings.gatewayUrl,
    operator_key: operatorKey,
    ...demo,
    simulator_url: settings.simulatorUrl,
    console_url: `${settings.gatewayUrl}/`,
  };
  // Written beside and renamed: a start that is killed here leaves the old file or the new one.
  writeFileSync(`${settings.devFile}.new`, textOf(dev), { mode: 0o600 });
  renameSync(`${settings.devFile}.new`, settings.devFile);
  return dev;
}

const textOf = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
