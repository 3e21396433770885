import { describe, expect, test } from "vitest";
import { bubbleOf } from "./bubble.ts";
import { inlineOf } from "./inline.ts";

describe("text as the provider shows it", () => {
  test.each([
    ["plain", [{ text: "plain" }]],
    ["a *b* c", [{ text: "a " }, { text: "b", bold: true }, { text: " c" }]],
    ["_*b*_", [{ text: "b", bold: true, italic: true }]],
    ["~gone~", [{ text: "gone", strike: true }]],
    ["```a *b* {{1}}```", [{ text: "a *b* {{1}}", code: true }]],
    ["2*3*4", [{ text: "2*3*4" }]],
    ["a * b * c", [{ text: "a * b * c" }]],
    ["*one\ntwo*", [{ text: "*one\ntwo*" }]],
    ["snake_case_name", [{ text: "snake_case_name" }]],
    ["<script>alert(1)</script>", [{ text: "<script>alert(1)</script>" }]],
  ])("%j", (source, parts) => {
    expect(inlineOf(source)).toEqual(parts);
  });

  test("variables are filled once, and stay to be seen without a value", () => {
    expect(inlineOf("Hi *{{1}}*, {{order}}", { "1": "{{order}}" })).toEqual([
      { text: "Hi " },
      { text: "{{order}}", bold: true },
      { text: ", " },
      { text: "order", variable: true },
    ]);
  });
});

const COMPONENTS = [
  { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
  { type: "BODY", text: "Hello {{1}}, it is ready." },
  { type: "FOOTER", text: "Shop" },
  {
    type: "BUTTONS",
    buttons: [
      { type: "QUICK_REPLY", text: "Thanks" },
      { type: "URL", text: "Track", url: "https://x" },
    ],
  },
];

describe("the bubble", () => {
  test("of a template has its parameters in their places", () => {
    const template = {
      name: "order_ready",
      components: [
        { type: "header", parameters: [{ type: "text", text: "A17" }] },
        { type: "body", parameters: [{ type: "text", text: "Ana" }] },
      ],
    };
    expect(bubbleOf({ type: "template", template }, COMPONENTS)).toEqual({
      header: { kind: "text", text: [{ text: "Order " }, { text: "A17" }] },
      body: [{ text: "Hello " }, { text: "Ana" }, { text: ", it is ready." }],
      footer: "Shop",
      buttons: [
        { kind: "reply", text: "Thanks" },
        { kind: "url", text: "Track" },
      ],
      cards: [],
      reaction: null,
    });
  });

  test("of a template that is gone is its name", () => {
    expect(bubbleOf({ type: "template", template: { name: "order_ready" } })?.body).toEqual([{ text: "order_ready" }]);
  });

  test.each([{ type: "BODY" }, { type: "BODY", text: "*{{1}}* is your verification code." }])(
    "of an authentication template shows no code: %j",
    (body) => {
      const components = [body, { type: "BUTTONS", buttons: [{ type: "OTP", text: "Copy code" }] }];
      const template = { components: [{ type: "body", parameters: [{ type: "text", text: "493021" }] }] };
      const bubble = bubbleOf({ type: "template", template }, components);
      expect(JSON.stringify(bubble)).not.toContain("493021");
      expect(bubble?.body.map(({ text }) => text).join("")).toBe("•••••• is your verification code.");
      const own = bubbleOf({ type: "template", template }, components, "shown");
      expect(own?.body.map(({ text }) => text).join("")).toBe("493021 is your verification code.");
      expect(bubble?.buttons).toEqual([{ kind: "code", text: "Copy code" }]);
    },
  );

  test("of what is erased, or of no known kind, is none", () => {
    expect(bubbleOf({ type: "text", text: null })).toBeNull();
    expect(bubbleOf({ type: "hologram", hologram: {} })).toBeNull();
  });

  test("of files, places, cards, choices and reactions", () => {
    expect(bubbleOf({ type: "image", image: { caption: "A *b*" } })?.header).toEqual({ kind: "image", name: null });
    expect(bubbleOf({ type: "location", location: { name: "Shop" } })?.header).toMatchObject({ name: "Shop" });
    expect(bubbleOf({ type: "contacts", contacts: [{ name: { formatted_name: "Ann" } }] })?.header).toEqual({
      kind: "contacts",
      names: ["Ann"],
    });
    expect(bubbleOf({ type: "interactive", interactive: { button_reply: { title: "Yes" } } })?.body).toEqual([
      { text: "Yes" },
    ]);
    expect(bubbleOf({ type: "interactive", interactive: { nfm_reply: { body: "Sent" } } })?.body).toEqual([
      { text: "Sent" },
    ]);
    const flow = { body: { text: "Book" }, action: { name: "flow", parameters: { flow_cta: "Choose a day" } } };
    expect(bubbleOf({ type: "interactive", interactive: flow })?.buttons).toMatchObject([{ text: "Choose a day" }]);
    expect(bubbleOf({ type: "reaction", reaction: { emoji: "👍" } })?.reaction).toBe("👍");
  });
});
