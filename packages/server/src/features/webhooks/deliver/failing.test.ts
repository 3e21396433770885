import { afterAll, beforeAll, expect, test } from "vitest";
import { ensurePartitions } from "../../../db/partitions.ts";
import { Metrics } from "../../../lib/metrics.ts";
import { testClaim } from "../../../testing/queue.ts";
import { PATH, startWebhooks, type WebhooksApp } from "../testing/app.ts";
import { TEST_EVENTS } from "../testing/deps.ts";
import type { Receiver } from "../testing/receiver.ts";
import { Deliver } from "./deliver.ts";

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks();
});
afterAll(() => app.stop());

const [MINUTE, HOUR] = [60_000, 3_600_000];
const EVENTS = { events: ["delivered"] };
type Subscribed = Awaited<ReturnType<WebhooksApp["subscribed"]>>;

const fails = ({ answer }: Receiver): void => answer((response) => response.writeHead(500).end());
const copes = ({ answer }: Receiver): void => answer((response) => response.end());

/** Lets so much time pass; what is due is worked every `step`, after the lane has read its settings, as it does every few seconds. */
async function pass(one: Subscribed, ms: number, step = 20 * MINUTE): Promise<void> {
  for (let left = ms; left > 0; left -= step) {
    app.clock.advance(Math.min(step, left));
    await ensurePartitions(app.app.db.sql, app.clock.now());
    const [row] = await app.queue(one.id);
    if (row) await app.deliver.settings([row.lane]);
    await app.workAll(one.id);
  }
}

const endpointOf = async ({ call, endpoint }: Subscribed) => (await call("GET", `${PATH}/${endpoint.id}`)).body;
/** Kind and reason of the events about endpoints. */
const toldOf = async ({ id }: Subscribed): Promise<string[]> => {
  const rows = await app.rows<{ kind: string; reason: string }>(
    id,
    "select kind, state->>'reason' as reason from event where kind like 'endpoint%' order by sequence",
  );
  return rows.map(({ kind, reason }) => `${kind} ${reason}`);
};
const rowOf = async ({ id }: Subscribed) =>
  (
    await app.rows<{ place: string; failing_since: Date | null; failing_events: number; failing_stage: number }>(
      id,
      "select ctid::text as place, failing_since, failing_events, failing_stage from webhook_endpoint",
    )
  )[0]!;

test("500 for an hour: the workspace is warned once, and a success makes the endpoint active again", async () => {
  const [failing, healthy] = [await app.subscribed(EVENTS), await app.subscribed(EVENTS)];
  fails(failing.receiver);
  await app.emit(failing.id, [{}]);
  await app.emit(healthy.id, [{}]);
  await app.workAll(failing.id);
  await app.workAll(healthy.id);
  await pass(failing, HOUR - MINUTE);
  expect([await toldOf(failing), (await endpointOf(failing)).status]).toEqual([[], "active"]);
  await pass(failing, 2 * MINUTE, MINUTE);
  const warned = [["endpoint_failing failing_for_1_hour"], "failing"];
  await expect.poll(async () => [await toldOf(failing), (await endpointOf(failing)).status]).toEqual(warned);
  await pass(failing, 3 * HOUR);
  expect([await toldOf(failing), (await endpointOf(failing)).status]).toEqual(warned);

  copes(failing.receiver);
  await app.emit(failing.id, [{}]);
  await app.workAll(failing.id);
  expect(await endpointOf(failing)).toMatchObject({ status: "active", enabled: true, disabled_reason: null });
  expect(await rowOf(failing)).toMatchObject({ failing_since: null, failing_events: 0, failing_stage: 0 });
  fails(failing.receiver);
  await app.emit(failing.id, [{}]);
  await app.workAll(failing.id);
  await pass(failing, 30 * MINUTE);
  expect([(await toldOf(failing)).length, (await endpointOf(failing)).status]).toEqual([1, "active"]);
  expect([await toldOf(healthy), (await endpointOf(healthy)).status]).toEqual([[], "active"]);
});

test("500 for six days and twenty events: three warnings, then the endpoint is disabled, and what comes then is kept", async () => {
  const failing = await app.subscribed(EVENTS);
  fails(failing.receiver);
  for (let n = 0; n < 23; n++) {
    await app.emit(failing.id, [{}]);
    await app.workAll(failing.id);
    await pass(failing, 5 * HOUR, HOUR);
  }
  const warnings = [1, 24, 72].map((hours) => `endpoint_failing failing_for_${hours}_hour${hours === 1 ? "" : "s"}`);
  expect([await toldOf(failing), (await endpointOf(failing)).status]).toEqual([warnings, "failing"]);
  await pass(failing, 6 * HOUR, HOUR);
  expect(await toldOf(failing)).toEqual([...warnings, "endpoint_disabled failing"]);
  expect(await endpointOf(failing)).toMatchObject({ status: "disabled", enabled: false, disabled_reason: "failing" });
  const posted = failing.receiver.received.length;
  await app.emit(failing.id, [{}]);
  await pass(failing, 24 * HOUR, 6 * HOUR);
  expect(failing.receiver.received).toHaveLength(posted);
  expect((await app.queue(failing.id)).length).toBeGreaterThan(0);

  await failing.call("PATCH", `${PATH}/${failing.endpoint.id}`, { body: { enabled: true } });
  await app.workAll(failing.id);
  expect(await endpointOf(failing)).toMatchObject({ status: "active", enabled: true, disabled_reason: null });
});

test("nineteen events are not enough, however often each is tried; another URL has not failed", async () => {
  const failing = await app.subscribed(EVENTS);
  fails(failing.receiver);
  await app.emit(
    failing.id,
    Array.from({ length: 19 }, () => ({})),
  );
  await app.workAll(failing.id);
  await pass(failing, 6 * 24 * HOUR, 2 * HOUR);
  expect(await rowOf(failing)).toMatchObject({ failing_events: 19, failing_stage: 3 });
  expect(await endpointOf(failing)).toMatchObject({ status: "failing", enabled: true });

  const elsewhere = await app.newReceiver();
  fails(elsewhere);
  const { body } = await failing.call("PATCH", `${PATH}/${failing.endpoint.id}`, { body: { url: elsewhere.url } });
  expect(body.status).toBe("active");
  await app.emit(failing.id, [{}]);
  await app.workAll(failing.id);
  expect(await rowOf(failing)).toMatchObject({ failing_events: 1, failing_stage: 0 });
  expect((await endpointOf(failing)).status).toBe("active");
});

test("a success on the fifth day begins again; of a process that did not see the failures too", async () => {
  const failing = await app.subscribed(EVENTS);
  fails(failing.receiver);
  const events = Array.from({ length: 20 }, () => ({}));
  await app.emit(failing.id, events);
  await app.workAll(failing.id);
  await pass(failing, 4 * 24 * HOUR, 4 * HOUR);
  copes(failing.receiver);
  await app.emit(failing.id, [{}]);
  const [row] = await app.queue(failing.id);
  const other = new Deliver({ ...app.app, metrics: new Metrics() }, TEST_EVENTS, { version: "0.0.0" });
  await other.settings([row!.lane]);
  for (const one of await app.queue(failing.id)) await other.work(one, testClaim());
  await other.stop();
  expect(await rowOf(failing)).toMatchObject({ failing_since: null, failing_events: 0, failing_stage: 0 });
  expect((await endpointOf(failing)).status).toBe("active");
});

test("a healthy endpoint's row is not written", async () => {
  const healthy = await app.subscribed(EVENTS);
  const before = await rowOf(healthy);
  for (let n = 0; n < 5; n++) {
    await app.emit(healthy.id, [{}, {}]);
    await app.workAll(healthy.id);
  }
  expect(healthy.receiver.received).toHaveLength(10);
  expect(await rowOf(healthy)).toEqual(before);
});
