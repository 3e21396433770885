import { randomBytes } from "node:crypto";
import type { Waypost } from "@waypost/sdk";
import type { Command } from "commander";
import { workspaceOf } from "../connection.ts";
import { UsageError } from "../errors.ts";
import { BASE_URL } from "../output.ts";

type ListenOptions = {
  forwardTo: string;
  secret?: string;
  kinds?: string;
  allow?: true;
  baseUrl?: string;
};

/** `waypost listen`: the workspace's events to a receiver on this machine, until the process is stopped. */
export function addListenCommand(program: Command): void {
  program
    .command("listen")
    .description("forward a workspace's events to a receiver on this machine, with WAYPOST_API_KEY")
    .requiredOption("--forward-to <url>", "the receiver, such as http://127.0.0.1:3000/hooks")
    .option("--secret <secret>", "signs the deliveries; by default one of this run, which is printed")
    .option("--kinds <list>", "only these kinds of events, such as messages,delivered")
    .option("--allow", "also a receiver that is not on this machine")
    .option(...BASE_URL)
    .action(async (options: ListenOptions) => {
      const url = targetOf(options.forwardTo, options.allow === true);
      const secret = secretOf(options.secret);
      const kinds = kindsOf(options.kinds);
      await listen(await workspaceOf(options.baseUrl, process.env), { url, secret, kinds });
    });
}

type Listening = { url: string; secret: string; kinds: ReadonlySet<string> | null };

async function listen(api: Waypost, { url, secret, kinds }: Listening): Promise<void> {
  const [{ followEvents }, { Forwarder }] = await Promise.all([import("./follow.ts"), import("./forward.ts")]);
  const { name } = await api.workspace.get();
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  const forwarder = new Forwarder({ url, secret, signal: stop.signal, say: (line) => console.log(line) });
  console.log(`Events of ${JSON.stringify(name)} go to ${url}, signed with ${secret}`);
  try {
    const notice = (line: string): void => console.error(`waypost: ${line}`);
    for await (const event of followEvents(api, { signal: stop.signal, notice }))
      if (kinds?.has(event.kind) ?? true) await forwarder.forward(event);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Bodies of messages leave this machine only where that is asked for. */
function targetOf(text: string, anywhere: boolean): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`--forward-to must be an address with http or https, not ${text}`);
  const { hostname, href, username, password } = new URL(text);
  if (username !== "" || password !== "") throw new UsageError("--forward-to must have no user name and no password");
  if (!anywhere && !isLoopback(hostname))
    throw new UsageError(`${hostname} is not this machine: give --allow if events shall go there`);
  return href;
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Standard Webhooks asks for it. */
const LEAST_BYTES = 24;

function secretOf(given: string | undefined): string {
  if (given === undefined) return `whsec_${randomBytes(32).toString("base64")}`;
  const text = given.replace(/^whsec_/, "");
  const bytes = Buffer.from(text, "base64");
  if (text === given || bytes.toString("base64") !== text || bytes.length < LEAST_BYTES)
    throw new UsageError("--secret must be whsec_ and at least 24 bytes in base64, as endpoints have it");
  return given;
}

function kindsOf(list: string | undefined): ReadonlySet<string> | null {
  if (list === undefined) return null;
  const kinds = list.split(",").map((kind) => kind.trim());
  if (kinds.some((kind) => !/^[a-z_]{1,64}$/.test(kind)))
    throw new UsageError("--kinds must be kinds of events with commas between them, such as messages,delivered");
  return new Set(kinds);
}
