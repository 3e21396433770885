import { expect, test } from "vitest";
import { type Failure, pauseBeforeRetry, retryAfterSeconds } from "./retry.ts";

const lost: Failure = { kind: "no_answer" };

test("pauses double, with jitter below, and are bounded", () => {
  expect([0, 1, 2, 3, 4, 9].map((retries) => pauseBeforeRetry(lost, "always", retries, 1))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 8_000,
  ]);
  expect(pauseBeforeRetry(lost, "always", 0, 0)).toBe(250);
});

test("Retry-After is never undercut, and spread beyond", () => {
  const asked: Failure = { kind: "answer", status: 429, problem: { retryable: true }, retryAfterSeconds: 4 };
  expect(pauseBeforeRetry(asked, "undone", 0, 0)).toBe(4_000);
  expect(pauseBeforeRetry(asked, "undone", 0, 1)).toBe(5_000);
  expect(pauseBeforeRetry({ ...asked, retryAfterSeconds: 31 }, "always", 0, 0)).toBeNull();
});

test.each([
  ["7", 7],
  ["0", 0],
  ["Thu, 01 Jan 1970 00:00:12 GMT", 10],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["1.5", 2],
  ["-5", 0],
  ["1234567890", 1_234_567_890],
  ["soon", null],
  [null, null],
])("Retry-After %s", (header, seconds) => {
  expect(retryAfterSeconds(header, 2_000)).toBe(seconds);
});
