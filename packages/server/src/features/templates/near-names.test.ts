import { expect, test } from "vitest";
import { missingTemplateText } from "./near-names.ts";

const EXISTING = [
  { name: "order_ready", language: "en_US" },
  { name: "order_ready", language: "es_MX" },
  { name: "order_update", language: "en_US" },
  { name: "promo_spring", language: "en_US" },
];

test.each([
  ["order_ready", "pt_BR", "The sender has the template order_ready in en_US, es_MX, and not in pt_BR."],
  ["order_redy", "en_US", "The sender has no template order_redy. It has order_ready."],
  ["orderready", "en_US", "The sender has no template orderready. It has order_ready."],
  ["order", "en_US", "The sender has no template order. It has order_ready, order_update."],
  ["promo_spring_2026", "en_US", "The sender has no template promo_spring_2026. It has promo_spring."],
  ["welcome", "en_US", "The sender has no template welcome."],
  ["x".repeat(512), "en_US", `The sender has no template ${"x".repeat(512)}.`],
])("%s in %s", (name, language, text) => {
  expect(missingTemplateText(EXISTING, { name, language })).toBe(text);
});

test("says no more than a reader takes in", () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ name: `news_${index}`, language: `l${index}` }));
  const text = missingTemplateText(many, { name: "news_", language: "en" });
  expect(text.match(/news_\d+/g)).toHaveLength(3);
  const languages = many.map(({ language }) => ({ name: "news", language }));
  expect(missingTemplateText(languages, { name: "news", language: "en" })).toContain("l19 and others, and not in en.");
});
