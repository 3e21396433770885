import { Compile } from "typebox/compile";
import { Problem } from "../../../http/problem.ts";
import { beginningOf } from "../../../lib/beginning-of.ts";
import { active } from "../../../lib/csv.ts";
import { parseId } from "../../../lib/ids.ts";
import { seenId } from "../../../lib/phone/phone-text.ts";
import { NewContact } from "../schema.ts";
import type { ContactWrite } from "../write.store.ts";
import { rowOf } from "../write.ts";
import { IGNORED_FIELDS, keyOf, type Target } from "./columns.ts";
import type { JsonLine } from "./read-ndjson.ts";

/** Why a row is refused; `column` as the file calls it, null for the row as a whole. Texts name no value of a person. */
export type RowError = { column: string | null; code: string; detail: string };
export type ImportedRow = Omit<ContactWrite, "workspace_id" | "source" | "consent_at" | "said_at">;
export type ReadRow = { write: ImportedRow } | { error: RowError };

/** The fields of a contact as a row of a file gives them. */
type Fields = Record<string, unknown>;
/** The column of a field, for errors. */
type ColumnOf = (field: string) => string;

const PLACEHOLDER = "+10000000000";
const check = Compile(NewContact);

/**
 * Reads the cells of one row of CSV. An empty cell says nothing: it changes nothing. Cells of columns with one name are one, as far as
 * they agree. Cells behind the last column are empty; one that is missing is a row that was cut off, unless its column has no name.
 */
export function readCells(cells: readonly string[], targets: readonly (Target | null)[], now: number): ReadRow {
  const needed = targets.findLastIndex((target) => target?.field !== "unnamed") + 1;
  if (cells.length < needed || cells.slice(targets.length).some(isFilled))
    return refuse(null, "invalid_row", `The row has ${cells.length} cells and the first line ${targets.length}.`);
  const fields: Fields = {};
  const attributes: Fields = Object.create(null); // so that `__proto__` is a name like others, and refused
  const given = new Map<string, string>();
  for (const [index, target] of targets.entries()) {
    const cell = active(cells[index] ?? "");
    if (target === null || !isFilled(cell)) continue;
    if (target.field === "unnamed") return refuse(target.header, "unnamed_column", NAMELESS);
    const key = keyOf(target);
    const other = given.get(key);
    if (other !== undefined && other !== cell.trim()) return refuse(target.header, "ambiguous", AMBIGUOUS);
    given.set(key, cell.trim());
    const read = readCell(cell, target);
    if ("error" in read) return read;
    if (target.field === "attribute") attributes[target.name] = read.value;
    else if (target.field === "attributes") Object.assign(attributes, read.value);
    else fields[target.field] = read.value;
  }
  if (Object.keys(attributes).length > 0) fields["attributes"] = attributes;
  return readFields(fields, (field) => columnIn(targets, field), now);
}

const isFilled = (cell: string): boolean => cell.trim() !== "";
const NAMELESS =
  "has no name in the first line and a cell with content: name it there, or map its place to a field, or to null to ignore it";
const AMBIGUOUS = "is there twice, with two values: map one of the places to another field, or to null to ignore it";

function readCell(
  cell: string,
  target: Exclude<Target, { field: "unnamed" }>,
): { value: unknown } | { error: RowError } {
  const text = cell.trim();
  switch (target.field) {
    case "tags":
      return { value: tagsIn(text) };
    case "attributes":
      return (
        objectIn(text) ?? refuse(target.header, "invalid_value", 'must be a JSON object such as {"city":"Recife"}')
      );
    case "attribute":
      return typed(cell, target.type) ?? refuse(target.header, "invalid_value", `must be a ${target.type}`);
    case "name":
      return { value: cell };
    default:
      return { value: text };
  }
}

/** Separated by `;` or `|`; a JSON array where a tag has one of them itself. */
function tagsIn(text: string): unknown[] {
  if (text.startsWith("[")) {
    try {
      const value: unknown = JSON.parse(text);
      if (Array.isArray(value)) return value;
    } catch {
      // A tag may begin like that.
    }
  }
  return text.split(/[;|]/).flatMap((tag) => (tag.trim() === "" ? [] : [tag.trim()]));
}

function objectIn(text: string): { value: object } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { value } : null;
  } catch {
    return null;
  }
}

function typed(cell: string, type: "text" | "number" | "boolean"): { value: unknown } | null {
  if (type === "text") return { value: cell };
  const text = cell.trim().toLowerCase();
  if (type === "boolean") return text === "true" || text === "false" ? { value: text === "true" } : null;
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? { value: Number(text) } : null;
}

/** The column of a field, as the file calls it. */
export function columnIn(targets: readonly (Target | null)[], field: string): string {
  const [name = "", attribute] = field.split("/", 2);
  const own = targets.find((target) =>
    target?.field === "attribute" ? name === "attributes" && target.name === attribute : target?.field === name,
  );
  return own?.header ?? name;
}

/** Reads one line of NDJSON: a contact as the API takes or returns it. Null clears a field. */
export function readLine(line: JsonLine, now: number): ReadRow {
  if ("fault" in line) return refuse(null, "invalid_row", line.fault);
  const value = line.json;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse(null, "invalid_row", "The line is not a JSON object.");
  return readFields({ ...value }, (field) => field.replace("/", "."), now);
}

function readFields(fields: Fields, columnOf: ColumnOf, now: number): ReadRow {
  for (const field of IGNORED_FIELDS) delete fields[field];
  const { id, phone } = fields;
  delete fields["id"];
  if (phone === null || phone === "") delete fields["phone"];
  // What an export says of those who said nothing.
  if (fields["marketing_consent"] === "unknown") delete fields["marketing_consent"];
  const known = fields["phone"] === undefined ? contactIn(id, columnOf) : null;
  if (known !== null && "error" in known) return known;
  // One schema for all: of a contact that is found by its id it checks everything but the number.
  const contact = known === null ? fields : { ...fields, phone: PLACEHOLDER };
  const fault = faultOf(contact, columnOf);
  if (fault !== null) return { error: fault };
  try {
    const row = rowOf({ now }, contact as NewContact, "upsert"); // checked just now
    return { write: known === null ? row : ofId(row, known.id) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The provider has numbers that are possible nowhere: an export of such a contact has its id.
    const own = typeof id === "string" ? parseId("con", seenId(id)) : null;
    if (own !== null)
      return { write: ofId(rowOf({ now }, { ...contact, phone: PLACEHOLDER } as NewContact, "upsert"), own) };
    return refuse(columnOf("phone"), error.code, error.message);
  }
}

const ofId = (row: ImportedRow, id: string): ImportedRow => ({ ...row, ...NO_NAMES, mode: "update", contact_id: id });
const NO_NAMES = { phone: undefined, phone_key: undefined, phone_loose: undefined, e164: undefined };

function contactIn(id: unknown, columnOf: ColumnOf): { id: string } | { error: RowError } {
  if (id === undefined || id === null) return refuse(columnOf("phone"), "required", "The row has no phone number.");
  const uuid = typeof id === "string" ? parseId("con", seenId(id)) : null;
  return uuid === null ? refuse(columnOf("id"), "invalid_value", "must be the id of a contact") : { id: uuid };
}

const TOP_FIELDS: ReadonlySet<string> = new Set(Object.keys(NewContact.properties));

function faultOf(contact: Fields, columnOf: ColumnOf): RowError | null {
  const unknown = Object.keys(contact).find((field) => !TOP_FIELDS.has(field));
  if (unknown !== undefined) return fault(shown(unknown), "unknown_field", "is not a field of a contact");
  // Behind the schema, as what is no contact may be nested thousands deep.
  if (check.Check(contact)) return unstorableIn(contact, columnOf);
  const [first] = check.Errors(contact);
  const path = (first?.instancePath ?? "").slice(1);
  return fault(
    columnOf(
      path
        .split("/")
        .slice(0, path.startsWith("attributes/") ? 2 : 1)
        .join("/"),
    ),
    "invalid_value",
    DETAILS[path.split("/")[0] ?? ""] ?? "is not valid",
  );
}

/** What a field takes. The value is not repeated: it is a person's. */
const DETAILS: Readonly<Record<string, string>> = {
  phone: "must be a number with `+` and country code",
  name: "must be one line of at most 256 characters with something to see",
  email: "must be an address of at most 254 characters",
  locale: "must be a language tag such as pt_BR",
  attributes:
    "must have at most 100 names of letters, digits, `_`, `.` and `-`, each with a text of at most 1,024 characters, a number or a boolean",
  tags: "must be at most 100 tags of up to 64 characters",
  marketing_consent: "must be opted_in or opted_out",
};

const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** The first value that PostgreSQL would refuse or JavaScript has changed; a body of JSON is held to the same. */
function unstorableIn(contact: Fields, columnOf: ColumnOf): RowError | null {
  const { attributes, tags, ...others } = contact;
  for (const [field, value] of Object.entries(others)) {
    const found = unstorable(value);
    if (found !== null) return fault(columnOf(field), ...found);
  }
  for (const tag of (tags ?? []) as string[]) {
    const found = unstorable(tag);
    if (found !== null) return fault(columnOf("tags"), ...found);
  }
  for (const [name, value] of Object.entries((attributes ?? {}) as Fields)) {
    const found = name === "__proto__" ? BAD_NAME : unstorable(value);
    if (found !== null) return fault(columnOf(`attributes/${name}`), ...found);
  }
  return null;
}

function unstorable(value: unknown): readonly [code: string, detail: string] | null {
  if (typeof value === "string") return UNSTORABLE.test(value) ? BAD_TEXT : null;
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER ? BAD_NUMBER : null;
}

const BAD_TEXT = ["invalid_text", "has a NUL character or half of a surrogate pair"] as const;
const BAD_NAME = ["invalid_text", "is a name that is not possible"] as const;
const BAD_NUMBER = ["number_out_of_range", `is a number beyond ±${Number.MAX_SAFE_INTEGER}`] as const;

const LONGEST_NAME = 64;
const shown = (name: string): string => beginningOf(name, LONGEST_NAME).replaceAll(/[\p{Cc}\p{Surrogate}]/gu, "�");
const fault = (column: string | null, code: string, detail: string): RowError => ({ column, code, detail });
const refuse = (column: string | null, code: string, detail: string): { error: RowError } => ({
  error: fault(column, code, detail),
});
