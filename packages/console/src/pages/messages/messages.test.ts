import { expect, test } from "vitest";
import { foundBy } from "./find.ts";
import { messagesSearch } from "./search.ts";
import { summaryOf } from "./summary.ts";

test("the search box understands numbers in any form, and the provider's ids", () => {
  for (const given of ["+1 (555) 123-0001", "15551230001", "0015551230001"])
    expect(foundBy(given)).toEqual({ filter: "to", value: "+15551230001" });
  expect(foundBy("wamid.HBgLMTU1NTEyMzAwMDE=")).toEqual({
    filter: "provider_message_id",
    value: "wamid.HBgLMTU1NTEyMzAwMDE=",
  });
  for (const given of ["hello", "msg_", "12", "+1555x"]) expect(foundBy(given)).toBeNull();
});

test("an address keeps what the API takes, and nothing else", () => {
  expect(
    messagesSearch({
      status: "failed",
      direction: "sideways",
      to: " +1555 ",
      created_after: "2026-01-31T09:30:00.000Z",
      created_before: "yesterday",
      cursor: "",
      other: "x",
    }),
  ).toEqual({ status: "failed", to: "+1555", created_after: "2026-01-31T09:30:00.000Z" });
});

test("a message in one line", () => {
  expect(summaryOf({ type: "template", template: { name: "order_ready" } })).toBe("order_ready");
  expect(summaryOf({ type: "text", text: { body: `A\n*b* ${"c".repeat(80)}` } })).toBe(`A b ${"c".repeat(56)}…`);
  expect(summaryOf({ type: "image", image: {} })).toBe("image");
  expect(summaryOf({ type: "text", text: null })).toBe("text");
});
