import { type Definition, renderText, type TextDefinition } from "../../templates/definition.ts";
import { type Fields, listOf, recordOf, textOf } from "./fields.ts";

/** What stands for a code: its length says nothing. */
export const DOTS = "••••••";

const MEDIA_WORDS: Readonly<Record<string, string>> = {
  image: "Image",
  video: "Video",
  document: "Document",
  gif: "GIF",
  location: "Location",
  product: "Product",
};

/**
 * What a person reads of a template: its body with the parameters of a send in it; else the header, the first card, or the template's name,
 * also where there is no definition any more. With `hidden`, dots stand for the parameters.
 */
export function templateText(content: Fields, definition: Definition | null, hidden: boolean): string | null {
  const name = textOf(content["name"]);
  if (definition === null) return name;
  const components = listOf(content["components"]).map(recordOf);
  const filled = (type: string, text: TextDefinition): string | null => {
    const parameters = listOf(componentOf(components, type)?.["parameters"]).map(recordOf);
    return renderText(text.text, valuesOf(text, parameters, definition.named, hidden)) || null;
  };
  const { header, cards } = definition;
  return (
    filled("body", definition.body) ??
    (header.kind === "text" ? filled("header", header) : header.kind === "media" ? wordOf(header.type) : null) ??
    cards?.find((card) => card.body.text !== "")?.body.text ??
    name
  );
}

const componentOf = (components: readonly Fields[], type: string): Fields | undefined =>
  components.find((one) => textOf(one["type"])?.toLowerCase() === type);

const wordOf = (type: string): string | null => MEDIA_WORDS[type] ?? null;

/** The variables of a text with what a send gives them: by name, or by their order. */
function valuesOf(
  { variables }: TextDefinition,
  parameters: readonly Fields[],
  named: boolean,
  hidden: boolean,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [index, parameter] of parameters.entries()) {
    const variable = named ? textOf(parameter["parameter_name"]) : variables[index];
    const value = hidden ? DOTS : valueOf(parameter);
    if (typeof variable === "string" && value !== null) values.set(variable, value);
  }
  return values;
}

/** A text, or what the provider shows of an amount or a time. */
function valueOf(parameter: Fields): string | null {
  const type = textOf(parameter["type"])?.toLowerCase() ?? "";
  return type === "text" ? textOf(parameter["text"]) : textOf(recordOf(parameter[type])["fallback_value"]);
}
