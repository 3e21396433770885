import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withClient } from "../testing/client.ts";
import { waitForLocks } from "../testing/patience.ts";
import { beginRows } from "./testing/probe.sql.ts";
import { type Probe, seqsOf, startProbe } from "./testing/probe.ts";
import { latch, SOON } from "./testing/waiting.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

describe("attempts of former owners", () => {
  it("are not begun any more once the next owner has read their rows", async () => {
    const asks = latch();
    const first = await probe.engine({
      database: (db) => ({
        ...db,
        async callTexts(fn, rows, now) {
          if (fn.name === "probe_begin") await asks.passed;
          return await db.callTexts(fn, rows, now);
        },
      }),
    });
    const [one, next] = await probe.add([{ lane: 1 }, { lane: 1 }]);
    first.notifier.hint("dispatch", [1]);
    await expect.poll(() => first.lanes.inFlight, SOON).toBe(1);
    await waitForLocks(probe.database.url, beginRows.installed);
    await withClient(probe.database.url, async (client) => {
      // Nothing can be begun while this is held; everything can be read.
      await client.query("begin; lock table dispatch in share mode");
      asks.open();
      await expect.poll(waitingForQueue, SOON).toBe(1);
      await first.lanes.stop();
      await probe.engine();
      await expect.poll(waitingForQueue, SOON).toBe(2);
      await client.query("commit");
    });
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(seqsOf(probe.sent)).toEqual([one, next]);
    expect(probe.sent.map(({ engine }) => engine)).toEqual([1, 1]);
  });
});

/** Calls that wait until they may change rows of the queue. */
async function waitingForQueue(): Promise<number> {
  const [row] = await probe.db.sql.query<{ n: number }>(
    "select count(*)::int as n from pg_locks where relation = 'dispatch'::regclass and not granted",
  );
  return row?.n ?? 0;
}
