import type { FieldError } from "../../../http/problem.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A component of a send; `at` points at it. */
export type Sent = { at: string; type: string; fields: Fields; parameters: readonly Fields[] };

/** Where the components of a template or of a card are checked. */
export type Place = {
  /** JSON pointer to the components. */
  at: string;
  /** Behind the name of a slot: empty, or ` of card 1`. */
  of: string;
  faults: FieldError[];
};

export const addFault = ({ faults }: Place, pointer: string, code: string, detail: string): void =>
  void faults.push({ pointer, code, detail });

/** Component types of a send. Others pass: the provider may have new ones. */
const TYPES = new Set(["header", "body", "footer", "button", "carousel", "limited_time_offer"]);

/** The components of a send; null, with the faults noted, when they are no components at all. */
export function readComponents(components: unknown, place: Place): Sent[] | null {
  const { at, faults } = place;
  if (components !== undefined && !Array.isArray(components)) {
    addFault(place, at, "kind", "This must be an array of components.");
    return null;
  }
  const known = faults.length;
  const read = (components ?? []).map((value: unknown, index) => readComponent(value, `${at}/${index}`, place));
  return faults.length > known ? null : read;
}

function readComponent(value: unknown, at: string, place: Place): Sent {
  const fields = recordOf(value);
  const type = fields?.["type"];
  const sent: Sent = { at, type: "", fields: {}, parameters: [] };
  if (!fields) addFault(place, at, "kind", "This must be an object.");
  else if (typeof type !== "string") addFault(place, `${at}/type`, "missing", "A component needs its type.");
  else if (!TYPES.has(type) && TYPES.has(type.toLowerCase()))
    addFault(place, `${at}/type`, "kind", `The type is written in lower case: ${type.toLowerCase()}.`);
  else return { ...sent, type, fields, parameters: readParameters(fields["parameters"] ?? [], at, place) };
  return sent;
}

function readParameters(parameters: unknown, at: string, place: Place): Fields[] {
  if (!Array.isArray(parameters)) {
    addFault(place, `${at}/parameters`, "kind", "This must be an array.");
    return [];
  }
  return parameters.map((parameter: unknown, index) => {
    const one = recordOf(parameter);
    if (!one) addFault(place, `${at}/parameters/${index}`, "kind", "This must be an object.");
    return one ?? {};
  });
}

export const recordOf = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** Characters as the provider's limits count them: an emoji is one. They are not counted in a text that is surely within `limit`. */
export const lengthOf = (text: string, limit = 0): number =>
  text.length <= limit ? text.length : Array.from(text).length;

/** A name or text at the start of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
