import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inOneLine } from "@waypost/server";
import type { Demo } from "./demo.ts";
import type { DevSettings } from "./dev-settings.ts";

/** Made at the first start and kept: what the database holds encrypted cannot be read without them. */
export type Secrets = { operator_key: string; encryption_key: string; app_secret: string; verify_token: string };

/**
 * Makes the data directory and its `secrets.json`, or reads what an earlier start made. Throws one line for a person when
 * the directory cannot be used or its secrets are gone.
 */
export function openFiles({ dataDir, devFile, databaseUrl }: DevSettings): Secrets {
  const path = join(dataDir, "secrets.json");
  try {
    mkdirSync(dataDir, { recursive: true });
    if (!existsSync(path)) {
      if (databaseUrl === null && hasDatabase(dataDir)) throw new Error(lostSecrets(dataDir, path));
      makeOnce(path, newSecrets());
    }
    // Also on a directory that became read-only: told here, in one line, and not by PostgreSQL later.
    writeFileSync(`${devFile}.new`, "", { mode: 0o600 });
    rmSync(`${devFile}.new`);
    return readSecrets(path);
  } catch (error) {
    throw inOneLine(error, dataDir);
  }
}

/** The directory's own cluster, or a pointer to one elsewhere. */
const hasDatabase = (dataDir: string): boolean =>
  ["postgres/cluster", "postgres.location"].some((name) => existsSync(join(dataDir, name)));

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
function makeOnce(path: string, value: object): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, textOf(value), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft);
  }
}

function readSecrets(path: string): Secrets {
  const text = readFileSync(path, "utf8");
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
