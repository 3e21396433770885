import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Waypost, WaypostOperator } from "@waypost/sdk";
import { UsageError } from "./errors.ts";

type Env = Record<string, string | undefined>;
type DevFile = { base_url?: unknown; operator_key?: unknown; api_key?: unknown };
type Key = { variable: string; field: "operator_key" | "api_key"; needs: string };

/**
 * The operator's client for the gateway at `--base-url`, else WAYPOST_BASE_URL, else the one that `npm start` wrote to
 * `dev.json`. Keys are read from the environment, never from the command line, which every process of the machine can read.
 */
export async function operatorOf(baseUrl: string | undefined, env: Env): Promise<WaypostOperator> {
  const found = connectionOf(baseUrl, env, {
    variable: "WAYPOST_OPERATOR_KEY",
    field: "operator_key",
    needs: "the gateway's own, which creates workspaces and keys",
  });
  const { WaypostOperator } = await import("@waypost/sdk");
  return new WaypostOperator({ baseUrl: found.baseUrl, operatorKey: found.key });
}

/** As `operatorOf`, for the client of a workspace. */
export async function workspaceOf(baseUrl: string | undefined, env: Env): Promise<Waypost> {
  const found = workspaceConnection(baseUrl, env);
  const { Waypost } = await import("@waypost/sdk");
  return new Waypost({ baseUrl: found.baseUrl, apiKey: found.key });
}

/** The gateway, and a key of a workspace there. */
export function workspaceConnection(baseUrl: string | undefined, env: Env): { baseUrl: string; key: string } {
  return connectionOf(baseUrl, env, {
    variable: "WAYPOST_API_KEY",
    field: "api_key",
    needs: "a key of the workspace, such as `waypost key create` prints",
  });
}

function connectionOf(
  given: string | undefined,
  env: Env,
  { variable, field, needs }: Key,
): { baseUrl: string; key: string } {
  const named = given ?? env["WAYPOST_BASE_URL"];
  // A key of dev.json is sent to the gateway of dev.json and to no other.
  const dev = named === undefined ? readDevFile(env) : {};
  const baseUrl = named ?? dev.base_url;
  const key = env[variable] ?? dev[field];
  if (typeof baseUrl !== "string")
    throw new UsageError("where is the gateway? Give --base-url or WAYPOST_BASE_URL, or stand where `npm start` runs");
  if (typeof key !== "string" || key === "") throw new UsageError(`${variable} is missing: it needs ${needs}`);
  // The client refuses it too, with an error of a program. The key itself is not repeated.
  if (!/^[!-~]+$/.test(key))
    throw new UsageError(`${variable} is no key: it has characters that are not visible ASCII`);
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(`the gateway's address must be one with http or https, not ${baseUrl}`);
  return { baseUrl, key };
}

function readDevFile(env: Env): DevFile {
  const path = join(env["WAYPOST_DATA_DIR"] ?? "./data", "dev.json");
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8")) as DevFile; // each field is checked where it is used
  } catch {
    throw new UsageError(`${path} cannot be read: start again with \`npm start\`, or give --base-url`);
  }
}
