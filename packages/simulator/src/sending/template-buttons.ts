import { isRecord, textOf } from "../lib/shape.ts";
import { refusal, wrongCount } from "../protocol/error.ts";
import type { TemplateShape } from "../world/template.ts";
import { ContentPart } from "./content-part.ts";

/** A component of a send, as far as buttons need it. */
type SentButton = { type: string; subType: string; index: number; parameters: readonly Record<string, unknown>[] };

/** The `sub_type` a send uses for each button of a definition. */
const SUB_TYPES: Readonly<Record<string, string>> = {
  URL: "url",
  OTP: "url",
  QUICK_REPLY: "quick_reply",
  COPY_CODE: "copy_code",
  FLOW: "flow",
  CATALOG: "catalog",
  MPM: "mpm",
  VOICE_CALL: "voice_call",
};
/** Buttons that take no parameter. Of other kinds, which are not documented, anything is accepted. */
const WITHOUT_PARAMETER = ["PHONE_NUMBER", "SPM", "CALL_PERMISSION_REQUEST", "REQUEST_CONTACT_INFO"];
/** Buttons whose component stands in each send, with or without its parameter, and the code without it (provider reference 12.4). */
const NAMED_IN_EACH_SEND: Readonly<Record<string, number>> = { FLOW: 131009, CATALOG: 131008 };
/** The parameter that each of them takes; a call takes several, each with its own name. */
const KEYS: Readonly<Record<string, string>> = {
  url: "text",
  quick_reply: "payload",
  copy_code: "coupon_code",
  flow: "action",
  catalog: "action",
  mpm: "action",
};
const COUPON_CHARS = 20;
/** A one-time password, and a URL with its suffix (provider reference 1.5 and 4.1). */
const CODE_CHARS = 15;
const URL_CHARS = 2000;
const MOST_PRODUCTS = 30;
const SECTION_CHARS = 24;

/** Throws the provider's refusal when the buttons of a send do not fit the template. */
export function checkButtons(shape: TemplateShape, components: readonly SentButton[]): void {
  const given = components.filter((component) => component.type === "button");
  for (const button of given) {
    const defined = shape.buttons[button.index];
    if (defined !== undefined && SUB_TYPES[defined.type] === undefined && !WITHOUT_PARAMETER.includes(defined.type))
      continue;
    if (defined === undefined || SUB_TYPES[defined.type] !== button.subType) {
      throw refusal(132018, `buttons: the template has no ${button.subType} button at index ${button.index}`);
    }
    if (button.subType === "url" && !defined.variable && button.parameters.length > 0) {
      throw wrongCount(`button at index ${button.index}`, button.parameters.length, 0);
    }
    checkParameter(button);
    checkSuffix(defined, button);
  }
  for (const [index, defined] of shape.buttons.entries()) {
    const code = NAMED_IN_EACH_SEND[defined.type];
    if (code !== undefined && !given.some((button) => button.index === index))
      throw refusal(code, `buttons: Button at index ${index} of type ${defined.type} must be named in the message`);
    if (!defined.variable) continue;
    const parameters = given.find((button) => button.index === index)?.parameters ?? [];
    if (parameters.length === 0) {
      throw refusal(131008, `buttons: Button at index ${index} of type ${defined.type} requires a parameter`);
    }
  }
}

function checkParameter({ subType, index, parameters }: SentButton): void {
  const key = KEYS[subType];
  const [first, ...more] = parameters;
  if (key === undefined || first === undefined) return;
  if (more.length > 0) throw wrongCount(`button at index ${index}`, parameters.length, 1);
  const value = first[key];
  if (first["type"] !== key || (key === "action" ? !isRecord(value) : textOf(value) === undefined)) {
    throw refusal(132012, `buttons: Format mismatch, expected ${key} at index ${index}`);
  }
  const parameter = new ContentPart(first, "button");
  if (key === "coupon_code") parameter.text(key, COUPON_CHARS);
  if (subType === "mpm") checkProducts(parameter.part(key));
}

function checkSuffix({ type, url }: TemplateShape["buttons"][number], { index, parameters }: SentButton): void {
  const suffix = textOf(parameters[0]?.["text"]) ?? "";
  if (type === "OTP" && Array.from(suffix).length > CODE_CHARS)
    throw refusal(132018, `buttons: the code at index ${index} is longer than ${CODE_CHARS} characters`);
  if (url !== "" && Array.from(url.replace(/\{\{[^}]*\}\}/, () => suffix)).length > URL_CHARS)
    throw refusal(132005, `buttons: the URL at index ${index} is longer than ${URL_CHARS} characters`);
}

function checkProducts(action: ContentPart): void {
  action.text("thumbnail_product_retailer_id", Number.POSITIVE_INFINITY);
  const sections = action.parts("sections", 1, 10);
  if (sections.length > 1) for (const section of sections) section.text("title", SECTION_CHARS);
  const products = sections.flatMap((section) => section.parts("product_items", 1, MOST_PRODUCTS));
  if (products.length > MOST_PRODUCTS) throw action.invalid("sections", `must have at most ${MOST_PRODUCTS} products`);
  for (const product of products) product.text("product_retailer_id", Number.POSITIVE_INFINITY);
}
