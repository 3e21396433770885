import { parsedText } from "../../../http/json-text.ts";
import { formatId } from "../../../lib/ids.ts";
import { uuidOfDigits } from "../../media/digits.ts";

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The objects in which media stands, by the name of their field. */
const MEDIA = new Set(["image", "video", "audio", "document", "sticker", "gif"]);
/** Fields that are objects or lists alone: the provider takes a text of JSON in their place, and Chatwoot sends one. */
const OBJECTS = new Set(["action", "buttons", "components", "language", "parameters", "sections"]);
const DIGITS = /^\d{1,40}$/;

/** A parameter as its object: from a form or a query it comes as a text of JSON. */
export const parsed = (value: unknown): unknown => (typeof value === "string" ? parsedText(value) : value);

/**
 * A message's content as ours is: what is null was not given, ids of media are ours, and a number that stands where a text does, such as
 * the id of a row of a list, is the text of it. All else is the provider's own and stays.
 */
export function ownContent(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map((item) => ownContent(item, field));
  if (!isFields(value)) return value;
  const own: Fields = {};
  for (const [name, inner] of Object.entries(value)) {
    if (inner === null) continue;
    own[name] = name === "id" ? ownId(inner, field) : ownContent(OBJECTS.has(name) ? parsed(inner) : inner, name);
  }
  return own;
}

function ownId(id: unknown, field: string): unknown {
  const text = typeof id === "number" ? String(id) : id;
  if (!MEDIA.has(field) || typeof text !== "string" || !DIGITS.test(text)) return text;
  const uuid = uuidOfDigits(text);
  return uuid === null ? text : formatId("med", uuid);
}
