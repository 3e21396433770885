import type { Definition } from "../../messages/testing/golden-templates.ts";

const define = (name: string, components: Definition["components"], more: object = {}): Definition => ({
  name,
  language: "en_US",
  category: "UTILITY",
  components,
  ...more,
});
const NAMED = { parameter_format: "NAMED" };
const bodyOf = (content: string) => ({ type: "BODY", text: content });
const buttonsOf = (...buttons: { type: string; [field: string]: unknown }[]) => ({ type: "BUTTONS", buttons });
const urlOf = (url: string) => ({ type: "URL", text: "Open", url });

const CARD = {
  components: [
    { type: "HEADER", format: "IMAGE" },
    bodyOf("{{1}} is here."),
    buttonsOf({ type: "QUICK_REPLY", text: "More" }, urlOf("https://shop.example/t/{{1}}")),
  ],
};

/** A template for each component, format and kind of button. */
export const DEFINITIONS: readonly Definition[] = [
  define("fixed", [bodyOf("Ready.")]),
  define("by_place", [{ type: "HEADER", format: "TEXT", text: "Hi {{1}}" }, bodyOf("Order {{2}} of {{1}} is {{3}}.")]),
  define(
    "by_name",
    [
      { type: "HEADER", format: "TEXT", text: "Hi {{first_name}}" },
      bodyOf("Order {{order_id}} is {{state}}."),
      buttonsOf(urlOf("https://shop.example/{{1}}")),
    ],
    NAMED,
  ),
  define("alone", [bodyOf("Note: {{1}}.")]),
  define("photo", [{ type: "HEADER", format: "IMAGE" }, bodyOf("Look.")]),
  define("clip", [{ type: "HEADER", format: "VIDEO" }, bodyOf("Look.")]),
  define("paper", [{ type: "HEADER", format: "DOCUMENT" }, bodyOf("Look.")]),
  define("loop", [{ type: "HEADER", format: "GIF" }, bodyOf("Look.")]),
  define("place", [{ type: "HEADER", format: "LOCATION" }, bodyOf("Come.")]),
  define("ware", [{ type: "HEADER", format: "PRODUCT" }, bodyOf("Buy."), buttonsOf({ type: "SPM", text: "View" })]),
  define("buttons", [
    bodyOf("Choose."),
    buttonsOf(
      { type: "QUICK_REPLY", text: "Stop" },
      urlOf("https://shop.example/t/{{1}}"),
      urlOf("https://shop.example"),
      {
        type: "PHONE_NUMBER",
        text: "Call",
        phone_number: "+15550001111",
      },
    ),
  ]),
  define("voucher", [bodyOf("Take it."), buttonsOf({ type: "COPY_CODE", example: "25OFF" })]),
  define("form", [bodyOf("Book."), buttonsOf({ type: "FLOW", text: "Book", flow_id: "1" })]),
  define("shelf", [bodyOf("See."), buttonsOf({ type: "CATALOG", text: "View" })]),
  define("basket", [bodyOf("See."), buttonsOf({ type: "MPM", text: "View" })]),
  define("phone", [bodyOf("Call."), buttonsOf({ type: "VOICE_CALL", text: "Call" })]),
  define("otp", [bodyOf("{{1}} is your code."), buttonsOf({ type: "OTP", otp_type: "COPY_CODE" })], {
    category: "AUTHENTICATION",
  }),
  define("sale", [
    { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Sale", has_expiration: true } },
    bodyOf("Hi."),
  ]),
  define("cards", [bodyOf("Hi {{1}}."), { type: "CAROUSEL", cards: [CARD, CARD, CARD] }]),
];
