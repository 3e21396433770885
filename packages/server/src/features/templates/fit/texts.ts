import { beginningOf } from "../../../lib/beginning-of.ts";
import { renderText, type TextDefinition } from "../definition.ts";
import { addFault, capital, type Fields, lengthOf, type Place, recordOf, type Sent } from "./sent.ts";

/** Kinds of body parameters; the last two need their `fallback_value` (Cloud API documentation, sending: template). */
export const BODY_KINDS = ["text", "currency", "date_time"];
export const HEADER_KINDS = ["text"];

/** The provider refuses these with 132018, after the message was accepted here. */
const UNPRINTABLE = /[\n\r\t]| {5}/;

/** A text of the template whose variables a component fills. */
export type Texts = TextDefinition & {
  /** `body` or `header`: the component's type. */
  what: string;
  named: boolean;
  kinds: readonly string[];
  /** Characters of the text with its parameters in it. */
  longest: number;
};

/** Whether the parameters of a component fill the variables of its text, each exactly once. */
export function checkTexts(texts: Texts, sent: Sent | undefined, place: Place): void {
  const known = place.faults.length;
  const slots = new Map<string, { at: string; value: string }>();
  let misnamed = 0;
  for (const [index, parameter] of (sent?.parameters ?? []).entries()) {
    const at = `${sent?.at}/parameters/${index}`;
    if (texts.variables.length === 0 || (!texts.named && index >= texts.variables.length)) {
      addFault(
        place,
        at,
        "extra",
        `${capital(nameOf(texts, place))} has no place for parameter ${index + 1}: ${takes(texts)}. Remove it.`,
      );
      continue;
    }
    const variable = texts.named
      ? variableNamed(texts, parameter, slots, at, place)
      : variableAt(texts, index, parameter, at, place);
    if (variable === null) misnamed += 1;
    else slots.set(variable, { at, value: "" });
    const slot = variable === null ? `parameter ${index + 1}` : slotOf(texts, variable);
    const value = checkText(`${slot} of ${nameOf(texts, place)}`, texts.kinds, parameter, at, place);
    if (variable !== null && value !== null) slots.set(variable, value);
  }
  checkMissing(texts, texts.variables.filter((variable) => !slots.has(variable)).slice(misnamed), sent, place);
  if (place.faults.length === known) checkLength(texts, slots, place);
}

const nameOf = ({ what }: Texts, { of }: Place): string => `the ${what}${of}`;
const slotOf = ({ named }: Texts, variable: string): string => (named ? `parameter ${variable}` : `{{${variable}}}`);

/** What the template's text takes, for a detail. */
function takes(texts: Texts): string {
  const { variables } = texts;
  if (variables.length === 0) return "its text has no variables";
  const slots = variables.map((variable) => (texts.named ? variable : `{{${variable}}}`)).join(", ");
  return `the ${texts.what} takes ${variables.length === 1 ? "one parameter" : `${variables.length} parameters`} (${slots})`;
}

/** The variable that a parameter fills by its place. */
function variableAt(texts: Texts, index: number, parameter: Fields, at: string, place: Place): string {
  const variable = texts.variables[index] ?? "";
  if (parameter["parameter_name"] !== undefined) {
    const detail = `The template's parameters have no names: ${slotOf(texts, variable)} is filled by its place. Remove parameter_name.`;
    addFault(place, `${at}/parameter_name`, "unexpected", detail);
  }
  return variable;
}

/** The variable that a parameter fills by its name; null, with the fault noted, when it names none. */
function variableNamed(
  texts: Texts,
  parameter: Fields,
  filled: ReadonlyMap<string, unknown>,
  at: string,
  place: Place,
): string | null {
  const name = parameter["parameter_name"];
  const pointer = `${at}/parameter_name`;
  if (typeof name !== "string" || name === "") {
    addFault(
      place,
      pointer,
      "missing",
      `${capital(nameOf(texts, place))} has named parameters: ${takes(texts)}. Give this one its parameter_name.`,
    );
    return null;
  }
  if (!texts.variables.includes(name)) {
    addFault(
      place,
      pointer,
      "unknown",
      `${capital(nameOf(texts, place))} has no parameter ${quoted(name)}: ${takes(texts)}. Use one of these names.`,
    );
    return null;
  }
  if (filled.has(name))
    addFault(
      place,
      pointer,
      "repeated",
      `Parameter ${name} of ${nameOf(texts, place)} is given twice. Remove one of them.`,
    );
  return name;
}

/** Names come from outside and may be long. */
const quoted = (name: string): string => `"${beginningOf(name, 40)}"`;

/** Checks one parameter; its value and where that is, or null with the fault noted. */
function checkText(
  slot: string,
  kinds: readonly string[],
  parameter: Fields,
  at: string,
  place: Place,
): { at: string; value: string } | null {
  const kind = parameter["type"];
  if (typeof kind !== "string" || !kinds.includes(kind)) {
    addFault(place, `${at}/type`, "kind", `${capital(slot)} takes a parameter of type ${kinds.join(", ")}.`);
    return null;
  }
  const object = kind === "text" ? parameter : (recordOf(parameter[kind]) ?? {});
  const field = kind === "text" ? "text" : "fallback_value";
  const pointer = kind === "text" ? `${at}/text` : `${at}/${kind}/fallback_value`;
  const value = object[field];
  if (typeof value !== "string" || value === "") {
    const code = value === "" ? "empty" : "missing";
    addFault(
      place,
      pointer,
      code,
      `${capital(slot)} ${value === "" ? "is empty" : `has no ${field}`}: give it at least one character.`,
    );
    return null;
  }
  if (UNPRINTABLE.test(value)) {
    const detail = `${capital(slot)} may have no line breaks, no tabs and at most four spaces in a row. Remove them.`;
    addFault(place, pointer, "format", detail);
    return null;
  }
  return { at: pointer, value };
}

function checkMissing(texts: Texts, missing: readonly string[], sent: Sent | undefined, place: Place): void {
  const count = sent?.parameters.length ?? 0;
  const given = count === 0 ? "none is given" : count === 1 ? "one is given" : `${count} are given`;
  for (const variable of missing) {
    const detail = `${capital(slotOf(texts, variable))} of ${nameOf(texts, place)} is missing: ${takes(texts)}, and ${given}. Add it.`;
    addFault(place, sent ? `${sent.at}/parameters` : place.at, "missing", detail);
  }
}

/** The provider refuses a text that is too long with its parameters in it (132005); the longest of them is to blame. */
function checkLength(texts: Texts, slots: ReadonlyMap<string, { at: string; value: string }>, place: Place): void {
  if (slots.size === 0) return;
  const values = new Map([...slots].map(([variable, { value }]) => [variable, value]));
  const length = lengthOf(renderText(texts.text, values), texts.longest);
  if (length <= texts.longest) return;
  const [longest] = [...slots].toSorted(([, a], [, b]) => lengthOf(b.value) - lengthOf(a.value));
  if (longest === undefined) return;
  const [variable, { at, value }] = longest;
  const detail = `${capital(nameOf(texts, place))} has ${length} characters with its parameters; at most ${texts.longest} are allowed. Shorten ${slotOf(texts, variable)}, which has ${lengthOf(value)}, by ${length - texts.longest}.`;
  addFault(place, at, "too_long", detail);
}
