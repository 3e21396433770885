import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatId } from "../../../lib/ids.ts";
import { testClaim } from "../../../testing/queue.ts";
import { deliveriesOf, PATH, startWebhooks, type WebhooksApp } from "../testing/app.ts";
import { headCame } from "../testing/receiver.ts";

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks();
});
afterAll(() => app.stop());

test("the event is posted and signed, and its delivery has the attempt", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  const [eventId] = await app.emit(id, [{ text: "Grüße 👋\u2028" }]);
  expect(await app.workAll(id)).toEqual([{ kind: "done", coped: true }]);
  const { headers, text, body } = receiver.received[0]!;
  expect(app.verifies(receiver, endpoint.secret)).toBe(true);
  const seconds = Math.floor(app.clock.now() / 1_000);
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
  const at = new Date(app.clock.now()).toISOString();
  const message = expect.objectContaining({
    id: expect.stringMatching(/^msg_/),
    status: "read",
    text: { body: "Grüße 👋\u2028" },
  });
  const data = { message, status: "delivered", occurred_at: at, error: null };
  expect(body).toEqual({
    id: headers["webhook-id"],
    kind: "delivered",
    category: "message_status",
    workspace_id: formatId("ws", id),
    created_at: at,
    sequence: expect.any(Number),
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
      {
        n: 1,
        started_at: at,
        duration_ms: 0,
        status_code: 200,
        outcome: "succeeded",
        error: null,
        response: "",
        request: { headers: expect.objectContaining({ "x-service-delivery": delivery.id }), body: text },
      },
    ],
  });
  expect(await app.queue(id)).toEqual([]);
});

test("the sequence says which event of a conversation is the later one, whenever it is delivered", async () => {
  const { id, receiver } = await app.subscribed();
  await app.emit(id, [
    { text: "one", conversation: 1 },
    { text: "two", conversation: 1 },
  ]);
  await app.emit(id, [{ text: "three", conversation: 1 }]);
  await app.workAll(id);
  const inOrder = receiver.received.map(({ body }) => body).sort((a, b) => a.sequence - b.sequence);
  expect(inOrder.map(({ data }) => data.message.text.body)).toEqual(["one", "two", "three"]);
});

test("only endpoints that listen get a row, and two of them get the same bytes", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed({ events: ["delivered"] });
  const second = await call("POST", PATH, { body: { url: receiver.url, events: ["*"] } });
  await call("POST", PATH, { body: { url: receiver.url, events: ["read"] } });
  await app.emit(id, [{ kind: "delivered" }, { kind: "sent" }]);
  await app.workAll(id);
  const bodies = receiver.received.map(({ text, body }) => ({ text, kind: body.kind }));
  expect(bodies.map(({ kind }) => kind)).toEqual(["delivered", "delivered", "sent"]);
  expect(bodies[0]!.text).toBe(bodies[1]!.text);
  expect(await deliveriesOf({ call }, endpoint.id)).toHaveLength(1);
  expect(await deliveriesOf({ call }, second.body.id)).toHaveLength(2);
});

test("a failing delivery is attempted thirteen times with the same id and bytes, each signed again", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed({ events: ["delivered"] });
  receiver.answer((response) => response.writeHead(500).end("broken \u0000 down"));
  await app.emit(id, [{}]);
  const waits: number[] = [];
  for (let n = 1; n <= 13; n++) {
    const [result] = await app.workAll(id);
    if (result?.kind !== "later") break;
    waits.push((result.due - app.clock.now()) / 1_000);
    const [listed] = await deliveriesOf({ call }, endpoint.id);
    expect(listed).toMatchObject({
      status: "pending",
      attempt: n,
      next_attempt_at: new Date(result.due).toISOString(),
    });
    expect(await app.workAll(id)).toEqual([]);
    app.clock.advance(result.due - app.clock.now());
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
  expect(await app.queue(id)).toEqual([]);
});

test("a receiver that does not answer is a timeout after 15 s, and the next attempt waits a minute", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  receiver.answer(() => {});
  await app.emit(id, [{}]);
  const working = app.workAll(id);
  await receiver.got(1);
  app.clock.advance(15_000);
  const [result] = await working;
  expect(result).toMatchObject({ kind: "later", coped: false });
  expect((result as { due: number }).due - app.clock.now()).toBeGreaterThanOrEqual(60_000);
  const [listed] = await deliveriesOf({ call }, endpoint.id);
  const { body } = await call("GET", `/v1/deliveries/${listed.id}`);
  expect(body.attempts[0]).toMatchObject({
    status_code: null,
    duration_ms: 15_000,
    error: "No complete answer within 15 s.",
  });
});

test.each([
  ["does not end", (response: ServerResponse) => void response.write("so far"), 15_000],
  ["breaks off", (response: ServerResponse) => void response.write("so far", () => response.destroy()), 0],
])(
  "an answer whose body %s counts by its status line: a receiver that said 200 gets nothing again",
  async (_, answer, ms) => {
    const { id, call, endpoint, receiver } = await app.subscribed();
    receiver.answer(answer);
    await app.emit(id, [{}]);
    const head = headCame();
    const working = app.workAll(id);
    await head;
    app.clock.advance(ms);
    expect(await working).toEqual([{ kind: "done", coped: true }]);
    expect(await app.queue(id)).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    const [listed] = await deliveriesOf({ call }, endpoint.id);
    const { body } = await call("GET", `/v1/deliveries/${listed.id}`);
    expect(body).toMatchObject({ status: "succeeded", attempt: 1, completed_at: expect.any(String) });
    expect(body.attempts[0]).toMatchObject({ status_code: 200, outcome: "succeeded", error: null, response: "so far" });
  },
);

test("410 disables the endpoint at once, parks its open deliveries and is an event for the other endpoints", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  const other = await app.newReceiver();
  await call("POST", PATH, { body: { url: other.url, events: ["endpoint_disabled"] } });
  receiver.answer((response) => response.writeHead(410).end());
  await app.emit(id, [{}, {}]);
  const [first, second] = await app.queue(id);
  expect(await app.deliver.work(first!, testClaim())).toMatchObject({ kind: "later" });
  expect(await app.deliver.work(second!, testClaim())).toEqual({ kind: "not_ours" });
  expect(receiver.received).toHaveLength(1);
  expect((await call("GET", `${PATH}/${endpoint.id}`)).body).toMatchObject({
    enabled: false,
    status: "disabled",
    disabled_reason: "gone",
  });
  const settings = await app.deliver.settings([first!.lane]);
  expect(settings.get(first!.lane)?.closed).toBe(true);
  // Both its deliveries, and its own row of the operational event.
  const parked = await deliveriesOf({ call }, endpoint.id);
  expect(parked.map((delivery: { status: string }) => delivery.status)).toEqual(["parked", "parked", "parked"]);
  for (const row of await app.queue(id)) if (row.lane !== first!.lane) await app.deliver.work(row, testClaim());
  expect(other.received[0]!.body).toMatchObject({
    kind: "endpoint_disabled",
    category: "operational",
    data: { reason: "gone", webhook_endpoint: { id: endpoint.id, enabled: false, disabled_reason: "gone" } },
  });
  expect(other.received[0]!.text).not.toContain("whsec_");
  // Enabled again: all deliveries are made.
  receiver.answer((response) => response.end());
  await call("PATCH", `${PATH}/${endpoint.id}`, { body: { enabled: true } });
  expect((await app.workAll(id)).map(({ kind }) => kind)).toEqual(["done", "done", "done"]);
  expect(receiver.received).toHaveLength(4);
  expect(await deliveriesOf({ call }, endpoint.id, "?status=succeeded")).toHaveLength(3);
});

test.each([
  ["has another URL since", [{ url: "next" }]],
  ["was switched off and on since", [{ enabled: false }, { enabled: true }]],
])("410 of an endpoint that %s disables nothing, and the delivery is tried again at once", async (_, changes) => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  const next = await app.newReceiver();
  const path = `${PATH}/${endpoint.id}`;
  let gone: () => void = () => {};
  receiver.answer((response) => (gone = () => void response.writeHead(410).end()));
  await app.emit(id, [{}]);
  const working = app.workAll(id);
  await receiver.got(1);
  for (const change of changes) await call("PATCH", path, { body: "url" in change ? { url: next.url } : change });
  gone();
  expect(await working).toEqual([{ kind: "later", due: app.clock.now(), holdsKey: true, coped: undefined }]);
  expect((await call("GET", path)).body).toMatchObject({ enabled: true, status: "active", disabled_reason: null });
  const [delivery] = await deliveriesOf({ call }, endpoint.id);
  const now = new Date(app.clock.now()).toISOString();
  expect(delivery).toMatchObject({ status: "pending", attempt: 1, next_attempt_at: now, completed_at: null });
  receiver.answer((response) => void response.end());
  expect(await app.workAll(id)).toEqual([{ kind: "done", coped: true }]);
  expect(receiver.received.length + next.received.length).toBe(2);
  const { body } = await call("GET", `/v1/deliveries/${delivery.id}`);
  const codes = body.attempts.map((attempt: { status_code: number }) => attempt.status_code);
  expect([body.status, codes]).toEqual(["succeeded", [410, 200]]);
});

test("during the overlap both secrets verify, after it only the new one", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  const { body: rotated } = await call("POST", `${PATH}/${endpoint.id}/rotate-secret`, {
    body: { overlap_seconds: 60 },
  });
  await app.emit(id, [{}]);
  await app.workAll(id);
  expect([app.verifies(receiver, endpoint.secret), app.verifies(receiver, rotated.secret)]).toEqual([true, true]);
  app.clock.advance(60_000);
  await app.emit(id, [{}]);
  await app.workAll(id);
  expect([app.verifies(receiver, endpoint.secret), app.verifies(receiver, rotated.secret)]).toEqual([false, true]);
});

test("each of three secrets lives until its own end, whatever is rotated meanwhile", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  const rotate = async (overlap_seconds: number): Promise<string> =>
    (await call("POST", `${PATH}/${endpoint.id}/rotate-secret`, { body: { overlap_seconds } })).body.secret;
  const secrets = [endpoint.secret, await rotate(120), await rotate(60), await rotate(0), await rotate(90)];
  const verified = async (): Promise<boolean[]> => {
    await app.emit(id, [{}]);
    await app.workAll(id);
    return secrets.map((secret) => app.verifies(receiver, secret));
  };
  expect(await verified()).toEqual([true, true, false, true, true]);
  app.clock.advance(60_000);
  expect(await verified()).toEqual([true, false, false, true, true]);
  app.clock.advance(30_000);
  expect(await verified()).toEqual([true, false, false, false, true]);
  app.clock.advance(30_000);
  expect(await verified()).toEqual([false, false, false, false, true]);
});

test("a new URL is used from the next attempt on", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  await app.emit(id, [{}]);
  await app.workAll(id);
  const elsewhere = await app.newReceiver();
  await call("PATCH", `${PATH}/${endpoint.id}`, { body: { url: elsewhere.url } });
  await app.emit(id, [{}]);
  await app.workAll(id);
  expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 1]);
});

test("an ordered endpoint: a later row of the conversation waits for the earlier one's retry, under any owner", async () => {
  const { id, call, receiver } = await app.subscribed({ ordered: true });
  receiver.answer((response) => response.writeHead(500).end());
  await app.emit(id, [
    { text: "1", conversation: 1 },
    { text: "2", conversation: 1 },
    { text: "other", conversation: 2 },
  ]);
  const [first, second, other] = await app.queue(id);
  expect((await app.deliver.settings([first!.lane])).get(first!.lane)?.ordered).toBe(true);
  const failed = await app.deliver.work(first!, testClaim());
  receiver.answer((response) => response.end());
  expect(await app.deliver.work(second!, testClaim())).toEqual({
    kind: "later",
    due: (failed as { due: number }).due,
    // The lane looks from now on: a person may have moved the first one to an earlier time meanwhile.
    from: app.clock.now(),
    holdsKey: true,
  });
  expect(await app.deliver.work(other!, testClaim())).toMatchObject({ kind: "done" });
  app.clock.advance(10_000);
  await app.workAll(id);
  expect(receiver.received.map(({ body }) => body.data.message.text.body)).toEqual(["1", "other", "1", "2"]);
  expect((await call("GET", `${PATH}?limit=1`)).status).toBe(200);
});

test("a delivery that cannot be prepared uses up an attempt, which is listed", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  await app.app.db.transaction(id, (sql) =>
    sql.run("update webhook_endpoint set secret = '\\x00', version = version + 1"),
  );
  await app.emit(id, [{}]);
  expect(await app.workAll(id)).toMatchObject([{ kind: "later" }]);
  const [listed] = await deliveriesOf({ call }, endpoint.id);
  const { body } = await call("GET", `/v1/deliveries/${listed.id}`);
  expect(body.attempts[0]).toMatchObject({ outcome: "failed", error: "The gateway could not prepare this delivery." });
  expect(receiver.received).toHaveLength(0);
});

test("a secret copied into another endpoint's row cannot be decrypted there", async () => {
  const { id, call, receiver } = await app.subscribed();
  const { body: second } = await call("POST", PATH, { body: { url: receiver.url, events: ["*"] } });
  await app.app.db.transaction(id, (sql) =>
    sql.run(
      "update webhook_endpoint set secret = (select secret from webhook_endpoint order by id limit 1), version = version + 1",
    ),
  );
  await app.emit(id, [{}]);
  await app.workAll(id);
  expect(receiver.received).toHaveLength(1);
  expect((await deliveriesOf({ call }, second.id))[0]).toMatchObject({ status: "pending", attempt: 1 });
});
