// What can be asked of each field, as the API has it; a test compares this with the API's document.

/** What the value of a condition is, or each of its values. `scalar`: a text, a number, or yes or no; `ordered`: one of the first two. */
export type ValueKind = "text" | "tag" | "scalar" | "ordered" | "consent" | "time" | "duration" | "boolean";

const TEXT = { contains: "text", not_contains: "text", eq: "text", ne: "text", in: "text", exists: "boolean" } as const;
const TIME = { within_last: "duration", gt: "time", gte: "time", lt: "time", lte: "time" } as const;

export const FIELDS = {
  tags: { contains: "tag", not_contains: "tag", in: "tag", exists: "boolean" },
  attributes: {
    eq: "scalar",
    ne: "scalar",
    in: "scalar",
    contains: "text",
    not_contains: "text",
    gt: "ordered",
    gte: "ordered",
    lt: "ordered",
    lte: "ordered",
    exists: "boolean",
  },
  name: TEXT,
  email: TEXT,
  phone: TEXT,
  locale: TEXT,
  marketing_consent: { eq: "consent", ne: "consent", in: "consent" },
  last_inbound_at: { ...TIME, exists: "boolean" },
  created_at: TIME,
} as const satisfies Record<string, Record<string, ValueKind>>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[]; // its keys
export type Op =
  | "eq"
  | "ne"
  | "in"
  | "contains"
  | "not_contains"
  | "exists"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "within_last";

export const ATTRIBUTE = "attributes.";
export const CONSENTS = ["opted_in", "opted_out", "unknown"] as const;

/** The field of a condition without the name of an attribute; null: there is no such field. */
export function fieldNameOf(field: string): FieldName | null {
  const name = field.startsWith(ATTRIBUTE) ? "attributes" : field;
  return name !== field || name !== "attributes" ? (FIELD_NAMES.find((one) => one === name) ?? null) : null;
}

export const opsOf = (name: FieldName): readonly Op[] => Object.keys(FIELDS[name]) as Op[]; // its keys

/** What the operator takes of the field; null: the field has no such operator. */
export const kindOf = (name: FieldName, op: string): ValueKind | null =>
  (FIELDS[name] as Readonly<Record<string, ValueKind>>)[op] ?? null; // of any text
