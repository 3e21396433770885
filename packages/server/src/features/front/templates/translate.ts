import type { Given } from "../../../http/call.ts";
import { parsed } from "../messages/content.ts";
import { mediaOfHandle } from "../uploads/handle.ts";

type Fields = Record<string, unknown>;

/** What says nothing to us: the provider itself decides on the category since it has dropped the choice. */
const DROPPED: ReadonlySet<string> = new Set(["messaging_product", "allow_category_change"]);

/**
 * A definition as our own API takes it: what is null was not given, and a sample that was uploaded here is named by its media. What has no
 * place there stays, and is refused there by its name.
 */
export function definitionOf(values: Given["values"]): Fields {
  const body: Fields = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === "" || DROPPED.has(name)) continue;
    body[name] = name === "components" ? ownComponents(parsed(value)) : value;
  }
  for (const name of ["category", "parameter_format"])
    if (typeof body[name] === "string") body[name] = body[name].toLowerCase();
  const { language, message_send_ttl_seconds: ttl } = body;
  if (typeof language === "string") body["language"] = { code: language };
  if (typeof ttl === "string" && /^-?\d{1,9}$/.test(ttl)) body["message_send_ttl_seconds"] = Number(ttl);
  return body;
}

function ownComponents(value: unknown, field = ""): unknown {
  if (typeof value === "string" && field === "header_handle") return mediaOfHandle(value) ?? value;
  if (Array.isArray(value)) return value.filter((item) => item !== null).map((item) => ownComponents(item, field));
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(given.map(([name, inner]) => [name, ownComponents(inner, name)]));
}
