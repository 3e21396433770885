// Messages as the provider's documentation has them, for clients whose methods take them as they are: operation and message.
import { IMAGE, inbound } from "./report.mjs";

const text = { text: "Choose one" };
const ofText = (body) => ({ type: "text", text: { body } });
const ofFile = (type, file) => ({ type, [type]: file });
const interactive = (content) => ({ type: "interactive", interactive: { body: text, ...content } });
const template = (name, ...components) => ({
  type: "template",
  template: { name, language: { code: "en_US" }, ...(components.length > 0 && { components }) },
});
const value = (written, name) => ({ type: "text", text: written, ...(name && { parameter_name: name }) });
const body = (...parameters) => ({ type: "body", parameters });
const button = (sub_type, index, parameter) => ({ type: "button", sub_type, index, parameters: [parameter] });
const link = { display_text: "Open", url: "https://shop.example/a" };

export const MESSAGES = [
  ["send text", ofText("Hello")],
  ["send text that quotes", { ...ofText("Hello"), context: { message_id: inbound } }],
  ["send image by link", ofFile("image", { link: IMAGE, caption: "A" })],
  ["send video by link", ofFile("video", { link: "https://cdn.example/a.mp4" })],
  ["send audio by link", ofFile("audio", { link: "https://cdn.example/a.ogg" })],
  ["send document by link", ofFile("document", { link: "https://cdn.example/a.pdf", filename: "a.pdf" })],
  ["send sticker by link", ofFile("sticker", { link: "https://cdn.example/a.webp" })],
  ["send location", { type: "location", location: { latitude: -34.6, longitude: -58.38, name: "Obelisk" } }],
  [
    "send contacts",
    {
      type: "contacts",
      contacts: [{ name: { formatted_name: "Ana Diaz", first_name: "Ana" }, phones: [{ phone: "+15550001111" }] }],
    },
  ],
  ["send reaction", { type: "reaction", reaction: { message_id: inbound, emoji: "👍" } }],
  ["take reaction back", { type: "reaction", reaction: { message_id: inbound, emoji: "" } }],
  [
    "send reply buttons",
    interactive({ type: "button", action: { buttons: [{ type: "reply", reply: { id: "yes", title: "Yes" } }] } }),
  ],
  [
    "send list",
    interactive({
      type: "list",
      action: { button: "Open", sections: [{ title: "One", rows: [{ id: "a", title: "A", description: "First" }] }] },
    }),
  ],
  ["send link button", interactive({ type: "cta_url", action: { name: "cta_url", parameters: link } })],
  [
    "send flow",
    interactive({
      type: "flow",
      action: {
        name: "flow",
        parameters: { flow_message_version: "3", flow_token: "token", flow_id: "123456", flow_cta: "Book" },
      },
    }),
  ],
  ["send product", interactive({ type: "product", action: { catalog_id: "cat-1", product_retailer_id: "sku-1" } })],
  [
    "send products",
    interactive({
      type: "product_list",
      header: { type: "text", text: "Ours" },
      action: {
        catalog_id: "cat-1",
        sections: [{ title: "One", product_items: [{ product_retailer_id: "sku-1" }] }],
      },
    }),
  ],
  [
    "send catalog",
    interactive({
      type: "catalog_message",
      action: { name: "catalog_message", parameters: { thumbnail_product_retailer_id: "sku-1" } },
    }),
  ],
  [
    "send carousel",
    interactive({
      type: "carousel",
      action: {
        cards: [0, 1].map((card_index) => ({
          card_index,
          type: "cta_url",
          header: { type: "image", image: { link: IMAGE } },
          body: { text: "A" },
          action: { name: "cta_url", parameters: link },
        })),
      },
    }),
  ],
  ["ask for location", interactive({ type: "location_request_message", action: { name: "send_location" } })],
  [
    "ask for address",
    interactive({ type: "address_message", action: { name: "address_message", parameters: { country: "IN" } } }),
  ],
  [
    "ask for call permission",
    interactive({ type: "call_permission_request", action: { name: "call_permission_request" } }),
  ],
  ["send template", template("order_ready")],
  ["send template, positional", template("order_update", body(value("Ana"), value("A17")))],
  ["send template, named", template("order_update_named", body(value("A17", "order_no"), value("Ana", "first_name")))],
  [
    "send template, media and buttons",
    template(
      "client_photo",
      { type: "header", parameters: [{ type: "image", image: { link: IMAGE } }] },
      body(value("Ana")),
      button("url", "0", value("A17")),
      button("quick_reply", "1", { type: "payload", payload: "STOP" }),
    ),
  ],
  [
    "send template, authentication",
    template("client_code", body(value("123456")), button("url", "0", value("123456"))),
  ],
];
