import { expect, it, vi } from "vitest";
import { manualClock } from "../testing/clock.ts";
import { pause, systemClock } from "./clock.ts";

it("does not step with the machine's clock", () => {
  const clock = systemClock();
  const before = clock.now();
  const stepped = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 300_000);
  try {
    expect(clock.now() - before).toBeLessThan(60_000);
  } finally {
    stepped.mockRestore();
  }
});

it("follows the database, no further than its answer proves", () => {
  const clock = systemClock();
  const start = clock.now();
  // Half a minute behind: up to the earliest time that may be true.
  clock.correct(start + 30_000, start + 30_010);
  expect(clock.now() - start).toBeGreaterThanOrEqual(30_000);
  expect(clock.now() - start).toBeLessThan(31_000);
  // An answer that was long under way (the process was stopped meanwhile) says nothing against what is known.
  const known = clock.now();
  clock.correct(known - 5_000, known + 5_000);
  expect(clock.now() - known).toBeGreaterThanOrEqual(0);
  expect(clock.now() - known).toBeLessThan(1_000);
  // Ahead: back to the latest.
  clock.correct(start - 60_000, start - 59_990);
  expect(clock.now()).toBeLessThan(start - 58_000);
});

it("a pause ends after its time, or when its signal aborts, and leaves no timer behind", async () => {
  const clock = manualClock();
  const ended: string[] = [];
  const begin = (name: string, signal?: AbortSignal) => pause(clock, 1_000, signal).then(() => ended.push(name));
  const [early, never] = [new AbortController(), new AbortController()];
  const pauses = [begin("plain"), begin("aborted", early.signal), begin("kept", never.signal)];
  early.abort();
  await pauses[1];
  expect(ended).toEqual(["aborted"]);
  await clock.pass(999);
  expect(ended).toEqual(["aborted"]);
  await clock.pass(1);
  expect(ended).toEqual(["aborted", "plain", "kept"]);
  await begin("too late", early.signal);
  expect(ended.at(-1)).toBe("too late");
});
