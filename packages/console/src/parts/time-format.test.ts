import { expect, test } from "vitest";
import { shortTime } from "./time-format.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");

test.each([
  [0, "now"],
  [-400, "now"],
  [400, "now"],
  [-12_000, "12s ago"],
  [12_000, "in 12s"],
  [-150_000, "2m ago"],
])("%i ms from now are shown as %s", (ms, shown) => {
  expect(shortTime(NOW + ms, NOW, "utc")).toBe(shown);
});
