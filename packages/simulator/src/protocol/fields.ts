import { beginningOf } from "../lib/beginning-of.ts";
import { isRecord } from "../lib/shape.ts";
import { graphRefusal } from "./error.ts";

/** A field of `fields=`: its name, what was put behind it as `.limit(3)`, and what was chosen within it. */
export type Field = { name: string; modifiers: Readonly<Record<string, string>>; fields: readonly Field[] | null };

/** A list that hangs on an object and can be read as one of its fields, such as the phone numbers of an account. */
export type Edge = (asked: Field) => unknown;

/** Keys of plain objects that are there only at times. */
const OPTIONAL_KEYS = ["errors", "additional_info", "date", "possible_solution"];

/** Parses `a,b{c,d},e.limit(3){f}`; throws 2500 for what is not of this form. */
export function parseFields(text: string): Field[] {
  const reader = { text, at: 0 };
  const fields = readList(reader);
  if (reader.at < text.length) throw syntaxError(reader);
  return fields;
}

/** What `parseFields` reads as these fields. */
export const textOfFields = (fields: readonly Field[]): string => fields.map(textOfField).join(",");

function textOfField({ name, modifiers, fields }: Field): string {
  const { fields: _selection, ...asked } = modifiers;
  const behind = Object.entries(asked).map(([modifier, value]) => `.${modifier}(${value})`);
  return `${name}${behind.join("")}${fields === null ? "" : `{${textOfFields(fields)}}`}`;
}

/** The object with only these fields. One that it does not have is error 100, so that a misspelt one does not pass for empty. */
export function pickFields(
  node: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  type?: string,
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const field of fields) {
    const { name } = field;
    if (!Object.hasOwn(node, name)) throw nonexisting(name, type);
    const value = node[name];
    if (value === undefined) continue;
    const key = field.modifiers["as"] ?? name;
    if (typeof value === "function") picked[key] = (value as Edge)(field);
    else picked[key] = field.fields === null ? value : pickWithin(value, field.fields);
  }
  return picked;
}

function pickWithin(value: unknown, fields: readonly Field[]): unknown {
  const objects = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isRecord);
  const isKnown = (name: string) =>
    OPTIONAL_KEYS.includes(name) || objects.length === 0 || objects.some((one) => Object.hasOwn(one, name));
  const missing = fields.find(({ name }) => !isKnown(name));
  if (missing !== undefined) throw nonexisting(missing.name);
  const picked = objects.map((one) =>
    pickFields(
      one,
      fields.filter(({ name }) => Object.hasOwn(one, name)),
    ),
  );
  return Array.isArray(value) ? picked : (picked[0] ?? value);
}

type Reader = { readonly text: string; at: number };

function readList(reader: Reader): Field[] {
  const fields: Field[] = [];
  for (;;) {
    // Empty places between commas are passed over.
    while (/[\s,]/.test(reader.text[reader.at] ?? "")) reader.at += 1;
    const name = readWord(reader);
    if (name === "") return fields;
    fields.push(readRest(reader, name));
  }
}

function readRest(reader: Reader, name: string): Field {
  const modifiers: Record<string, string> = {};
  let fields: Field[] | null = null;
  for (;;) {
    if (take(reader, ".")) {
      const modifier = readWord(reader);
      if (modifier === "" || !take(reader, "(")) throw syntaxError(reader);
      const end = reader.text.indexOf(")", reader.at);
      if (end < 0) throw syntaxError(reader);
      modifiers[modifier] = reader.text.slice(reader.at, end).trim();
      reader.at = end + 1;
    } else if (take(reader, "{")) {
      fields = readList(reader);
      if (!take(reader, "}")) throw syntaxError(reader);
    } else {
      const within = modifiers["fields"];
      return { name, modifiers, fields: within === undefined ? fields : parseFields(within) };
    }
  }
}

function readWord(reader: Reader): string {
  const word = /^\w+/.exec(reader.text.slice(reader.at))?.[0] ?? "";
  reader.at += word.length;
  return word;
}

function take(reader: Reader, char: string): boolean {
  if (reader.text[reader.at] !== char) return false;
  reader.at += 1;
  return true;
}

/** `type`: what kind of object was asked; of parts of one it is not said. */
const nonexisting = (name: string, type?: string) =>
  graphRefusal(
    100,
    `(#100) Tried accessing nonexisting field (${beginningOf(name, 60)})${type === undefined ? "" : ` on node type (${type})`}`,
  );

const syntaxError = ({ at }: Reader) => graphRefusal(2500, `Syntax error in fields at character ${at}`);
