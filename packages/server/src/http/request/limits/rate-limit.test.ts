import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit.ts";

const granting = (perSecond: number) => ({ ask: () => perSecond });

test("a second's worth at once, then as it refills; each workspace its own", () => {
  let now = 0;
  const limit = new RateLimit(granting(10), () => now);
  const take = (workspace: string, times: number) => Array.from({ length: times }, () => limit.take(workspace)?.ok);
  expect(take("a", 11)).toEqual([...Array(10).fill(true), false]);
  expect(take("b", 1)).toEqual([true]);
  now += 100;
  expect(take("a", 2)).toEqual([true, false]);
  now += 60_000;
  expect(take("a", 11).filter(Boolean)).toHaveLength(10);
});

test("the headers are those of the draft", () => {
  const limit = new RateLimit(granting(1_000), () => 0);
  expect(limit.take("a")).toEqual({ ok: true, limit: '"default";r=999;t=1', policy: '"default";q=1000;w=1' });
});

test("what a process grants may change at any time, and the headers show what holds", () => {
  let now = 0;
  let granted = 2;
  const limit = new RateLimit({ ask: () => granted }, () => now);
  expect([1, 2, 3].map(() => limit.take("a")?.ok)).toEqual([true, true, false]);
  granted = 3.5;
  now += 1_000;
  expect(limit.take("a")).toEqual({ ok: true, limit: '"default";r=2;t=1', policy: '"default";q=3;w=1' });
  granted = 1;
  expect(limit.take("a")).toEqual({ ok: true, limit: '"default";r=0;t=1', policy: '"default";q=1;w=1' });
  expect(limit.take("a")?.ok).toBe(false);
});

test("a process never serves less than one a second", () => {
  expect(new RateLimit(granting(0.01), () => 0).take("b")?.ok).toBe(true);
});

test("off is off", () => {
  expect(new RateLimit(null, () => 1).take("a")).toBeNull();
});
