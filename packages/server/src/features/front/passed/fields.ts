import { invalidAt, type Problem } from "../../../http/problem.ts";

/** What may be asked of an object, by name. A name that is not in it is refused. */
export type FieldRules = Readonly<Record<string, FieldRule>>;
export type FieldRule = {
  /** Names of what may follow it, as `limit` of `.limit(5)`; of those in `numbers` the value is the provider's id of a phone number. */
  modifiers?: readonly string[];
  numbers?: readonly string[];
  /** What may be asked of the object that it leads to. */
  fields?: FieldRules;
  /** It is about the gateway's own app: left out, so that a client that asks for all fields gets the others. */
  isOurs?: true;
};

/** `numbers`: the provider's ids of phone numbers that it names, which the caller compares. */
export type ChosenFields = { text: string; numbers: string[] };

/** A list of some 26 fields with their selections is the longest known, of some 600 characters. */
const LONGEST_FIELDS = 4_096;

/** Rewrites `fields`, given as text or as a list; null where none is left. Throws 400 for what the rules do not have. */
export function chosenFields(given: unknown, rules: FieldRules): ChosenFields | null {
  const text = textOf(given);
  if (text === null || text.length > LONGEST_FIELDS)
    throw fault("`fields` is a list of names, at most 4096 characters.");
  const reader: Reader = { text, at: 0, numbers: [] };
  const chosen = readList(reader, rules);
  if (reader.at < text.length) throw unreadable(reader);
  return chosen === "" ? null : { text: chosen, numbers: reader.numbers };
}

/** The names of the first level; none of what cannot be read. For the choice of who answers, ahead of the check. */
export function namesOfFields(given: unknown): string[] {
  let depth = 0;
  let names = "";
  for (const sign of textOf(given) ?? "") {
    if ("{([".includes(sign)) depth += 1;
    if (depth === 0) names += sign;
    if ("})]".includes(sign)) depth -= 1;
  }
  return names
    .split(",")
    .map((name) => name.trim().split(".", 1)[0] ?? "")
    .filter((name) => name !== "");
}

/** A list, a text, or a list as JSON text. */
function textOf(given: unknown): string | null {
  if (Array.isArray(given)) return given.every((one) => typeof one === "string") ? given.join(",") : null;
  if (typeof given !== "string") return null;
  if (!given.trimStart().startsWith("[")) return given;
  try {
    const parsed: unknown = JSON.parse(given);
    return Array.isArray(parsed) ? textOf(parsed) : null;
  } catch {
    return null;
  }
}

type Reader = { readonly text: string; at: number; readonly numbers: string[] };

const NAME = /\s*([A-Za-z_]\w{0,99})\s*/y;
/** What values are made of: numbers, names, and lists of texts. */
const VALUE = /\(([\w\s,.:"'[\]+-]{0,2000})\)/y;

/** As deep as the rules are. */
function readList(reader: Reader, rules: FieldRules): string {
  const chosen: string[] = [];
  do {
    const field = readField(reader, rules);
    if (field !== null) chosen.push(field);
  } while (take(reader, ","));
  return chosen.join(",");
}

function readField(reader: Reader, rules: FieldRules): string | null {
  const [, name] = match(reader, NAME) ?? [];
  // A trailing comma, as some clients leave one.
  if (name === undefined) {
    if (reader.at === reader.text.length || reader.text[reader.at] === "}") return null;
    throw unreadable(reader);
  }
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) throw fault(`Waypost does not pass on the field ${name} of this call.`);
  const modifiers = readModifiers(reader, name, rule);
  const isNested = take(reader, "{");
  const nested = isNested ? readList(reader, rule.fields ?? {}) : "";
  if (isNested && !take(reader, "}")) throw unreadable(reader);
  if (rule.isOurs) return null;
  return `${name}${modifiers}${nested === "" ? "" : `{${nested}}`}`;
}

function readModifiers(reader: Reader, field: string, rule: FieldRule): string {
  let modifiers = "";
  while (take(reader, ".")) {
    const [, name = ""] = match(reader, NAME) ?? [];
    const [, value] = match(reader, VALUE) ?? [];
    const isNumber = rule.numbers?.includes(name) === true;
    if (value === undefined || !(isNumber || rule.modifiers?.includes(name) === true))
      throw fault(`Waypost does not pass on ${field}.${name} of this call.`);
    if (isNumber) reader.numbers.push(value.replace(/["'\s]/g, ""));
    modifiers += `.${name}(${value})`;
  }
  return modifiers;
}

function match(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found !== null) reader.at += found[0].length;
  return found;
}

function take(reader: Reader, sign: string): boolean {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at += 1;
  if (reader.text[reader.at] !== sign) return false;
  reader.at += 1;
  return true;
}

const unreadable = ({ at }: Reader): Problem => fault(`\`fields\` cannot be read from its character ${at + 1} on.`);
const fault = (detail: string): Problem => invalidAt("?fields", detail, "invalid_fields");
