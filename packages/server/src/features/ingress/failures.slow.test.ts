import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../lib/duration.ts";
import { newUuid } from "../../lib/ids.ts";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { pauseAfter } from "./failures.ts";
import { type FinishRow, finishIngest } from "./ingress.store.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const MINUTE_MS = 60_000;
const PATIENCE = { timeout: 30_000, interval: 20 };

let counter = 0;
const wamid = (): string => `wamid.T${(counter += 1)}`;
const digits = (): string => `1555710${String((counter += 1)).padStart(4, "0")}`;
const sql = (text: string) => gateway.app.db.sql.query<Record<string, unknown>>(text);

/** A person writes to `of`; resolves when the callback was answered 200. */
async function write(of: Sender, id: string, body = "Hi"): Promise<void> {
  const posted = await postCallback(gateway, callbackOf(of.account, textFrom(digits(), id, body, gateway.clock.now())));
  expect(posted.status).toBe(200);
}

/** Provider ids of the received messages, in the order of their events. */
const received = async (of: Sender): Promise<string[]> =>
  (
    await of.rows<{ id: string }>(
      "select s.provider_message_id as id from event e join message_state s on s.id = e.message_id where e.kind = 'messages' order by e.sequence",
    )
  ).map(({ id }) => id);

/** Resolves when no callback is due: all that could be tried now have been. */
const tried = async (): Promise<void> => {
  const due = () => sql(`select 1 from ingest where due <= '${new Date(gateway.clock.now()).toISOString()}'`);
  await expect.poll(due, PATIENCE).toEqual([]);
};

/** Resolves when no callback is left in the queue: a row stays for a moment after its events were committed. */
const finished = async (): Promise<void> => {
  await expect.poll(() => sql("select 1 from ingest"), PATIENCE).toEqual([]);
};

const waiting = async (reason?: string) =>
  (await gateway.operator("GET", `/admin/v1/quarantine${reason ? `?reason=${reason}` : ""}`)).body.data;

/** Moves the clock by a minute, in steps in which due callbacks are tried; then `look` must return `wanted`. */
async function withinAMinute<T>(look: () => Promise<T>, wanted: T): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds += 5) {
    await tried();
    gateway.clock.advance(5_000);
  }
  await expect.poll(look, PATIENCE).toEqual(wanted);
}

/** Adds a constraint that refuses rows, as by an operator's mistake; the returned function removes it. */
async function mistake(table: string, check: string): Promise<() => Promise<unknown>> {
  await sql(`alter table ${table} add constraint mistake check (${check}) not valid`);
  return () => sql(`alter table ${table} drop constraint mistake`);
}

beforeEach(async () => {
  await finished();
});

describe("an outage of three minutes loses no callback that was answered 200:", () => {
  it("when the table of events accepts no row, all are applied within a minute after it, and none is set aside", async () => {
    const mend = await mistake("event", "kind <> 'messages'");
    const ids = [wamid(), wamid(), wamid(), wamid(), wamid()];
    for (const id of ids) await write(mine, id);
    const late = wamid();
    for (let seconds = 0; seconds < 180; seconds += 2) {
      await tried();
      gateway.clock.advance(2_000);
      if (seconds === 170) await write(theirs, late);
    }
    expect(await received(mine)).toEqual([]);
    await mend();
    await withinAMinute(async () => (await received(mine)).toSorted(), ids.toSorted());
    await expect.poll(() => received(theirs), PATIENCE).toEqual([late]);
    await finished();
    expect(await waiting("failed")).toEqual([]);
  });

  it("when the table of messages refuses them, they are set aside and replayed automatically", async () => {
    const mend = await mistake("message", "type <> 'text'");
    const ids = [wamid(), wamid(), wamid()];
    const before = await received(mine);
    for (const id of ids) await write(mine, id);
    await expect.poll(async () => (await waiting("failed")).length, PATIENCE).toBe(3);
    expect((await waiting("failed"))[0]).toMatchObject({
      detail: "23514 message mistake",
      replays: 0,
      next_replay_at: expect.any(String),
      replayed_at: null,
    });
    const replays = async (): Promise<number[]> => {
      gateway.clock.advance(2_000);
      return (await waiting("failed")).map((row: { replays: number }) => Math.min(2, row.replays));
    };
    await expect.poll(replays, PATIENCE).toEqual([2, 2, 2]);
    await mend();
    gateway.clock.advance(MINUTE_MS);
    await expect.poll(async () => (await received(mine)).toSorted(), PATIENCE).toEqual([...before, ...ids].toSorted());
    await expect.poll(() => waiting("failed"), PATIENCE).toEqual([]);
  });
});

describe("one bad callback", () => {
  it("is set aside alone: its neighbours are applied, in their order", async () => {
    const mend = await mistake("message", "content::text not like '%POISON%'");
    const before = await received(theirs);
    const ids = Array.from({ length: 20 }, wamid);
    for (const [index, id] of ids.entries()) await write(theirs, id, index === 7 ? "POISON" : "Hi");
    const neighbours = ids.toSpliced(7, 1);
    await expect.poll(() => received(theirs), PATIENCE).toEqual([...before, ...neighbours]);
    await expect.poll(async () => (await waiting("failed")).length, PATIENCE).toBe(1);
    await mend();
    await withinAMinute(() => received(theirs), [...before, ...neighbours, ids[7] ?? ""]);
  });

  it("whose raw bytes are gone is set aside as missing", async () => {
    await gateway.app.db.sql.run("insert into ingest (slot, lane, callback_id) values (3, 3, $1)", [newUuid(1)]);
    gateway.app.notifier.hint("ingest", [3]);
    await finished();
    const [row] = await waiting("missing");
    expect(row).toMatchObject({ reason: "missing", next_replay_at: null });
    const replay = await gateway.operator("POST", `/admin/v1/quarantine/${row.id}/replay`);
    expect(replay).toMatchObject({ status: 409, body: { code: "conflict" } });
  });
});

describe("the operator", () => {
  it("lists what waits, page by page, and replays one change once", async () => {
    const mend = await mistake("message", "type <> 'text'");
    const before = await received(theirs);
    const ids = [wamid(), wamid()];
    for (const id of ids) await write(theirs, id);
    await expect.poll(async () => (await waiting("failed")).length, PATIENCE).toBe(2);
    await mend();
    const first = (await gateway.operator("GET", "/admin/v1/quarantine?reason=failed&limit=1")).body;
    const second = (
      await gateway.operator("GET", `/admin/v1/quarantine?limit=1&reason=failed&cursor=${first.next_cursor}`)
    ).body;
    expect([...first.data, ...second.data]).toEqual(await waiting("failed"));

    const path = `/admin/v1/quarantine/${second.data[0].id}/replay`;
    const replayed = await gateway.operator("POST", path);
    expect(replayed).toMatchObject({ status: 202, body: { replayed_at: expect.any(String), next_replay_at: null } });
    await expect.poll(() => received(theirs), PATIENCE).toEqual([...before, ids[0]]);
    expect((await gateway.operator("POST", path)).body).toEqual(replayed.body);
    expect(await waiting("failed")).toEqual(first.data);
    const all = await gateway.operator("POST", "/admin/v1/quarantine/replay", { body: { reason: "failed" } });
    expect(all).toMatchObject({ status: 202, body: { replayed: 1, has_more: false } });
    await expect.poll(() => received(theirs), PATIENCE).toEqual([...before, ...ids]);
    expect(await waiting("failed")).toEqual([]);
  });
});

describe("a callback that fails again and again", () => {
  it("is replayed after growing pauses, and stays one row", async () => {
    const { app, clock } = gateway;
    const callback = newUuid(1);
    const row = (): FinishRow => ({
      slot: 1,
      lane: 1,
      seq: -1,
      callback_id: callback,
      due: null,
      quarantine: [
        {
          id: newUuid(clock.now()),
          reason: "failed",
          detail: "23514",
          provider_phone_number_id: null,
          provider_account_id: null,
          change: null,
        },
      ],
    });
    const pauses: number[] = [];
    for (let time = 0; time < 32; time++) {
      await app.db.call(finishIngest, [row()], clock.now());
      const [found] = await app.db.sql.query<{ tries: number; replay_at: Date }>(
        "select tries, replay_at from quarantine where callback_id = $1",
        [callback],
      );
      expect(found?.tries).toBe(time);
      pauses.push((found?.replay_at.getTime() ?? 0) - clock.now());
    }
    expect(Math.max(...pauses.slice(0, 20))).toBeLessThanOrEqual(36_500);
    expect(Math.min(...pauses.slice(-3))).toBeGreaterThan(0.75 * HOUR_MS);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1.2 * HOUR_MS + 500);
    await app.db.sql.run("delete from quarantine where callback_id = $1", [callback]);
  });

  it("for another cause than its content is tried every half minute at first, later every hour, without an end", () => {
    const pauses = Array.from({ length: 200 }, (_, attempt) => pauseAfter(attempt, () => 0.5));
    const firstTenMinutes = pauses.slice(0, 24);
    expect(Math.max(...firstTenMinutes)).toBe(30_000);
    expect(firstTenMinutes.reduce((sum, pause) => sum + pause)).toBeGreaterThan(9.5 * MINUTE_MS);
    expect(pauses.slice(1).every((pause, index) => pause >= (pauses[index] ?? 0))).toBe(true);
    expect(pauses.at(-1)).toBe(HOUR_MS);
  });
});

describe("a status", () => {
  it("of a callback that partly fails is applied, and applied once when the callback comes again", async () => {
    const sent = await mine.send(`+${digits()}`);
    const { provider_message_id } = await mine.becomes(sent.body.id, "accepted");
    const mend = await mistake("event", "kind <> 'messages'");
    const id = wamid();
    const status = statusOf(provider_message_id, "delivered", gateway.clock.now());
    await postCallback(gateway, callbackOf(mine.account, textFrom(digits(), id, "Hi", gateway.clock.now()), status));
    await mine.becomes(sent.body.id, "delivered");
    await mend();
    await withinAMinute(async () => (await received(mine)).includes(id), true);
    await finished();
    const { body } = await mine.call("GET", `/v1/messages/${sent.body.id}`);
    expect(body.history.filter((entry: { status: string }) => entry.status === "delivered")).toHaveLength(1);
  });
});
