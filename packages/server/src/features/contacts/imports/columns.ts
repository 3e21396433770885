import { invalidAt, type Problem, pointerToken } from "../../../http/problem.ts";
import { beginningOf } from "../../../lib/beginning-of.ts";
import { MOST_ATTRIBUTE_NAME_CHARACTERS } from "../../identity/contact-limits.ts";

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
  | { field: "attribute"; name: string; type: AttributeType; header: string }
  /** A column without a name: its cells are empty, or refuse their row. `header` is its place. */
  | { field: "unnamed"; header: string };

/** Header, or `#` and the place from 1 → target; null ignores the column. */
export type Mapping = Readonly<Record<string, string | null>>;

const ATTRIBUTE = new RegExp(
  `^attributes\\.([\\w.-]{1,${MOST_ATTRIBUTE_NAME_CHARACTERS}})(?::(text|number|boolean))?$`,
);

/**
 * The target of each column, null for one that is ignored; throws for a file whose columns cannot be read. Columns of one name have
 * one target. Nothing is said of unnamed columns behind the last named one that are too many to be meant.
 */
export function targetsOf(headers: readonly string[], mapping: Mapping): (Target | null)[] {
  const named = headers.map(nameOf);
  const mapped = new Map(Object.entries(mapping).map(([header, field]) => [nameOf(header), field]));
  const places = named.map((_name, index) => placeOf(index));
  for (const header of mapped.keys())
    if (!named.includes(header) && !places.includes(header))
      throw mappingAt(header, `There is no such column in the file, which has ${named.length}.`);
  // A column may be called like a place.
  const mappedAt = (index: number): string | null | undefined => {
    const place = placeOf(index);
    return mapped.has(place) && !named.includes(place) ? mapped.get(place) : mapped.get(named[index] ?? "");
  };
  const last = Math.max(
    named.findLastIndex((name) => name !== ""),
    named.findLastIndex((_name, index) => mapped.has(placeOf(index))),
  );
  if (last >= MOST_COLUMNS) throw refused("", `has ${last + 1} columns, more than ${MOST_COLUMNS}`);
  const targets = named.slice(0, MOST_COLUMNS).map((header, index) => targetOf(header, index, mappedAt(index)));
  requireTargets(targets);
  return targets;
}

/** A header as it is compared: spreadsheets leave spaces, quotes behind a space, and marks that cannot be seen. */
const nameOf = (header: string): string =>
  header
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();

const placeOf = (index: number): string => `#${index + 1}`;

/** What two columns may be only where they have one name; and who a row is about. */
function requireTargets(targets: readonly (Target | null)[]): void {
  const seen = new Map<string, string>();
  for (const target of targets) {
    if (target === null || target.field === "unnamed") continue;
    const key = keyOf(target);
    const other = seen.get(key);
    if (other !== undefined && other !== target.header)
      throw refused(target.header, `and ${quoted(other)} are both ${key}: map one of them to null`);
    seen.set(key, target.header);
  }
  if (!seen.has("phone") && !seen.has("id"))
    throw refused("", "has no column `phone`: name one in its first line, or map one to `phone`");
}

/** What a column fills. */
export const keyOf = (target: Exclude<Target, { field: "unnamed" }>): string =>
  target.field === "attribute" ? `attributes.${target.name}` : target.field;

function targetOf(header: string, index: number, mapped: string | null | undefined): Target | null {
  if (mapped === null) return null;
  const shown = header === "" ? placeOf(index) : header;
  if (header === "" && mapped === undefined) return { field: "unnamed", header: shown };
  const name = mapped ?? header;
  const lower = name.toLowerCase();
  const field = FIELDS.find((one) => one === lower);
  if (field !== undefined) return { field, header: shown };
  const attribute = ATTRIBUTE.exec(name);
  if (attribute)
    return {
      field: "attribute",
      name: attribute[1] ?? "", // it has one character at least
      type: (attribute[2] ?? "text") as AttributeType,
      header: shown,
    };
  if (mapped !== undefined) throw mappingAt(shown, `${quoted(name)} is no field of a contact.`);
  if (IGNORED.has(lower)) return null;
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

/** What Excel takes, and writes, as the first line of a file: which character separates its cells. Perhaps in quotes, and with cells behind it. */
const SEPARATOR_LINE = /^(?:[ \t]*(?:\r\n|\r|\n))*"?sep=([^\r\n]?)"?([^\r\n]*)(?:\r\n|\r|\n)/i;
/** Signs that a cell is not made of. */
const SEPARATOR = /^[\t!#$%&*+,./:;<=>?@\\^_`|~-]$/;

/** The delimiter that a file says of itself, and the length and the lines of that line; null for a file that says none. */
export function separatorLineOf(head: string): { delimiter: string; length: number; lines: number } | null {
  const [whole, delimiter, rest = ""] = SEPARATOR_LINE.exec(head) ?? [];
  if (whole === undefined || delimiter === undefined) return null;
  if (!SEPARATOR.test(delimiter) || rest.replaceAll(delimiter, "").trim() !== "")
    throw refused("", "says `sep=` in its first line, and no character that separates cells");
  return { delimiter, length: whole.length, lines: whole.split(/\r\n|\r|\n/).length - 1 };
}

/** The delimiter that the first line of a file has most of, outside of quotes. */
export function delimiterOf(firstLine: string): string {
  const plain = firstLine.replaceAll(/"(?:[^"]|"")*"/g, "");
  const counts = DELIMITERS.map((delimiter) => plain.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}
