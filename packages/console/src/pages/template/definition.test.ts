import { expect, test } from "vitest";
import { componentsOf, draftOfTemplate, EMPTY_DRAFT, newTemplateOf } from "./definition.ts";

const DRAFT = {
  ...EMPTY_DRAFT,
  name: "parcel",
  header: "text",
  headerText: "Parcel {{1}}",
  body: "Hi {{1}}, parcel {{2}} comes today.",
  footer: "Shop",
  samples: { "header.1": "A17", "body.1": "Ana", "body.2": "A17" },
  buttons: [
    { kind: "URL", text: "Track", value: "https://example.com/{{1}}", sample: "https://example.com/a17" },
    { kind: "QUICK_REPLY", text: "Thanks", value: "", sample: "" },
  ],
} as const;
const COMPONENTS = [
  { type: "HEADER", format: "TEXT", text: "Parcel {{1}}", example: { header_text: ["A17"] } },
  { type: "BODY", text: "Hi {{1}}, parcel {{2}} comes today.", example: { body_text: [["Ana", "A17"]] } },
  { type: "FOOTER", text: "Shop" },
  {
    type: "BUTTONS",
    buttons: [
      { type: "URL", text: "Track", url: "https://example.com/{{1}}", example: ["https://example.com/a17"] },
      { type: "QUICK_REPLY", text: "Thanks" },
    ],
  },
];
const template = (components: object[], category = "utility") =>
  ({ name: "parcel", language: { code: "en_US" }, category, components }) as Parameters<typeof draftOfTemplate>[0];

test("the form becomes a definition of the provider, and a definition the form", () => {
  expect(componentsOf(DRAFT)).toEqual(COMPONENTS);
  expect(draftOfTemplate(template(COMPONENTS))).toEqual({ ...DRAFT, isSecured: false });
});

test("names in place of numbers are seen by themselves", () => {
  const draft = { ...EMPTY_DRAFT, body: "Hi {{name}}.", samples: { "body.name": "Ana" } };
  expect(newTemplateOf(draft)).toMatchObject({
    parameter_format: "named",
    components: [{ example: { body_text_named_params: [{ param_name: "name", example: "Ana" }] } }],
  });
});

test("an authentication template has no text of its own", () => {
  const draft = { ...EMPTY_DRAFT, category: "authentication", minutes: "10" } as const;
  const components = [
    { type: "BODY", add_security_recommendation: true },
    { type: "FOOTER", code_expiration_minutes: 10 },
    { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
  ];
  expect(componentsOf(draft)).toEqual(components);
  expect(draftOfTemplate(template(components, "authentication"))).toMatchObject({ minutes: "10", isSecured: true });
});

test("what the form would lose is not edited by it", () => {
  expect(
    draftOfTemplate(
      template([
        { type: "BODY", text: "x" },
        { type: "CAROUSEL", cards: [] },
      ]),
    ),
  ).toBeNull();
  expect(draftOfTemplate(template([{ type: "BUTTONS", buttons: [{ type: "FLOW", text: "x" }] }]))).toBeNull();
});
