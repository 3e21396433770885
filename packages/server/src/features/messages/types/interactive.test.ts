import { expect, it } from "vitest";
import { type ContentCases, testContents, untriedKinds, writer } from "../testing/content-cases.ts";
import { startSenders } from "../testing/senders.ts";
import { interactive } from "./interactive.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });

const LINK = "https://cdn.example/a.jpg";
const body = { text: "Which one?" };
const image = { type: "image", image: { link: LINK } };
const reply = (id: string, title = id) => ({ type: "reply", reply: { id, title } });
const buttons = (...given: unknown[]) => ({ buttons: given });
const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `r${from + n}`, title: "Row" }));
const products = (count: number) => Array.from({ length: count }, (_, n) => ({ product_retailer_id: `sku-${n}` }));
const url = (display_text = "Open") => ({
  name: "cta_url",
  parameters: { display_text, url: "https://shop.example/menu" },
});
const flowWith = (more: object) => ({
  body,
  action: { name: "flow", parameters: { flow_message_version: "3", flow_cta: "Book", ...more } },
});
const card = (card_index: number, more: object = {}) => ({
  card_index,
  type: "cta_url",
  header: image,
  action: url(),
  ...more,
});
/** A card with quick replies: it has no type. */
const replyCard = (card_index: number, ...given: unknown[]) => ({
  card_index,
  header: image,
  body: { text: "Tea" },
  action: { buttons: given },
});
const quick = (id: string, title = id) => ({ type: "quick_reply", quick_reply: { id, title } });
const cards = (...given: unknown[]) => ({ body, action: { cards: given } });
const named = (name: string, parameters?: object) => ({
  body,
  action: { name, ...(parameters === undefined ? {} : { parameters }) },
});
const AT = "/interactive";
const PARAMETERS = `${AT}/action/parameters`;

/** Without the `type`, which is the name of the case. */
const CASES: ContentCases = {
  button: {
    valid: [
      { body, action: buttons(reply("a")) },
      { header: image, body, footer: { text: "x".repeat(60) }, action: buttons(reply("a"), reply("b"), reply("c")) },
    ],
    invalid: [
      [{ body, action: buttons() }, `${AT}/action/buttons`, "minItems"],
      [{ body, action: buttons(...["a", "b", "c", "d"].map((id) => reply(id))) }, `${AT}/action/buttons`, "maxItems"],
      [{ body, action: buttons(reply("a", "x".repeat(21))) }, `${AT}/action/buttons/0/reply/title`, "maxLength"],
      [{ body, action: buttons(reply("x".repeat(257), "A")) }, `${AT}/action/buttons/0/reply/id`, "maxLength"],
      [{ body, action: buttons(reply("a", "A"), reply("a", "B")) }, `${AT}/action/buttons/1/reply/id`, "repeated"],
      [{ body, action: buttons(reply("a", "A"), reply("b", "A")) }, `${AT}/action/buttons/1/reply/title`, "repeated"],
      [{ body, action: buttons(reply("a"), reply("b ", "B")) }, `${AT}/action/buttons/1/reply/id`, "spaces"],
      [{ action: buttons(reply("a")) }, `${AT}/body`, "required"],
      [{ body: { text: "x".repeat(1_025) }, action: buttons(reply("a")) }, `${AT}/body/text`, "maxLength"],
      [{ body, footer: { text: "x".repeat(61) }, action: buttons(reply("a")) }, `${AT}/footer/text`, "maxLength"],
      [
        { body, header: { type: "text", text: "x".repeat(61) }, action: buttons(reply("a")) },
        `${AT}/header/text`,
        "maxLength",
      ],
      [
        { body, header: { type: "image", image: {} }, action: buttons(reply("a")) },
        `${AT}/header/image/link`,
        "required",
      ],
      [
        { body, header: { type: "video", video: { id: "med_1" } }, action: buttons(reply("a")) },
        `${AT}/header/video/id`,
        "media_not_found",
        422,
      ],
    ],
  },
  list: {
    valid: [
      { body, action: { button: "Rows", sections: [{ rows: rows(0, 10) }] } },
      {
        header: { type: "text", text: "Rows" },
        body: { text: "x".repeat(4_096) },
        action: {
          button: "Rows",
          sections: [
            { title: "A", rows: rows(0, 5) },
            { title: "B", rows: rows(5, 5) },
          ],
        },
      },
    ],
    invalid: [
      [{ body, action: { sections: [{ rows: rows(0, 1) }] } }, `${AT}/action/button`, "required"],
      [{ body, action: { button: "Rows", sections: [] } }, `${AT}/action/sections`, "minItems"],
      [
        { body, action: { button: "Rows", sections: [{ rows: rows(0, 11) }] } },
        `${AT}/action/sections/0/rows`,
        "maxItems",
      ],
      [
        {
          body,
          action: {
            button: "Rows",
            sections: [
              { title: "A", rows: rows(0, 6) },
              { title: "B", rows: rows(6, 5) },
            ],
          },
        },
        `${AT}/action/sections`,
        "maxItems",
      ],
      [
        { body, action: { button: "Rows", sections: [{ title: "A", rows: rows(0, 1) }, { rows: rows(1, 1) }] } },
        `${AT}/action/sections/1/title`,
        "required",
      ],
      [
        { body, action: { button: "Rows", sections: [{ rows: [...rows(0, 1), ...rows(0, 1)] }] } },
        `${AT}/action/sections/0/rows/1/id`,
        "repeated",
      ],
      [
        { body, action: { button: "Rows", sections: [{ rows: [{ id: "a", title: "x".repeat(25) }] }] } },
        `${AT}/action/sections/0/rows/0/title`,
        "maxLength",
      ],
      [
        { body, header: image, action: { button: "Rows", sections: [{ rows: rows(0, 1) }] } },
        `${AT}/header/type`,
        "enum",
      ],
    ],
  },
  cta_url: {
    valid: [{ header: { type: "document", document: { link: LINK, filename: "a.pdf" } }, body, action: url() }],
    invalid: [
      [{ body, action: url("x".repeat(21)) }, `${PARAMETERS}/display_text`, "maxLength"],
      [
        { body, action: { name: "cta_url", parameters: { display_text: "Open", url: "shop.example" } } },
        `${PARAMETERS}/url`,
        "pattern",
      ],
      [{ body, action: { ...url(), name: "open" } }, `${AT}/action/name`, "const"],
    ],
  },
  flow: {
    valid: [
      { ...flowWith({ flow_id: "17" }), header: { type: "video", video: { link: LINK } } },
      flowWith({ flow_name: "booking", flow_action: "navigate", flow_action_payload: { screen: "A", data: { a: 1 } } }),
    ],
    invalid: [
      [flowWith({}), `${PARAMETERS}/flow_id`, "required"],
      [flowWith({ flow_id: "17", flow_name: "booking" }), `${PARAMETERS}/flow_name`, "invalid"],
      [flowWith({ flow_id: "17", flow_cta: "x".repeat(31) }), `${PARAMETERS}/flow_cta`, "maxLength"],
      [flowWith({ flow_id: "17", mode: "live" }), `${PARAMETERS}/mode`, "enum"],
      [
        flowWith({ flow_id: "17", flow_action_payload: { screen: "A", data: {} } }),
        `${PARAMETERS}/flow_action_payload/data`,
        "minProperties",
      ],
    ],
  },
  product: {
    valid: [{ action: { catalog_id: "1", product_retailer_id: "sku" } }],
    invalid: [
      [{ action: { catalog_id: "1" } }, `${AT}/action/product_retailer_id`, "required"],
      [{ header: image, action: { catalog_id: "1", product_retailer_id: "sku" } }, `${AT}/header`, "unknown_field"],
    ],
  },
  product_list: {
    valid: [
      {
        header: { type: "text", text: "Teas" },
        body,
        action: { catalog_id: "1", sections: [{ product_items: products(30) }] },
      },
    ],
    invalid: [
      [{ body, action: { catalog_id: "1", sections: [{ product_items: products(1) }] } }, `${AT}/header`, "required"],
      [
        {
          header: { type: "text", text: "Teas" },
          body,
          action: {
            catalog_id: "1",
            sections: [
              { title: "A", product_items: products(20) },
              { title: "B", product_items: products(11) },
            ],
          },
        },
        `${AT}/action/sections`,
        "maxItems",
      ],
    ],
  },
  catalog_message: {
    valid: [named("catalog_message"), named("catalog_message", { thumbnail_product_retailer_id: "sku" })],
    invalid: [
      [named("catalog"), `${AT}/action/name`, "const"],
      [named("catalog_message", { thumbnail: "sku" }), `${PARAMETERS}/thumbnail`, "unknown_field"],
    ],
  },
  location_request_message: {
    valid: [named("send_location")],
    invalid: [
      [named("location"), `${AT}/action/name`, "const"],
      [{ action: { name: "send_location" } }, `${AT}/body`, "required"],
    ],
  },
  address_message: {
    valid: [named("address_message", { country: "IN", values: { name: "Ana" }, saved_addresses: [{ id: "home" }] })],
    invalid: [
      [named("address_message"), PARAMETERS, "required"],
      [named("address_message", { country: "India" }), `${PARAMETERS}/country`, "pattern"],
    ],
  },
  voice_call: {
    valid: [named("voice_call"), named("voice_call", { display_text: "Call", ttl_minutes: 43_200, payload: "17" })],
    invalid: [
      [named("voice_call", { ttl_minutes: 43_201 }), `${PARAMETERS}/ttl_minutes`, "maximum"],
      [named("voice_call", { display_text: "x".repeat(21) }), `${PARAMETERS}/display_text`, "maxLength"],
    ],
  },
  call_permission_request: {
    valid: [named("call_permission_request")],
    invalid: [
      [named("call"), `${AT}/action/name`, "const"],
      [{ body }, `${AT}/action`, "required"],
    ],
  },
  carousel: {
    valid: [
      cards(card(0), card(1, { body: { text: "x".repeat(160) } })),
      cards(...Array.from({ length: 10 }, (_, index) => card(index))),
      cards(
        replyCard(0, quick("a"), quick("b")),
        replyCard(1, quick("x".repeat(256), "🎉".repeat(20)), quick("c", "a")),
      ),
      cards(card(0, { body: { text: "Tea\n\nfrom Assam" } }), card(1, { body: { text: "\r\nTea\r\n" } })),
      cards(...Array.from({ length: 3 }, (_, index) => ({ ...card(index), type: "hologram", action: { any: 1 } }))),
      cards({ ...replyCard(0, quick("a")), type: "cta_url" }, { ...replyCard(1, quick("b")), type: "cta_url" }),
      cards({ ...replyCard(0, quick("a")), type: "cta_url" }, replyCard(1, quick("b"))),
    ],
    invalid: [
      [cards(card(0)), `${AT}/action/cards`, "minItems"],
      [cards(...Array(11).fill(card(0))), `${AT}/action/cards`, "maxItems"],
      [cards(card(0), card(10)), `${AT}/action/cards/1/card_index`, "maximum"],
      [cards(card(0), card(0)), `${AT}/action/cards/1/card_index`, "repeated"],
      [cards(card(0), card(2)), `${AT}/action/cards/1/card_index`, "order"],
      [cards(card(1), card(0)), `${AT}/action/cards/0/card_index`, "order"],
      [cards(card(1), card(2)), `${AT}/action/cards/0/card_index`, "order"],
      [cards(card(0), replyCard(1, quick("a"))), `${AT}/action/cards/1/action`, "cards_differ"],
      [
        cards(replyCard(0, quick("a")), replyCard(1, quick("b")), replyCard(2, quick("c"), quick("d"))),
        `${AT}/action/cards/2/action`,
        "cards_differ",
      ],
      [
        cards(replyCard(0, quick("a")), replyCard(1, { type: "hologram" })),
        `${AT}/action/cards/1/action`,
        "cards_differ",
      ],
      [cards(card(0), card(1, { action: {} })), `${AT}/action/cards/1/action/buttons`, "required"],
      [cards(card(0), card(1, { action: { name: "cta_url" } })), `${AT}/action/cards/1/action/parameters`, "required"],
      [
        cards(card(0, { action: { parameters: url().parameters } }), card(1)),
        `${AT}/action/cards/0/action/name`,
        "required",
      ],
      [
        cards(card(0), card(1, { action: { ...url(), buttons: [quick("a")] } })),
        `${AT}/action/cards/1/action`,
        "invalid",
      ],
      [
        cards(card(0), card(1, { action: url("x".repeat(21)) })),
        `${AT}/action/cards/1/action/parameters/display_text`,
        "maxLength",
      ],
      [cards(card(0), card(1, { type: "hologram" })), `${AT}/action/cards/1/action`, "cards_differ"],
      [
        cards(replyCard(0, quick("a")), { ...replyCard(1), action: {} }),
        `${AT}/action/cards/1/action/buttons`,
        "required",
      ],
      [
        cards({ ...replyCard(0), action: {} }, { ...replyCard(1), action: {} }),
        `${AT}/action/cards/0/action/buttons`,
        "required",
      ],
      [
        cards({ ...replyCard(0), action: url() }, replyCard(1, quick("a"))),
        `${AT}/action/cards/1/action`,
        "cards_differ",
      ],
      [
        cards({ ...replyCard(0), action: { ...url(), name: "open" } }, card(1)),
        `${AT}/action/cards/0/action/name`,
        "const",
      ],
      [
        cards({ ...replyCard(0), action: url("x".repeat(21)) }, card(1)),
        `${AT}/action/cards/0/action/parameters/display_text`,
        "maxLength",
      ],
      [
        cards({ ...replyCard(0), action: { ...url(), buttons: [quick("a")] } }, replyCard(1, quick("b"))),
        `${AT}/action/cards/0/action`,
        "invalid",
      ],
      [
        cards(replyCard(0, quick("a")), replyCard(1, quick("a"))),
        `${AT}/action/cards/1/action/buttons/0/quick_reply/id`,
        "repeated",
      ],
      [
        cards(replyCard(0, quick("a"), quick("a")), replyCard(1, quick("b"), quick("c"))),
        `${AT}/action/cards/0/action/buttons/1/quick_reply/id`,
        "repeated",
      ],
      [cards(card(0), card(1, { body: { text: "a\nb\n\nc" } })), `${AT}/action/cards/1/body/text`, "line_breaks"],
      [
        cards(card(0), card(1, { header: { type: "video", video: { link: LINK } } })),
        `${AT}/action/cards/1/header/type`,
        "invalid",
      ],
      [cards(card(0), card(1, { header: { type: "text", text: "A" } })), `${AT}/action/cards/1/header/type`, "enum"],
      [cards(card(0), card(1, { body: { text: "x".repeat(161) } })), `${AT}/action/cards/1/body/text`, "maxLength"],
      [
        cards(card(0, { header: { type: "image", image: { id: "1" } } }), card(1)),
        `${AT}/action/cards/0/header/image/id`,
        "media_not_found",
        422,
      ],
      [cards(card(0), { card_index: 1, header: image }), `${AT}/action/cards/1/action`, "required"],
      [cards(replyCard(0), replyCard(1, quick("a"))), `${AT}/action/cards/0/action/buttons`, "minItems"],
      [
        cards(replyCard(0, quick("a", "x".repeat(21))), replyCard(1, quick("a"))),
        `${AT}/action/cards/0/action/buttons/0/quick_reply/title`,
        "maxLength",
      ],
      [
        cards(replyCard(0, quick("x".repeat(257), "A")), replyCard(1, quick("a"))),
        `${AT}/action/cards/0/action/buttons/0/quick_reply/id`,
        "maxLength",
      ],
      [
        cards({ ...replyCard(0, quick("a")), body: { text: "x".repeat(161) } }, replyCard(1, quick("a"))),
        `${AT}/action/cards/0/body/text`,
        "maxLength",
      ],
      [{ ...cards(card(0), card(1)), footer: { text: "A" } }, `${AT}/footer`, "unknown_field"],
    ],
  },
  request_contact_info: {
    valid: [named("request_contact_info")],
    invalid: [
      [named("contact_info"), `${AT}/action/name`, "const"],
      [{ action: { name: "request_contact_info" } }, `${AT}/body`, "required"],
    ],
  },
  order_details: {
    valid: [{ ...named("review_and_pay", { reference_id: "17", anything: { else: [1] } }), beyond: "what is known" }],
    invalid: [],
  },
};

testContents(senders, CASES, (type, content) => ({
  type: "interactive",
  interactive: { type, ...(content as object) },
}));

it("there is a case for every kind", () => {
  const cases = Object.entries(CASES).map(([type, { valid }]) => ({ valid: [{ type }, valid] }));
  expect(untriedKinds(interactive.content, cases)).toEqual([]);
});

it("a header of a kind that is not known reaches the provider, which decides", async () => {
  const { mine, sentTo } = senders;
  const to = await writer(senders);
  const content = { type: "button", header: { type: "hologram", hologram: {} }, body, action: buttons(reply("a")) };
  const sent = await mine.call("POST", "/v1/messages", { body: { to, type: "interactive", interactive: content } });
  expect((await mine.becomes(sent.body.id, "failed")).error.code).toBe("provider_rejected");
  expect(sentTo(to)[0]?.request).toMatchObject({ interactive: content });
});

it.each([
  ["type", { type: "", body, action: buttons(reply("a")) }],
  ["header/type", { type: "button", header: { type: "" }, body, action: buttons(reply("a")) }],
])("an empty %s names no kind, and is refused", async (field, content) => {
  const { mine } = senders;
  const sent = await mine.call("POST", "/v1/messages", {
    body: { to: await writer(senders), type: "interactive", interactive: content },
  });
  expect(sent).toMatchObject({ status: 400, body: { errors: [{ pointer: `${AT}/${field}`, code: "minLength" }] } });
});

it("a card whose button opens a page gets the type that the provider's page has there", async () => {
  const { mine } = senders;
  const { type: _left, ...untyped } = card(0);
  const content = { type: "carousel", ...cards(untyped, card(1)) };
  const sent = await mine.call("POST", "/v1/messages", {
    body: { to: await writer(senders), type: "interactive", interactive: content },
  });
  expect([sent.status, sent.body.interactive.action.cards]).toEqual([202, [card(0), card(1)]]);
  await mine.becomes(sent.body.id, "accepted");
});

it("a country may be given in small letters", async () => {
  const { mine } = senders;
  const content = { type: "address_message", ...named("address_message", { country: "in" }) };
  const sent = await mine.call("POST", "/v1/messages", {
    body: { to: await writer(senders), type: "interactive", interactive: content },
  });
  expect([sent.status, sent.body.interactive.action.parameters.country]).toEqual([202, "IN"]);
});
