import { type Fields, fieldsOf, listOf, textOf } from "./phone/bubble-shape.ts";
import { DOTS } from "./phone/template-bubble.ts";

/**
 * A JSON value with dots in place of the codes that authentication templates are sent with, wherever in it a message is. What says nothing of
 * a category, such as a fallback that waits, has a code if its button takes what its body has.
 */
export const withoutCodes = (value: unknown): unknown => hide(value, null);

/** `category`: of the message whose fallback this is. */
function hide(value: unknown, category: string | null): unknown {
  if (Array.isArray(value)) return value.map((item) => hide(item, null));
  if (typeof value !== "object" || value === null) return value;
  const own = textOf((value as Fields)["category"]) ?? category;
  const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    if (name === "template" && hasCode(inner, own)) return [name, dotted(inner)];
    return [name, hide(inner, name === "fallback" ? own : null)];
  });
  return Object.fromEntries(entries);
}

function hasCode(template: unknown, category: string | null): boolean {
  if (category !== null) return category === "authentication";
  const components = listOf(fieldsOf(template)["components"]);
  const textsOf = (kind: string): (string | null)[] =>
    components
      .filter((one) => textOf(one["type"])?.toLowerCase() === kind)
      .flatMap((one) => listOf(one["parameters"]).map((parameter) => textOf(parameter["text"])));
  const [code, another] = textsOf("body");
  return typeof code === "string" && another === undefined && textsOf("button").includes(code);
}

/** What of a parameter says nothing of what it holds. */
const KINDS: ReadonlySet<string> = new Set(["type", "parameter_name"]);

function dotted(template: unknown): Fields {
  const components = listOf(fieldsOf(template)["components"]).map((one) =>
    one["parameters"] === undefined ? one : { ...one, parameters: dots(one["parameters"]) },
  );
  return { ...fieldsOf(template), components };
}

function dots(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dots);
  if (typeof value === "string" || typeof value === "number") return DOTS;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, KINDS.has(name) ? inner : dots(inner)]),
  );
}
