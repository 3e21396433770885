import { expect, test } from "vitest";
import { shownContent } from "./phone-content.ts";

const buttons = ["Yes", "No"].map((title) => ({ type: "reply", reply: { id: title, title } }));
const list = {
  button: "Times",
  sections: [
    { title: "Today", rows: [{ id: "1", title: "Noon" }] },
    { title: "Later", rows: [{ id: "2", title: "Six" }] },
  ],
};

test.each([
  ["text", { body: "Hello" }, "Hello"],
  [
    "image",
    { link: "https://a.example/1.jpg", caption: "Your parcel" },
    "Your parcel\n[image https://a.example/1.jpg]",
  ],
  ["document", { id: "17", filename: "bill.pdf" }, "[document bill.pdf]"],
  ["sticker", {}, "[sticker]"],
  ["location", { latitude: 52.5, longitude: "13.4", name: "Shop" }, "Shop\n[location 52.5, 13.4]"],
  [
    "contacts",
    [{ name: { formatted_name: "Ana" } }, { name: { formatted_name: "Ben" } }],
    "[contact Ana]\n[contact Ben]",
  ],
  ["reaction", { message_id: "wamid.1", emoji: "👍" }, "👍"],
  ["reaction", { message_id: "wamid.1", emoji: "" }, "[reaction removed]"],
  [
    "interactive",
    {
      type: "button",
      header: { type: "text", text: "Parcel" },
      body: { text: "Today?" },
      footer: { text: "Shop" },
      action: { buttons },
    },
    "Parcel\nToday?\nShop\n[Yes]\n[No]",
  ],
  ["interactive", { type: "list", body: { text: "When?" }, action: list }, "When?\n[Times]\n[Noon]\n[Six]"],
  [
    "interactive",
    {
      type: "cta_url",
      body: { text: "See it" },
      action: { name: "cta_url", parameters: { display_text: "Open", url: "https://a.example" } },
    },
    "See it\n[Open]",
  ],
  [
    "interactive",
    { type: "location_request_message", body: { text: "Where?" }, action: { name: "send_location" } },
    "Where?\n[location_request_message]",
  ],
  ["interactive", { type: 7, body: null, action: { buttons: [null, { reply: 1 }] } }, "[interactive]"],
  ["order_details", "odd", "[order_details]"],
])("of %s the virtual phone shows its texts and choices", (type, content, shown) => {
  expect(shownContent(type, content)).toBe(shown);
});
