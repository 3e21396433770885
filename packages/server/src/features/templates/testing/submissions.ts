/** A definition as a client submits it, without its name. */
export type SubmissionCase = {
  what: string;
  category?: "utility" | "marketing" | "authentication";
  language?: string;
  parameter_format?: "positional" | "named";
  message_send_ttl_seconds?: number;
  components: { type: string; [field: string]: unknown }[];
};

/** What the provider documents as wrong: where we say so. `name`: instead of a usual one. */
export type FaultyCase = SubmissionCase & { name?: string; pointers: string[] };

/** Stands for the handle of a sample that was uploaded before. */
export const HANDLE = "HANDLE";

const body = (text: string, ...samples: string[]) => ({
  type: "BODY",
  text,
  ...(samples.length === 0 ? {} : { example: { body_text: [samples] } }),
});
const PLAIN = body("Your order is ready.");
const named = (text: string, samples: Record<string, string>) => ({
  type: "BODY",
  text,
  example: {
    body_text_named_params: Object.entries(samples).map(([param_name, example]) => ({ param_name, example })),
  },
});
const header = (text: string, ...samples: string[]) => ({
  type: "HEADER",
  format: "TEXT",
  text,
  ...(samples.length === 0 ? {} : { example: { header_text: samples } }),
});
const media = (format: string, handle: unknown = HANDLE) => ({
  type: "HEADER",
  format,
  example: { header_handle: [handle] },
});
type Button = { type: string; [field: string]: unknown };
const buttons = (...list: Button[]) => ({ type: "BUTTONS", buttons: list });
const reply = (text = "Yes"): Button => ({ type: "QUICK_REPLY", text });
const url = (address: string, example?: string): Button => ({
  type: "URL",
  text: "Open",
  url: address,
  ...(example === undefined ? {} : { example: [example] }),
});
const phone = (phone_number = "+15550001111"): Button => ({ type: "PHONE_NUMBER", text: "Call", phone_number });
const otp = (more: object): Button => ({ type: "OTP", ...more });
const APP = { package_name: "com.shop.app", signature_hash: "K8a+AINcGX7" };
const CODE = { type: "BODY", add_security_recommendation: true };
const card = (...more: Button[]) => ({
  components: [media("IMAGE"), body("It is here now."), buttons(reply("More"), ...more)],
});
const carousel = (...cards: object[]) => ({ type: "CAROUSEL", cards });
const offer = (limited_time_offer: object) => ({ type: "LIMITED_TIME_OFFER", limited_time_offer });

/** Each component, format and kind of button, up to its limits. */
export const GOOD: readonly SubmissionCase[] = [
  { what: "a body alone", components: [PLAIN] },
  { what: "positional variables", components: [body("Hi {{1}}, order {{2}} is on its way.", "Ana", "A17")] },
  { what: "a variable that comes twice", components: [body("Hi {{1}}, yes you, {{1}}, come in.", "Ana")] },
  { what: "variables side by side", components: [body("Dear {{1}} {{2}}, welcome to us.", "Ana", "Silva")] },
  {
    what: "named variables",
    parameter_format: "named",
    components: [named("Hi {{first_name}}, order {{order_no}} is here.", { first_name: "Ana", order_no: "A17" })],
  },
  { what: "a body of the longest length", components: [body("🎉".repeat(1_024))] },
  { what: "a text in Chinese", language: "zh_CN", components: [body("您好，{{1}}的订单{{2}}已发货。", "安娜", "A17")] },
  {
    what: "a text without spaces, whose characters are words",
    language: "th",
    components: [body("สวัสดีคุณ{{1}}{{2}}{{3}}ครับ", "a", "b", "c")],
  },
  {
    what: "names with digits and underscores",
    parameter_format: "named",
    components: [named("Hi {{_name}}, order {{2nd_order}} is here.", { _name: "Ana", "2nd_order": "A17" })],
  },
  {
    what: "a header and a footer",
    components: [header("Order"), PLAIN, { type: "FOOTER", text: "Reply HELP for help" }],
  },
  { what: "a header with a variable", components: [header("Order {{1}}", "A17"), PLAIN] },
  {
    what: "a header and a footer of the longest length",
    components: [header("h".repeat(60)), PLAIN, { type: "FOOTER", text: "f".repeat(60) }],
  },
  { what: "an image", components: [media("IMAGE"), PLAIN] },
  { what: "a video", components: [media("VIDEO"), PLAIN] },
  { what: "a document", components: [media("DOCUMENT"), PLAIN] },
  { what: "an animation", category: "marketing", components: [media("GIF"), PLAIN] },
  { what: "a location", components: [{ type: "HEADER", format: "LOCATION" }, PLAIN] },
  {
    what: "a product",
    category: "marketing",
    components: [{ type: "HEADER", format: "PRODUCT" }, PLAIN, buttons({ type: "SPM", text: "View" })],
  },
  {
    what: "ten quick replies",
    components: [PLAIN, buttons(...Array.from({ length: 10 }, (_, n) => reply(`Reply ${n}`)))],
  },
  {
    what: "quick replies behind others",
    components: [PLAIN, buttons(url("https://shop.example"), phone(), reply("a"), reply("b"))],
  },
  {
    what: "quick replies before others",
    components: [PLAIN, buttons(reply("a"), url("https://shop.example/t/{{1}}", "A17"))],
  },
  {
    what: "two links",
    components: [
      PLAIN,
      buttons(url("https://shop.example"), url("https://shop.example/{{1}}", "https://shop.example/a")),
    ],
  },
  { what: "a coupon", category: "marketing", components: [PLAIN, buttons({ type: "COPY_CODE", example: "25OFF" })] },
  { what: "a flow", components: [PLAIN, buttons({ type: "FLOW", text: "Book", flow_id: "123" })] },
  { what: "a catalog", category: "marketing", components: [PLAIN, buttons({ type: "CATALOG", text: "View" })] },
  { what: "a list of products", category: "marketing", components: [PLAIN, buttons({ type: "MPM", text: "View" })] },
  { what: "a call", components: [PLAIN, buttons({ type: "VOICE_CALL", text: "Call" })] },
  { what: "a permission to call", components: [PLAIN, { type: "call_permission_request" }] },
  {
    what: "a kind of button that is not documented",
    components: [PLAIN, buttons({ type: "TELEPATHY", text: "Think" })],
  },
  { what: "a component that is not documented", components: [PLAIN, { type: "HOLOGRAM", depth: 3 }] },
  {
    what: "a limited-time offer",
    category: "marketing",
    components: [
      offer({ text: "Ends soon", has_expiration: true }),
      PLAIN,
      buttons({ type: "COPY_CODE", example: "25OFF" }),
    ],
  },
  { what: "a carousel", category: "marketing", components: [PLAIN, carousel(card(), card())] },
  {
    what: "ten cards",
    category: "marketing",
    components: [PLAIN, carousel(...Array.from({ length: 10 }, () => card(url("https://shop.example/{{1}}", "a"))))],
  },
  {
    what: "a code to copy",
    category: "authentication",
    components: [
      CODE,
      { type: "FOOTER", code_expiration_minutes: 90 },
      buttons(otp({ otp_type: "COPY_CODE", text: "Copy" })),
    ],
  },
  {
    what: "a code with one tap",
    category: "authentication",
    components: [CODE, buttons(otp({ otp_type: "ONE_TAP", supported_apps: [APP] }))],
  },
  {
    what: "a code with one tap, in the older form",
    category: "authentication",
    components: [CODE, buttons(otp({ otp_type: "ONE_TAP", ...APP }))],
  },
  {
    what: "a code with no tap",
    category: "authentication",
    components: [CODE, buttons(otp({ otp_type: "ZERO_TAP", supported_apps: [APP] }))],
  },
  {
    what: "the shortest time of a code",
    category: "authentication",
    message_send_ttl_seconds: 30,
    components: [CODE, buttons(otp({ otp_type: "COPY_CODE" }))],
  },
  { what: "the longest time of utility", message_send_ttl_seconds: 43_200, components: [PLAIN] },
  {
    what: "the longest time of marketing",
    category: "marketing",
    message_send_ttl_seconds: 2_592_000,
    components: [PLAIN],
  },
  { what: "30 days", message_send_ttl_seconds: -1, components: [PLAIN] },
];

/** One fault each, but for the last one. */
export const FAULTY: readonly FaultyCase[] = [
  { what: "capitals in the name", name: "Big_Name", components: [PLAIN], pointers: ["/name"] },
  { what: "a name that is too long", name: "n".repeat(513), components: [PLAIN], pointers: ["/name"] },
  { what: "an unknown language", language: "en_DE", components: [PLAIN], pointers: ["/language/code"] },
  {
    what: "too short a time",
    message_send_ttl_seconds: 29,
    components: [PLAIN],
    pointers: ["/message_send_ttl_seconds"],
  },
  {
    what: "the time of another category",
    category: "marketing",
    message_send_ttl_seconds: 900,
    components: [PLAIN],
    pointers: ["/message_send_ttl_seconds"],
  },
  { what: "no body", components: [header("Order")], pointers: ["/components"] },
  { what: "two bodies", components: [PLAIN, PLAIN], pointers: ["/components/1"] },
  { what: "an empty body", components: [body(" ")], pointers: ["/components/0/text"] },
  { what: "a body that is too long", components: [body("x".repeat(1_025))], pointers: ["/components/0/text"] },
  {
    what: "a leading variable",
    components: [body("{{1}}, your order is ready.", "Ana")],
    pointers: ["/components/0/text"],
  },
  {
    what: "a trailing variable",
    components: [body("Your order is ready, {{1}}", "Ana")],
    pointers: ["/components/0/text"],
  },
  {
    what: "a gap",
    components: [body("Hi {{1}}, order {{3}} is here.", "Ana", "A17")],
    pointers: ["/components/0/text"],
  },
  {
    what: "names among positions",
    components: [body("Hi {{1}}, order {{order_no}} is here.", "Ana", "A17")],
    pointers: ["/components/0/text"],
  },
  {
    what: "a name in capitals",
    parameter_format: "named",
    components: [named("Hi {{Name}}, come in.", { Name: "Ana" })],
    pointers: ["/components/0/text"],
  },
  {
    what: "more variables than words",
    components: [body("a {{1}} {{2}} {{3}} b", "1", "2", "3")],
    pointers: ["/components/0/text"],
  },
  { what: "no samples", components: [body("Hi {{1}}, come in.")], pointers: ["/components/0/example/body_text"] },
  {
    what: "too few samples",
    components: [body("Hi {{1}}, order {{2}} is here.", "Ana")],
    pointers: ["/components/0/example/body_text"],
  },
  {
    what: "a name without a sample",
    parameter_format: "named",
    components: [named("Hi {{first_name}}, order {{order_no}} is here.", { first_name: "Ana" })],
    pointers: ["/components/0/example/body_text_named_params"],
  },
  { what: "a header that is too long", components: [header("h".repeat(61)), PLAIN], pointers: ["/components/0/text"] },
  {
    what: "two variables in a header",
    components: [header("Order {{1}} of {{2}}", "A17", "Ana"), PLAIN],
    pointers: ["/components/0/text"],
  },
  {
    what: "a header without its sample",
    components: [header("Order {{1}}"), PLAIN],
    pointers: ["/components/0/example/header_text"],
  },
  {
    what: "an image without a sample",
    components: [{ type: "HEADER", format: "IMAGE" }, PLAIN],
    pointers: ["/components/0/example/header_handle"],
  },
  {
    what: "a footer that is too long",
    components: [PLAIN, { type: "FOOTER", text: "f".repeat(61) }],
    pointers: ["/components/1/text"],
  },
  {
    what: "a variable in a footer",
    components: [PLAIN, { type: "FOOTER", text: "For {{1}} only" }],
    pointers: ["/components/1/text"],
  },
  {
    what: "eleven buttons",
    components: [PLAIN, buttons(...Array.from({ length: 11 }, () => reply()))],
    pointers: ["/components/1/buttons"],
  },
  {
    what: "a quick reply that is too long",
    components: [PLAIN, buttons(reply("r".repeat(26)))],
    pointers: ["/components/1/buttons/0/text"],
  },
  {
    what: "quick replies that are not together",
    components: [PLAIN, buttons(reply(), phone(), reply())],
    pointers: ["/components/1/buttons"],
  },
  {
    what: "three links",
    components: [PLAIN, buttons(url("https://a.example"), url("https://b.example"), url("https://c.example"))],
    pointers: ["/components/1/buttons"],
  },
  {
    what: "a link that is too long",
    components: [PLAIN, buttons(url(`https://a.example/${"u".repeat(2_000)}`))],
    pointers: ["/components/1/buttons/0/url"],
  },
  {
    what: "a variable inside a link",
    components: [PLAIN, buttons(url("https://a.example/{{1}}/t", "a"))],
    pointers: ["/components/1/buttons/0/url"],
  },
  {
    what: "a link without its sample",
    components: [PLAIN, buttons(url("https://a.example/{{1}}"))],
    pointers: ["/components/1/buttons/0/example"],
  },
  { what: "two phone numbers", components: [PLAIN, buttons(phone(), phone())], pointers: ["/components/1/buttons"] },
  {
    what: "a phone number that is too long",
    components: [PLAIN, buttons(phone("+155500011112222333344"))],
    pointers: ["/components/1/buttons/0/phone_number"],
  },
  {
    what: "a coupon that is too long",
    category: "marketing",
    components: [PLAIN, buttons({ type: "COPY_CODE", example: "C".repeat(21) })],
    pointers: ["/components/1/buttons/0/example"],
  },
  {
    what: "a flow that is not named",
    components: [PLAIN, buttons({ type: "FLOW", text: "Book" })],
    pointers: ["/components/1/buttons/0/flow_id"],
  },
  {
    what: "an offer that is too long",
    category: "marketing",
    components: [offer({ text: "o".repeat(17) }), PLAIN],
    pointers: ["/components/0/limited_time_offer/text"],
  },
  { what: "one card", category: "marketing", components: [PLAIN, carousel(card())], pointers: ["/components/1/cards"] },
  {
    what: "eleven cards",
    category: "marketing",
    components: [PLAIN, carousel(...Array.from({ length: 11 }, () => card()))],
    pointers: ["/components/1/cards"],
  },
  {
    what: "cards that differ",
    category: "marketing",
    components: [PLAIN, carousel(card(), card(phone()))],
    pointers: ["/components/1/cards"],
  },
  {
    what: "three buttons on a card",
    category: "marketing",
    components: [PLAIN, carousel(card(reply(), reply()), card(reply(), reply()))],
    pointers: ["/components/1/cards/0/components/2/buttons", "/components/1/cards/1/components/2/buttons"],
  },
  {
    what: "a text in an authentication template",
    category: "authentication",
    components: [body("Your code is here."), buttons(otp({ otp_type: "COPY_CODE" }))],
    pointers: ["/components/0/text"],
  },
  {
    what: "a header in an authentication template",
    category: "authentication",
    components: [header("Code"), CODE, buttons(otp({ otp_type: "COPY_CODE" }))],
    pointers: ["/components/0"],
  },
  {
    what: "a link in an authentication template",
    category: "authentication",
    components: [CODE, buttons(url("https://a.example"))],
    pointers: ["/components/1/buttons"],
  },
  {
    what: "an unknown kind of code",
    category: "authentication",
    components: [CODE, buttons(otp({ otp_type: "TWO_TAP" }))],
    pointers: ["/components/1/buttons/0/otp_type"],
  },
  {
    what: "one tap without an app",
    category: "authentication",
    components: [CODE, buttons(otp({ otp_type: "ONE_TAP" }))],
    pointers: ["/components/1/buttons/0/supported_apps"],
  },
  {
    what: "a code that is valid too long",
    category: "authentication",
    components: [CODE, { type: "FOOTER", code_expiration_minutes: 91 }],
    pointers: ["/components/1/code_expiration_minutes"],
  },
  {
    what: "three faults at once",
    name: "Big",
    language: "en_DE",
    components: [PLAIN, { type: "FOOTER", text: "" }],
    pointers: ["/name", "/language/code", "/components/1/text"],
  },
];
