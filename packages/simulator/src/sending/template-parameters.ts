import { isRecord, textOf } from "../lib/shape.ts";
import { refusal, wrongCount } from "../protocol/error.ts";
import { fillVariables, type Template, type TemplateShape } from "../world/template.ts";
import { ContentPart, checkDistinct, checkMediaSource, checkPlace } from "./content-part.ts";
import { checkButtons } from "./template-buttons.ts";

/** Rendered body: alone in its template it may be long, beside other components not (provider reference 1.5). */
const BODY_ALONE_CHARS = 32_768;
const BODY_CHARS = 1024;
/** A header's text (provider reference 4.1). */
const HEADER_CHARS = 60;
const MEDIA_HEADERS = ["IMAGE", "VIDEO", "DOCUMENT", "LOCATION", "GIF", "PRODUCT"];
/** Headers that are files. */
const FILES = ["image", "video", "document", "gif"];
/** The end of an offer further away than ten years is in another unit. */
const FURTHEST_OFFER_MS = 10 * 365 * 24 * 3_600_000;
const BODY_PARAMETERS = ["text", "currency", "date_time"];
type Parameter = Record<string, unknown>;
type SentComponent = {
  type: string;
  subType: string;
  index: number;
  parameters: readonly Parameter[];
  fields: Record<string, unknown>;
};

/** Throws the provider's refusal when the components of a send do not fit the template; `now` in milliseconds. */
export function checkTemplateParameters(template: Template, sent: unknown, now: number): void {
  checkComponents(template.shape, readComponents(sent), now);
}

function checkComponents(shape: TemplateShape, components: readonly SentComponent[], now: number): void {
  checkHeader(shape, components);
  checkBody(shape, components);
  checkButtons(shape, components);
  if (shape.offerEnds) checkOffer(components, now);
  if (shape.cards.length > 0) checkCards(shape.cards, components, now);
}

function checkOffer(components: readonly SentComponent[], now: number): void {
  const component = components.find(({ type }) => type === "limited_time_offer");
  // The provider's pages show the end both in the component and in its parameter.
  const offer = component?.parameters[0]?.["limited_time_offer"] ?? component?.fields["limited_time_offer"];
  if (!isRecord(offer)) throw refusal(131008, "limited_time_offer: the template needs expiration_time_ms");
  const endsAt = new ContentPart(offer, "limited_time_offer").integer("expiration_time_ms", 0, Number.MAX_SAFE_INTEGER);
  if (endsAt <= now || endsAt > now + FURTHEST_OFFER_MS)
    throw refusal(131009, "Param limited_time_offer['expiration_time_ms'] must be a coming time in milliseconds.");
}

function checkCards(shapes: readonly TemplateShape[], components: readonly SentComponent[], now: number): void {
  const carousel = components.find(({ type }) => type === "carousel");
  if (carousel === undefined) throw refusal(131008, "carousel: the template needs its cards");
  const cards = new ContentPart(carousel.fields, "carousel").parts("cards", 1, 10);
  if (cards.length !== shapes.length) throw wrongCount("carousel", cards.length, shapes.length);
  checkDistinct(cards, "card_index");
  for (const card of cards) {
    const shape = shapes[card.integer("card_index", 0, shapes.length - 1)];
    if (shape !== undefined) checkComponents(shape, readComponents(card.raw("components")), now);
  }
}

function readComponents(sent: unknown): SentComponent[] {
  if (sent === undefined || sent === null) return [];
  if (!Array.isArray(sent)) throw refusal(131009, "Parameter template['components'] must be an array.");
  return sent.map((component: unknown) => {
    const type = isRecord(component) ? textOf(component["type"]) : undefined;
    if (!isRecord(component) || type === undefined) {
      throw refusal(131009, "Each of template['components'] needs a type.");
    }
    const parameters: unknown = component["parameters"] ?? [];
    if (!Array.isArray(parameters) || !parameters.every(isRecord)) {
      throw refusal(131009, `${type}: parameters must be an array of objects.`);
    }
    return {
      type: type.toLowerCase(),
      subType: (textOf(component["sub_type"]) ?? "").toLowerCase(),
      // The documentation shows a string, several clients send an integer: both work.
      index: Number(component["index"] ?? Number.NaN),
      parameters,
      fields: component,
    };
  });
}

function checkHeader(shape: TemplateShape, components: readonly SentComponent[]): void {
  const parameters = components.find((component) => component.type === "header")?.parameters ?? [];
  if (shape.headerFormat !== null && MEDIA_HEADERS.includes(shape.headerFormat)) {
    const received = parameters.length === 1 ? textOf(parameters[0]?.["type"]) : undefined;
    const kind = shape.headerFormat.toLowerCase();
    if (received !== kind || !isRecord(parameters[0]?.[kind])) {
      const got = received?.toUpperCase() ?? "UNKNOWN";
      throw refusal(132012, `header: Format mismatch, expected ${shape.headerFormat}, received ${got}`);
    }
    const given = new ContentPart(parameters[0], "header").part(kind);
    if (FILES.includes(kind)) checkMediaSource(given);
    if (kind === "location") checkPlace(given);
    if (kind === "product") given.text("product_retailer_id", Number.POSITIVE_INFINITY);
    return;
  }
  // Nothing is known of what other kinds take.
  if (shape.headerFormat !== null && shape.headerFormat !== "TEXT") return;
  checkTexts("header", shape.headerVariables, shape.named, parameters, ["text"]);
  checkLength("header", shape.headerText, parameters, HEADER_CHARS);
}

function checkBody(shape: TemplateShape, components: readonly SentComponent[]): void {
  const parameters = components.find((component) => component.type === "body")?.parameters ?? [];
  checkTexts("body", shape.bodyVariables, shape.named, parameters, BODY_PARAMETERS);
  checkLength("body", shape.bodyText, parameters, shape.bodyOnly ? BODY_ALONE_CHARS : BODY_CHARS);
}

function checkLength(where: string, text: string, parameters: readonly Parameter[], limit: number): void {
  if (parameters.length > 0 && Array.from(fillVariables(text, valuesOf(parameters))).length > limit)
    throw refusal(132005, `${where}: the text is longer than ${limit} characters after substitution`);
}

/** What parameters fill their text with, by their names or their places. */
function valuesOf(parameters: readonly Parameter[]): Map<string, string> {
  return new Map(
    parameters.map((parameter, at) => [
      textOf(parameter["parameter_name"]) ?? String(at + 1),
      parameterText(parameter),
    ]),
  );
}

function checkTexts(
  where: string,
  variables: readonly string[],
  named: boolean,
  parameters: readonly Parameter[],
  kinds: readonly string[],
): void {
  if (parameters.length !== variables.length) throw wrongCount(where, parameters.length, variables.length);
  for (const parameter of parameters) {
    const kind = textOf(parameter["type"]);
    if (kind === undefined || !kinds.includes(kind)) {
      throw refusal(132012, `${where}: Format mismatch, expected ${kinds.join(" or ")}, received ${kind ?? "UNKNOWN"}`);
    }
    checkText(where, kind, parameter);
    const name = textOf(parameter["parameter_name"]);
    if (named && name === undefined) throw refusal(132012, `${where}: Parameter name is missing or empty`);
    if (!named && name !== undefined) throw refusal(132012, `${where}: this template has positional parameters`);
    if (named && name !== undefined && !variables.includes(name)) {
      throw refusal(132012, `${where}: the template has no parameter ${name}`);
    }
  }
  const names = new Set(parameters.map((parameter) => parameter["parameter_name"]));
  if (named && names.size !== parameters.length) throw refusal(132012, `${where}: a parameter is given twice`);
}

function checkText(where: string, kind: string, parameter: Parameter): void {
  if (kind !== "text") {
    if (!isRecord(parameter[kind])) throw refusal(131008, `${where}: parameter of type ${kind} is missing its object`);
    return;
  }
  if (parameter["text"] == null || parameter["text"] === "")
    throw refusal(131008, `${where}: Parameter of type text is missing text value`);
  const text = new ContentPart(parameter, where).text("text", Number.POSITIVE_INFINITY);
  if (/[\n\r\t]| {5}/.test(text)) {
    throw refusal(132018, "Param text cannot have new-line/tab characters or more than 4 consecutive spaces");
  }
}

function parameterText(parameter: Parameter): string {
  const kind = textOf(parameter["type"]) ?? "text";
  const rich = parameter[kind];
  return textOf(parameter["text"]) ?? (isRecord(rich) ? textOf(rich["fallback_value"]) : undefined) ?? "";
}
