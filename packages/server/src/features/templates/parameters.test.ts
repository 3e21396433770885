import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseDefinition } from "./definition.ts";
import { checkParameters } from "./parameters.ts";

const BODY = { type: "BODY", text: "Hi {{1}}, order {{2}} of {{3}} is ready." };
const NAMED = { type: "BODY", text: "Hi {{first_name}}, order {{order_no}} is ready. Bye {{first_name}}" };
const IMAGE = { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } };
const BUTTONS = {
  type: "BUTTONS",
  buttons: [
    { type: "URL", text: "Track", url: "https://shop.example/t/{{1}}" },
    { type: "QUICK_REPLY", text: "Not mine" },
    { type: "URL", text: "Shop", url: "https://shop.example" },
    { type: "PHONE_NUMBER", text: "Call", phone_number: "+15550001111" },
  ],
};
const OTP = [
  { type: "BODY", text: "*{{1}}* is your verification code.", add_security_recommendation: true },
  { type: "FOOTER", text: "Expires in 5 minutes.", code_expiration_minutes: 5 },
  { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
];

const text = (value: unknown, name?: string) => ({
  type: "text",
  text: value,
  ...(name ? { parameter_name: name } : {}),
});
const body = (...parameters: unknown[]) => ({ type: "body", parameters });
const header = (...parameters: unknown[]) => ({ type: "header", parameters });
const button = (sub_type: string, index: unknown, ...parameters: unknown[]) => ({
  type: "button",
  sub_type,
  index,
  parameters,
});
const link = { type: "image", image: { link: "https://cdn.example/a.jpg" } };
const three = body(text("Ana"), text("A17"), text("May"));

/** What a send of `components` with this definition is faulted for: `pointer code`. */
const faults = (definition: unknown[], components: unknown, format = "positional") =>
  checkParameters(parseDefinition(definition, format), components).map(({ pointer, code }) => `${pointer} ${code}`);
const C = "/template/components";

describe("sends that fit", () => {
  const table: [string, unknown[], unknown, string?][] = [
    ["no variables, no components", [{ type: "BODY", text: "Ready." }], undefined],
    ["no variables, empty components", [{ type: "BODY", text: "Ready." }], []],
    ["no variables, empty body component", [{ type: "BODY", text: "Ready." }], [{ type: "body" }]],
    ["positional", [BODY], [three]],
    [
      "currency and date_time",
      [BODY],
      [
        body(
          text("Ana"),
          { type: "currency", currency: { fallback_value: "$1", code: "USD", amount_1000: 1000 } },
          { type: "date_time", date_time: { fallback_value: "May 1" } },
        ),
      ],
    ],
    [
      "named, in any order, a repeated variable once",
      [NAMED],
      [body(text("A17", "order_no"), text("Ana", "first_name"))],
      "named",
    ],
    ["text header", [{ type: "HEADER", format: "TEXT", text: "Order {{1}}" }], [header(text("A17"))]],
    ["media header by link", [IMAGE], [header(link)]],
    ["media header by id", [{ type: "HEADER", format: "VIDEO" }], [header({ type: "video", video: { id: "med_1" } })]],
    [
      "location header",
      [{ type: "HEADER", format: "LOCATION" }],
      [header({ type: "location", location: { latitude: 0, longitude: 0 } })],
    ],
    ["buttons, the quick reply left out", [BODY, BUTTONS], [three, button("url", "0", text("A%2F17"))]],
    [
      "buttons, index as a number, quick reply with payload",
      [BODY, BUTTONS],
      [three, button("url", 0, text("x")), button("quick_reply", 1, { type: "payload", payload: "p" })],
    ],
    ["a fixed url without parameters", [BODY, BUTTONS], [three, button("url", "0", text("x")), button("url", "2")]],
    [
      "copy code",
      [{ type: "BUTTONS", buttons: [{ type: "COPY_CODE", example: "X" }] }],
      [button("copy_code", "0", { type: "coupon_code", coupon_code: "SAVE" })],
    ],
    ["one-time password: the code twice", OTP, [body(text("123456")), button("url", "0", text("123456"))]],
    [
      "flow with and without its action",
      [{ type: "BUTTONS", buttons: [{ type: "FLOW" }, { type: "FLOW" }] }],
      [button("flow", "0", { type: "action", action: { flow_token: "t" } })],
    ],
    [
      "offer and carousel pass to the provider",
      [{ type: "LIMITED_TIME_OFFER" }, { type: "CAROUSEL", cards: [] }],
      [
        { type: "limited_time_offer", limited_time_offer: {} },
        { type: "carousel", cards: [] },
      ],
    ],
    [
      "an unknown button",
      [{ type: "BUTTONS", buttons: [{ type: "TELEPORT" }] }],
      [button("teleport", "0", { type: "place" })],
    ],
    ["an unknown header", [{ type: "HEADER", format: "HOLOGRAM" }], [header({ type: "hologram" })]],
    ["an unknown component", [BODY], [three, { type: "order_status" }]],
  ];
  it.each(table)("%s", (_name, definition, components, format) => {
    expect(faults(definition, components, format)).toEqual([]);
  });
});

describe("sends that do not", () => {
  const table: [string, unknown[], unknown, string[], string?][] = [
    ["components are no array", [BODY], { type: "body" }, [`${C} kind`]],
    ["a component is no object", [BODY], ["body"], [`${C}/0 kind`]],
    ["a component without type", [BODY], [{}], [`${C}/0/type missing`]],
    ["upper case", [BODY], [{ ...three, type: "BODY" }], [`${C}/0/type kind`]],
    ["parameters are no array", [BODY], [{ type: "body", parameters: {} }], [`${C}/0/parameters kind`]],
    ["a parameter is no object", [BODY], [body("Ana")], [`${C}/0/parameters/0 kind`]],
    ["no components at all", [BODY], undefined, [`${C} missing`, `${C} missing`, `${C} missing`]],
    ["too few", [BODY], [body(text("Ana"))], [`${C}/0/parameters missing`, `${C}/0/parameters missing`]],
    ["too many", [{ type: "BODY", text: "Ready." }], [body(text("Ana"))], [`${C}/0/parameters/0 extra`]],
    ["two bodies", [BODY], [three, three], [`${C}/1 repeated`]],
    [
      "text missing",
      [BODY],
      [body(text("a"), text(7), text(""))],
      [`${C}/0/parameters/1/text missing`, `${C}/0/parameters/2/text empty`],
    ],
    [
      "a line break",
      [BODY],
      [body(text("a\nb"), text("a     b"), text("a    b"))],
      [`${C}/0/parameters/0/text format`, `${C}/0/parameters/1/text format`],
    ],
    ["wrong kind in the body", [BODY], [body(text("a"), link, text("b"))], [`${C}/0/parameters/1/type kind`]],
    [
      "currency without fallback",
      [BODY],
      [body(text("a"), { type: "currency", currency: {} }, text("b"))],
      [`${C}/0/parameters/1/currency/fallback_value missing`],
    ],
    [
      "a name where positions count",
      [BODY],
      [body(text("a", "first"), text("b"), text("c"))],
      [`${C}/0/parameters/0/parameter_name unexpected`],
    ],
    [
      "a name missing",
      [NAMED],
      [body(text("a"), text("b", "order_no"))],
      [`${C}/0/parameters/0/parameter_name missing`],
      "named",
    ],
    [
      "a name unknown",
      [NAMED],
      [body(text("a", "first"), text("b", "order_no"))],
      [`${C}/0/parameters/0/parameter_name unknown`],
      "named",
    ],
    [
      "a name twice",
      [NAMED],
      [body(text("a", "order_no"), text("b", "order_no"))],
      [`${C}/0/parameters/1/parameter_name repeated`, `${C}/0/parameters missing`],
      "named",
    ],
    [
      "__proto__ as a name",
      [NAMED],
      [body(text("a", "__proto__"), text("b", "order_no"))],
      [`${C}/0/parameters/0/parameter_name unknown`],
      "named",
    ],
    ["media header missing", [IMAGE, BODY], [three], [`${C} missing`]],
    [
      "media header of another kind",
      [IMAGE],
      [header({ type: "video", video: { id: "1" } })],
      [`${C}/0/parameters/0/type kind`],
    ],
    ["media header as text", [IMAGE], [header(text("x"))], [`${C}/0/parameters/0/type kind`]],
    ["media header empty", [IMAGE], [header()], [`${C}/0/parameters missing`]],
    ["media header twice", [IMAGE], [header(link, link)], [`${C}/0/parameters/1 extra`]],
    ["media without object", [IMAGE], [header({ type: "image" })], [`${C}/0/parameters/0/image missing`]],
    [
      "media with id and link",
      [IMAGE],
      [header({ type: "image", image: { id: "1", link: "https://a" } })],
      [`${C}/0/parameters/0/image missing`],
    ],
    [
      "location without place",
      [{ type: "HEADER", format: "LOCATION" }],
      [header({ type: "location", location: { latitude: 1 } })],
      [`${C}/0/parameters/0/location missing`],
    ],
    ["a header where there is none", [BODY], [three, header(text("x"))], [`${C}/1/parameters/0 extra`]],
    [
      "a fixed text header with a parameter",
      [{ type: "HEADER", format: "TEXT", text: "Hi" }],
      [header(text("x"))],
      [`${C}/0/parameters/0 extra`],
    ],
    ["url parameter missing", [BODY, BUTTONS], [three], [`${C} missing`]],
    ["url button without parameters", [BODY, BUTTONS], [three, button("url", "0")], [`${C}/1/parameters missing`]],
    ["url with two", [BODY, BUTTONS], [three, button("url", "0", text("a"), text("b"))], [`${C}/1/parameters/1 extra`]],
    [
      "url with another kind",
      [BODY, BUTTONS],
      [three, button("url", "0", { type: "payload", payload: "x" })],
      [`${C}/1/parameters/0/type kind`],
    ],
    [
      "url with an empty text",
      [BODY, BUTTONS],
      [three, button("url", "0", text(""))],
      [`${C}/1/parameters/0/text empty`],
    ],
    ["another sub_type", [BODY, BUTTONS], [three, button("quick_reply", "0", text("a"))], [`${C}/1/sub_type kind`]],
    [
      "no such button",
      [BODY, BUTTONS],
      [three, button("url", "0", text("a")), button("url", "4", text("a"))],
      [`${C}/2/index unknown`],
    ],
    [
      "no index",
      [BODY, BUTTONS],
      [three, button("url", undefined, text("a"))],
      [`${C}/1/index unknown`, `${C} missing`],
    ],
    [
      "an index that is none",
      [BODY, BUTTONS],
      [three, button("url", "-1", text("a"))],
      [`${C}/1/index unknown`, `${C} missing`],
    ],
    [
      "the same button twice",
      [BODY, BUTTONS],
      [three, button("url", "0", text("a")), button("url", "0", text("a"))],
      [`${C}/2/index repeated`],
    ],
    [
      "a parameter for a fixed url",
      [BODY, BUTTONS],
      [three, button("url", "0", text("a")), button("url", "2", text("a"))],
      [`${C}/2/parameters/0 extra`],
    ],
    [
      "a parameter for a phone button",
      [BODY, BUTTONS],
      [three, button("url", "0", text("a")), button("url", "3", text("a"))],
      [`${C}/2/sub_type kind`],
    ],
    ["one-time password once", OTP, [body(text("123456"))], [`${C} missing`]],
    ["copy code missing", [{ type: "BUTTONS", buttons: [{ type: "COPY_CODE" }] }], [], [`${C} missing`]],
  ];
  it.each(table)("%s", (_name, definition, components, expected, format) => {
    expect(faults(definition, components, format)).toEqual(expected);
  });

  it("lists 50 faults at most", () => {
    const many = Array.from({ length: 1_000 }, () => text(7));
    const found = checkParameters(parseDefinition([BODY], "positional"), [body(...many)]);
    expect(found[0]).toMatchObject({ pointer: "/template/components/0/parameters/0/text", code: "missing" });
    expect(found).toHaveLength(50);
  });
});

describe("the provider's own examples", () => {
  const sent = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../../../../fixtures/provider/${name}.json`, import.meta.url), "utf8")).payload
      .template.components;
  it.each([
    [
      "request-template-positional",
      [IMAGE, BODY, { type: "BUTTONS", buttons: BUTTONS.buttons.slice(0, 2) }],
      "positional",
    ],
    ["request-template-named", [{ type: "BODY", text: "Hi {{first_name}}, order {{order_no}} is ready." }], "named"],
    ["request-template-otp", OTP, "positional"],
    // As the provider gives an approved one-time password template back.
    [
      "request-template-otp",
      [
        OTP[0],
        {
          type: "BUTTONS",
          buttons: [{ type: "URL", url: "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}" }],
        },
      ],
      "positional",
    ],
    // As it was submitted: the body's text is the provider's.
    ["request-template-otp", [{ type: "BODY", add_security_recommendation: true }, OTP[2]], "positional"],
  ] as const)("%s fits", (name, definition, format) => {
    expect(faults([...definition], sent(name), format)).toEqual([]);
  });
});

it("reads a definition whatever the provider makes of it", () => {
  for (const components of [
    [],
    [null],
    ["x"],
    [{}],
    [{ type: 7 }],
    [{ type: "BUTTONS" }],
    [{ type: "BUTTONS", buttons: [null, 7] }],
    [{ type: "BODY" }],
    [{ type: "HEADER" }],
  ])
    expect(() => parseDefinition(components, "positional")).not.toThrow();
});
