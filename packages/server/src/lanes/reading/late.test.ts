import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withClient } from "../../testing/client.ts";
import { addRows } from "../testing/probe.sql.ts";
import { type Probe, rowText, startProbe } from "../testing/probe.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

/** A transaction that takes longer from its number to its commit may be overtaken by what comes after the commit. */
const QUICK_MS = 80;

// A slow machine may need more than that for one try; what counts is a try that was quick.
it.each([
  { commitAfter: 0, hintAfter: 0 },
  { commitAfter: 60, hintAfter: 60 }, // a hint between processes takes its time
])("reads a row that committed $commitAfter ms late before what was written after its commit", async (times) => {
  const engine = await probe.engine();
  await probe.warm();
  const sentOf = (key: number): number[] =>
    probe.sent.filter((sent) => sent.key === String(key)).map((sent) => sent.seq);
  const haveSent = (key: number, count: number) =>
    vi.waitUntil(() => sentOf(key).length === count, { timeout: 30_000, interval: 1 });
  await withClient(probe.database.url, async (client) => {
    let took = Number.POSITIVE_INFINITY;
    let drawn: number[] = [];
    let sent: number[] = [];
    for (let key = 1; took > QUICK_MS; key += 2) {
      const began = performance.now();
      await client.query("begin");
      const { rows } = await client.query<{ seq: string }>(
        `select * from ${addRows.installed}($1, now(), gen_random_uuid(), false)`,
        [`[${rowText({ lane: 5, recipient: key })}]`],
      );
      const first = Number(rows[0]?.seq);
      const [passing = 0] = await probe.add([{ lane: 5, recipient: key + 1 }]);
      engine.notifier.hint("dispatch", [5]);
      await haveSent(key + 1, 1);
      await sleep(began + times.commitAfter - performance.now());
      await client.query("commit");
      took = performance.now() - began;
      const [second = 0] = await probe.add([{ lane: 5, recipient: key }]);
      await sleep(times.hintAfter);
      engine.notifier.hint("dispatch", [5]);
      await haveSent(key, 2);
      expect([first < passing, passing < second]).toEqual([true, true]);
      drawn = [first, second];
      sent = sentOf(key);
    }
    expect(sent).toEqual(drawn);
  });
});
