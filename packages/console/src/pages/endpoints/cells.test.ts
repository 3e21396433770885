import { expect, test } from "vitest";
import { cellsOf, halfHoursBegin, stateOf } from "./cells.ts";

test("attempts of a day are 48 half hours, which end with the present one", () => {
  const now = Date.parse("2026-01-31T09:40:00Z");
  const begin = halfHoursBegin(now);
  expect(new Date(begin).toISOString()).toBe("2026-01-30T10:00:00.000Z");
  const row = (at: string, status: "succeeded" | "failed", count: number) => ({
    at,
    status,
    count,
    p50_ms: null,
    p95_ms: null,
  });
  const cells = cellsOf(
    [
      row("2026-01-31T09:35:00Z", "failed", 2),
      row("2026-01-31T09:30:00Z", "succeeded", 5),
      row("2026-01-30T10:25:00Z", "failed", 1),
      row("2026-01-30T10:30:00Z", "succeeded", 1),
      row("2026-01-30T09:55:00Z", "succeeded", 9),
    ],
    begin,
  );
  expect(cells).toHaveLength(48);
  expect(cells[47]).toMatchObject({ succeeded: 5, failed: 2 });
  expect(cells.slice(0, 3).map(stateOf)).toEqual(["all", "good", "none"]);
  expect(cells[47] && stateOf(cells[47])).toBe("some");
});
