import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../../../testing/client.ts";
import { startWebhooks, type WebhooksApp } from "../testing/app.ts";
import { deliverQueue } from "./deliver.store.ts";

// Rows of the queue whose time was moved by a person who asked for a delivery, and those behind them.

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks();
});
afterAll(() => app.stop());

const HOUR_MS = 3_600_000;

/** Writes rows of a conversation that wait, each `[attempt, due from now on in milliseconds]`, and returns their numbers. */
async function waiting(id: string, conversation: number, rows: readonly [number, number][]): Promise<number[]> {
  const before = new Set((await app.queue(id)).map(({ seq }) => seq));
  await app.emit(
    id,
    rows.map(() => ({ conversation })),
  );
  const seqs = (await app.queue(id)).map(({ seq }) => seq).filter((seq) => !before.has(seq));
  await withClient(app.database.url, async (client) => {
    await client.query("select set_config('app.workspace_id', $1, false)", [id]);
    for (const [index, [attempt, inMs]] of rows.entries()) {
      const due = new Date(app.clock.now() + inMs).toISOString();
      await client.query("update deliver set attempt = $2, due = $3 where seq = $1", [seqs[index], attempt, due]);
    }
  });
  return seqs;
}

const dues = async (id: string, seqs: readonly number[]): Promise<number[]> => {
  const found = new Map((await app.queue(id)).map(({ seq, due }) => [seq, due - app.clock.now()]));
  return seqs.map((seq) => found.get(seq) ?? Number.NaN);
};

test("what a former owner left behind an old time is due now, or with the row that it waits for, in one lane only", async () => {
  const [mine, theirs] = [await app.subscribed({ ordered: true }), await app.subscribed({ ordered: true })];
  const alone = await waiting(mine.id, 1, [
    [0, HOUR_MS],
    [0, HOUR_MS],
  ]);
  // The first one has failed again since it was asked for; one was put behind it after that.
  const behind = await waiting(mine.id, 2, [
    [2, 5_000],
    [0, HOUR_MS],
    [0, 3_000],
    [0, HOUR_MS + 100],
  ]);
  const others = await waiting(theirs.id, 1, [[0, HOUR_MS]]);
  const [{ slot, lane } = { slot: 0, lane: 0 }] = await app.queue(mine.id);
  const due = new Date(app.clock.now()).toISOString();
  const ask = [{ slot, lane, keys: null, lo: 0, hi: Number.MAX_SAFE_INTEGER, due }];
  expect(await app.app.db.call(deliverQueue.advance!, ask, app.clock.now())).toEqual([{ moved: 4 }]);
  expect(await dues(mine.id, alone)).toEqual([0, 0]);
  expect(await dues(mine.id, behind)).toEqual([5_000, 5_000, 3_000, 5_000]);
  expect(await dues(theirs.id, others)).toEqual([HOUR_MS]);
});
