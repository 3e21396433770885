import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { formatId } from "../../lib/ids.ts";
import { withClient } from "../../testing/client.ts";
import { deliverOutcomes, type OutcomeRow } from "./deliver.store.ts";
import { startHouse, type TestGrip, type TestHouse, testGrip } from "./testing/house.ts";
import { type Receiver, startReceiver } from "./testing/receiver.ts";

let house: TestHouse;
let receiver: Receiver;
const others: Receiver[] = [];
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());
afterEach(async () => {
  for (const one of others.splice(0)) await one.close();
});

const PATH = "/v1/webhook-endpoints";

async function subscribed(more: object = {}) {
  const workspace = await house.workspace();
  receiver = await startReceiver();
  others.push(receiver);
  const { body: endpoint } = await workspace.call("POST", PATH, {
    body: { url: receiver.url, events: ["*"], ...more },
  });
  return { ...workspace, endpoint };
}

/** Works every row that is due, one after the other. */
async function workAll(workspaceId: string, grip: TestGrip = testGrip()) {
  const results = [];
  for (const row of await house.queue(workspaceId))
    if (row.due <= house.clock.now()) results.push(await house.deliver.kind.work(row, grip));
  return results;
}

/** Whether the reference library accepts what was received last, at the time of the test's clock. */
function verifies(secret: string): boolean {
  const { text, headers, body } = receiver.received.at(-1)!;
  vi.useFakeTimers({ toFake: ["Date"], now: house.clock.now() });
  try {
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

const textsOf = (one: Receiver): string[] =>
  one.received.map(({ body }) => String(body.data.message.text.body)).toSorted((a, b) => a.localeCompare(b));

const deliveriesOf = async (
  workspace: { call: Awaited<ReturnType<typeof subscribed>>["call"] },
  endpointId: string,
  query = "",
) => (await workspace.call("GET", `${PATH}/${endpointId}/deliveries${query}`)).body.data;

test("a signed post with the event, and a delivery that tells of it", async () => {
  const { id, call, endpoint } = await subscribed();
  const [eventId] = await house.emit(id, [{ text: "Grüße 👋\u2028" }]);
  const grip = testGrip();
  expect(await workAll(id, grip)).toEqual([{ kind: "done" }]);
  expect(grip.reports).toEqual([true]);
  const { headers, text, body } = receiver.received[0]!;
  expect(verifies(endpoint.secret)).toBe(true);
  const seconds = Math.floor(house.clock.now() / 1_000);
  expect(headers["x-service-signature"]).toBe(
    `t=${seconds},v1=${createHmac("sha256", endpoint.secret).update(`${seconds}.${text}`).digest("hex")}`,
  );
  const [delivery] = await deliveriesOf({ call }, endpoint.id);
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "Waypost/0.0.0",
    "webhook-id": formatId("evt", eventId!),
    "x-service-event": "delivered",
    "x-service-delivery": delivery.id,
    "x-service-attempt": "1",
  });
  const at = new Date(house.clock.now()).toISOString();
  const message = {
    id: expect.stringMatching(/^msg_/),
    text: { body: "Grüße 👋\u2028" },
    rank: 7,
    error: { code: "x" },
  };
  const data = { message, status: "delivered", occurred_at: at, error: null };
  expect(body).toEqual({
    id: headers["webhook-id"],
    kind: "delivered",
    category: "message_status",
    workspace_id: formatId("ws", id),
    created_at: at,
    data,
  });
  expect((await call("GET", `/v1/deliveries/${delivery.id}`)).body).toEqual({
    id: delivery.id,
    event_id: body.id,
    webhook_endpoint_id: endpoint.id,
    kind: "delivered",
    status: "succeeded",
    attempt: 1,
    next_attempt_at: null,
    created_at: at,
    completed_at: at,
    attempts: [
      { n: 1, started_at: at, duration_ms: 0, status_code: 200, outcome: "succeeded", error: null, response: "" },
    ],
  });
  expect(await house.queue(id)).toEqual([]);
});

test("only endpoints that listen get a row, and two of them get the same bytes", async () => {
  const { id, call, endpoint } = await subscribed({ events: ["delivered"] });
  const second = await call("POST", PATH, { body: { url: receiver.url, events: ["*"] } });
  await call("POST", PATH, { body: { url: receiver.url, events: ["read"] } });
  await house.emit(id, [{ kind: "delivered" }, { kind: "sent" }]);
  await workAll(id);
  const bodies = receiver.received.map(({ text, body }) => ({ text, kind: body.kind }));
  expect(bodies.map(({ kind }) => kind)).toEqual(["delivered", "delivered", "sent"]);
  expect(bodies[0]!.text).toBe(bodies[1]!.text);
  expect(await deliveriesOf({ call }, endpoint.id)).toHaveLength(1);
  expect(await deliveriesOf({ call }, second.body.id)).toHaveLength(2);
});

test("failures are tried thirteen times with the same id and bytes, signed anew, and then no more", async () => {
  const { id, call, endpoint } = await subscribed();
  receiver.answer((response) => response.writeHead(500).end("broken \u0000 down"));
  await house.emit(id, [{}]);
  const waits: number[] = [];
  for (let n = 1; n <= 13; n++) {
    const [result] = await workAll(id);
    if (result?.kind !== "later") break;
    waits.push((result.due - house.clock.now()) / 1_000);
    const [listed] = await deliveriesOf({ call }, endpoint.id);
    expect(listed).toMatchObject({
      status: "pending",
      attempt: n,
      next_attempt_at: new Date(result.due).toISOString(),
    });
    expect(await workAll(id)).toEqual([]);
    house.clock.advance(result.due - house.clock.now());
  }
  expect(waits).toEqual([5, 30, 120, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400]);
  expect(receiver.received).toHaveLength(13);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])).size).toBe(13);
  expect(receiver.received.map(({ headers }) => headers["x-service-attempt"])).toEqual(
    Array.from({ length: 13 }, (_, index) => String(index + 1)),
  );
  const [listed] = await deliveriesOf({ call }, endpoint.id, "?status=failed");
  const { body } = await call("GET", `/v1/deliveries/${listed.id}`);
  expect(body).toMatchObject({ status: "failed", attempt: 13, next_attempt_at: null });
  expect(body.attempts.map((attempt: { n: number }) => attempt.n)).toEqual(
    Array.from({ length: 13 }, (_, index) => index + 1),
  );
  expect(body.attempts[0]).toMatchObject({
    status_code: 500,
    outcome: "failed",
    error: "HTTP 500",
    response: "broken \uFFFD down",
  });
  expect(await house.queue(id)).toEqual([]);
});

test("a receiver that does not answer is a timeout after 15 s, and the next try waits a minute", async () => {
  const { id, call, endpoint } = await subscribed();
  receiver.answer(() => {});
  await house.emit(id, [{}]);
  const grip = testGrip();
  const working = workAll(id, grip);
  await receiver.got(1);
  house.clock.advance(15_000);
  const [result] = await working;
  expect(result).toMatchObject({ kind: "later" });
  expect((result as { due: number }).due - house.clock.now()).toBeGreaterThanOrEqual(60_000);
  expect(grip.reports).toEqual([false]);
  const [listed] = await deliveriesOf({ call }, endpoint.id);
  const { body } = await call("GET", `/v1/deliveries/${listed.id}`);
  expect(body.attempts[0]).toMatchObject({
    status_code: null,
    duration_ms: 15_000,
    error: "No complete answer within 15 s.",
  });
});

test("410 disables at once, parks what is open and tells the other endpoints", async () => {
  const { id, call, endpoint } = await subscribed();
  const ear = await startReceiver();
  others.push(ear);
  await call("POST", PATH, { body: { url: ear.url, events: ["endpoint_disabled"] } });
  receiver.answer((response) => response.writeHead(410).end());
  await house.emit(id, [{}, {}]);
  const [first, second] = await house.queue(id);
  expect(await house.deliver.kind.work(first!, testGrip())).toMatchObject({ kind: "later" });
  expect(await house.deliver.kind.work(second!, testGrip())).toEqual({ kind: "not_ours" });
  expect(receiver.received).toHaveLength(1);
  expect((await call("GET", `${PATH}/${endpoint.id}`)).body).toMatchObject({
    enabled: false,
    status: "disabled",
    disabled_reason: "gone",
  });
  const settings = await house.deliver.kind.settings([first!.lane]);
  expect(settings.get(first!.lane)?.closed).toBe(true);
  // Both its deliveries, and its own row of the operational event.
  const parked = await deliveriesOf({ call }, endpoint.id);
  expect(parked.map((delivery: { status: string }) => delivery.status)).toEqual(["parked", "parked", "parked"]);
  for (const row of await house.queue(id)) if (row.lane !== first!.lane) await house.deliver.kind.work(row, testGrip());
  expect(ear.received[0]!.body).toMatchObject({
    kind: "endpoint_disabled",
    category: "operational",
    data: { reason: "gone", webhook_endpoint: { id: endpoint.id, enabled: false, disabled_reason: "gone" } },
  });
  expect(ear.received[0]!.text).not.toContain("whsec_");
  // Enabled again: everything goes out.
  receiver.answer((response) => response.end());
  await call("PATCH", `${PATH}/${endpoint.id}`, { body: { enabled: true } });
  expect((await workAll(id)).map(({ kind }) => kind)).toEqual(["done", "done", "done"]);
  expect(receiver.received).toHaveLength(4);
  expect(await deliveriesOf({ call }, endpoint.id, "?status=succeeded")).toHaveLength(3);
});

test("during the overlap both secrets verify; after it only the new one", async () => {
  const { id, call, endpoint } = await subscribed();
  const { body: rotated } = await call("POST", `${PATH}/${endpoint.id}/rotate-secret`, {
    body: { overlap_seconds: 60 },
  });
  await house.emit(id, [{}]);
  await workAll(id);
  expect([verifies(endpoint.secret), verifies(rotated.secret)]).toEqual([true, true]);
  house.clock.advance(60_000);
  await house.emit(id, [{}]);
  await workAll(id);
  expect([verifies(endpoint.secret), verifies(rotated.secret)]).toEqual([false, true]);
});

test("a new URL holds from the next attempt on", async () => {
  const { id, call, endpoint } = await subscribed();
  await house.emit(id, [{}]);
  await workAll(id);
  const elsewhere = await startReceiver();
  others.push(elsewhere);
  await call("PATCH", `${PATH}/${endpoint.id}`, { body: { url: elsewhere.url } });
  await house.emit(id, [{}]);
  await workAll(id);
  expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 1]);
});

test("rows of a deleted endpoint are dropped, and an open delivery is closed", async () => {
  const { id, call, endpoint } = await subscribed();
  receiver.answer((response) => response.writeHead(500).end());
  await house.emit(id, [{}, {}]);
  const [first] = await house.queue(id);
  await house.deliver.kind.work(first!, testGrip());
  await call("DELETE", `${PATH}/${endpoint.id}`);
  const settings = await house.deliver.kind.settings([first!.lane]);
  expect(settings.get(first!.lane)?.closed).toBe(false);
  for (const row of await house.queue(id))
    expect(await house.deliver.kind.work(row, testGrip())).toEqual({ kind: "done" });
  expect(await house.queue(id)).toEqual([]);
  expect(receiver.received).toHaveLength(1);
  const { body } = await call("GET", `/v1/deliveries/${formatId("dlv", first!.itemId)}`);
  expect(body).toMatchObject({ status: "failed", attempt: 1 });
});

const outcomeOf = (
  row: { slot: number; seq: number; workspaceId: string; itemId: string; eventId: string },
  endpointId: string,
  more: Partial<OutcomeRow> & { n: number },
): OutcomeRow => {
  const at = new Date(house.clock.now()).toISOString();
  const { n, ...rest } = more;
  return {
    slot: row.slot,
    seq: row.seq,
    workspace_id: row.workspaceId,
    delivery_id: row.itemId,
    event_id: row.eventId,
    endpoint_id: endpointId,
    kind: "delivered",
    created_at: at,
    result: "retry",
    due: at,
    record: true,
    entry: { n, started_at: at, duration_ms: 1, status_code: 500, outcome: "failed", error: null, response: "" },
    ...rest,
  };
};

test("an outcome counts once for its attempt; a success counts whoever brings it, and nothing undoes it", async () => {
  const { id, call } = await subscribed();
  await house.emit(id, [{}]);
  const [row] = await house.queue(id);
  const endpoints = await house.house.db.read(id, (sql) =>
    sql.query<{ id: string }>("select id from webhook_endpoint"),
  );
  const offer = async (more: Partial<OutcomeRow> & { n: number }): Promise<unknown> => {
    await house.house.db.call(
      deliverOutcomes,
      [JSON.stringify(outcomeOf(row!, endpoints[0]!.id, more))],
      house.clock.now(),
    );
    const { body } = await call("GET", `/v1/deliveries/${formatId("dlv", row!.itemId)}`);
    return [
      body.status,
      body.attempt,
      body.attempts.map((attempt: { n: number }) => attempt.n),
      (await house.queue(id)).map(({ attempt }) => attempt),
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

test("a batch of two workspaces: each row keeps to its own", async () => {
  const [a, b] = [await subscribed(), await subscribed()];
  await house.emit(a.id, [{ text: "a1" }, { text: "a2" }]);
  await house.emit(b.id, [{ text: "b1" }, { text: "b2" }]);
  const rows = [...(await house.queue(a.id)), ...(await house.queue(b.id))];
  const mixed = [rows[0]!, rows[2]!, rows[1]!, rows[3]!];
  const worked = await Promise.all(mixed.map((row) => house.deliver.kind.work(row, testGrip())));
  expect(worked.map(({ kind }) => kind)).toEqual(["done", "done", "done", "done"]);
  for (const one of [a, b]) {
    const listed = await deliveriesOf(one, one.endpoint.id);
    expect(listed.map((delivery: { status: string }) => delivery.status)).toEqual(["succeeded", "succeeded"]);
  }
  expect(textsOf(others.at(-1)!)).toEqual(["b1", "b2"]);
  expect(textsOf(others.at(-2)!)).toEqual(["a1", "a2"]);
});

test("an outcome is kept and stored when the database is back; the receiver is not asked twice", async () => {
  const { id, call, endpoint } = await subscribed();
  await house.emit(id, [{}]);
  const [row] = await house.queue(id);
  await withClient(house.database.url, async (client) => {
    // Every outcome fails from the moment the receiver has answered until the table is back.
    let renamed: () => void = () => {};
    const away = new Promise<void>((resolve) => (renamed = resolve));
    receiver.answer((response) => {
      void client.query("alter table delivery rename to delivery_away").then(() => {
        response.end();
        renamed();
      });
    });
    const working = house.deliver.kind.work(row!, testGrip());
    await away;
    let done = false;
    void working.then(() => (done = true));
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      house.clock.advance(1_000);
    }
    expect(done).toBe(false);
    await client.query("alter table delivery_away rename to delivery");
    const pump = setInterval(() => house.clock.advance(1_000), 5);
    expect(await working).toEqual({ kind: "done" });
    clearInterval(pump);
  });
  expect(receiver.received).toHaveLength(1);
  expect((await deliveriesOf({ call }, endpoint.id))[0]).toMatchObject({ status: "succeeded", attempt: 1 });
});

test("a stop in mid-request gives the row back as it was; a lost lease lets no byte leave", async () => {
  const { id, call, endpoint } = await subscribed();
  receiver.answer(() => {});
  await house.emit(id, [{}]);
  const [row] = await house.queue(id);
  const grip = testGrip();
  const working = house.deliver.kind.work(row!, grip);
  await receiver.got(1);
  grip.abort.abort();
  expect(await working).toEqual({ kind: "again" });
  expect((await house.queue(id))[0]).toMatchObject({ attempt: 0 });
  expect((await deliveriesOf({ call }, endpoint.id))[0]).toMatchObject({ status: "pending", attempt: 0 });
  const lost = testGrip();
  lost.lost = true;
  expect(await house.deliver.kind.work(row!, lost)).toEqual({ kind: "not_ours" });
  expect(receiver.received).toHaveLength(1);
});

test("an ordered endpoint: a later row of the conversation waits for the earlier one's retry, under any owner", async () => {
  const { id, call } = await subscribed({ ordered: true });
  receiver.answer((response) => response.writeHead(500).end());
  await house.emit(id, [
    { text: "1", conversation: 1 },
    { text: "2", conversation: 1 },
    { text: "other", conversation: 2 },
  ]);
  const [first, second, other] = await house.queue(id);
  expect((await house.deliver.kind.settings([first!.lane])).get(first!.lane)?.ordered).toBe(true);
  const failed = await house.deliver.kind.work(first!, testGrip());
  receiver.answer((response) => response.end());
  expect(await house.deliver.kind.work(second!, testGrip())).toEqual({
    kind: "later",
    due: (failed as { due: number }).due,
    holdsKey: true,
  });
  expect(await house.deliver.kind.work(other!, testGrip())).toEqual({ kind: "done" });
  house.clock.advance(10_000);
  await workAll(id);
  expect(receiver.received.map(({ body }) => body.data.message.text.body)).toEqual(["1", "other", "1", "2"]);
  expect((await call("GET", `${PATH}?limit=1`)).status).toBe(200);
});

test("what cannot be prepared neither spins nor blocks: it takes an attempt and is shown", async () => {
  const { id, call, endpoint } = await subscribed();
  await house.house.db.transaction(id, (sql) =>
    sql.run("update webhook_endpoint set secret = '\\x00', version = version + 1"),
  );
  await house.emit(id, [{}]);
  expect(await workAll(id)).toMatchObject([{ kind: "later" }]);
  const [listed] = await deliveriesOf({ call }, endpoint.id);
  const { body } = await call("GET", `/v1/deliveries/${listed.id}`);
  expect(body.attempts[0]).toMatchObject({ outcome: "failed", error: "The gateway could not prepare this delivery." });
  expect(receiver.received).toHaveLength(0);
});

test("a secret copied into another endpoint's row does not open there", async () => {
  const { id, call } = await subscribed();
  const { body: second } = await call("POST", PATH, { body: { url: receiver.url, events: ["*"] } });
  await house.house.db.transaction(id, (sql) =>
    sql.run(
      "update webhook_endpoint set secret = (select secret from webhook_endpoint order by id limit 1), version = version + 1",
    ),
  );
  await house.emit(id, [{}]);
  await workAll(id);
  expect(receiver.received).toHaveLength(1);
  expect((await deliveriesOf({ call }, second.id))[0]).toMatchObject({ status: "pending", attempt: 1 });
});

test("an event that retention took first leaves nothing behind", async () => {
  const { id, call, endpoint } = await subscribed();
  await house.emit(id, [{}]);
  const [row] = await house.queue(id);
  const gone = { ...row!, eventId: "01900000-0000-7000-8000-000000000000" };
  expect(await house.deliver.kind.work(gone, testGrip())).toEqual({ kind: "done" });
  expect(await house.queue(id)).toEqual([]);
  expect(await deliveriesOf({ call }, endpoint.id)).toEqual([]);
});

test("a delivery whose day is no longer kept still leaves the queue", async () => {
  const { id } = await subscribed();
  await house.emit(id, [{}]);
  const [row] = await house.queue(id);
  expect(
    await house.deliver.kind.work({ ...row!, itemId: "01000000-0000-7000-8000-000000000000" }, testGrip()),
  ).toEqual({ kind: "done" });
  expect(await house.queue(id)).toEqual([]);
});

test("deliveries are listed newest first over both tables, in stable pages, by status, kind and time", async () => {
  const { id, call, endpoint } = await subscribed();
  const start = house.clock.now();
  const kinds = ["sent", "delivered", "read", "sent", "delivered", "read", "sent"];
  for (const kind of kinds) {
    house.clock.advance(1_000);
    await house.emit(id, [{ kind }]);
  }
  const rows = await house.queue(id);
  for (const row of rows.filter((_, index) => index % 2 === 0)) await house.deliver.kind.work(row, testGrip());
  const all = await deliveriesOf({ call }, endpoint.id);
  expect(all.map((delivery: { id: string }) => delivery.id)).toEqual(
    rows.map((row) => formatId("dlv", row.itemId)).toReversed(),
  );
  const paged: string[] = [];
  let cursor = "";
  for (let pages = 0; pages < 4; pages++) {
    const { body } = await call("GET", `${PATH}/${endpoint.id}/deliveries?limit=2${cursor}`);
    paged.push(...body.data.map((delivery: { id: string }) => delivery.id));
    // Arrives while we read: it is before the first page.
    await house.emit(id, [{}]);
    cursor = `&cursor=${body.next_cursor}`;
    if (body.next_cursor === null) break;
  }
  expect(paged).toEqual(all.map((delivery: { id: string }) => delivery.id));
  const count = async (query: string) => (await deliveriesOf({ call }, endpoint.id, query)).length;
  expect(await count("?status=succeeded")).toBe(4);
  expect(await count("?status=pending&kind=read")).toBe(1);
  expect(await count("?kind=read")).toBe(2);
  const at = (seconds: number): string => encodeURIComponent(new Date(start + seconds * 1_000).toISOString());
  expect(await count(`?created_after=${at(2)}&created_before=${at(5)}`)).toBe(2);
  expect(await count("?status=parked")).toBe(0);
  expect((await call("GET", `${PATH}/${endpoint.id}/deliveries?status=lost`)).status).toBe(400);
});
