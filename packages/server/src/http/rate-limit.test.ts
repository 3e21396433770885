import { expect, test } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

test("a second's worth at once, then as it refills; each workspace its own", () => {
  let now = 0;
  const limit = createRateLimit(
    10,
    () => 1,
    () => now,
  );
  const take = (workspace: string, times: number) => Array.from({ length: times }, () => limit(workspace)?.ok);
  expect(take("a", 11)).toEqual([...Array(10).fill(true), false]);
  expect(take("b", 1)).toEqual([true]);
  now += 100;
  expect(take("a", 2)).toEqual([true, false]);
  now += 60_000;
  expect(take("a", 11).filter(Boolean)).toHaveLength(10);
});

test("the headers are those of the draft", () => {
  const limit = createRateLimit(
    1_000,
    () => 1,
    () => 0,
  );
  expect(limit("a")).toEqual({ ok: true, limit: '"default";r=999;t=1', policy: '"default";q=1000;w=1' });
});

test("a process enforces its share, and never less than one a second", () => {
  let share = 0.5;
  const limit = createRateLimit(
    4,
    () => share,
    () => 0,
  );
  expect([1, 2, 3].map(() => limit("a")?.ok)).toEqual([true, true, false]);
  share = 0.01;
  expect(limit("b")?.ok).toBe(true);
});

test("off is off", () => {
  expect(
    createRateLimit(
      null,
      () => 1,
      () => 0,
    )("a"),
  ).toBeNull();
});
