import { isRecord, textOf } from "../lib/shape.ts";
import type { TemplateComponent, TemplateInput } from "../world/template.ts";
import { TEMPLATE_LANGUAGES } from "./languages.ts";
import { parameterRefusal, templateRefusal } from "./refusal.ts";
import { checkSubmittedButtons, checkSubmittedCarousel } from "./submitted-buttons.ts";

const CATEGORIES = ["AUTHENTICATION", "MARKETING", "UTILITY"];
const NAME_CHARS = 512;
const HEADER_CHARS = 60;
const BODY_CHARS = 1024;
const FOOTER_CHARS = 60;
const OFFER_CHARS = 16;
const MEDIA = ["IMAGE", "VIDEO", "DOCUMENT", "GIF"];
const ONCE = ["HEADER", "BODY", "FOOTER", "BUTTONS", "CAROUSEL", "LIMITED_TIME_OFFER"];
const OF_AUTHENTICATION = ["BODY", "FOOTER", "BUTTONS"];
const SECONDS: Readonly<Record<string, readonly [number, number]>> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
};

/** What the checks of parts need of the whole; `isHandle`: whether a sample was uploaded here. */
export type Submission = { category: string; named: boolean; isHandle(handle: string): boolean };

/** Throws the provider's refusal of the first fault of a submission (provider reference 4.1); kinds that are not documented pass. */
export function checkSubmission(input: TemplateInput, isHandle: (handle: string) => boolean): void {
  const category = input.category.toUpperCase();
  if (!/^[a-z0-9_]+$/.test(input.name) || input.name.length > NAME_CHARS)
    throw parameterRefusal("The name must contain only lowercase letters, digits and underscores.");
  checkTerms(category, input.message_send_ttl_seconds);
  if (!TEMPLATE_LANGUAGES.has(input.language)) throw parameterRefusal("The language is not supported.");
  const format = (input.parameter_format ?? "POSITIONAL").toUpperCase();
  if (format !== "POSITIONAL" && format !== "NAMED")
    throw parameterRefusal("The parameter format must be POSITIONAL or NAMED.");
  checkComponents(input.components, { category, named: format === "NAMED", isHandle });
}

/** What an edit without components may change too; `category` in capitals. */
export function checkTerms(category: string, seconds: number | undefined): void {
  if (!CATEGORIES.includes(category)) throw parameterRefusal(`The category must be one of ${CATEGORIES.join(", ")}.`);
  const [least, most] = SECONDS[category] ?? [0, 0];
  if (seconds === undefined || seconds === -1) return;
  if (seconds < least || seconds > most)
    throw parameterRefusal(`message_send_ttl_seconds must be ${least} to ${most}, or -1.`);
}

function checkComponents(components: readonly TemplateComponent[], of: Submission): void {
  const types = components.map((component) => component.type.toUpperCase());
  for (const type of ONCE)
    if (types.indexOf(type) !== types.lastIndexOf(type)) throw parameterRefusal(`There is more than one ${type}.`);
  if (!types.includes("BODY")) throw templateRefusal(2388072, "The template has no body.");
  if (of.category === "AUTHENTICATION") {
    const other = types.find((type) => ONCE.includes(type) && !OF_AUTHENTICATION.includes(type));
    if (other !== undefined) throw parameterRefusal(`An authentication template has no ${other}.`);
  }
  for (const component of components) checkComponent(component, of);
}

function checkComponent(component: TemplateComponent, of: Submission): void {
  const isCode = of.category === "AUTHENTICATION";
  switch (component.type.toUpperCase()) {
    case "HEADER":
      return checkHeader(component, of);
    case "BODY":
      return isCode ? checkCodeBody(component) : checkBody(component, of);
    case "FOOTER":
      return isCode ? checkCodeFooter(component) : checkFooter(component);
    case "BUTTONS":
      return checkSubmittedButtons(component.buttons ?? [], isCode);
    case "CAROUSEL":
      return checkSubmittedCarousel(component["cards"], {
        header: (part) => checkMediaSample(part, of),
        body: (part) => checkBody(part, of),
      });
    case "LIMITED_TIME_OFFER":
      return checkOffer(component["limited_time_offer"]);
  }
}

function checkHeader(component: TemplateComponent, of: Submission): void {
  const format = (component.format ?? "").toUpperCase();
  if (format === "") throw templateRefusal(2388047, "The header has no format.");
  if (MEDIA.includes(format)) return checkMediaSample(component, of);
  if (format !== "TEXT") return;
  const text = component.text ?? "";
  if (text.trim() === "") throw templateRefusal(2388047, "The header has no text.");
  if (Array.from(text).length > HEADER_CHARS)
    throw templateRefusal(2388047, `A header has at most ${HEADER_CHARS} characters.`);
  if (placeholders(text).length > 1) throw templateRefusal(2388047, "A header has at most one variable.");
  checkPlaceholders(text, of, 2388047);
  checkExamples(component, { of, subcode: 2388047, list: "header_text", named: "header_text_named_params" });
}

function checkMediaSample(component: TemplateComponent, { isHandle }: Submission): void {
  const example = component["example"];
  const handles: unknown = isRecord(example) ? example["header_handle"] : undefined;
  const handle: unknown = Array.isArray(handles) && handles.length === 1 ? handles[0] : undefined;
  if (textOf(handle) === undefined) throw templateRefusal(2388047, "A media header needs one sample in header_handle.");
  if (!isHandle(String(handle))) throw templateRefusal(2388047, "The sample is not the handle of an upload.");
}

function checkBody(component: TemplateComponent, of: Submission): void {
  const text = component.text ?? "";
  if (text.trim() === "") throw templateRefusal(2388072, "The body has no text.");
  if (Array.from(text).length > BODY_CHARS)
    throw templateRefusal(2388040, `A body has at most ${BODY_CHARS} characters.`);
  if (/^\s*\{\{|\}\}\s*$/.test(text))
    throw templateRefusal(2388299, "Variables can't be at the start or end of the template.");
  checkPlaceholders(text, of, 2388072);
  // The reference does not say which ratio: fewer words than variables are too few by any.
  const words =
    text
      .replace(/\{\{[^{}]*\}\}/g, " ")
      .match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]|[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < placeholders(text).length)
    throw templateRefusal(2388293, "The body has too many variables for its length.");
  checkExamples(component, { of, subcode: 2388072, list: "body_text", named: "body_text_named_params" });
}

function checkCodeBody(component: TemplateComponent): void {
  if (component.text !== undefined) throw templateRefusal(2388072, "The text of an authentication template is fixed.");
  const recommends = component["add_security_recommendation"];
  if (recommends !== undefined && typeof recommends !== "boolean")
    throw parameterRefusal("add_security_recommendation is true or false.");
}

function checkCodeFooter(component: TemplateComponent): void {
  if (component.text !== undefined)
    throw templateRefusal(2388073, "The footer of an authentication template is fixed.");
  const minutes = component["code_expiration_minutes"];
  if (minutes === undefined) return;
  if (!Number.isInteger(minutes) || Number(minutes) < 1 || Number(minutes) > 90)
    throw templateRefusal(2388073, "code_expiration_minutes is 1 to 90.");
}

function checkFooter(component: TemplateComponent): void {
  const text = component.text ?? "";
  if (text.trim() === "") throw templateRefusal(2388073, "The footer has no text.");
  if (Array.from(text).length > FOOTER_CHARS)
    throw templateRefusal(2388073, `A footer has at most ${FOOTER_CHARS} characters.`);
  if (placeholders(text).length > 0) throw templateRefusal(2388073, "A footer has no variables.");
}

function checkOffer(offer: unknown): void {
  const text = isRecord(offer) ? textOf(offer["text"]) : undefined;
  if (text === undefined || text.trim() === "" || Array.from(text).length > OFFER_CHARS)
    throw parameterRefusal(`A limited-time offer has a text of 1 to ${OFFER_CHARS} characters.`);
  const ends = isRecord(offer) ? offer["has_expiration"] : undefined;
  if (ends !== undefined && typeof ends !== "boolean") throw parameterRefusal("has_expiration is true or false.");
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map((match) => match[1] ?? "");
}

function checkPlaceholders(text: string, { named }: Submission, subcode: number): void {
  const names = placeholders(text);
  if (named) {
    if (names.some((name) => !/^[a-z0-9_]*[a-z_][a-z0-9_]*$/.test(name)))
      throw templateRefusal(subcode, "Named variables have lowercase letters, digits and underscores.");
    return;
  }
  const numbers = [...new Set(names)]
    .map((name) => (/^[1-9]\d*$/.test(name) ? Number(name) : Number.NaN))
    .toSorted((a, b) => a - b);
  if (numbers.some((number, index) => number !== index + 1))
    throw templateRefusal(subcode, "Positional variables are counted from {{1}} without gaps.");
}

type Examples = { of: Submission; subcode: number; list: string; named: string };

function checkExamples(component: TemplateComponent, { of, subcode, list, named }: Examples): void {
  const names = [...new Set(placeholders(component.text ?? ""))];
  if (names.length === 0) return;
  const example = isRecord(component["example"]) ? component["example"] : {};
  if (of.named) {
    const given: unknown[] = Array.isArray(example[named]) ? example[named] : [];
    const samples = given
      .filter(isRecord)
      .map((one) => (textOf(one["example"])?.trim() ? textOf(one["param_name"]) : undefined));
    if (samples.length !== names.length || names.some((name) => !samples.includes(name)))
      throw templateRefusal(subcode, "Each named variable needs a sample.");
    return;
  }
  const given: unknown = example[list];
  const values: unknown = list === "body_text" && Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given;
  const isFull = Array.isArray(values) && values.length === names.length && values.every((one) => textOf(one)?.trim());
  if (!isFull) throw templateRefusal(subcode, "Each variable needs a sample.");
}
