import { expect, test } from "vitest";
import { openLab } from "../../faults/lab.ts";
import { EXPERIMENTS } from "../../faults/registry.ts";

// Apart from the other experiments: it computes all the time, and those wait for leases, which a busy machine makes lapse.
test("a month is counted as the provider bills it", { timeout: 300_000 }, async () => {
  const lab = await openLab({ seed: 1, short: true });
  try {
    const { bounds } = await EXPERIMENTS["month"]!.run(lab);
    expect(bounds.filter(({ holds }) => !holds)).toEqual([]);
  } finally {
    await lab.close();
  }
});
