import { expect, test } from "vitest";
import { filledOf, pathOf, slotsOf, valuesOf } from "./slots.ts";

const POSITIONAL = [
  { type: "HEADER", format: "IMAGE" },
  { type: "BODY", text: "Hi {{1}}, order {{2}} for {{1}} is ready." },
  { type: "FOOTER", text: "Shop" },
  {
    type: "BUTTONS",
    buttons: [
      { type: "QUICK_REPLY", text: "Thanks" },
      { type: "URL", text: "Track", url: "https://example.com/{{1}}" },
      { type: "COPY_CODE", example: "SPRING" },
    ],
  },
];
const FILLED = [
  { type: "header", parameters: [{ type: "image", image: { link: "https://example.com/a.png" } }] },
  {
    type: "body",
    parameters: [
      { type: "text", text: "Ana" },
      { type: "text", text: "A17" },
    ],
  },
  { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "a17" }] },
  { type: "button", sub_type: "copy_code", index: "2", parameters: [{ type: "coupon_code", coupon_code: "X1" }] },
];
const VALUES = {
  header: "https://example.com/a.png",
  "body.1": "Ana",
  "body.2": "A17",
  "button.1": "a17",
  "button.2": "X1",
};

test("each place of a template is asked for once", () => {
  expect(slotsOf(POSITIONAL)?.map(({ key, kind }) => [key, kind])).toEqual([
    ["header", "image"],
    ["body.1", "text"],
    ["body.2", "text"],
    ["button.1", "text"],
    ["button.2", "code"],
  ]);
});

test("values stand where the provider takes them, and are found there again", () => {
  expect(filledOf(POSITIONAL, false, VALUES)).toEqual(FILLED);
  expect(valuesOf(POSITIONAL, FILLED)).toEqual(VALUES);
  expect(slotsOf(POSITIONAL)?.map((slot) => pathOf(slot, FILLED, false))).toEqual([
    "template.components.0.parameters.0",
    "template.components.1.parameters.0",
    "template.components.1.parameters.1",
    "template.components.2.parameters.0",
    "template.components.3.parameters.0",
  ]);
  expect(filledOf([{ type: "BODY", text: "Plain." }], false, {})).toEqual([]);
});

test("named variables keep their names, in any order", () => {
  const components = [{ type: "BODY", text: "Hi {{name}}, {{order}}." }];
  const sent = filledOf(components, true, { "body.name": "Ana", "body.order": "A17" });
  expect(sent).toEqual([
    {
      type: "body",
      parameters: [
        { type: "text", parameter_name: "name", text: "Ana" },
        { type: "text", parameter_name: "order", text: "A17" },
      ],
    },
  ]);
  const turned = [{ type: "body", parameters: (sent[0] as { parameters: object[] }).parameters.toReversed() }];
  expect(valuesOf(components, turned)).toEqual({ "body.name": "Ana", "body.order": "A17" });
});

test("the code of an authentication template is given twice", () => {
  const components = [{ type: "BODY" }, { type: "BUTTONS", buttons: [{ type: "OTP", text: "Copy" }] }];
  expect(slotsOf(components)?.map(({ key, kind }) => [key, kind])).toEqual([["body.1", "code"]]);
  expect(filledOf(components, false, { "body.1": "493021" })).toEqual([
    { type: "body", parameters: [{ type: "text", text: "493021" }] },
    { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "493021" }] },
  ]);
});

test("a carousel is filled by the API alone", () => {
  expect(
    slotsOf([
      { type: "BODY", text: "See." },
      { type: "CAROUSEL", cards: [] },
    ]),
  ).toBeNull();
});
