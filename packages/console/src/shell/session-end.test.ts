import { expect, test } from "vitest";
import { sessionEnding } from "./session-end.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ending = (now: number, { readAt = 0, usedAt = 0, expiresAt = HOUR } = {}) =>
  sessionEnding({ expiresAt, readAt, usedAt, now });

test("a session that was not used is warned of in its last two minutes", () => {
  expect(ending(57 * MINUTE)).toBe("far");
  expect(ending(58 * MINUTE)).toBe("near");
  expect(ending(HOUR)).toBe("stale");
});

test("one that was used since ends later than was read", () => {
  expect(ending(58 * MINUTE, { usedAt: 20 * MINUTE })).toBe("stale");
});

test("one whose end is near right after it was read cannot be extended, whatever is done", () => {
  const about = { expiresAt: HOUR, readAt: 59 * MINUTE };
  expect(ending(59 * MINUTE, about)).toBe("last");
  expect(ending(59 * MINUTE + 30_000, { ...about, usedAt: 59 * MINUTE + 10_000 })).toBe("last");
});
