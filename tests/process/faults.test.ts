import { describe, expect, test } from "vitest";
import { openLab } from "../../faults/lab.ts";
import { EXPERIMENTS } from "../../faults/registry.ts";

// The short form of every experiment but full-disk, which mounts a disk; `npm run faults` runs them at their full length.
// Those that count lost, doubled or reordered messages run beside others; those that measure a rate or a delay run alone.
const EXACT = ["kills", "event-errors", "outage", "silence", "slots", "rolling", "ordered"];
const MEASURED = ["hanging-number", "hanging-endpoints", "fan-out", "one-number", "dead-rows"];
const SEED = 1;
const TIMEOUT = { timeout: 300_000 };

test("every experiment has its short form here, or its reason", () => {
  expect([...EXACT, ...MEASURED, "full-disk"].sort()).toEqual(Object.keys(EXPERIMENTS).sort());
});

describe.concurrent("exact", () => {
  test.each(EXACT)("%s", TIMEOUT, expectToHold);
});

test.each(MEASURED)("%s", TIMEOUT, expectToHold);

async function expectToHold(name: string): Promise<void> {
  const lab = await openLab({ seed: SEED, short: true });
  try {
    const { bounds } = await EXPERIMENTS[name]!.run(lab);
    expect(bounds.filter(({ holds }) => !holds)).toEqual([]);
  } finally {
    await lab.close();
  }
}
