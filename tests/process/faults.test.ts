import { afterAll, beforeAll, expect, test } from "vitest";
import { openLab } from "../../faults/lab.ts";
import { EXPERIMENTS } from "../../faults/registry.ts";
import { installedCluster } from "../../faults/server.ts";

// The short forms of the experiments whose bounds hold at any speed of the machine: what is lost, doubled, reordered, or stands
// still. Several at a time, those that mostly wait first. `npm run faults` runs all of them, at their full length.
const EXACT = [
  "kills",
  "front-kills",
  "event-errors",
  "slots",
  "rolling",
  "ordered",
  "courses",
  "outage",
  "lapses",
  "hanging-number",
  "hanging-endpoints",
  "feed",
  "media",
];
/**
 * Rates and percentiles say nothing beside other tests; `full-disk` mounts a disk; `month` has a file of its own; and
 * `silent-database.test.ts` does what the short form of `silence` does.
 */
const RATES = ["fan-out", "one-number", "dead-rows", "searches", "half-sent"];
const ELSEWHERE = RATES.concat("full-disk", "month", "silence");
const SEED = 1;

/** What each begins with a copy of. */
let cluster: Awaited<ReturnType<typeof installedCluster>>;
beforeAll(async () => {
  cluster = await installedCluster();
});
afterAll(() => cluster?.remove());

test("every experiment has its short form here, or its reason", () => {
  expect([...EXACT, ...ELSEWHERE].sort()).toEqual(Object.keys(EXPERIMENTS).sort());
});

test.concurrent.each(EXACT)("%s", { timeout: 300_000 }, expectToHold);

async function expectToHold(name: string): Promise<void> {
  const lab = await openLab({ seed: SEED, short: true, cluster: cluster.dataDir });
  try {
    const { bounds } = await EXPERIMENTS[name]!.run(lab);
    expect(bounds.filter(({ holds }) => !holds)).toEqual([]);
  } finally {
    await lab.close();
  }
}
