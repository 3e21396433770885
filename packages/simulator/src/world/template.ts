import { isRecord } from "../lib/shape.ts";

/** REST spelling of a template's state (provider reference 4.2). */
export type TemplateStatus =
  | "APPROVED"
  | "PENDING"
  | "REJECTED"
  | "IN_APPEAL"
  | "PAUSED"
  | "DISABLED"
  | "PENDING_DELETION"
  | "DELETED"
  | "LIMIT_EXCEEDED"
  | "ARCHIVED";

/** A component as submitted; further keys are kept and given back. */
export type TemplateComponent = {
  type: string;
  format?: string;
  text?: string;
  buttons?: readonly TemplateButton[];
  [key: string]: unknown;
};

export type TemplateButton = { type: string; text?: string; url?: string; [key: string]: unknown };

/** A template to add or submit; `status` only by control (APPROVED). */
export type TemplateInput = {
  id?: string;
  name: string;
  language: string;
  category: string;
  parameter_format?: string;
  components: readonly TemplateComponent[];
  status?: TemplateStatus;
  message_send_ttl_seconds?: number;
  sub_category?: string;
  library_template_name?: string;
  cta_url_link_tracking_opted_out?: boolean;
};

/** What the parameters of a send must fit. */
export type TemplateShape = {
  named: boolean;
  headerFormat: string | null;
  headerText: string;
  headerVariables: readonly string[];
  bodyText: string;
  bodyVariables: readonly string[];
  bodyOnly: boolean;
  /** `url` is empty but for a URL that ends in a variable. */
  buttons: readonly { type: string; variable: boolean; url: string }[];
  /** A limited-time offer that ends, so that each send says when. */
  offerEnds: boolean;
  /** Of a carousel: its cards, in their order. */
  cards: readonly TemplateShape[];
};

export type Template = {
  id: string;
  /** Place in the account's list, which paging follows. */
  order: number;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  parameterFormat: string;
  components: readonly TemplateComponent[];
  shape: TemplateShape;
  rejectedReason: string;
  qualityScore: string;
  /** The category that it is about to get, and the one that it had. */
  correctCategory: string | undefined;
  previousCategory: string | undefined;
  /** As submitted, and given back. */
  sendTtlSeconds: number | undefined;
  subCategory: string | undefined;
  libraryTemplateName: string | undefined;
  linkTrackingOptedOut: boolean | undefined;
  /** When it was edited while it was approved, in milliseconds. */
  edits: number[];
  /** How often it was paused; the third time disables it. */
  pauses: number;
  decidedAt: number;
};

/** What is unique within an account. */
export function templateKey(name: string, language: string): string {
  return `${name}/${language}`;
}

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** The distinct variables of a text in order of appearance. */
export function variablesOf(text: string | undefined): string[] {
  return [...new Set([...(text ?? "").matchAll(VARIABLE)].map((match) => match[1] ?? ""))];
}

/** The text with its variables replaced; a variable without a value stays as it is. */
export function fillVariables(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
}

/** What the provider says around a code. */
const CODE_TEXT = "*{{1}}* is your verification code.";
const SECURITY_TEXT = " For your security, do not share this code.";

/** Components as they are listed: the provider writes the text of an authentication template (provider reference 4.1). */
export function withCodeText(components: readonly TemplateComponent[], category: string): readonly TemplateComponent[] {
  if (category.toUpperCase() !== "AUTHENTICATION") return components;
  return components.map((one) => {
    if (one.type.toUpperCase() !== "BODY" || one.text !== undefined) return one;
    return { ...one, text: CODE_TEXT + (one["add_security_recommendation"] === true ? SECURITY_TEXT : "") };
  });
}

export function setComponents(template: Template, components: readonly TemplateComponent[]): void {
  template.components = withCodeText(components, template.category);
  template.shape = shapeOf(template.components, template.parameterFormat);
}

export function shapeOf(components: readonly TemplateComponent[], parameterFormat: string): TemplateShape {
  const part = (type: string) => components.find((component) => component.type.toUpperCase() === type);
  const header = part("HEADER");
  const body = part("BODY");
  return {
    named: parameterFormat.toUpperCase() === "NAMED",
    headerFormat: header === undefined ? null : (header.format ?? "TEXT").toUpperCase(),
    headerText: header?.text ?? "",
    headerVariables: variablesOf(header?.text),
    bodyText: body?.text ?? "",
    bodyVariables: variablesOf(body?.text),
    bodyOnly: components.length === 1,
    buttons: (part("BUTTONS")?.buttons ?? []).map((button) => ({
      type: button.type.toUpperCase(),
      variable: needsParameter(button),
      url: variablesOf(button.url).length > 0 ? (button.url ?? "") : "",
    })),
    offerEnds: endsOf(part("LIMITED_TIME_OFFER")),
    cards: cardsOf(part("CAROUSEL")).map((card) => shapeOf(card, parameterFormat)),
  };
}

function endsOf(offer: TemplateComponent | undefined): boolean {
  const content = offer?.["limited_time_offer"];
  return isRecord(content) && content["has_expiration"] === true;
}

function cardsOf(carousel: TemplateComponent | undefined): (readonly TemplateComponent[])[] {
  const cards = carousel?.["cards"];
  if (!Array.isArray(cards)) return [];
  return cards.map((card: unknown) => {
    const components = isRecord(card) && Array.isArray(card["components"]) ? (card["components"] as unknown[]) : [];
    return components.filter(isComponent);
  });
}

/** Whether a value is a component of a template, as far as it is read here. */
export function isComponent(value: unknown): value is TemplateComponent {
  if (!isRecord(value) || typeof value["type"] !== "string") return false;
  const { text, format, buttons } = value;
  return (
    (text === undefined || typeof text === "string") &&
    (format === undefined || typeof format === "string") &&
    (buttons === undefined ||
      (Array.isArray(buttons) && buttons.every((button) => isRecord(button) && typeof button["type"] === "string")))
  );
}

// A coupon, a one-time password and the products of a list are given with each send; a URL only when it ends in a variable.
function needsParameter(button: TemplateButton): boolean {
  const type = button.type.toUpperCase();
  return (
    type === "COPY_CODE" || type === "OTP" || type === "MPM" || (type === "URL" && variablesOf(button.url).length > 0)
  );
}
