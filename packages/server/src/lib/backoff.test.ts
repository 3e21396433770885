import { afterEach, expect, test } from "vitest";
import { retryAfterMs } from "./backoff.ts";

const NOW = Date.parse("2026-01-31T09:30:00Z");
const YEAR_MS = 366 * 24 * 3_600_000;

test.each([
  ["0", 0],
  ["7", 7_000],
  [" 7 ", 7_000],
  ["+7", 7_000],
  ["1.2", 2_000],
  ["-5", 0],
  ["-0.5", 0],
  ["1234567890", YEAR_MS],
  ["9".repeat(400), YEAR_MS],
  ["Sat, 31 Jan 2026 09:30:10 GMT", 10_000],
  ["Saturday, 31-Jan-26 09:30:10 GMT", 10_000],
  ["Sat, 31 Jan 2026 09:29:00 GMT", 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", YEAR_MS],
])("Retry-After %s is %d ms", (text, ms) => {
  expect(retryAfterMs(text, NOW)).toBe(ms);
});

test.each([null, "", "soon", "1e3", "0x10", "7 s", "2026-01-31T09:30:10Z", "NaN", "Infinity", "1.", "--1"])(
  "Retry-After %s says nothing",
  (text) => {
    expect(retryAfterMs(text, NOW)).toBeNull();
  },
);

const zone = process.env["TZ"];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

test.each(["America/New_York", "Asia/Kolkata"])(
  "a date means the same where the clock shows the time of %s",
  (here) => {
    process.env["TZ"] = here;
    for (const date of [
      "Sat, 31 Jan 2026 09:30:10 GMT",
      "Saturday, 31-Jan-26 09:30:10 GMT",
      "Sat Jan 31 09:30:10 2026",
    ])
      expect([date, retryAfterMs(date, NOW)]).toEqual([date, 10_000]);
  },
);
