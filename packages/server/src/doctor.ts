import { type Config, ConfigError, readConfig } from "./config.ts";
import { missingSettings } from "./config-missing.ts";
import { type Inspection, inspectDatabase } from "./db/inspect.ts";
import { HOT_FUNCTIONS } from "./features.ts";
import { startFault } from "./main.ts";

/** One thing looked at; `words` are one line: what is, and what to do when that is not well. `pending`: the start does it. */
export type Finding = { name: string; state: "ok" | "pending" | "warning" | "fault"; words: string };

const OLDEST_SERVER = 150_000;
/** Windows and leases stand differences of this size; more is a clock that nobody sets. */
const MOST_CLOCK_DIFFERENCE_MS = 2_000;
const PROVIDER_WITHIN_MS = 5_000;

/** Looks at settings, database, roles, migrations and provider, in this order, and changes nothing. */
export async function* diagnose(env: Record<string, string | undefined>): AsyncGenerator<Finding> {
  const config = readOrFaults(env);
  if (Array.isArray(config)) {
    yield* config;
    return;
  }
  yield* settings(config);
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url !== null) yield* await database(url);
  yield await provider(config.PROVIDER_BASE_URL);
}

function readOrFaults(env: Record<string, string | undefined>): Config | Finding[] {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n").map((words) => ({ name: "settings", state: "fault", words }));
  }
}

function* settings(config: Config): Generator<Finding> {
  const missing = missingSettings(config);
  for (const { state, words } of missing) yield { name: "settings", state, words };
  if (missing.length === 0) yield { name: "settings", state: "ok", words: "all there, and understood" };
}

async function database(url: string): Promise<Finding[]> {
  try {
    const names = HOT_FUNCTIONS.map((fn) => fn.installed);
    return databaseFindings(await inspectDatabase(url, names));
  } catch (error) {
    return [{ name: "database", state: "fault", words: firstLine(startFault(error)) }];
  }
}

function databaseFindings(seen: Inspection): Finding[] {
  const old = seen.versionNumber < OLDEST_SERVER;
  const found: Finding[] = [
    {
      name: "database",
      state: old ? "fault" : "ok",
      words: `PostgreSQL ${seen.version}${old ? ", and 15 or newer is needed" : ""}`,
    },
  ];
  const seconds = Math.round(Math.abs(seen.clockAheadMs) / 1_000);
  if (Math.abs(seen.clockAheadMs) > MOST_CLOCK_DIFFERENCE_MS)
    found.push({
      name: "clock",
      state: "warning",
      words: `this machine and the database differ by ${seconds} s: let both take their time from the network`,
    });
  found.push(...roleFindings(seen.roles), migrationFinding(seen));
  return found;
}

function roleFindings({ fault, warnings }: Inspection["roles"]): Finding[] {
  if (fault !== null) return [{ name: "roles", state: "fault", words: firstLine(startFault(fault)) }];
  if (warnings.length > 0) return warnings.map((words) => ({ name: "roles", state: "warning", words }));
  return [{ name: "roles", state: "ok", words: "the login may make, or has, the two roles" }];
}

function migrationFinding({ pendingMigrations, missingFunctions }: Inspection): Finding {
  const name = "migrations";
  if (pendingMigrations.length === 0 && missingFunctions.length === 0)
    return { name, state: "ok", words: "none is pending" };
  const waiting = [
    ...(pendingMigrations.length > 0 ? [`${pendingMigrations.length} to apply, from ${pendingMigrations[0]} on`] : []),
    ...(missingFunctions.length > 0 ? [`${missingFunctions.length} functions to install`] : []),
  ];
  // Before a first start and before an upgrade that is as it should be.
  return { name, state: "pending", words: `${waiting.join("; ")}: \`waypost serve\` does it, or \`waypost migrate\`` };
}

/** Any answer at all proves the way there; what the provider thinks of the tokens is a matter of each account. */
async function provider(baseUrl: string): Promise<Finding> {
  const name = "provider";
  try {
    const signal = AbortSignal.timeout(PROVIDER_WITHIN_MS);
    const answer = await fetch(baseUrl, { method: "HEAD", redirect: "manual", signal });
    return { name, state: "ok", words: `${baseUrl} answers (${answer.status})` };
  } catch (error) {
    const remedy = "see that PROVIDER_BASE_URL is right and this machine may reach it";
    return { name, state: "fault", words: `${baseUrl} does not answer (${reasonOf(error)}): ${remedy}` };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const cause = error.cause;
  if (typeof cause === "object" && cause !== null && "code" in cause) return String(cause.code);
  return error.name === "TimeoutError" ? `nothing within ${PROVIDER_WITHIN_MS / 1_000} s` : error.message;
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
