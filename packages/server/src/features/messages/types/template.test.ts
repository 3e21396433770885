import { beforeAll, expect, it } from "vitest";
import { type ContentCases, testContents, untriedKinds } from "../testing/content-cases.ts";
import { takeGoldenTemplates } from "../testing/golden-templates.ts";
import { startSenders } from "../testing/senders.ts";
import {
  action,
  body,
  button,
  card,
  carousel,
  coupon,
  ends,
  header,
  LINK,
  media,
  offer,
  templateOf,
  text,
} from "../testing/template-parts.ts";
import { template } from "./template.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
beforeAll(() => takeGoldenTemplates(senders));

const AT = "/template/components";
const products = (count: number) => Array.from({ length: count }, (_, n) => ({ product_retailer_id: `sku-${n}` }));
const photo = (...parameters: unknown[]) =>
  templateOf(
    "order_ready_photo",
    header(media("image", { link: LINK })),
    body(...parameters),
    button("url", 0, text("17")),
  );
const currency = { fallback_value: "$12.34", code: "USD", amount_1000: 12_340 };
const date = media("date_time", { fallback_value: "May 1" });
const MISMATCH = 422;

/** Of each component and each kind of parameter and button. */
const CASES: ContentCases = {
  "a text header": {
    valid: [templateOf("greeting", header(text("Ana")))],
    invalid: [
      [templateOf("greeting", header(text(17))), `${AT}/0/parameters/0/text`, "type"],
      [templateOf("greeting", header(text("Ana", { colour: "red" }))), `${AT}/0/parameters/0/colour`, "unknown_field"],
      [templateOf("greeting"), AT, "missing", MISMATCH],
    ],
  },
  "a media header": {
    valid: [
      templateOf("unboxing", header(media("video", { link: LINK }))),
      templateOf("invoice", header(media("document", { link: LINK, filename: "invoice.pdf" }))),
      templateOf("dance", header(media("gif", { link: LINK }))),
    ],
    invalid: [
      [templateOf("unboxing", header(media("video", {}))), `${AT}/0/parameters/0/video/link`, "required"],
      [templateOf("unboxing", header(media("video", { link: "a.mp4" }))), `${AT}/0/parameters/0/video/link`, "pattern"],
      [
        templateOf("unboxing", header(media("video", { id: "med_1" }))),
        `${AT}/0/parameters/0/video/id`,
        "media_not_found",
        422,
      ],
      [templateOf("unboxing", header(media("image", { link: LINK }))), `${AT}/0/parameters/0/type`, "kind", MISMATCH],
    ],
  },
  "a location header": {
    valid: [
      templateOf("on_our_way", header(media("location", { latitude: 1, longitude: 2, name: "Shop" }))),
      templateOf("on_our_way", header(media("location", { latitude: "37.48", longitude: "-122.15" }))),
    ],
    invalid: [
      [
        templateOf("on_our_way", header(media("location", { latitude: 91, longitude: 2 }))),
        `${AT}/0/parameters/0/location/latitude`,
        "maximum",
      ],
      [
        templateOf("on_our_way", header(media("location", { latitude: 1, longitude: "999" }))),
        `${AT}/0/parameters/0/location/longitude`,
        "maximum",
      ],
      [
        templateOf("on_our_way", header(media("location", { latitude: 1 }))),
        `${AT}/0/parameters/0/location/longitude`,
        "required",
      ],
    ],
  },
  "a product header": {
    valid: [templateOf("one_tea", header(media("product", { product_retailer_id: "sku", catalog_id: "17" })))],
    invalid: [
      [
        templateOf("one_tea", header(media("product", { product_retailer_id: 17 }))),
        `${AT}/0/parameters/0/product/product_retailer_id`,
        "type",
      ],
      [
        templateOf("one_tea", header(media("product", { id: "sku" }))),
        `${AT}/0/parameters/0/product/id`,
        "unknown_field",
      ],
    ],
  },
  "a body": {
    valid: [
      photo(text("Ana"), media("currency", currency), date),
      templateOf(
        "order_ready",
        body(text("17", { parameter_name: "order_no" }), text("Ana", { parameter_name: "first_name" })),
      ),
    ],
    invalid: [
      [
        photo(text("Ana"), media("currency", { ...currency, code: "Dollar" }), date),
        `${AT}/1/parameters/1/currency/code`,
        "pattern",
      ],
      [
        photo(text("Ana"), media("currency", { ...currency, amount_1000: "1" }), date),
        `${AT}/1/parameters/1/currency/amount_1000`,
        "type",
      ],
      [templateOf("hello", { type: "body", parameters: "Ana" }), `${AT}/0/parameters`, "type"],
      [templateOf("hello", body(text("Ana"))), `${AT}/0/parameters/0`, "extra", MISMATCH],
    ],
  },
  "a footer": {
    valid: [templateOf("hello", { type: "footer" })],
    invalid: [
      [templateOf("hello", { type: "footer", parameters: [text("A")] }), `${AT}/0/parameters`, "maxItems"],
      [templateOf("hello", { type: "footer", text: "A" }), `${AT}/0/text`, "unknown_field"],
    ],
  },
  "a quick reply": {
    valid: [
      templateOf(
        "order_ready_photo",
        header(media("image", { link: LINK })),
        body(text("Ana"), text("a"), text("b")),
        button("url", "0", text("17")),
        button("quick_reply", "1", { type: "payload", payload: "STOP" }),
      ),
    ],
    invalid: [
      [
        templateOf("hello", button("quick_reply", "0", { type: "payload", payload: 17 })),
        `${AT}/0/parameters/0/payload`,
        "type",
      ],
      [templateOf("hello", button("quick_reply", "10", { type: "payload", payload: "A" })), `${AT}/0/index`, "pattern"],
      [templateOf("hello", button("quick_reply", 10, { type: "payload", payload: "A" })), `${AT}/0/index`, "maximum"],
    ],
  },
  "a url": {
    valid: [templateOf("login_code", body(text("123456")), button("url", "0", text("123456")))],
    invalid: [
      [
        templateOf("login_code", body(text("123456")), button("url", "0", text("1"), text("2"))),
        `${AT}/1/parameters`,
        "maxItems",
      ],
      [templateOf("login_code", body(text("123456")), { type: "button", index: "0" }), `${AT}/1/sub_type`, "required"],
      [templateOf("login_code", body(text("123456"))), AT, "missing", MISMATCH],
    ],
  },
  "a coupon": {
    valid: [templateOf("coupon", body(text("25%")), button("copy_code", "0", coupon("x".repeat(20))))],
    invalid: [
      [
        templateOf("coupon", body(text("25%")), button("copy_code", "0", coupon("x".repeat(21)))),
        `${AT}/1/parameters/0/coupon_code`,
        "maxLength",
      ],
      [
        templateOf("coupon", body(text("25%")), button("copy_code", "0", text("25OFF"))),
        `${AT}/1/parameters/0/type`,
        "kind",
        MISMATCH,
      ],
    ],
  },
  "a flow": {
    valid: [templateOf("booking", button("flow", "0", action({ flow_token: "17", flow_action_data: { guests: 2 } })))],
    invalid: [
      [
        templateOf("booking", button("flow", "0", action({ flow_action_data: "2" }))),
        `${AT}/0/parameters/0/action/flow_action_data`,
        "type",
      ],
      [
        templateOf("booking", button("flow", "0", action({ flow: "17" }))),
        `${AT}/0/parameters/0/action/flow`,
        "unknown_field",
      ],
    ],
  },
  "a catalog": {
    // As it is sent: template/spelling.test.ts and templates/named-buttons.test.ts.
    valid: [],
    invalid: [
      [
        templateOf("whole_catalog", button("catalog", "0", action({ thumbnail_product_retailer_id: "" }))),
        `${AT}/0/parameters/0/action/thumbnail_product_retailer_id`,
        "minLength",
      ],
      [templateOf("whole_catalog", button("catalog", "1", action({}))), `${AT}/0/index`, "unknown", MISMATCH],
    ],
  },
  products: {
    valid: [
      templateOf(
        "our_teas",
        button(
          "mpm",
          "0",
          action({ thumbnail_product_retailer_id: "sku", sections: [{ product_items: products(30) }] }),
        ),
      ),
    ],
    invalid: [
      [
        templateOf(
          "our_teas",
          button(
            "mpm",
            "0",
            action({
              sections: [
                { title: "A", product_items: products(30) },
                { title: "B", product_items: products(1) },
              ],
            }),
          ),
        ),
        `${AT}/0/parameters/0/action/sections`,
        "maxItems",
      ],
      [
        templateOf("our_teas", button("mpm", "0", action({ sections: [{ product_items: [] }] }))),
        `${AT}/0/parameters/0/action/sections/0/product_items`,
        "minItems",
      ],
    ],
  },
  "a call": {
    valid: [
      templateOf(
        "call_us",
        button("voice_call", "0", { type: "ttl_minutes", ttl_minutes: 60 }, { type: "payload", payload: "17" }),
      ),
    ],
    invalid: [
      [
        templateOf("call_us", button("voice_call", "0", { type: "ttl_minutes", ttl_minutes: 0 })),
        `${AT}/0/parameters/0/ttl_minutes`,
        "minimum",
      ],
      [
        templateOf("call_us", button("voice_call", "0", { type: "ttl_minutes", ttl_minutes: "60" })),
        `${AT}/0/parameters/0/ttl_minutes`,
        "type",
      ],
    ],
  },
  "a limited-time offer": {
    valid: [
      offer({ type: "limited_time_offer", parameters: [ends(1_893_456_000_000)] }),
      offer(ends(1_893_456_000_000)),
    ],
    invalid: [
      [offer(ends("tomorrow")), `${AT}/4/limited_time_offer/expiration_time_ms`, "type"],
      [offer({ type: "limited_time_offer", parameters: [ends(1), ends(2)] }), `${AT}/4/parameters`, "maxItems"],
    ],
  },
  "a carousel": {
    valid: [carousel(card(0), card(1))],
    invalid: [
      [carousel(card(0)), `${AT}/1/cards`, "minItems"],
      [carousel(...Array(11).fill(card(0))), `${AT}/1/cards`, "maxItems"],
      [carousel(card(0), card(0)), `${AT}/1/cards/1/card_index`, "repeated"],
      [carousel(card(0), { card_index: 1 }), `${AT}/1/cards/1/components`, "required"],
      [
        carousel(card(0), card(1, { id: "17" })),
        `${AT}/1/cards/1/components/0/parameters/0/image/id`,
        "media_not_found",
        422,
      ],
    ],
  },
  "what is not known": {
    valid: [templateOf("hello", { type: "hologram", anything: [1] })],
    invalid: [
      [templateOf("hello", { hologram: true }), `${AT}/0/type`, "required"],
      [templateOf("hello", "header"), `${AT}/0`, "type"],
    ],
  },
};

testContents(senders, CASES, (_name, content) => ({ type: "template", template: content }));

it("there is a valid case for every kind of component, button and parameter", () => {
  // The button of a catalog is sent in capitals: template/spelling.test.ts.
  expect(untriedKinds(template.content, CASES)).toEqual(["catalog"]);
});
