import { randomBytes } from "node:crypto";
import type { Waypost } from "@waypost/sdk";
import { type Declared, text } from "../commands/command.ts";
import { UsageError } from "../errors.ts";
import { printable } from "../output.ts";
import { complain } from "../stderr.ts";
import type { Attempt } from "./forward.ts";

/** `waypost listen`: the workspace's events to a receiver on this machine, until the process is stopped. */
export const listenCommand: Declared = {
  name: "listen",
  does: "forward a workspace's events to a receiver on this machine, until Ctrl-C",
  key: "workspace",
  example: "listen --forward-to http://127.0.0.1:3000/hooks --kinds messages,delivered",
  argument: { name: "url", does: "the receiver, as with --forward-to", isOptional: true },
  options: [
    { name: "forward_to", does: "the receiver, such as http://127.0.0.1:3000/hooks" },
    { name: "secret", does: "signs the deliveries; by default one of this run, which is printed" },
    { name: "kinds", does: "only these kinds of events, with commas between them" },
    { name: "allow", does: "also a receiver that is not on this machine", kind: "flag" },
  ],
  isEndless: true,
  run: async ({ argument, given, workspace, signal, isJson }) => {
    if ((argument === "") === (given["forward_to"] === undefined))
      throw new UsageError("listen needs the receiver's address once: --forward-to http://127.0.0.1:3000/hooks");
    const url = targetOf(argument || text(given, "forward_to"), given["allow"] === true);
    const secret = secretOf(given["secret"] === undefined ? undefined : text(given, "secret"));
    const kinds = kindsOf(given["kinds"] === undefined ? undefined : text(given, "kinds"));
    await listen(await workspace(), { url, secret, kinds, signal, isJson });
    return null;
  },
};

type Listening = {
  url: string;
  secret: string;
  kinds: ReadonlySet<string> | null;
  signal: AbortSignal;
  isJson: boolean;
};

async function listen(api: Waypost, { url, secret, kinds, signal, isJson }: Listening): Promise<void> {
  const [{ followEvents }, { Forwarder }] = await Promise.all([import("./follow.ts"), import("./forward.ts")]);
  const { name } = await api.workspace.get();
  const report = (attempt: Attempt): void => {
    const { kind, event_id, result, duration_ms } = attempt;
    console.log(isJson ? JSON.stringify(attempt) : `${kind} ${event_id} ${result} ${duration_ms} ms`);
  };
  const forwarder = new Forwarder({ url, secret, signal, report });
  if (isJson) console.log(JSON.stringify({ workspace: name, forward_to: url, secret }));
  else console.log(`Events of ${printable(JSON.stringify(name))} go to ${url}, signed with ${secret}`);
  for await (const event of followEvents(api, { signal, notice: complain }))
    if (kinds?.has(event.kind) ?? true) await forwarder.forward(event);
}

/** Bodies of messages leave this machine only where that is asked for. */
function targetOf(text: string, anywhere: boolean): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError("--forward-to must be an address with http or https, such as http://127.0.0.1:3000/hooks");
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
