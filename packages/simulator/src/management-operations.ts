import type { GraphRequest } from "./graph-request.ts";
import type { Simulation } from "./simulation.ts";

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
  "POST register": "register",
  "POST uploads": "upload",
  "POST upload": "upload",
  "GET upload": "get_upload",
  "GET oauth/access_token": "exchange_code",
  "GET debug_token": "debug_token",
};

/** What a management call does, as faults name it; undefined for sends, and for paths outside the Graph API. */
export function operationOf({ world }: Simulation, request: GraphRequest): string | undefined {
  const [, version, ...rest] = (request.routeOptions.url ?? "").split("/");
  if (version !== ":version") return undefined;
  const { method } = request;
  const { id } = request.params;
  const edge = rest[0] === ":id" ? rest.slice(1).join("/") : rest.join("/").replace(/\/?:.*$/, "");
  if (edge === "messages") return undefined;
  if (edge !== "") return OPERATIONS[`${method} ${edge}`] ?? `${method.toLowerCase()}_${edge.replaceAll("/", "_")}`;
  const noun = world.accounts.has(id) ? "account" : world.phoneNumbers.has(id) ? "phone_number" : "template";
  return method === "GET" ? `get_${noun}` : `edit_${noun}`;
}

/** The account that a call is about, by the object of its path. */
export function accountIdOf({ world }: Simulation, { params }: GraphRequest): string | undefined {
  const { id } = params;
  if (id === undefined) return undefined; // a call without an object
  return (world.accounts.get(id) ?? world.phoneNumbers.get(id)?.account ?? world.templates.get(id)?.account)?.id;
}
