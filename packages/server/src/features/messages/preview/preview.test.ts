import { describe, expect, it } from "vitest";
import { parseDefinition } from "../../templates/definition.ts";
import { LONGEST_PREVIEW, oneLine } from "./one-line.ts";
import { previewOf } from "./preview.ts";
import { DOTS } from "./template-text.ts";

const said = (type: string, content: unknown) => previewOf({ type, content, category: null, definition: null });

describe("a message in one line", () => {
  it.for<[what: string, type: string, content: unknown, preview: string | null]>([
    ["a text", "text", { body: "See you\n\n  at\tnine " }, "See you at nine"],
    ["a text of spaces", "text", { body: " \n " }, null],
    ["a caption", "image", { id: "med_1", caption: "The new shelf" }, "The new shelf"],
    ["an image", "image", { link: "https://example.com/a.png" }, "Image"],
    ["a video without a caption", "video", { id: "med_1", caption: "" }, "Video"],
    ["a document with both", "document", { id: "med_1", filename: "a.pdf", caption: "Your invoice" }, "Your invoice"],
    ["a document by its name", "document", { id: "med_1", filename: "invoice 17.pdf" }, "invoice 17.pdf"],
    ["a document", "document", { id: "med_1" }, "Document"],
    ["audio", "audio", { id: "med_1" }, "Audio"],
    ["a voice message", "audio", { id: "med_1", voice: true }, "Voice message"],
    ["a sticker", "sticker", { id: "med_1" }, "Sticker"],
    ["a place", "location", { latitude: 1, longitude: 2, name: "Shop", address: "Main St 1" }, "Shop, Main St 1"],
    ["a point", "location", { latitude: 1.5, longitude: -2 }, "1.5, -2"],
    ["cards", "contacts", [{ name: { formatted_name: "Ana" } }, { name: { formatted_name: "Ben" } }], "Ana, Ben"],
    ["no cards", "contacts", [], null],
    ["buttons", "interactive", { type: "button", body: { text: "Which?" }, action: { buttons: [] } }, "Which?"],
    ["a product", "interactive", { type: "product", action: { catalog_id: "1" } }, "Product"],
    [
      "cards side by side",
      "interactive",
      { type: "carousel", action: { cards: [{}, { body: { text: "Tea" } }] } },
      "Tea",
    ],
    ["an unknown kind", "interactive", { type: "order_details", action: {} }, null],
    ["a pressed button", "interactive", { type: "button_reply", button_reply: { id: "y", title: "Yes" } }, "Yes"],
    ["a chosen row", "interactive", { type: "list_reply", list_reply: { id: "y", title: "Nine" } }, "Nine"],
    ["a form", "interactive", { type: "nfm_reply", nfm_reply: { body: "Sent", response_json: "{}" } }, "Sent"],
    [
      "a permission",
      "interactive",
      { type: "call_permission_reply", call_permission_reply: { response: "reject" } },
      "Calls not allowed",
    ],
    ["a reaction", "reaction", { message_id: "msg_1", emoji: "👍🏽" }, "👍🏽"],
    ["a reaction that was taken back", "reaction", { message_id: "msg_1", emoji: "" }, "Reaction removed"],
    ["one that has no emoji", "reaction", { message_id: "wamid.1" }, "Reaction removed"],
    ["a button of a template", "button", { payload: "p", text: "Track" }, "Track"],
    ["an order", "order", { catalog_id: "1", product_items: [{}, {}] }, "Order of 2 products"],
    ["an order with a text", "order", { text: "Soon please", product_items: [{}] }, "Soon please"],
    ["a notice", "system", { body: "Ana changed her number", type: "user_changed_number" }, "Ana changed her number"],
    [
      "a change",
      "edit",
      { original_message_id: "wamid.1", message: { type: "text", text: { body: "At ten" } } },
      "At ten",
    ],
    ["a change of a change", "edit", { message: { type: "edit", edit: {} } }, null],
    ["one that was taken back", "revoke", { original_message_id: "wamid.1" }, "Message deleted"],
    ["a first visit", "request_welcome", {}, null],
    ["a type that is not known", "unsupported", { type: "hologram" }, null],
    ["a type that is newer", "hologram", { body: "x" }, null],
    ["content of another shape", "text", ["x"], null],
    ["what is gone", "text", null, null],
  ])("is of %s", ([, type, content, preview]) => expect(said(type, content)).toBe(preview));
});

describe("a template", () => {
  const body = { type: "BODY", text: "Hi {{1}}, {{2}} on {{3}}." };
  const sent = (...parameters: object[]) => ({
    name: "ready",
    language: { code: "en" },
    components: [{ type: "body", parameters }],
  });
  const text = (value: string, name?: string) => ({ type: "text", text: value, ...(name && { parameter_name: name }) });
  const previewed = (content: object, components: object[] | null, of: { category?: string; format?: string } = {}) =>
    previewOf({
      type: "template",
      content,
      category: of.category ?? "utility",
      definition: components && parseDefinition(components, of.format ?? "positional"),
    });

  it("is its body with what was given", () => {
    const amount = { type: "currency", currency: { fallback_value: "$5", code: "USD", amount_1000: 5000 } };
    const day = { type: "date_time", date_time: { fallback_value: "Monday" } };
    expect(previewed(sent(text("Ana"), amount, day), [body])).toBe("Hi Ana, $5 on Monday.");
    const named = [{ type: "BODY", text: "Order {{no}} for {{name}}" }];
    const parameters = [text("Ana", "name"), text("17", "no")];
    expect(previewed(sent(...parameters), named, { format: "named" })).toBe("Order 17 for Ana");
  });

  it("keeps a variable that nothing was given for", () =>
    expect(previewed(sent(text("Ana")), [body])).toBe("Hi Ana, {{2}} on {{3}}."));

  it("is its header, a card or its name, where it has no body", () => {
    const header = { type: "HEADER", format: "TEXT", text: "Sale for {{1}}" };
    const content = { name: "sale", components: [{ type: "header", parameters: [text("Ana")] }] };
    expect(previewed(content, [header])).toBe("Sale for Ana");
    expect(previewed(content, [{ type: "HEADER", format: "VIDEO" }])).toBe("Video");
    const cards = [{ components: [{ type: "BODY", text: "Tea" }] }];
    expect(previewed(content, [{ type: "CAROUSEL", cards }])).toBe("Tea");
    expect(previewed(content, [{ type: "FOOTER", text: "x" }])).toBe("sale");
    expect(previewed(content, null)).toBe("sale");
    expect(previewed({}, null)).toBe(null);
  });

  it("has dots for a code, whatever it is called and however long it is", () => {
    const code = [{ type: "BODY", text: "{{1}} is your code." }];
    expect(previewed(sent(text("123456")), code, { category: "authentication" })).toBe(`${DOTS} is your code.`);
    expect(previewed(sent(text("1")), code, { category: "authentication" })).toBe(`${DOTS} is your code.`);
    const submitted = [{ type: "BODY", add_security_recommendation: true }];
    expect(previewed(sent(text("123456")), submitted)).toBe(DOTS);
    const withButton = [...code, { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE" }] }];
    expect(previewed(sent(text("123456")), withButton)).toBe(`${DOTS} is your code.`);
    expect(previewed(sent(text("123456")), null, { category: "authentication" })).toBe("ready");
  });
});

describe("a long text", () => {
  /** Half of an emoji. */
  const HALF = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/;
  const lengthOf = (text: string | null) => Array.from(text ?? "").length;

  it("is cut behind 159 code points, with a mark", () => {
    expect(oneLine("a".repeat(LONGEST_PREVIEW))).toBe("a".repeat(LONGEST_PREVIEW));
    expect(oneLine("a".repeat(LONGEST_PREVIEW + 1))).toBe(`${"a".repeat(LONGEST_PREVIEW - 1)}…`);
    expect(oneLine("😀".repeat(LONGEST_PREVIEW))).toBe("😀".repeat(LONGEST_PREVIEW));
    expect(lengthOf(oneLine("😀".repeat(5_000)))).toBe(LONGEST_PREVIEW);
  });

  it("is cut between characters as people see them", () => {
    const family = "👨‍👩‍👧‍👦";
    const line = oneLine(`${"a".repeat(LONGEST_PREVIEW - 4)}${family}${family}`);
    expect(line).toBe(`${"a".repeat(LONGEST_PREVIEW - 4)}…`);
    expect(oneLine(`${"a".repeat(1_999)}😀${"b".repeat(9)}`)).not.toMatch(HALF);
    expect(oneLine(`${"a ".repeat(79)}${family}`)).toBe(`${"a ".repeat(78)}a…`);
    expect(oneLine("漢字".repeat(200))).toBe(`${"漢字".repeat(80).slice(0, -1)}…`);
    const marks = `e${"\u0301".repeat(400)}`;
    expect(lengthOf(oneLine(marks))).toBe(LONGEST_PREVIEW);
  });

  it("is one that has little behind very many spaces", () => {
    expect(oneLine(`${"\n".repeat(9_000)}Hello`)).toBe("Hello");
    expect(oneLine(`Hello to${" ".repeat(9_000)}you`)).toBe("Hello to…");
    expect(oneLine(`${" ".repeat(1)}${"x ".repeat(10)}${" ".repeat(1_978)}😀`)).not.toMatch(HALF);
  });
});
