import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Waypost, WaypostOperator } from "@waypost/sdk";
import { UsageError } from "./errors.ts";
import { complain } from "./stderr.ts";

type Env = Record<string, string | undefined>;
/** As `npm start` writes it; each field is checked where it is used. */
type DevFile = { base_url?: unknown; operator_key?: unknown; api_key?: unknown; [field: string]: unknown };
type Key = { variable: string; field: "operator_key" | "api_key"; name: string; needs: string };
/** A gateway, and what named it: an option, a variable or a file. */
export type Address = { baseUrl: string; from: string };

const OPERATOR: Key = {
  variable: "WAYPOST_OPERATOR_KEY",
  field: "operator_key",
  name: "operator key",
  needs: "the gateway's own, which creates workspaces and keys",
};
const WORKSPACE: Key = {
  variable: "WAYPOST_API_KEY",
  field: "api_key",
  name: "API key",
  needs: "a key of the workspace, such as `waypost key create` prints",
};

/**
 * One run of the command line: its exit code, and the gateway that it asked. The gateway is that of `--base-url`, else WAYPOST_BASE_URL, else
 * the one that `npm start` wrote to `dev.json`. Keys are read from the environment, never from the command line, which every process of
 * the machine can read.
 */
export class Invocation {
  readonly #env: Env;
  #code = 0;
  #asked: Address | null = null;
  #outlivesReader = false;
  #noticed = new Set<string>();

  constructor(env: Env) {
    this.#env = env;
  }

  get code(): number {
    return this.#code;
  }

  /** Null before a gateway was asked. */
  get asked(): Address | null {
    return this.#asked;
  }

  /** True: that nothing reads its standard output any more is no reason to end. */
  get outlivesReader(): boolean {
    return this.#outlivesReader;
  }

  outliveReader(): void {
    this.#outlivesReader = true;
  }

  /** The exit code of a run that throws nothing. */
  settle(code: number): void {
    this.#code = code;
  }

  /** The operator's client. */
  async operator(baseUrl: string | undefined): Promise<WaypostOperator> {
    const found = this.#connection(baseUrl, OPERATOR);
    const { WaypostOperator } = await import("@waypost/sdk");
    return new WaypostOperator({ baseUrl: found.baseUrl, operatorKey: found.key });
  }

  /** The client of a workspace. */
  async workspace(baseUrl: string | undefined): Promise<Waypost> {
    const found = this.workspaceConnection(baseUrl);
    const { Waypost } = await import("@waypost/sdk");
    return new Waypost({ baseUrl: found.baseUrl, apiKey: found.key });
  }

  /** The gateway, and a key of a workspace there. */
  workspaceConnection(baseUrl: string | undefined): Address & { key: string } {
    return this.#connection(baseUrl, WORKSPACE);
  }

  /** A field of `dev.json`, where the gateway is the one of that file; with the operator key of the same file. */
  devField(name: string): { value: string; operatorKey: string; from: string } | null {
    const path = findDevFile(this.#env);
    if (path === null) return null;
    const { [name]: value, operator_key: operatorKey } = readDevFile(path);
    if (typeof value !== "string" || typeof operatorKey !== "string") return null;
    return { value, operatorKey, from: shown(path) };
  }

  #connection(given: string | undefined, { variable, field, name, needs }: Key): Address & { key: string } {
    const named = given ?? this.#set("WAYPOST_BASE_URL");
    // A key of dev.json is sent to the gateway of dev.json and to no other.
    const path = named === undefined ? findDevFile(this.#env) : null;
    const dev = path === null ? {} : readDevFile(path);
    const baseUrl = named ?? dev.base_url;
    const set = this.#set(variable);
    const key = set ?? dev[field];
    if (typeof baseUrl !== "string")
      throw new UsageError(
        "where is the gateway? Give --base-url or WAYPOST_BASE_URL, or be in the folder in which `npm start` runs",
      );
    if (typeof key !== "string" || key === "") throw new UsageError(`${variable} is missing: it needs ${needs}`);
    // The client refuses it too, with an error of a program. The key itself is not repeated.
    if (!/^[!-~]+$/.test(key))
      throw new UsageError(`${variable} is no key: it has characters that are not visible ASCII`);
    const from = given !== undefined ? "--base-url" : path === null ? "WAYPOST_BASE_URL" : shown(path);
    refuseAddress(baseUrl, from);
    this.#asked = { baseUrl, from };
    if (path !== null)
      this.#notice(
        set === undefined ? `at ${baseUrl} with the ${name} of ${from}` : `at ${baseUrl} of ${from} with ${variable}`,
      );
    return { baseUrl, from, key };
  }

  /** A variable; one that is empty is none, as in a file of variables that leaves it open. */
  #set(variable: string): string | undefined {
    return this.#env[variable] || undefined;
  }

  /** Once each, on standard error: which gateway a command changes should be no guess. */
  #notice(line: string): void {
    if (this.#noticed.has(line)) return;
    this.#noticed.add(line);
    complain(line);
  }
}

/** What stands there is not repeated: it may be a key in the wrong variable, or have a password. */
function refuseAddress(text: string, from: string): void {
  const address = URL.canParse(text) ? new URL(text) : null;
  if (address === null || !/^https?:\/\//i.test(text))
    throw new UsageError(
      `the gateway's address (${from}) must be one with http or https, such as https://gateway.example`,
    );
  if (address.username !== "" || address.password !== "")
    throw new UsageError(`the gateway's address (${from}) must have no user name and no password`);
}

/** The file of the running `npm start`: in WAYPOST_DATA_DIR, else in `data` here or in a folder above. */
function findDevFile(env: Env): string | null {
  const given = env["WAYPOST_DATA_DIR"];
  if (given) {
    const path = join(given, "dev.json");
    return existsSync(path) ? path : null;
  }
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = join(folder, "data", "dev.json");
    if (isOwn(path)) return path;
    if (folder === dirname(folder)) return null;
  }
}

/**
 * Another user of the machine may write into a folder above, such as /tmp, and would get what is sent. Under sudo a file of the user who
 * calls it is their own too.
 */
function isOwn(path: string): boolean {
  const uid = process.getuid?.();
  try {
    const found = statSync(path);
    const isTheirs =
      uid === undefined || found.uid === uid || (uid === 0 && String(found.uid) === process.env["SUDO_UID"]);
    return found.isFile() && isTheirs;
  } catch {
    return false; // it is not there, or this user may not look
  }
}

function readDevFile(path: string): DevFile {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value === "object" && value !== null) return value as DevFile;
  } catch {
    // Reported below: the text of a syntax error would quote the file.
  }
  throw new UsageError(`${path} cannot be read: start again with \`npm start\`, or give --base-url`);
}

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
