import type { Simulation } from "../simulation/simulation.ts";
import type { Account } from "../world/world.ts";
import { type GraphRequest, tokenOf } from "./request.ts";

/** Name of each management call by method and edge: the path behind the object's id, or behind the version for calls without one. */
const OPERATIONS: Readonly<Record<string, string>> = {
  "GET phone_numbers": "list_phone_numbers",
  "GET message_templates": "list_templates",
  "POST message_templates": "create_template",
  "DELETE message_templates": "delete_template",
  "POST unpause": "unpause_template",
  "GET subscribed_apps": "list_subscribed_apps",
  "POST subscribed_apps": "subscribe",
  "DELETE subscribed_apps": "unsubscribe",
  "GET whatsapp_business_profile": "get_profile",
  "POST whatsapp_business_profile": "update_profile",
  "POST register": "register",
  "POST uploads": "upload",
  "POST upload": "upload",
  "GET upload": "get_upload",
  "POST media": "upload_media",
  "GET oauth/access_token": "exchange_code",
  "GET debug_token": "debug_token",
};

/** Where the bytes of a file are: at the provider on another host, and no part of the Graph. */
export const FILE_ADDRESS = "/whatsapp_business/attachments";

/** What a management call does, as faults and counts name it; undefined for sends, and for paths outside the Graph API. */
export function operationOf(sim: Simulation, request: GraphRequest): string | undefined {
  const { url = "" } = request.routeOptions;
  if (url === FILE_ADDRESS) return "download_media";
  const [, version, ...rest] = url.split("/");
  if (version !== ":version") return undefined;
  const { method } = request;
  const edge = rest[0] === ":id" ? rest.slice(1).join("/") : rest.join("/").replace(/\/?:.*$/, "");
  if (edge === "messages") return undefined;
  if (edge !== "") return OPERATIONS[`${method} ${edge}`] ?? `${method.toLowerCase()}_${edge.replaceAll("/", "_")}`;
  return `${VERBS[method] ?? "get"}_${nounOf(sim, request.params.id)}`;
}

const VERBS: Readonly<Record<string, string>> = { POST: "edit", DELETE: "delete" };

function nounOf({ world, media, clock }: Simulation, id: string): string {
  if (world.accounts.has(id)) return "account";
  if (world.phoneNumbers.has(id)) return "phone_number";
  return media.find(id, clock.nowMs()) === undefined ? "template" : "media";
}

/** The account that a call is about, by the object of its path. */
export function accountOf({ world }: Simulation, { params }: GraphRequest): Account | undefined {
  const { id } = params;
  if (id === undefined) return undefined; // a call without an object
  return world.accounts.get(id) ?? world.phoneNumbers.get(id)?.account ?? world.templates.get(id)?.account;
}

/** The account that a fault is about: of a file, that of its number too. No call about a file counts in the quota of its account. */
export function accountOfFault(sim: Simulation, request: GraphRequest): Account | undefined {
  const account = accountOf(sim, request);
  if (account !== undefined) return account;
  const { media, clock, world } = sim;
  const found =
    request.routeOptions.url === FILE_ADDRESS
      ? media.at(request.query["hash"] ?? "", clock.nowMs())
      : media.find(request.params.id ?? "", clock.nowMs());
  return found && world.accounts.get(found.wabaId);
}

/** The same where the call's token reaches it: a call that is refused otherwise is counted for no account. */
export function reachedAccountOf(sim: Simulation, request: GraphRequest): Account | undefined {
  const account = accountOf(sim, request);
  if (account === undefined) return undefined;
  const token = tokenOf(request) ?? "";
  const isGranted = sim.signups.grantOf(token)?.wabaIds.includes(account.id) === true;
  return isGranted || sim.world.accountsByToken.get(token)?.includes(account) === true ? account : undefined;
}
