import { expect, test } from "vitest";
import { figuresOf } from "./figures.ts";
import { rangeOf } from "./range.ts";

const NOW = Date.parse("2026-01-31T09:30:00Z");

test("what happened is counted by interval, and against the range before", () => {
  const range = rangeOf("24h", NOW);
  const rows = [
    { at: "2026-01-31T09:00:00.000Z", status: "sent", count: 5 },
    { at: "2026-01-30T10:00:00.000Z", status: "sent", count: 2 },
    { at: "2026-01-30T09:00:00.000Z", status: "sent", count: 4 },
    { at: "2026-01-31T09:00:00.000Z", status: "failed", count: 1 },
    { at: "2026-01-31T09:00:00.000Z", status: "queued", count: 9 },
  ];
  const [sent, , , failed] = figuresOf(rows, range);
  expect(sent).toMatchObject({ count: 7, before: 4, share: null });
  expect([sent?.bars[0], sent?.bars[23]]).toEqual([2, 5]);
  expect(failed).toMatchObject({ status: "failed", count: 1, before: 0, share: 1 / 8 });
  expect(figuresOf(rows, { ...range, hasBefore: false })[0]?.before).toBeNull();
});
