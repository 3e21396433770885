import { setFlagsFromString } from "node:v8";
import type { Sql } from "../db/database.ts";
import { ensurePartitions } from "../db/partitions.ts";
import { InstallError } from "../db/roles.ts";
import { systemClock } from "../lib/clock.ts";
import { type Movable, movableClock } from "../lib/movable-clock.ts";
import { onStopSignal } from "../lib/stop-signal.ts";
import { ConfigError, environment, ROLES, type Role, readConfig } from "./config/config.ts";
import { start } from "./runtime.ts";
import { VERSION } from "./version.ts";

/**
 * How far the old generation may grow over what survived its last collection before it is collected again. Left alone, V8 lets it
 * grow to four times as much, which at full rate is mostly garbage. A process took 308 MiB with 150, 253 with 80 at the same cost, and
 * 225 with 40 for a tenth more of its CPU.
 */
const HEAP_GROWING_PERCENT = 80;

export type ServeOptions = {
  roles?: string;
  migrate?: boolean;
  setUp?: Promise<void>;
  /** Called once the process is up. */
  onUp?: (up: Up) => void;
  /**
   * For `npm start` alone: called when the process is up, with a function that moves its clock until it is so far ahead, in milliseconds,
   * and resolves with the time then. Leases keep the real clock; ids, which are times of rows, move along.
   */
  withClock?: (move: (aheadMs: number) => Promise<number>) => void;
};

/** Where a process listens, and what it runs; `metrics_url` is null without METRICS_PORT. */
type Up = { url: string; metrics_url: string | null; roles: readonly Role[]; version: string };

/** Time to finish work in flight; then the process exits, before a manager that allows 35 s kills it. Its lanes are released long before. */
const STOP_WITHIN_MS = 34_000;

/**
 * `waypost serve`: starts the given roles, waits for a signal, stops in reverse order; a second signal exits at once. Resolves
 * with the exit code; with one line on standard error 1, when the start failed or the process cannot go on, and 2, when there is no
 * such role.
 */
export async function serve(options: ServeOptions): Promise<number> {
  try {
    const roles = rolesOf(options.roles); // ahead of the settings, whose faults are no misuse
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
    const clock = options.withClock === undefined ? null : movableClock(systemClock());
    const runtime = await start({
      ...(clock === null ? {} : { clock }),
      config: readConfig(environment()),
      roles,
      migrate: options.migrate ?? true,
      ...(options.setUp === undefined ? {} : { setUp: options.setUp }),
    });
    options.onUp?.({ url: runtime.url, metrics_url: runtime.metricsUrl, roles, version: VERSION });
    if (clock !== null) options.withClock?.((aheadMs) => moveClock(runtime.app.db.sql, clock, aheadMs));
    const broken = await Promise.race([runtime.broken, signaled()]);
    const late = setTimeout(() => process.exit(1), STOP_WITHIN_MS);
    late.unref();
    await runtime.stop();
    if (broken) throw broken;
    return 0;
  } catch (error) {
    process.stderr.write(`waypost: ${startFault(error)}\n`);
    return error instanceof UnknownRole ? 2 : 1;
  }
}

/** Rows of the new time find their partitions there. */
async function moveClock(sql: Sql, clock: Movable, aheadMs: number): Promise<number> {
  const byMs = aheadMs - clock.aheadMs;
  if (!(byMs >= 0)) throw new Error("the clock of a running process only moves ahead");
  await ensurePartitions(sql, clock.now() + byMs);
  clock.advance(byMs);
  return clock.now();
}

async function signaled(): Promise<null> {
  return await new Promise((resolve) => {
    onStopSignal((_signal, again) => (again ? process.exit(1) : resolve(null)));
  });
}

class UnknownRole extends ConfigError {}

function rolesOf(text: string | undefined): readonly Role[] {
  if (text === undefined) return ROLES;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(ROLES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UnknownRole(`--roles takes a comma list of ${ROLES.join(", ")}, not ${JSON.stringify(unknown)}`);
  return names as Role[];
}

/** What an operator can mend: what is wrong, the settings to look at, and the codes that say so. */
const FAULTS: readonly (readonly [text: string, codes: readonly string[]])[] = [
  ["the port is in use (PORT or METRICS_PORT)", ["EADDRINUSE"]],
  ["this machine does not have the address (HOST)", ["EADDRNOTAVAIL"]],
  ["the name of a host is not known (DATABASE_URL or HOST)", ["ENOTFOUND", "EAI_AGAIN"]],
  // Of this machine's disk, a quota, and the database's disk.
  ["no space is left", ["ENOSPC", "EDQUOT", "53100"]],
  ["no permission", ["EACCES"]],
  ["the database can only be read (DATABASE_URL)", ["25006"]],
  [
    "the database cannot be used (DATABASE_URL)",
    ["ECONNREFUSED", "ENOENT", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "28000", "28P01", "3D000", "42501", "53300"],
  ],
];

/** One line for errors that an operator can fix; the stack for all others. */
export function startFault(error: unknown): string {
  if (error instanceof ConfigError || error instanceof InstallError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : null;
  const [text] = FAULTS.find(([, codes]) => typeof code === "string" && codes.includes(code)) ?? [];
  return text === undefined ? (error.stack ?? error.message) : `${text}: ${error.message}`;
}
