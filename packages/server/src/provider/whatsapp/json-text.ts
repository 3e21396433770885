/**
 * Parts of a JSON text as they are written in it: what is cut out this way keeps its numbers, its escapes and the order of its names. The
 * text must be valid JSON.
 */

/** A member of an object: its name, and the texts of its key, quotes included, and of its value. */
export type Member = { name: string; key: string; value: string };

/** The members of the object that this text is; none where it is something else. */
export function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== "{") return members;
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] !== "}") {
    const keyEnd = valueEnd(text, at);
    const key = text.slice(at, keyEnd);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    members.push({ name: JSON.parse(key) as string, key, value: text.slice(start, end) }); // a key is a string
    at = afterComma(text, end);
  }
  return members;
}

/** The texts of the items of the array that this text is; none where it is something else. */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== "[") return items;
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] !== "]") {
    const end = valueEnd(text, at);
    items.push(text.slice(at, end));
    at = afterComma(text, end);
  }
  return items;
}

/** The text of a member's value, as JSON.parse takes it: of two of one name the last. */
export const memberOf = (text: string, name: string): string | undefined =>
  membersOf(text).findLast((member) => member.name === name)?.value;

/**
 * The object that this text is, with these members' values replaced by the texts given, null: without them. Of two members of such a name
 * only the last is left.
 */
export function withMembers(text: string, values: Readonly<Record<string, string | null>>): string {
  const given = new Map(Object.entries(values));
  const left: string[] = [];
  for (const { name, key, value } of membersOf(text).reverse()) {
    const replaced = given.get(name);
    if (replaced !== null) left.push(`${key}:${replaced ?? value}`);
    if (replaced !== undefined) given.set(name, null);
  }
  return `{${left.reverse().join(",")}}`;
}

/** The object that this text is, which has no member of this name, with one more. */
export function withMember(text: string, name: string, value: unknown): string {
  const members = membersOf(text).map(({ key, value: own }) => `${key}:${own}`);
  return `{${[...members, `${JSON.stringify(name)}:${JSON.stringify(value)}`].join(",")}}`;
}

/** The same JSON in ASCII alone, DEL included among what is not: `\u` and four digits in lower case. */
export const escaped = (text: string): string =>
  text.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

function skipSpace(text: string, from: number): number {
  let at = from;
  while (SPACE.has(text.charCodeAt(at))) at += 1;
  return at;
}

function afterComma(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === "," ? skipSpace(text, at + 1) : at;
}

/** Where the value ends that begins at `start`. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) {
      at = stringEnd(text, at);
      if (depth === 0) return at + 1;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth += 1;
    else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
      if (depth < 0) return at;
    } else if (depth === 0 && (c === COMMA || SPACE.has(c))) return at;
  }
  return text.length;
}

/** Index of the closing quote of the string that opens at `open`, or the end of the text. */
export function stringEnd(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return close;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

const SPACE: ReadonlySet<number> = new Set([32, 9, 10, 13]);
const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
