import { expect, test } from "vitest";
import { faultOf, rangeOf, spanOf } from "./range.ts";
import { homeSearch, type OwnRange } from "./search.ts";

const NOW = Date.parse("2026-01-31T09:32:00Z");
const own = (from: string, until: string): OwnRange => `${from},${until}`;
const shape = (from: string, until: string) => {
  const { interval, stepMs, steps, begin, end, hasBefore } = rangeOf(own(from, until), NOW);
  const at = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
  return { interval, minutes: stepMs / 60_000, steps, begin: at(begin), end: at(end), hasBefore };
};

test("a range that ends now ends with the present interval, and is asked for with the one before it", () => {
  const range = rangeOf("24h", NOW);
  expect(spanOf(range)).toEqual({
    at_after: "2026-01-30T10:00:00Z",
    at_before: "2026-01-31T10:00:00Z",
    interval: "1h",
  });
  expect(spanOf(range, true).at_after).toBe("2026-01-29T10:00:00Z");
  expect(new Date(rangeOf("7d", NOW).begin).toISOString()).toBe("2026-01-25T00:00:00.000Z");
  expect(range.ended).toBeUndefined();
});

test("an own range is divided as finely as can be seen and is kept, in whole intervals", () => {
  expect(shape("2026-01-31T07:03:00Z", "2026-01-31T08:59:00Z")).toEqual({
    interval: "5m",
    minutes: 5,
    steps: 24,
    begin: "2026-01-31T07:00",
    end: "2026-01-31T09:00",
    hasBefore: true,
  });
  // The counts of five minutes are no longer kept for both.
  expect(shape("2026-01-23T12:00:00Z", "2026-01-23T18:00:00Z")).toMatchObject({ interval: "1h", steps: 6 });
  expect(shape("2026-01-26T09:30:00Z", "2026-01-31T09:30:00Z")).toMatchObject({ interval: "1h", steps: 121 });
  expect(shape("2026-01-01T00:00:00Z", "2026-01-31T00:00:00Z")).toMatchObject({ interval: "1d", steps: 30 });
});

test("more days than can be seen are several in a step, and what is not kept before is not compared", () => {
  const long = shape("2024-06-01T00:00:00Z", "2026-01-31T00:00:00Z");
  expect(long).toMatchObject({ interval: "1d", minutes: 6 * 1_440, hasBefore: false });
  expect(long.steps).toBeLessThanOrEqual(121);
  expect(shape("2025-06-01T00:00:00Z", "2026-01-31T00:00:00Z").hasBefore).toBe(true);
});

test("an own range ends with the present interval at the latest, and says when it lies in the past", () => {
  expect(shape("2026-01-31T09:00:00Z", "2026-02-03T00:00:00Z")).toMatchObject({ end: "2026-01-31T09:35", steps: 7 });
  expect(rangeOf(own("2026-01-31T09:00:00Z", "2026-02-03T00:00:00Z"), NOW).ended).toBeUndefined();
  expect(rangeOf(own("2026-01-31T07:00:00Z", "2026-01-31T08:00:00Z"), NOW).ended).toBe("2026-01-31T08:00:00Z");
});

test("what cannot be counted says why", () => {
  expect(faultOf(own("2026-01-31T09:00:00Z", "2026-01-31T09:00:00Z"), NOW)).toBe("order");
  expect(faultOf(own("2026-01-31T09:32:00Z", "2026-02-01T00:00:00Z"), NOW)).toBe("future");
  expect(faultOf(own("2023-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), NOW)).toBe("old");
  expect(faultOf(own("2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), NOW)).toBeNull();
  expect(faultOf("30d", NOW)).toBeNull();
});

test("an address has a range of the three, or two times", () => {
  const given = "2026-01-01T00:00:00Z,2026-01-02T00:00:00+01:00";
  expect(homeSearch({ range: given })).toEqual({ range: given });
  expect(homeSearch({ range: "7d" })).toEqual({ range: "7d" });
  for (const range of ["1h", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z,", `${given},${given}`, "a,b"])
    expect(homeSearch({ range })).toEqual({});
});
