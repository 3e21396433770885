import type { ApiDocument } from "./document.ts";
import { fieldsMarkdown } from "./fields.ts";

/** The page of a schema: its fields, and what it is part of. */
export function schemaMarkdown(name: string, document: ApiDocument): string {
  const schema = document.schemas[name] ?? {};
  const reference = `"#/components/schemas/${name}"`;
  const isIn = (value: unknown): boolean => JSON.stringify(value).includes(reference);
  const operations = document.operations.filter(({ body, answers }) => isIn([body, answers]));
  const schemas = Object.entries(document.schemas).filter(([, other]) => isIn(other));
  const uses = [
    ...operations.map(({ id, summary, method, path }) => `- [${summary}](/docs/${id}) \`${method} ${path}\``),
    ...schemas.map(([other]) => `- [${other}](/docs/schemas/${other})`),
    ...document.events.filter((one) => isIn(one.schema)).map(({ kind }) => `- [\`${kind}\`](/docs/events/${kind})`),
  ];
  return [
    `# \`${name}\``,
    ...(schema.description === undefined ? [] : [schema.description]),
    // Of what is sent and answered some is only one of the two; what must be there is said of all.
    fieldsMarkdown(document, schema, "sent"),
    ...(uses.length === 0 ? [] : ["## Where it is used", uses.join("\n")]),
  ].join("\n\n");
}
