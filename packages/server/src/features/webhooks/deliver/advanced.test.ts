import { afterAll, beforeAll, expect, test } from "vitest";
import { startLanes } from "../../../lanes/engine.ts";
import type { QueueRow } from "../../../lanes/kind.ts";
import { openNotifier } from "../../../lanes/ownership/notifier.ts";
import { alteredDatabase } from "../../../testing/altered-database.ts";
import { withClient } from "../../../testing/client.ts";
import { testClaim } from "../../../testing/queue.ts";
import { PATH, startWebhooks, type WebhooksApp } from "../testing/app.ts";
import { deliverOutcomes, deliverQueue, type OutcomeRow } from "./deliver.store.ts";

// Rows of the queue whose time was moved by a person who asked for a delivery, and those behind them.

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks();
});
afterAll(() => app.stop());

const HOUR_MS = 3_600_000;

const withQueue = (id: string, work: Parameters<typeof withClient>[1]): Promise<unknown> =>
  withClient(app.database.url, async (client) => {
    await client.query("select set_config('app.workspace_id', $1, false)", [id]);
    await work(client);
  });

const timeIn = (inMs: number): string => new Date(app.clock.now() + inMs).toISOString();

const setDue = (id: string, seq: number, inMs: number): Promise<unknown> =>
  withQueue(id, (client) => client.query("update deliver set due = $2 where seq = $1", [seq, timeIn(inMs)]));

const outcomeOf = ({ slot, seq, workspaceId, itemId, eventId }: QueueRow, due: number): OutcomeRow => ({
  slot,
  seq,
  workspace_id: workspaceId,
  delivery_id: itemId,
  event_id: eventId,
  endpoint_id: null,
  endpoint_version: null,
  kind: "",
  created_at: timeIn(0),
  result: "behind",
  due: new Date(due).toISOString(),
  entry: null,
  record: false,
  says: undefined,
});

/** Writes rows of a conversation that wait, each `[attempt, due from now on in milliseconds]`, and returns their numbers. */
async function waiting(id: string, conversation: number, rows: readonly [number, number][]): Promise<number[]> {
  const before = new Set((await app.queue(id)).map(({ seq }) => seq));
  await app.emit(
    id,
    rows.map(() => ({ conversation })),
  );
  const seqs = (await app.queue(id)).map(({ seq }) => seq).filter((seq) => !before.has(seq));
  await withQueue(id, async (client) => {
    for (const [index, [attempt, inMs]] of rows.entries())
      await client.query("update deliver set attempt = $2, due = $3 where seq = $1", [
        seqs[index],
        attempt,
        timeIn(inMs),
      ]);
  });
  return seqs;
}

const dues = async (id: string, seqs: readonly number[]): Promise<number[]> => {
  const found = new Map((await app.queue(id)).map(({ seq, due }) => [seq, due - app.clock.now()]));
  return seqs.map((seq) => found.get(seq) ?? Number.NaN);
};

test("what was left at an endpoint that is disabled is moved when it is enabled, and no further time that its lane opens", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed({ ordered: true });
  await waiting(id, 1, [
    [0, HOUR_MS],
    [0, HOUR_MS],
  ]);
  const change = (enabled: boolean) => call("PATCH", `${PATH}/${endpoint.id}`, { body: { enabled } });
  expect((await change(false)).status).toBe(200);
  await withQueue(id, (client) => client.query("update webhook_endpoint set advanced_at = $1", [timeIn(0)]));
  const moves: unknown[] = [];
  const db = alteredDatabase(app.app.db, {
    call: (fn, rows, now) => {
      if (fn.name === "deliver_advance") moves.push(rows);
      return app.app.db.call(fn, rows, now);
    },
  });
  const { clock, log } = app.app;
  const notifier = await openNotifier(app.database.url, log);
  const options = { roles: ["deliver"] as const, version: "0.0.0", leaseMs: 12_000, clock, log, notifier };
  const lanes = await startLanes({ ...options, kinds: [app.deliver], db, random: Math.random });
  const passing = <T>(figure: T): T => {
    app.clock.advance(250);
    return figure;
  };
  try {
    const worked = async () => passing(lanes.figures().map((one) => one.lanes));
    await expect.poll(worked, { timeout: 30_000 }).toEqual([1]);
    for (let n = 0; n < 40; n++) await new Promise((resolve) => setImmediate(passing(resolve)));
    expect(moves).toEqual([]);
    expect((await change(true)).status).toBe(200);
    await expect.poll(() => passing(receiver.received.length), { timeout: 30_000 }).toBe(2);
    expect(moves).toHaveLength(1);
    for (let n = 0; n < 100; n++) await new Promise((resolve) => setImmediate(passing(resolve)));
    await app.emit(id, [{ conversation: 2 }]);
    await expect.poll(() => passing(receiver.received.length), { timeout: 30_000 }).toBe(3);
    expect(moves).toHaveLength(1);
  } finally {
    await lanes.stop();
    await notifier.close();
  }
});

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
  const ask = [{ slot, lane, keys: null, lo: 0, hi: Number.MAX_SAFE_INTEGER, due: timeIn(0) }];
  expect(await app.app.db.call(deliverQueue.advance!, ask, app.clock.now())).toEqual([{ moved: 4 }]);
  expect(await dues(mine.id, alone)).toEqual([0, 0]);
  expect(await dues(mine.id, behind)).toEqual([5_000, 5_000, 3_000, 5_000]);
  expect(await dues(theirs.id, others)).toEqual([HOUR_MS]);
});

test("a row that is put behind an earlier one is due with it, also where that was asked for meanwhile", async () => {
  const { id } = await app.subscribed({ ordered: true });
  const seqs = await waiting(id, 1, [
    [1, HOUR_MS],
    [0, 0],
  ]);
  const second = async () => (await app.queue(id)).find(({ seq }) => seq === seqs[1])!;
  // What the table says in the moment in which the row is loaded, and when it is moved.
  const at = app.clock.now();
  const later = { kind: "later", due: at + HOUR_MS, from: at, holdsKey: true };
  expect(await app.deliver.work(await second(), testClaim())).toEqual(later);
  expect(await dues(id, seqs)).toEqual([HOUR_MS, HOUR_MS]);
  const outcome = outcomeOf(await second(), at + HOUR_MS);
  await setDue(id, seqs[0]!, 0);
  await app.app.db.call(deliverOutcomes, [outcome], app.clock.now());
  expect(await dues(id, seqs)).toEqual([0, 0]);
  // It has gone since.
  await setDue(id, seqs[1]!, HOUR_MS);
  await withQueue(id, (client) => client.query("delete from deliver where seq = $1", [seqs[0]]));
  await app.app.db.call(deliverOutcomes, [outcome], app.clock.now());
  expect(await dues(id, seqs)).toEqual([Number.NaN, 0]);
});
