import { expect, test } from "vitest";
import { openLab } from "../../faults/lab.ts";
import { EXPERIMENTS } from "../../faults/registry.ts";

/** Of those in faults/ that have a short form of seconds; `npm run faults` runs all of them at their full length. */
const SHORT = ["hanging-number", "hanging-endpoints", "slots", "silence", "outage"];
const SEED = 1;

test.each(SHORT)("%s", { timeout: 240_000 }, async (name) => {
  const lab = await openLab({ seed: SEED, short: true, built: false });
  try {
    const { bounds } = await EXPERIMENTS[name]!.run(lab);
    expect(bounds.filter(({ holds }) => !holds)).toEqual([]);
  } finally {
    await lab.close();
  }
});
