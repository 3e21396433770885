import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatId } from "../../../lib/ids.ts";
import type { Call } from "../../../testing/call.ts";
import { withClient } from "../../../testing/client.ts";
import { testClaim } from "../../../testing/queue.ts";
import { deliveriesOf, PATH, startWebhooks, type WebhooksApp } from "../testing/app.ts";
import { headCame, type Receiver } from "../testing/receiver.ts";
import { deliverOutcomes, type OutcomeRow } from "./deliver.store.ts";

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks();
});
afterAll(() => app.stop());

const outcomeOf = (
  row: { slot: number; seq: number; workspaceId: string; itemId: string; eventId: string },
  endpointId: string,
  more: Partial<OutcomeRow> & { n: number },
): OutcomeRow => {
  const at = new Date(app.clock.now()).toISOString();
  const { n, ...rest } = more;
  return {
    slot: row.slot,
    seq: row.seq,
    workspace_id: row.workspaceId,
    delivery_id: row.itemId,
    event_id: row.eventId,
    endpoint_id: endpointId,
    endpoint_version: 1,
    kind: "delivered",
    created_at: at,
    result: "retry",
    due: at,
    record: true,
    says: undefined,
    entry: { n, started_at: at, duration_ms: 1, status_code: 500, outcome: "failed", error: null, response: "" },
    ...rest,
  };
};

test("an outcome counts once for its attempt; a success counts from any process, and nothing undoes it", async () => {
  const { id, call } = await app.subscribed();
  await app.emit(id, [{}]);
  const [row] = await app.queue(id);
  const endpoints = await app.app.db.read(id, (sql) => sql.query<{ id: string }>("select id from webhook_endpoint"));
  const offer = async (more: Partial<OutcomeRow> & { n: number }): Promise<unknown> => {
    await app.app.db.call(deliverOutcomes, [outcomeOf(row!, endpoints[0]!.id, more)], app.clock.now());
    const { body } = await call("GET", `/v1/deliveries/${formatId("dlv", row!.itemId)}`);
    return [
      body.status,
      body.attempt,
      body.attempts.map((attempt: { n: number }) => attempt.n),
      (await app.queue(id)).map(({ attempt }) => attempt),
    ];
  };
  expect(await offer({ n: 1 })).toEqual(["pending", 1, [1], [1]]);
  expect(await offer({ n: 1 })).toEqual(["pending", 1, [1], [1]]);
  expect(await offer({ n: 2 })).toEqual(["pending", 2, [1, 2], [2]]);
  expect(await offer({ n: 1, result: "failed", due: null })).toEqual(["pending", 2, [1, 2], []]);
  expect(await offer({ n: 2, result: "succeeded", due: null })).toEqual(["succeeded", 2, [1, 2, 2], []]);
  expect(await offer({ n: 2, result: "succeeded", due: null })).toEqual(["succeeded", 2, [1, 2, 2], []]);
  expect(await offer({ n: 3 })).toEqual(["succeeded", 2, [1, 2, 2], []]);
});

test("an outcome is kept and stored when the database is back; the receiver gets one request", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  await app.emit(id, [{}]);
  const [row] = await app.queue(id);
  await withClient(app.database.url, async (client) => {
    // Every outcome fails from the moment the receiver has answered until the table is back.
    let renamed: () => void = () => {};
    const away = new Promise<void>((resolve) => (renamed = resolve));
    receiver.answer((response) => {
      void client.query("alter table delivery rename to delivery_away").then(() => {
        response.end();
        renamed();
      });
    });
    const working = app.deliver.work(row!, testClaim());
    await away;
    let done = false;
    void working.then(() => (done = true));
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      app.clock.advance(1_000);
    }
    expect(done).toBe(false);
    await client.query("alter table delivery_away rename to delivery");
    const pump = setInterval(() => app.clock.advance(1_000), 5);
    expect(await working).toMatchObject({ kind: "done" });
    clearInterval(pump);
  });
  expect(receiver.received).toHaveLength(1);
  expect((await deliveriesOf({ call }, endpoint.id))[0]).toMatchObject({ status: "succeeded", attempt: 1 });
});

describe("a success without an order", () => {
  const unordered = () => ({ ...testClaim(), joinedWith: () => 0 });
  const statuses = async (one: { call: Call; endpoint: { id: string } }) =>
    (await deliveriesOf(one, one.endpoint.id)).map(({ status }: { status: string }) => status);

  test("gives up its place with the answer, and is stored a moment later with others, in one call", async () => {
    const [a, b] = [await app.subscribed(), await app.subscribed()];
    await app.emit(a.id, [{}, {}]);
    await app.emit(b.id, [{}]);
    const rows = [...(await app.queue(a.id)), ...(await app.queue(b.id))];
    const answered = await Promise.all(rows.map((row) => app.deliver.work(row, unordered())));
    expect(answered).toEqual(rows.map(() => ({ kind: "answered", coped: true, stored: expect.any(Promise) })));
    app.clock.advance(29);
    expect([await statuses(a), await statuses(b)]).toEqual([["pending", "pending"], ["pending"]]);
    app.clock.advance(1);
    const stored = answered.map((disposition) =>
      disposition.kind === "answered" ? disposition.stored : Promise.resolve(disposition),
    );
    expect(await Promise.all(stored)).toEqual(rows.map(() => ({ kind: "done", coped: true })));
    expect([await statuses(a), await statuses(b)]).toEqual([["succeeded", "succeeded"], ["succeeded"]]);
    const transactions = (id: string) =>
      app.app.db.read(id, (sql) => sql.query<{ id: string }>("select distinct xmin::text as id from delivery"));
    expect(await transactions(b.id)).toEqual(await transactions(a.id));
    expect(await app.queue(a.id)).toEqual([]);
  });

  test("waits for nobody once it has an order, or is none", async () => {
    const { id, receiver } = await app.subscribed();
    await app.emit(id, [{}]);
    expect(await app.workAll(id)).toEqual([{ kind: "done", coped: true }]);
    await app.emit(id, [{}]);
    receiver.answer((response) => response.writeHead(500).end());
    const [row] = await app.queue(id);
    expect(await app.deliver.work(row!, unordered())).toMatchObject({ kind: "later", coped: false });
  });
});

const textsOf = (one: Receiver): string[] =>
  one.received.map(({ body }) => String(body.data.message.text.body)).toSorted((a, b) => a.localeCompare(b));

test("a batch of two workspaces keeps their rows apart", async () => {
  const [a, b] = [await app.subscribed(), await app.subscribed()];
  await app.emit(a.id, [{ text: "a1" }, { text: "a2" }]);
  await app.emit(b.id, [{ text: "b1" }, { text: "b2" }]);
  const rows = [...(await app.queue(a.id)), ...(await app.queue(b.id))];
  const mixed = [rows[0]!, rows[2]!, rows[1]!, rows[3]!];
  const worked = await Promise.all(mixed.map((row) => app.deliver.work(row, testClaim())));
  expect(worked.map(({ kind }) => kind)).toEqual(["done", "done", "done", "done"]);
  for (const one of [a, b]) {
    const listed = await deliveriesOf(one, one.endpoint.id);
    expect(listed.map((delivery: { status: string }) => delivery.status)).toEqual(["succeeded", "succeeded"]);
  }
  expect(textsOf(b.receiver)).toEqual(["b1", "b2"]);
  expect(textsOf(a.receiver)).toEqual(["a1", "a2"]);
});

test("a stop during a request returns the row unchanged; a lost lease sends nothing", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  receiver.answer(() => {});
  await app.emit(id, [{}]);
  const [row] = await app.queue(id);
  const claim = testClaim();
  const working = app.deliver.work(row!, claim);
  await receiver.got(1);
  claim.abort.abort();
  expect(await working).toEqual({ kind: "again" });
  expect((await app.queue(id))[0]).toMatchObject({ attempt: 0 });
  expect((await deliveriesOf({ call }, endpoint.id))[0]).toMatchObject({ status: "pending", attempt: 0 });
  const lost = testClaim();
  lost.lost = true;
  expect(await app.deliver.work(row!, lost)).toEqual({ kind: "not_ours" });
  expect(receiver.received).toHaveLength(1);
});

test("a stop while an answer's body is read stores the answer", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  receiver.answer((response) => void response.writeHead(202).write("so far"));
  await app.emit(id, [{}]);
  const [row] = await app.queue(id);
  const claim = testClaim();
  const head = headCame();
  const working = app.deliver.work(row!, claim);
  await head;
  claim.abort.abort();
  expect(await working).toMatchObject({ kind: "done" });
  expect(await app.queue(id)).toEqual([]);
  expect((await deliveriesOf({ call }, endpoint.id))[0]).toMatchObject({ status: "succeeded", attempt: 1 });
});

test("rows of a deleted endpoint are dropped, and an open delivery is closed", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  receiver.answer((response) => response.writeHead(500).end());
  await app.emit(id, [{}, {}]);
  const [first] = await app.queue(id);
  await app.deliver.work(first!, testClaim());
  await call("DELETE", `${PATH}/${endpoint.id}`);
  const settings = await app.deliver.settings([first!.lane]);
  expect(settings.get(first!.lane)?.closed).toBe(false);
  for (const row of await app.queue(id))
    expect(await app.deliver.work(row, testClaim())).toMatchObject({ kind: "done" });
  expect(await app.queue(id)).toEqual([]);
  expect(receiver.received).toHaveLength(1);
  const { body } = await call("GET", `/v1/deliveries/${formatId("dlv", first!.itemId)}`);
  expect(body).toMatchObject({ status: "failed", attempt: 1 });
});

test("a delivery of an event that retention has deleted leaves nothing behind", async () => {
  const { id, call, endpoint } = await app.subscribed();
  await app.emit(id, [{}]);
  const [row] = await app.queue(id);
  const gone = { ...row!, eventId: "01900000-0000-7000-8000-000000000000" };
  expect(await app.deliver.work(gone, testClaim())).toMatchObject({ kind: "done" });
  expect(await app.queue(id)).toEqual([]);
  expect(await deliveriesOf({ call }, endpoint.id)).toEqual([]);
});

test("a delivery whose day is no longer kept still leaves the queue", async () => {
  const { id } = await app.subscribed();
  await app.emit(id, [{}]);
  const [row] = await app.queue(id);
  let disposition: unknown;
  void app.deliver
    .work({ ...row!, itemId: "01000000-0000-7000-8000-000000000000" }, testClaim())
    .then((landed) => (disposition = landed));
  await expect
    .poll(() => {
      app.clock.advance(100); // the pause before the outcome is offered again
      return disposition;
    })
    .toMatchObject({ kind: "done" });
  expect(await app.queue(id)).toEqual([]);
});
