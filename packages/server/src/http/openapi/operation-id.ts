import { isList } from "../pagination.ts";

type Named = { method: string; path: string; response: object; operationId?: string };

/**
 * `<resource>.<method>` of a row, as the OpenAPI document and the SDK call it: `GET /v1/phone-numbers` is
 * `phoneNumbers.list`, `POST /v1/webhook-endpoints/{id}/rotate-secret` is `webhookEndpoints.rotateSecret`. A row whose path
 * yields a poor name declares its own `operationId`.
 */
export function operationIdOf(row: Named): string {
  if (row.operationId !== undefined) return row.operationId;
  const parts = row.path.split("/").filter((part) => part !== "" && part !== "admin" && part !== "v1");
  const [resource = "root", ...rest] = parts;
  return `${camel(resource)}.${methodOf(row, rest)}`;
}

/** The same for a raw route: `POST /webhooks/receive` is `webhooks.postReceive`. */
export function rawOperationIdOf(route: { method: string; path: string; operationId?: string }): string {
  if (route.operationId !== undefined) return route.operationId;
  const [resource = "root", ...rest] = route.path.split("/").filter((part) => part !== "" && !isParameter(part));
  return `${camel(resource)}.${route.method.toLowerCase()}${rest.map(pascal).join("")}`;
}

function methodOf(row: Named, rest: readonly string[]): string {
  const names = rest.filter((part) => !isParameter(part));
  const onItem = isParameter(rest.at(-1) ?? "");
  const last = names.at(-1);
  const lists = row.method === "GET" && isList(row.response);
  const base = lists ? "list" : (VERBS[row.method] ?? row.method.toLowerCase());
  if (last === undefined) return base;

  // The names before the last one qualify it: `imports/{id}/errors` are import errors.
  const before = names.slice(0, -1).map((name) => pascal(singular(name)));
  if (onItem) return base + before.join("") + pascal(singular(last));
  if (lists) return base + before.join("") + pascal(last);
  if (row.method === "POST" && singular(last) !== last) return base + before.join("") + pascal(singular(last));
  // An action: `cancel`, `rotate-secret`, `export`.
  const word = before.join("") + pascal(last);
  return word.charAt(0).toLowerCase() + word.slice(1);
}

const VERBS: Record<string, string> = { GET: "get", POST: "create", PATCH: "update", PUT: "replace", DELETE: "delete" };

const isParameter = (part: string): boolean => part.startsWith("{");

const pascal = (name: string): string =>
  name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const camel = (name: string): string => name.charAt(0) + pascal(name).slice(1);

function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.endsWith("s") && !name.endsWith("ss") ? name.slice(0, -1) : name;
}
