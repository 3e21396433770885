import { ConfigError, environment, ROLES, type Role, readConfig } from "./config.ts";
import { InstallError } from "./db/roles.ts";
import { onStopSignal } from "./lib/stop-signal.ts";
import { start } from "./runtime.ts";

export type ServeOptions = { roles?: string; migrate?: boolean };

/** What is in the air gets its moment, then the process goes, before one that gives it 35 s kills it; lanes are free long before. */
const STOP_WITHIN_MS = 34_000;

/**
 * `waypost serve`: starts the roles asked for, waits for a signal, stops in reverse; a second signal does not wait. Resolves
 * with the exit code; 1 with one line on standard error when the start failed, or when going on became impossible.
 */
export async function serve(options: ServeOptions): Promise<number> {
  try {
    const runtime = await start({
      config: readConfig(environment()),
      roles: rolesOf(options.roles),
      migrate: options.migrate ?? true,
    });
    const broken = await Promise.race([runtime.broken, signaled()]);
    const late = setTimeout(() => process.exit(1), STOP_WITHIN_MS);
    late.unref();
    await runtime.stop();
    if (broken) throw broken;
    return 0;
  } catch (error) {
    process.stderr.write(`waypost: ${startFault(error)}\n`);
    return 1;
  }
}

async function signaled(): Promise<null> {
  return await new Promise((resolve) => {
    onStopSignal((_signal, again) => (again ? process.exit(1) : resolve(null)));
  });
}

function rolesOf(text: string | undefined): readonly Role[] {
  if (text === undefined) return ROLES;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(ROLES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new ConfigError(`--roles takes a comma list of ${ROLES.join(", ")}; ${unknown} is none`);
  return names as Role[];
}

// Of this machine's disk, a quota on it, and the database's own.
const NO_ROOM = new Set<unknown>(["ENOSPC", "EDQUOT", "53100"]);

/** One clear line for what a person can mend; the stack for what only we can. */
export function startFault(error: unknown): string {
  if (error instanceof ConfigError || error instanceof InstallError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EADDRINUSE") return `the port is taken (PORT): ${error.message}`;
  if ("code" in error && NO_ROOM.has(error.code)) return `no room is left: ${error.message}`;
  if ("code" in error && error.code === "EACCES") return `no permission: ${error.message}`;
  if (
    "code" in error &&
    (error.code === "ECONNREFUSED" || error.code === "ENOENT" || error.code === "28P01" || error.code === "3D000")
  )
    return `the database cannot be used (DATABASE_URL): ${error.message}`;
  return error.stack ?? error.message;
}
