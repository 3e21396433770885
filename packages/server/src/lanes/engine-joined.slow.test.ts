import { afterEach, beforeEach, expect, it } from "vitest";
import { many, type Probe, seqsOf, startProbe } from "./testing/probe.ts";
import { latch, SOON, within } from "./testing/waiting.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

const ANSWER_MS = 10;
const isSorted = (seqs: readonly number[]): void => expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));

it("works the rows of joined keys in one order: in flight, in memory, deferred, and over a change of owner", async () => {
  const gate = latch();
  const first = await probe.engine({
    joins: true,
    answer: async () => {
      await gate.passed;
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      return "done" as const;
    },
  });
  const seqs = await probe.add(many(140, (n) => ({ lane: 1, recipient: 1 + (n % 2) })));
  first.notifier.hint("dispatch", [1]);
  // One of each is in flight, 50 wait, and the others were deferred.
  await expect.poll(async () => (await probe.table()).filter(({ due }) => due > 0).length, SOON).toBe(38);
  await probe.join([1, 2]);
  gate.open();
  await expect.poll(() => probe.sent.length, SOON).toBeGreaterThan(20);
  await first.stop();
  const left = (await probe.table()).length;
  expect(left).toBeGreaterThan(60);
  await probe.engine({ joins: true });
  seqs.push(...(await probe.add(many(6, (n) => ({ lane: 1, recipient: 1 + (n % 2) })))));
  await expect.poll(probe.table, within(60_000)).toEqual([]);
  isSorted(seqsOf(probe.sent).slice(2));
  expect(seqsOf(probe.sent).toSorted((a, b) => a - b)).toEqual(seqs);
  await expect.poll(probe.held, SOON).toEqual([]);
});

it("has one order again when an idle lane was forgotten, and joins three keys one after the other", async () => {
  const { notifier, lanes } = await probe.engine({ joins: true });
  await probe.join([1, 2, 3]);
  for (let round = 0; round < 2; round++) {
    probe.sent.length = 0;
    const seqs = await probe.add(many(30, (n) => ({ lane: 1, recipient: 1 + (n % 3) })));
    notifier.hint("dispatch", [1]);
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(seqsOf(probe.sent)).toEqual(seqs);
    await expect.poll(() => lanes.rows, SOON).toBe(0);
  }
  await expect.poll(probe.held, SOON).toEqual([]);
});
