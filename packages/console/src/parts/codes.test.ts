import { expect, test } from "vitest";
import { withoutCodes } from "./codes.ts";

const templateOf = (...parameters: object[]) => ({
  name: "sign_in",
  language: { code: "en_US" },
  components: [
    { type: "body", parameters },
    { type: "button", sub_type: "url", index: "0", parameters },
  ],
});
const CODE = templateOf({ type: "text", text: "739104" });

test("a code is dots wherever its message stands", () => {
  const message = { id: "msg_1", type: "template", category: "authentication", template: CODE };
  for (const value of [message, [message], { category: "message_status", data: { message } }])
    expect(JSON.stringify(withoutCodes(value))).not.toContain("739104");
  expect(withoutCodes(message)).toEqual({ ...message, template: templateOf({ type: "text", text: "••••••" }) });
});

test("a fallback has its message's category, or is known by its button", () => {
  const message = { type: "text", text: { body: "Hi 739104" }, fallback: { template: CODE } };
  for (const category of ["authentication", null])
    expect(withoutCodes({ ...message, category })).toMatchObject({
      text: { body: "Hi 739104" },
      fallback: { template: templateOf({ type: "text", text: "••••••" }) },
    });
});

test("all else stays as it is", () => {
  const order = { type: "template", category: "utility", template: CODE };
  const two = { type: "template", category: null, template: templateOf({ text: "Ana" }, { text: "A17" }) };
  const other = { kind: "template_category_changed", data: { template: { name: "sign_in", components: [] } } };
  for (const value of [order, two, other, "739104", null, 3]) expect(withoutCodes(value)).toEqual(value);
});
