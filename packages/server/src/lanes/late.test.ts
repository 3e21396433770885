import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withClient } from "../testing/client.ts";
import { addRows } from "./testing/probe.sql.ts";
import { type Probe, rowText, startProbe } from "./testing/probe.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

/** How long a transaction may take from its number to its commit without being overtaken by what came after the commit. */
const QUICK_MS = 80;

// A slow machine may need more than that for one try; what counts is a try that was quick.
it("reads a row that committed a little late before what was written after its commit", async () => {
  const engine = await probe.engine();
  await probe.warm();
  const sentOf = (key: number): number[] =>
    probe.sent.filter((sent) => sent.key === String(key)).map((sent) => sent.seq);
  const both = (key: number) => vi.waitUntil(() => sentOf(key).length === 2, { timeout: 5_000, interval: 1 });
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
      await vi.waitUntil(() => sentOf(key + 1).length === 1, { timeout: 5_000, interval: 1 });
      await client.query("commit");
      const [second = 0] = await probe.add([{ lane: 5, recipient: key }]);
      took = performance.now() - began;
      engine.notifier.hint("dispatch", [5]);
      await both(key);
      expect([first < passing, passing < second]).toEqual([true, true]);
      drawn = [first, second];
      sent = sentOf(key);
    }
    expect(sent).toEqual(drawn);
  });
});
