import { expect, test } from "vitest";
import type { SafeFault } from "../../../lib/safe-fetch/fetch-fault.ts";
import type { SafeResult } from "../../../lib/safe-fetch/safe-fetch.ts";
import { isEndpointGone, isTrouble, succeeded, waitAfter } from "./retry.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const answer = (status: number, retryAfter: string | null = null): SafeResult => ({
  kind: "answer",
  status,
  retryAfter,
  location: null,
  snippet: "",
  durationMs: 1,
});
const fault = (name: SafeFault): SafeResult => ({ kind: "error", fault: name, detail: "", durationMs: 1 });
const middle = (): number => 0.5;
const SECONDS = [5, 30, 120, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400];

test("thirteen attempts over 70 h 52 m", () => {
  const waits = Array.from({ length: 13 }, (_, index) => waitAfter(index + 1, answer(500), NOW, middle));
  expect(waits).toEqual([...SECONDS.map((seconds) => seconds * 1_000), null]);
  expect(SECONDS.reduce((sum, seconds) => sum + seconds, 0)).toBe(70 * 3_600 + 52 * 60 + 35);
});

test("jitter stays within a fifth", () => {
  expect(waitAfter(2, answer(500), NOW, () => 0)).toBe(24_000);
  expect(waitAfter(2, answer(500), NOW, () => 1)).toBe(36_000);
});

test.each([answer(429), answer(502), answer(503), answer(504), fault("timeout")])(
  "at least a minute after %j",
  (result) => {
    for (const random of [0, 0.5, 1]) expect(waitAfter(1, result, NOW, () => random)).toBeGreaterThanOrEqual(60_000);
    expect(waitAfter(1, result, NOW, () => 1)).toBe(72_000);
    expect(waitAfter(4, result, NOW, middle)).toBe(300_000);
  },
);

test.each([answer(500), answer(404), answer(302), fault("reset"), fault("connect"), fault("refused")])(
  "the plain schedule after %j",
  (result) => {
    expect(waitAfter(1, result, NOW, middle)).toBe(5_000);
  },
);

test.each([
  ["shorter than the wait: no sooner than scheduled", 3, "1", 132],
  ["longer", 1, "600", 660],
  ["absurd: 15 minutes where the wait is short", 1, "999999", 900],
  ["absurd: twice the wait where it is long", 7, "999999", 7_200],
  ["absurd: six hours", 9, "999999", 21_600],
  ["never shorter than the scheduled day", 11, "999999", 86_400],
  ["a date", 1, "Sun, 01 Mar 2026 12:05:00 GMT", 330],
  ["a date that has passed", 1, "Sun, 01 Mar 2020 12:05:00 GMT", 5.5],
  ["nonsense", 1, "soon", 5],
  ["negative: at once, as a date that has passed", 1, "-5", 5.5],
  ["a number with letters", 1, "12abc", 5],
])("Retry-After %s", (_, attempt, header, seconds) => {
  expect(waitAfter(attempt, answer(500, header), NOW, middle)).toBe(seconds * 1_000);
});

test("the last attempt stays the last, whatever Retry-After says", () => {
  expect(waitAfter(13, answer(503, "10"), NOW, middle)).toBeNull();
});

test("which results are successes, troubles and gone receivers", () => {
  expect([200, 204, 299, 199, 300, 302, 404, 500].map((status) => succeeded(answer(status)))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect([429, 500, 503, 404, 410, 302].map((status) => isTrouble(answer(status)))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(isTrouble(fault("timeout"))).toBe(true);
  expect(isTrouble(fault("refused"))).toBe(false);
  expect([isEndpointGone(answer(410)), isEndpointGone(answer(404)), isEndpointGone(fault("reset"))]).toEqual([
    true,
    false,
    false,
  ]);
});
