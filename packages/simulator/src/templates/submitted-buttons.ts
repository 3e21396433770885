import { isRecord, textOf } from "../lib/shape.ts";
import { isComponent, type TemplateButton, type TemplateComponent } from "../world/template.ts";
import { parameterRefusal, templateRefusal } from "./refusal.ts";

const BUTTONS = 10;
const CARD_BUTTONS = 2;
const URL_CHARS = 2000;
const PHONE_CHARS = 20;
const REPLY_CHARS = 25;
const COUPON_CHARS = 20;
const MOST: Readonly<Record<string, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, OTP: 1, FLOW: 1 };

/** Throws the provider's refusal of the buttons of a submission (provider reference 4.1). */
export function checkSubmittedButtons(buttons: readonly TemplateButton[], isAuthentication: boolean): void {
  if (buttons.length === 0 || buttons.length > BUTTONS) throw parameterRefusal(`There are 1 to ${BUTTONS} buttons.`);
  const types = buttons.map((button) => button.type.toUpperCase());
  for (const [type, most] of Object.entries(MOST))
    if (types.filter((one) => one === type).length > most)
      throw parameterRefusal(`There are at most ${most} ${type} buttons.`);
  const runs = types.filter((type, at) => (type === "QUICK_REPLY") !== (types[at - 1] === "QUICK_REPLY") || at === 0);
  if (runs.length > 2) throw parameterRefusal("Quick replies must be grouped together.");
  if (isAuthentication && types.some((type) => type !== "OTP"))
    throw parameterRefusal("An authentication template has an OTP button only.");
  for (const button of buttons) checkButton(button);
}

function checkButton(button: TemplateButton): void {
  switch (button.type.toUpperCase()) {
    case "QUICK_REPLY":
      return requireText(button.text, REPLY_CHARS, "The text of a quick reply");
    case "PHONE_NUMBER":
      return requireText(button["phone_number"], PHONE_CHARS, "The phone_number of a button");
    case "URL":
      return checkUrl(button);
    case "COPY_CODE":
      return requireText(first(button["example"]), COUPON_CHARS, "The example of a coupon code");
    case "OTP":
      return checkOtp(button);
    case "FLOW":
      if (!["flow_id", "flow_name", "flow_json"].some((key) => button[key] !== undefined && button[key] !== ""))
        throw parameterRefusal("A flow button names its flow.");
  }
}

function checkUrl(button: TemplateButton): void {
  requireText(button.url, URL_CHARS, "The url of a button");
  const url = button.url ?? "";
  const variables = url.match(/\{\{[^{}]*\}\}/g) ?? [];
  if (variables.length === 0) return;
  if (variables.length > 1 || !url.endsWith("}}")) throw parameterRefusal("A URL has one variable, at its end.");
  requireText(first(button["example"]), URL_CHARS, "The example of a URL");
}

function checkOtp(button: TemplateButton): void {
  const kind = (textOf(button["otp_type"]) ?? "").toUpperCase();
  if (!["COPY_CODE", "ONE_TAP", "ZERO_TAP"].includes(kind)) throw parameterRefusal("The otp_type is not supported.");
  if (kind !== "ONE_TAP") return;
  const isApp = (one: unknown) => isRecord(one) && textOf(one["package_name"]) && textOf(one["signature_hash"]);
  const apps: unknown = button["supported_apps"];
  if (!isApp(button) && !(Array.isArray(apps) && apps.length > 0 && apps.every(isApp)))
    throw parameterRefusal("A one-tap button needs package_name and signature_hash.");
}

function requireText(value: unknown, most: number, what: string): void {
  const text = textOf(value)?.trim() ?? "";
  if (text === "" || Array.from(textOf(value) ?? "").length > most)
    throw text === ""
      ? parameterRefusal(`${what} is missing.`)
      : templateRefusal(2388040, `${what} has at most ${most} characters.`);
}

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value);

type CardChecks = { header(part: TemplateComponent): void; body(part: TemplateComponent): void };

/** Throws the provider's refusal of a carousel: two to ten cards of one shape. */
export function checkSubmittedCarousel(value: unknown, checks: CardChecks): void {
  const cards = (Array.isArray(value) ? (value as unknown[]) : []).map((card) =>
    isRecord(card) && Array.isArray(card["components"]) ? (card["components"] as unknown[]).filter(isComponent) : [],
  );
  if (cards.length < 2 || cards.length > 10) throw parameterRefusal("A carousel has 2 to 10 cards.");
  if (new Set(cards.map(shapeOf)).size > 1) throw parameterRefusal("All cards of a carousel have the same shape.");
  for (const card of cards) checkCard(card, checks);
}

function checkCard(card: readonly TemplateComponent[], checks: CardChecks): void {
  const part = (type: string) => card.find((one) => one.type.toUpperCase() === type);
  const header = part("HEADER");
  const format = header?.format?.toUpperCase() ?? "";
  if (header === undefined || ["", "TEXT", "DOCUMENT", "GIF", "LOCATION"].includes(format))
    throw templateRefusal(2388047, "A card has an image or a video.");
  if (format === "IMAGE" || format === "VIDEO") checks.header(header);
  const body = part("BODY");
  if (body !== undefined) checks.body(body);
  const buttons = part("BUTTONS")?.buttons ?? [];
  if (buttons.length > CARD_BUTTONS) throw parameterRefusal(`A card has at most ${CARD_BUTTONS} buttons.`);
  for (const button of buttons) checkButton(button);
}

function shapeOf(card: readonly TemplateComponent[]): string {
  const parts = card.map(({ type, format, buttons }) =>
    [type, format ?? "", ...(buttons ?? []).map((button) => button.type)].join(" ").toUpperCase(),
  );
  return parts.toSorted().join("|");
}
