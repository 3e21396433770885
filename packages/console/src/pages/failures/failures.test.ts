import { expect, test } from "vitest";
import { failuresOf } from "./failures.ts";

const HOUR_MS = 3_600_000;

test("errors of a range are counted by interval, the most frequent first", () => {
  const begin = Date.parse("2026-01-31T00:00:00Z");
  const row = (hour: number, error_code: string, count: number) => ({
    at: new Date(begin + hour * HOUR_MS).toISOString(),
    error_code,
    count,
    p50_ms: null,
    p95_ms: null,
  });
  const rows = [
    row(1, "expired", 1),
    row(0, "not_on_whatsapp", 2),
    row(1, "not_on_whatsapp", 3),
    row(-1, "expired", 9),
  ];
  expect(failuresOf(rows, { begin, stepMs: HOUR_MS, steps: 2 })).toEqual([
    { code: "not_on_whatsapp", count: 5, bars: [2, 3] },
    { code: "expired", count: 1, bars: [0, 1] },
  ]);
});
