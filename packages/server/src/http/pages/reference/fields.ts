import { type ApiDocument, nameOf, type Part } from "./document.ts";
import { table } from "./inline.ts";

/** A field of a body or an answer: its name with those that it is within, its type and what is to be known of it, in Markdown. */
type Field = { name: string; type: string; required: boolean; text: string };

/** Whose fields they are: of what a caller sends, some must be there. */
type Of = "sent" | "answered";

/** Schemas without a name within each other; the document has four at most. */
const DEEPEST = 6;

/** The fields of a schema, in Markdown: a table, or what it is where it has no fields. Schemas with a name have a page of their own. */
export function fieldsMarkdown(document: ApiDocument, part: Part, of: Of): string {
  const schema = document.resolved(part);
  const kinds = branchesOf(schema).map((one) => ({ part: one, fields: fieldsOf(document, document.resolved(one)) }));
  if (kinds.length > 1 && kinds.some(({ fields }) => fields.length > 0)) return unionMarkdown(document, kinds, of);
  const fields = fieldsOf(document, schema);
  return fields.length === 0 ? `${typeOf(document, schema)}${about(schema)}` : tableOf(fields, of);
}

const tableOf = (fields: readonly Field[], of: Of): string =>
  table(
    ["Field", "Type", ""],
    fields.map(({ name, type, required, text }) => [
      `\`${name}\``,
      of === "sent" && required ? `${type}, **required**` : type,
      text,
    ]),
  );

type Kind = { part: Part; fields: readonly Field[] };

/** What is of several kinds: the fields that all have, then what each has besides. */
function unionMarkdown(document: ApiDocument, kinds: readonly Kind[], of: Of): string {
  const [first, ...others] = kinds;
  const isIn = (fields: readonly Field[], one: Field): boolean =>
    fields.some(({ name, type, text }) => name === one.name && type === one.type && text === one.text);
  const common = (first?.fields ?? []).filter((one) => others.every(({ fields }) => isIn(fields, one)));
  const each = kinds.map(({ part, fields }) => {
    const own = fields.filter((one) => !isIn(common, one));
    const title = part.$ref === undefined ? "Another one" : typeOf(document, part);
    const { description = "" } = document.resolved(part);
    return [`**${title}**`, description, tableOf(own, of)].filter((text) => text !== "").join("\n\n");
  });
  const shared = common.length === 0 ? [] : ["Fields of each kind:", tableOf(common, of)];
  return [...shared, `It is one of ${kinds.length} kinds:`, ...each].join("\n\n");
}

const branchesOf = (schema: Part): readonly Part[] =>
  ((schema["oneOf"] ?? schema["anyOf"] ?? []) as Part[]).filter(({ type }) => type !== "null");

function fieldsOf(document: ApiDocument, schema: Part, within = "", depth = 0): Field[] {
  if (depth > DEEPEST) return [];
  const required = new Set((schema["required"] ?? []) as string[]);
  const own = Object.entries((schema["properties"] ?? {}) as Record<string, Part>);
  const parts = ((schema["allOf"] ?? []) as Part[]).flatMap((one) =>
    fieldsOf(document, document.resolved(one), within, depth + 1),
  );
  return [
    ...parts,
    ...own.flatMap(([name, part]) => {
      const path = `${within}${name}`;
      const field = {
        name: path,
        type: typeOf(document, part),
        required: required.has(name),
        text: about(part).trim(),
      };
      return [field, ...innerOf(document, part, path, depth)];
    }),
  ];
}

/** The fields of what stands within a field without a name. */
function innerOf(document: ApiDocument, part: Part, path: string, depth: number): Field[] {
  if (part.$ref !== undefined) return [];
  const items = part["items"] as Part | undefined;
  if (items !== undefined) return innerOf(document, items, `${path}[]`, depth);
  const branches = branchesOf(part);
  return [
    ...fieldsOf(document, part, `${path}.`, depth + 1),
    ...branches.flatMap((one) => innerOf(document, one, path, depth)),
  ];
}

/** What a value is, in Markdown: `string or null`, or the name of a schema, which leads to its page. */
export function typeOf(document: ApiDocument, part: Part): string {
  if (part.$ref !== undefined) return `[${nameOf(part.$ref)}](/docs/schemas/${nameOf(part.$ref)})`;
  if (part["const"] !== undefined) return `\`${JSON.stringify(part["const"])}\``;
  const branches = (part["oneOf"] ?? part["anyOf"]) as Part[] | undefined;
  if (branches !== undefined) return [...new Set(branches.map((one) => typeOf(document, one)))].join(" or ");
  const [all] = (part["allOf"] ?? []) as Part[];
  if (all !== undefined) return typeOf(document, all);
  const items = part["items"] as Part | undefined;
  if (items !== undefined) return `array of ${typeOf(document, items)}${isNullable(part) ? " or null" : ""}`;
  if (part["format"] === "date-time") return isNullable(part) ? "time or null" : "time";
  const { type = "any value" } = part as { type?: string | string[] };
  return [type].flat().join(" or ");
}

/** The values and limits of a parameter, whose description stands apart. */
export const valueText = (schema: Part): string => about({ ...schema, description: "" }).trim();

const isNullable = ({ type }: Part): boolean => Array.isArray(type) && type.includes("null");

/** The description, values and limits of a value, with a space before them; nothing where there is none. Patterns are for programs. */
function about(part: Part): string {
  const items = part["items"] as Part | undefined;
  const sentences = [
    part.description ?? "",
    valuesOf(part),
    limitsOf(part),
    items === undefined ? "" : valuesOf(items),
    exampleOf(part),
  ];
  return sentences
    .filter((text) => text !== "")
    .map((text) => ` ${text}`)
    .join("");
}

function valuesOf({ enum: values, default: fallback }: Part): string {
  const listed = Array.isArray(values)
    ? `One of ${values
        .filter((one) => one !== null)
        .map((one) => `\`${String(one)}\``)
        .join(", ")}.`
    : "";
  return fallback === undefined ? listed : `${listed} Default: \`${JSON.stringify(fallback)}\`.`.trim();
}

function limitsOf(part: Part): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = part as Limits;
  const limit = (low: number | undefined, high: number | undefined, what: string): string =>
    high === undefined && (low === undefined || (low === 1 && what !== ""))
      ? ""
      : `${low === undefined ? "At most" : high === undefined ? "At least" : `${low} to`} ${high ?? low}${what}.`;
  return [limit(minLength, maxLength, " characters"), limit(minimum, maximum, ""), limit(minItems, maxItems, " items")]
    .filter((text) => text !== "")
    .join(" ");
}

type Limits = Partial<Record<`${"min" | "max"}${"Length" | "imum" | "Items"}`, number>>;

/** Of what a pattern decides, an example says it. */
function exampleOf({ pattern, examples }: Part): string {
  const [example] = (examples ?? []) as unknown[];
  return pattern === undefined || typeof example !== "string" ? "" : `Such as \`${example}\`.`;
}
