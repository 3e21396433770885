import { invalidAt, type Problem, pointerToken } from "../../../http/problem.ts";
import { beginningOf } from "../../../lib/beginning-of.ts";
import { MOST_ATTRIBUTE_NAME_CHARACTERS } from "../limits.ts";

/** More columns than any list of contacts has; each costs time for each row. */
export const MOST_COLUMNS = 250;

/** The fields of a contact that a column can have. `attributes` has all of them as one JSON object, as an export writes it. */
const FIELDS = ["phone", "id", "name", "email", "locale", "tags", "marketing_consent", "attributes"] as const;
/** Fields of an export that say nothing new: an import ignores them. */
export const IGNORED_FIELDS = [
  "wa_id",
  "user_id",
  "parent_user_id",
  "username",
  "profile_name",
  "consent_source",
  "last_inbound_at",
  "windows",
  "created_at",
  "updated_at",
] as const;
const IGNORED: ReadonlySet<string> = new Set(IGNORED_FIELDS);

export type AttributeType = "text" | "number" | "boolean";
/** What the cells of a column are. */
export type Target =
  | { field: (typeof FIELDS)[number]; header: string }
  | { field: "attribute"; name: string; type: AttributeType; header: string };

/** Header → target; null ignores the column. */
export type Mapping = Readonly<Record<string, string | null>>;

const ATTRIBUTE = new RegExp(
  `^attributes\\.([\\w.-]{1,${MOST_ATTRIBUTE_NAME_CHARACTERS}})(?::(text|number|boolean))?$`,
);

/** The target of each column, null for one that is ignored; throws for a file whose columns cannot be read. */
export function targetsOf(headers: readonly string[], mapping: Mapping): (Target | null)[] {
  if (headers.length > MOST_COLUMNS) throw refused("", `has ${headers.length} columns, more than ${MOST_COLUMNS}`);
  const named = headers.map((header) => header.trim());
  const mapped = new Map(Object.entries(mapping).map(([header, field]) => [header.trim(), field]));
  for (const header of mapped.keys())
    if (!named.includes(header)) throw mappingAt(header, "There is no such column in the file.");
  const targets = named.map((header) => targetOf(header, mapped.get(header)));
  const seen = new Map<string, string>();
  for (const target of targets) {
    if (target === null) continue;
    const key = target.field === "attribute" ? `attributes.${target.name}` : target.field;
    const other = seen.get(key);
    if (other !== undefined) throw refused(target.header, `and ${quoted(other)} are both ${key}`);
    seen.set(key, target.header);
  }
  if (!seen.has("phone") && !seen.has("id"))
    throw refused("", "has no column `phone`: name one in its first line, or map one to `phone`");
  return targets;
}

function targetOf(header: string, mapped: string | null | undefined): Target | null {
  if (mapped === null) return null;
  const name = mapped ?? header;
  const lower = name.toLowerCase();
  const field = FIELDS.find((one) => one === lower);
  if (field !== undefined) return { field, header };
  const attribute = ATTRIBUTE.exec(name);
  if (attribute)
    return {
      field: "attribute",
      name: attribute[1] ?? "", // it has one character at least
      type: (attribute[2] ?? "text") as AttributeType,
      header,
    };
  if (mapped !== undefined) throw mappingAt(header, `${quoted(name)} is no field of a contact.`);
  if (IGNORED.has(lower)) return null;
  if (header === "") throw refused("", "has a column without a name: name it in the first line");
  throw refused(header, "is no field of a contact: map it to one, to `attributes.<name>`, or to null to ignore it");
}

const LONGEST_SHOWN = 64;
/** A header of a file may be anything, also a person's data where the first line is missing. */
const quoted = (text: string): string =>
  `\`${text.length > LONGEST_SHOWN ? `${beginningOf(text, LONGEST_SHOWN)}…` : text}\``.replaceAll(/\p{Cc}/gu, "�");

const refused = (header: string, detail: string): Problem =>
  invalidAt("", `${header === "" ? "The file" : `The column ${quoted(header)}`} ${detail}.`, "invalid_columns");

const mappingAt = (header: string, detail: string): Problem =>
  invalidAt(`/mapping/${pointerToken(header)}`, `${quoted(header)}: ${detail}`, "invalid_mapping");

const DELIMITERS = [",", ";", "\t", "|"] as const;

/** The delimiter that the first line of a file has most of, outside of quotes. */
export function delimiterOf(firstLine: string): string {
  const plain = firstLine.replaceAll(/"(?:[^"]|"")*"/g, "");
  const counts = DELIMITERS.map((delimiter) => plain.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}
