import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../lib/duration.ts";
import { withClient } from "../../../testing/client.ts";
import { testEngine } from "../../../testing/engine.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";

// Who begins at a time has each event of it and of later, whichever transaction wrote it, and however much was written before.

let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 20_000, interval: 20 };

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** As the engine, which writes events: one of this kind, of the clock's time. */
const insertEvent = (client: Client, kind: string): Promise<unknown> =>
  client.query(
    `insert into event (workspace_id, id, era, kind, sequence, occurred_at, state, created_at)
     values ($1, new_uuid($3::timestamptz), 1, $2, nextval('conversation_sequence'), now(), '{}', $3)`,
    [mine.uuid, kind, new Date(gateway.clock.now())],
  );
const asWriter = (work: (client: Client) => Promise<void>): Promise<void> =>
  withClient(gateway.database.url, async (client) => {
    const { rows } = await client.query("select app_role from installation");
    await client.query(`set role "${rows[0].app_role}"`);
    await client.query("select set_config('app.workspace_id', $1, false)", [mine.uuid]);
    await work(client);
  });
const write = (kind: string): Promise<void> => asWriter((client) => insertEvent(client, kind).then(() => {}));

/** The kinds of the events after a time, page by page. */
async function kindsAfter(at: number): Promise<string[]> {
  const kinds: string[] = [];
  let query = `created_after=${encodeURIComponent(new Date(at).toISOString())}&limit=2`;
  for (let more = true; more; ) {
    const { status, body } = await mine.call("GET", `/v1/events?${query}`);
    expect([status, body.detail]).toEqual([200, undefined]);
    kinds.push(...body.data.map((event: { kind: string }) => event.kind));
    query = `created_after=${encodeURIComponent(new Date(at).toISOString())}&limit=2&cursor=${body.next_cursor}`;
    more = body.has_more;
  }
  return kinds;
}

type Mark = { at: Date; xid: string };
const marks = (): Promise<Mark[]> =>
  testEngine(gateway.database.url).rows<Mark>("select at, xid::text from feed_mark order by at");
/** Of two that count at one time the second leaves it to the first. */
async function marked(count: number): Promise<void> {
  const counting = gateway.features.timers.find(({ name }) => name === "message metrics");
  await expect.poll(async () => (await counting?.run(), (await marks()).length), PATIENCE).toBe(count);
}

test("what was written after a time is read from the mark before it, with what a transaction wrote that had begun earlier", async () => {
  await marked(1);
  await write("long ago");
  await asWriter(async (slow) => {
    await slow.query("begin");
    await slow.query("select pg_current_xact_id()");
    await write("before the mark");
    gateway.clock.advance(2 * HOUR_MS);
    await marked(2);
    gateway.clock.advance(HOUR_MS / 2);
    await write("after the mark");
    await insertEvent(slow, "slow");
    await slow.query("commit");
  });
  const since = gateway.clock.now() - MINUTE_MS;
  // The slow one began first.
  await expect.poll(() => kindsAfter(since), PATIENCE).toEqual(["slow", "after the mark"]);
  const all = ["long ago", "slow", "before the mark", "after the mark"];
  expect((await kindsAfter(since - 24 * HOUR_MS)).filter((kind) => all.includes(kind))).toEqual(all);

  // Once an hour, however often it is counted. The next mark is behind them, and hides none of them.
  await marked(2);
  gateway.clock.advance(HOUR_MS);
  await marked(3);
  const [, last, next] = await marks();
  expect(BigInt(next?.xid ?? 0)).toBeGreaterThan(BigInt(last?.xid ?? 0));
  expect(await kindsAfter(since)).toEqual(["slow", "after the mark"]);
  gateway.clock.advance(HOUR_MS / 2);
  await write("latest");
  await expect.poll(() => kindsAfter(gateway.clock.now() - MINUTE_MS), PATIENCE).toEqual(["latest"]);
});
