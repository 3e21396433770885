import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { type FieldError, invalidAt, Problem, pointerToken } from "../../problem.ts";

/** Editors and spreadsheets put it ahead of UTF-8; JSON has none (RFC 8259, 8.1, lets a parser ignore it). */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Deeper than any content of the provider (its flows reach about ten), shallow enough for every recursive walk. */
const DEEPEST = 32;
/** What PostgreSQL's text and jsonb refuse: NUL, and halves of a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** The list of a body whose items are refused one by one, and what takes the refusals of this file. */
export type ListOfBody = { readonly eachOf: string | undefined; refuseItem(index: number, problem: Problem): void };

/**
 * Parses a JSON body and refuses what the database would refuse or change: broken UTF-8, `\u0000` and lone surrogates in
 * strings and keys, numbers beyond ±(2^53 − 1), nesting over 32, and the key `__proto__`; also what would take long to parse. Throws `invalid_json`, or
 * `invalid_request` with the pointer. What is wrong within an item of the `list` refuses the item alone.
 */
export function parseBody(bytes: Buffer, list?: ListOfBody): unknown {
  if (!isUtf8(bytes)) throw new Problem("invalid_json", "The body is not UTF-8.");
  if (isCrowded(bytes))
    throw invalidAt("", `The body has more than ${MOST_CONTAINERS} arrays and objects.`, "too_many");
  const text = bytes.toString(
    "utf8",
    BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length)) ? BYTE_ORDER_MARK.length : 0,
  );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem("invalid_json", `The body is not valid JSON${positionIn(error)}.`);
  }
  // JSON.parse refuses raw control characters and raw surrogates are not UTF-8, so a bad string needs an escape.
  const escapes = text.includes("\\u");
  const items = list?.eachOf === undefined ? null : itemsOf(value, list.eachOf);
  const fault = items === null ? inspect(value, escapes, 0) : inspectFields(value as object, escapes, 1, list?.eachOf);
  if (fault) throw refusalOf(fault);
  let digest: string | undefined;
  items?.forEach((item, index) => {
    const inItem = inspect(item, escapes, DEPTH_OF_ITEMS);
    if (inItem === null) return;
    list?.refuseItem(index, refusalOf(inItem));
    // Nothing reads the item but the fingerprint of the request, which walks through all of it.
    if (inItem.code === TOO_DEEP) items[index] = { refused: (digest ??= hash("sha256", bytes, "hex")) };
  });
  return value;
}

/**
 * Arrays and objects of a body, far more than any batch has. Each takes the parser up to a microsecond, during which no other request is
 * answered: 4 MiB of nothing else were measured to take 4 s.
 */
const MOST_CONTAINERS = 200_000;

function isCrowded(bytes: Buffer): boolean {
  if (bytes.length <= MOST_CONTAINERS) return false;
  let count = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) inText = !inText;
    else if (!inText && (byte === BRACKET || byte === BRACE)) count += 1;
  }
  return count > MOST_CONTAINERS;
}
const [BACKSLASH, QUOTE, BRACKET, BRACE] = Buffer.from('\\"[{');

/** The list of this name in a body; null where there is none, or one that its schema refuses for its length. */
function itemsOf(body: unknown, name: string): unknown[] | null {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body) && Object.hasOwn(body, name);
  const list = isObject ? (body as Record<string, unknown>)[name] : null;
  return Array.isArray(list) && list.length <= MOST_ITEMS ? list : null;
}

/** Of any list whose items are refused one by one: a body of 4 MiB has room for 400,000 refusals, which take seconds and half a GiB. */
export const MOST_ITEMS = 1_000;

/** The body is at 0, and its list at 1. */
const DEPTH_OF_ITEMS = 2;
const TOO_DEEP = "too_deep";

const refusalOf = (fault: FieldError): Problem => new Problem("invalid_request", fault.detail, { errors: [fault] });

// The parser's own message quotes the body; only its position may leave.
function positionIn(error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? "" : ` (at character ${position})`;
}

function inspect(value: unknown, escapes: boolean, depth: number): FieldError | null {
  if (typeof value === "string")
    return escapes && UNSTORABLE.test(value) ? fault("invalid_text", UNSTORABLE_TEXT) : null;
  if (typeof value === "number")
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? null : fault("number_out_of_range", TOO_LARGE);
  if (typeof value !== "object" || value === null) return null;
  if (depth === DEEPEST) return fault(TOO_DEEP, `The body is nested deeper than ${DEEPEST} levels.`);
  return Array.isArray(value) ? inspectItems(value, escapes, depth + 1) : inspectFields(value, escapes, depth + 1);
}

function inspectItems(items: readonly unknown[], escapes: boolean, depth: number): FieldError | null {
  for (let index = 0; index < items.length; index++) {
    const inner = inspect(items[index], escapes, depth);
    if (inner) return { ...inner, pointer: `/${index}${inner.pointer}` };
  }
  return null;
}

function inspectFields(fields: object, escapes: boolean, depth: number, except?: string): FieldError | null {
  for (const key of Object.keys(fields)) {
    if (key === "__proto__" || (escapes && UNSTORABLE.test(key)))
      return fault("invalid_text", "A field has a name that is not possible.");
    if (key === except) continue;
    const inner = inspect((fields as Record<string, unknown>)[key], escapes, depth);
    if (inner) return { ...inner, pointer: `/${pointerToken(key)}${inner.pointer}` };
  }
  return null;
}

const UNSTORABLE_TEXT = "The text has a NUL character or half of a surrogate pair.";
const TOO_LARGE = "The number is beyond ±9007199254740991.";
const fault = (code: string, detail: string): FieldError => ({ pointer: "", code, detail });
