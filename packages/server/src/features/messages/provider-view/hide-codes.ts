import { type Fields, listOf, recordOf } from "../preview/fields.ts";
import { DOTS } from "../preview/template-text.ts";

/** What of a parameter says nothing of what it holds. */
const KINDS = new Set(["type", "parameter_name"]);

/** The content of a template without what a send has put into it: dots in its place. */
export function withoutCodes(content: unknown): unknown {
  const { components, ...template } = recordOf(content);
  if (components === undefined) return template;
  return { ...template, components: listOf(components).map((one) => hidden(recordOf(one))) };
}

const hidden = ({ parameters, ...component }: Fields): Fields =>
  parameters === undefined ? component : { ...component, parameters: listOf(parameters).map((value) => dotted(value)) };

/** Each text and number of a value, whatever its shape. */
function dotted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => dotted(item));
  if (typeof value !== "object" || value === null) return typeof value === "boolean" || value === null ? value : DOTS;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, KINDS.has(name) ? inner : dotted(inner)]),
  );
}
