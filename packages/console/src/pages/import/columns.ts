import type { CsvColumn } from "./csv-head.ts";

/** The fields of a contact that a column may be. */
export const FIELDS = ["phone", "name", "email", "locale", "tags", "marketing_consent", "id"] as const;
type Field = (typeof FIELDS)[number];

const GUESSES: readonly (readonly [RegExp, Field])[] = [
  [/^(?:phone|mobile|cell|number|tel|whatsapp|msisdn)/i, "phone"],
  [/^e-?mail/i, "email"],
  [/^(?:full.?)?name$/i, "name"],
  [/^(?:locale|lang)/i, "locale"],
  [/^(?:tags?|labels?)$/i, "tags"],
  [/consent|opt.?in/i, "marketing_consent"],
];

/** What a column probably is: a field of its own name, else by its words; empty for none, which is then ignored. */
export function guessOf(name: string): string {
  if (FIELDS.some((field) => field === name) || name === "attributes" || name.startsWith("attributes.")) return name;
  return GUESSES.find(([words]) => words.test(name))?.[1] ?? "";
}

/** Name of an attribute that a column can become: of letters, digits, `_`, `.` and `-`. */
export const attributeOf = (name: string): string => `attributes.${name.replaceAll(/[^\w.-]+/g, "_").slice(0, 64)}`;

/** As the API takes it. A column without a name, or of a name that another has too, is named by its place. */
export function mappingOf(columns: readonly CsvColumn[], chosen: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const { name } of columns) counts.set(name, (counts.get(name) ?? 0) + 1);
  const pairs = columns.map(({ name, index }) => [
    name === "" || counts.get(name) !== 1 ? `#${index + 1}` : name,
    chosen[index] || null,
  ]);
  return JSON.stringify(Object.fromEntries(pairs));
}

export type AttributeType = "text" | "number" | "boolean";
/** What the cells of a column are; null for one that is ignored. */
export type Target = { field: Field | "attributes" } | { field: "attribute"; name: string; type: AttributeType } | null;

/** Of what is chosen for a column, such as `phone`, `attributes.city` or `attributes.orders:number`. */
export function targetOf(chosen: string): Target {
  if (chosen === "") return null;
  const field = [...FIELDS, "attributes" as const].find((one) => one === chosen);
  if (field !== undefined) return { field };
  const [name = "", type = "text"] = chosen.replace(/^attributes\./, "").split(":");
  return { field: "attribute", name, type: type as AttributeType }; // as it is named, or refused with the file
}

/** What a column fills; null where it fills nothing. */
export const filledBy = (target: Target): string | null =>
  target === null ? null : target.field === "attribute" ? `attributes.${target.name}` : target.field;

/** Why the file would be refused whole: no column says who a row is about, or two of different names would fill one field. */
export type ColumnsFault = { kind: "noPhone" } | { kind: "twice"; names: [string, string] };

export function columnsFaultOf(columns: readonly CsvColumn[], targets: readonly Target[]): ColumnsFault | null {
  const seen = new Map<string, string>();
  for (const { name, index } of columns) {
    const filled = filledBy(targets[index] ?? null);
    if (filled === null) continue;
    const other = seen.get(filled);
    if (other !== undefined && other !== name) return { kind: "twice", names: [other, name] };
    seen.set(filled, name);
  }
  return seen.has("phone") || seen.has("id") ? null : { kind: "noPhone" };
}
