import type { FieldError } from "../../http/problem.ts";
import type { ButtonDefinition, Definition, MediaHeader } from "./definition.ts";

/** Kinds of body parameters; the last two need their `fallback_value` (Cloud API documentation, sending: template). */
const BODY_KINDS = ["text", "currency", "date_time"];
/** Component types of a send. Others pass: the provider may have new ones. */
const TYPES = new Set(["header", "body", "footer", "button", "carousel", "limited_time_offer"]);
/** Enough to correct a request by; a body of 256 KiB could hold thousands. */
const MOST_FAULTS = 50;

/**
 * Whether the components of a send fit the template: counts, names, kinds, media. Empty when they do. Each fault points at
 * what is wrong, or at `components` for what is missing.
 */
export function checkParameters(definition: Definition, components: unknown): FieldError[] {
  const at = "/template/components";
  if (components !== undefined && !Array.isArray(components)) return [fault(at, "kind", "This must be an array.")];
  const faults: FieldError[] = [];
  const given = (components ?? []).map((value, index) => read(value, `${at}/${index}`, faults));
  if (faults.length > 0) return faults;

  for (const type of ["header", "body"]) {
    for (const twice of given.filter((one) => one.type === type).slice(1))
      faults.push(fault(twice.at, "repeated", `There may be one ${type} component only.`));
  }
  checkHeader(definition, given.find((one) => one.type === "header") ?? null, at, faults);
  const body = given.find((one) => one.type === "body") ?? null;
  checkTexts(
    { what: "body", variables: definition.body, named: definition.named, kinds: BODY_KINDS },
    body,
    at,
    faults,
  );
  checkButtons(definition, given, at, faults);
  return faults.slice(0, MOST_FAULTS);
}

type Fields = Readonly<Record<string, unknown>>;
type Given = { at: string; type: string; fields: Fields; parameters: readonly Fields[] };

function read(value: unknown, at: string, faults: FieldError[]): Given {
  const fields = record(value);
  const type = fields?.["type"];
  const empty: Given = { at, type: "", fields: {}, parameters: [] };
  if (!fields) return faults.push(fault(at, "kind", "This must be an object.")), empty;
  if (typeof type !== "string")
    return faults.push(fault(`${at}/type`, "missing", "A component needs its type.")), empty;
  if (!TYPES.has(type) && TYPES.has(type.toLowerCase()))
    return faults.push(fault(`${at}/type`, "kind", `The type is written in lower case: ${type.toLowerCase()}.`)), empty;
  const parameters = fields["parameters"] ?? [];
  if (!Array.isArray(parameters))
    return faults.push(fault(`${at}/parameters`, "kind", "This must be an array.")), empty;
  const each = parameters.map((parameter, index) => {
    const one = record(parameter);
    if (!one) faults.push(fault(`${at}/parameters/${index}`, "kind", "This must be an object."));
    return one ?? {};
  });
  return { at, type, fields, parameters: each };
}

function checkHeader({ header, named }: Definition, given: Given | null, at: string, faults: FieldError[]): void {
  if (header.kind === "open") return;
  if (header.kind === "media") return checkMedia(header.type, given, at, faults);
  const variables = header.kind === "text" ? header.variables : [];
  checkTexts({ what: "header", variables, named, kinds: ["text"] }, given, at, faults);
}

function checkMedia(type: MediaHeader, given: Given | null, at: string, faults: FieldError[]): void {
  if (!given) return void faults.push(fault(at, "missing", `The template has a header of type ${type}; give it here.`));
  const where = `${given.at}/parameters`;
  const [first, ...more] = given.parameters;
  if (!first || more.length > 0)
    return void faults.push(fault(where, "count", `The header takes one parameter of type ${type}.`));
  if (first["type"] !== type)
    return void faults.push(fault(`${where}/0/type`, "kind", `The header takes a parameter of type ${type}.`));
  const media = record(first[type]);
  const missing = media && missingOf(type, media);
  if (missing === null || !media)
    return void faults.push(fault(`${where}/0/${type}`, "missing", `The parameter needs its object ${type}.`));
  if (missing !== undefined) faults.push(fault(`${where}/0/${type}`, "missing", missing));
}

/** What a header's object lacks; undefined when it is complete. Media by `id` or `link`, never both (Cloud API documentation, sending: free-form types). */
function missingOf(type: MediaHeader, media: Fields): string | undefined {
  const has = (field: string): boolean => media[field] !== undefined && media[field] !== "";
  if (type === "location") {
    return has("latitude") && has("longitude") ? undefined : "A location needs latitude and longitude.";
  }
  if (type === "product") return has("product_retailer_id") ? undefined : "A product needs product_retailer_id.";
  return has("id") !== has("link") ? undefined : "Give either id or link.";
}

type Texts = { what: string; variables: readonly string[]; named: boolean; kinds: readonly string[] };

function checkTexts(texts: Texts, given: Given | null, at: string, faults: FieldError[]): void {
  const { what, variables, named, kinds } = texts;
  const count = given?.parameters.length ?? 0;
  if (count !== variables.length) {
    const detail = `The ${what} takes ${counted(variables.length)}${named && variables.length > 0 ? ` (${variables.join(", ")})` : ""}; there ${count === 1 ? "is" : "are"} ${count}.`;
    faults.push(fault(given ? `${given.at}/parameters` : at, given ? "count" : "missing", detail));
  }
  const seen = new Set<string>();
  for (const [index, parameter] of (given?.parameters ?? []).entries()) {
    const where = `${given?.at ?? at}/parameters/${index}`;
    checkText(what, kinds, parameter, where, faults);
    checkName(texts, parameter, seen, where, faults);
  }
}

function checkName(texts: Texts, parameter: Fields, seen: Set<string>, where: string, faults: FieldError[]): void {
  const { what, variables, named } = texts;
  const name = parameter["parameter_name"];
  const add = (code: string, detail: string): void => void faults.push(fault(`${where}/parameter_name`, code, detail));
  if (!named) {
    if (name !== undefined) add("unexpected", "This template's parameters go by position and have no names.");
    return;
  }
  if (typeof name !== "string" || name === "") return add("missing", "This template's parameters need their names.");
  if (!variables.includes(name)) return add("unknown", `The ${what} has no parameter of this name.`);
  if (seen.has(name)) add("repeated", "This parameter is given twice.");
  seen.add(name);
}

function checkText(
  what: string,
  kinds: readonly string[],
  parameter: Fields,
  where: string,
  faults: FieldError[],
): void {
  const kind = parameter["type"];
  if (typeof kind !== "string" || !kinds.includes(kind))
    return void faults.push(
      fault(`${where}/type`, "kind", `The ${what} takes parameters of type ${kinds.join(", ")}.`),
    );
  if (kind !== "text") {
    if (typeof record(parameter[kind])?.["fallback_value"] !== "string")
      faults.push(fault(`${where}/${kind}`, "missing", `The parameter needs ${kind}.fallback_value.`));
    return;
  }
  const { text } = parameter;
  if (typeof text !== "string" || text === "")
    return void faults.push(fault(`${where}/text`, "missing", "The parameter needs its text."));
  // The provider refuses these with 132018, after the message was accepted here.
  if (/[\n\t]| {5}/.test(text))
    faults.push(fault(`${where}/text`, "format", "No line breaks, no tabs, at most four spaces in a row."));
}

function checkButtons(definition: Definition, given: readonly Given[], at: string, faults: FieldError[]): void {
  const seen = new Set<number>();
  for (const one of given.filter(({ type }) => type === "button")) {
    const index = indexOf(one.fields["index"]);
    const button = index === null ? undefined : definition.buttons[index];
    if (index === null || !button) {
      faults.push(fault(`${one.at}/index`, "unknown", "The template has no button at this index."));
      continue;
    }
    if (seen.has(index)) faults.push(fault(`${one.at}/index`, "repeated", "This button is given twice."));
    seen.add(index);
    checkButton(button, one, faults);
  }
  for (const [index, button] of definition.buttons.entries()) {
    if (button.need !== "required" || seen.has(index)) continue;
    faults.push(fault(at, "missing", `The button at index ${index} (${button.subType}) needs its parameter.`));
  }
}

function checkButton(button: ButtonDefinition, given: Given, faults: FieldError[]): void {
  const { subType, need, parameter } = button;
  if (subType === null && need === "optional") return;
  if (given.fields["sub_type"] !== subType) {
    const detail = subType === null ? "This button takes no parameter." : `This button's sub_type is ${subType}.`;
    return void faults.push(fault(`${given.at}/sub_type`, "kind", detail));
  }
  const where = `${given.at}/parameters`;
  const [first] = given.parameters;
  const most = need === "none" ? 0 : 1;
  const fits = given.parameters.length <= most && (need !== "required" || first !== undefined);
  if (parameter === null) return;
  if (!fits) return void faults.push(fault(where, "count", `This button takes ${counted(most)}.`));
  if (!first) return;
  if (first["type"] !== parameter)
    return void faults.push(fault(`${where}/0/type`, "kind", `This button takes a parameter of type ${parameter}.`));
  const value = first[parameter];
  const present = parameter === "action" ? record(value) !== null : typeof value === "string" && value !== "";
  if (!present) faults.push(fault(`${where}/0/${parameter}`, "missing", `The parameter needs its ${parameter}.`));
}

/** The documentation writes the index as a text, several clients as a number (Cloud API documentation, sending: template). */
function indexOf(value: unknown): number | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^\d$/.test(text) ? Number(text) : null;
}

const counted = (count: number): string =>
  count === 0 ? "no parameter" : count === 1 ? "one parameter" : `${count} parameters`;
const fault = (pointer: string, code: string, detail: string): FieldError => ({ pointer, code, detail });
const record = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
