import { withInner } from "../db/inner-function.ts";
import { type Inspection, inspectDatabase } from "../db/inspect.ts";
import { HOT_FUNCTIONS } from "../features.ts";
import { mediaPlacesOf } from "../files/media-places.ts";
import { type Config, ConfigError, readConfig } from "./config/config.ts";
import { missingSettings } from "./config/missing.ts";
import { startFault } from "./main.ts";

/** The result of one check; `text` is one line: the state, and what to do when it is a fault. `pending`: the next start does it. */
export type Finding = { name: string; state: "ok" | "pending" | "warning" | "fault"; text: string };

const OLDEST_SERVER = 150_000;
/** Windows and leases tolerate differences of this size; a larger one means a clock that is not synchronized. */
const MOST_CLOCK_DIFFERENCE_MS = 2_000;
const PROVIDER_WITHIN_MS = 5_000;

/** Checks settings, database, roles, migrations, a bucket of media and provider, in this order, and changes nothing. */
export async function* diagnose(env: Record<string, string | undefined>): AsyncGenerator<Finding> {
  const config = readOrFaults(env);
  if (Array.isArray(config)) {
    yield* config;
    return;
  }
  yield* settings(config);
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url !== null) yield* await database(url);
  if (config.MEDIA_STORE.kind === "s3") yield await bucket(config);
  yield await provider(config.PROVIDER_BASE_URL);
}

function readOrFaults(env: Record<string, string | undefined>): Config | Finding[] {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n").map((text) => ({ name: "settings", state: "fault", text }));
  }
}

function* settings(config: Config): Generator<Finding> {
  const missing = missingSettings(config);
  for (const { state, text } of missing) yield { name: "settings", state, text };
  if (missing.length === 0) yield { name: "settings", state: "ok", text: "all are present and valid" };
}

async function database(url: string): Promise<Finding[]> {
  try {
    const names = withInner(HOT_FUNCTIONS).map((fn) => fn.installed);
    return databaseFindings(await inspectDatabase(url, names));
  } catch (error) {
    return [{ name: "database", state: "fault", text: firstLine(startFault(error)) }];
  }
}

function databaseFindings(inspection: Inspection): Finding[] {
  const old = inspection.versionNumber < OLDEST_SERVER;
  const found: Finding[] = [
    {
      name: "database",
      state: old ? "fault" : "ok",
      text: `PostgreSQL ${inspection.version}${old ? ", and 15 or newer is needed" : ""}`,
    },
  ];
  const seconds = Math.round(Math.abs(inspection.clockAheadMs) / 1_000);
  if (Math.abs(inspection.clockAheadMs) > MOST_CLOCK_DIFFERENCE_MS)
    found.push({
      name: "clock",
      state: "warning",
      text: `this machine and the database differ by ${seconds} s: synchronize the clocks of both`,
    });
  found.push(...roleFindings(inspection.roles), migrationFinding(inspection));
  return found;
}

function roleFindings({ fault, warnings }: Inspection["roles"]): Finding[] {
  if (fault !== null) return [{ name: "roles", state: "fault", text: firstLine(startFault(fault)) }];
  if (warnings.length > 0) return warnings.map((text) => ({ name: "roles", state: "warning", text }));
  return [{ name: "roles", state: "ok", text: "the login has the two roles, or may create them" }];
}

function migrationFinding({ pendingMigrations, missingFunctions }: Inspection): Finding {
  const name = "migrations";
  if (pendingMigrations.length === 0 && missingFunctions.length === 0)
    return { name, state: "ok", text: "none is pending" };
  const waiting = [
    ...(pendingMigrations.length > 0 ? [`${pendingMigrations.length} to apply, from ${pendingMigrations[0]} on`] : []),
    ...(missingFunctions.length > 0 ? [`${missingFunctions.length} functions to install`] : []),
  ];
  // Expected before a first start and before an upgrade.
  return { name, state: "pending", text: `${waiting.join("; ")}: \`waypost serve\` does it, or \`waypost migrate\`` };
}

/** Lists what the gateway never stores there, which needs the bucket and a valid key. */
async function bucket(config: Config): Promise<Finding> {
  const name = "media";
  const { store, close } = mediaPlacesOf(config);
  try {
    await store.sweep("nothing", 0, () => Promise.resolve(new Set()));
    return { name, state: "ok", text: "the bucket of MEDIA_STORE answers" };
  } catch (error) {
    const remedy = "check MEDIA_STORE, S3_ENDPOINT, AWS_REGION and the key";
    return { name, state: "fault", text: `${error instanceof Error ? error.message : "no answer"}: ${remedy}` };
  } finally {
    await close();
  }
}

/** Any answer proves that the provider can be reached; the tokens belong to the accounts and are not checked here. */
async function provider(baseUrl: string): Promise<Finding> {
  const name = "provider";
  try {
    const signal = AbortSignal.timeout(PROVIDER_WITHIN_MS);
    const answer = await fetch(baseUrl, { method: "HEAD", redirect: "manual", signal });
    return { name, state: "ok", text: `${baseUrl} answers (${answer.status})` };
  } catch (error) {
    const remedy = "check that PROVIDER_BASE_URL is right and that this machine can reach it";
    return { name, state: "fault", text: `${baseUrl} does not answer (${reasonOf(error)}): ${remedy}` };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const cause = error.cause;
  if (typeof cause === "object" && cause !== null && "code" in cause) return String(cause.code);
  return error.name === "TimeoutError" ? `no answer within ${PROVIDER_WITHIN_MS / 1_000} s` : error.message;
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
