import { expect, it } from "vitest";
import { isoTime } from "./iso-time.ts";

it.each([
  0, 1, 999, 1_000, 1_769_851_800_123, 1_769_851_800_123.999, 1_769_851_801_000, -1, -1_000, -62_135_596_800_000,
  253_402_300_799_999, 8.64e15,
])("writes %d as Date does", (ms) => {
  expect(isoTime(ms)).toBe(new Date(Math.floor(ms)).toISOString());
  expect(isoTime(ms)).toBe(new Date(Math.floor(ms)).toISOString());
});

it("writes times of seconds in turn, whose texts are kept at one place or at two", () => {
  const times = [0, 1_000, 64_000, -64_000, 1_769_851_800_123, 1_769_851_864_123];
  for (const ms of [...times, ...times, ...times.toReversed()]) expect(isoTime(ms)).toBe(new Date(ms).toISOString());
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1_000])("refuses %d as Date does", (ms) => {
  isoTime(0);
  expect(() => isoTime(ms)).toThrow(RangeError);
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
});
