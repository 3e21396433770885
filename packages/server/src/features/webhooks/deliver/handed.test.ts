import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Metrics } from "../../../lib/metrics.ts";
import { alteredDatabase } from "../../../testing/altered-database.ts";
import { testClaim } from "../../../testing/queue.ts";
import type { HandedEvent } from "../../events/handed-event.ts";
import { deliveriesOf, PATH, startWebhooks, type WebhooksApp } from "../testing/app.ts";
import { TEST_EVENTS } from "../testing/deps.ts";
import { Deliver } from "./deliver.ts";

let app: WebhooksApp;
/** Deliveries of a process that counts what it looks up. */
let deliver: Deliver;
let loads = 0;
beforeAll(async () => {
  app = await startWebhooks();
  const db = alteredDatabase(app.app.db, {
    callTexts: (fn, ...rest) => {
      if (fn.name === "load_deliveries") loads += 1;
      return app.app.db.callTexts(fn, ...rest);
    },
  });
  deliver = new Deliver({ ...app.app, db, metrics: new Metrics() }, TEST_EVENTS, { version: "0.0.0" });
});
beforeEach(() => {
  loads = 0;
});
afterAll(async () => {
  await deliver.stop();
  await app.stop();
});

/** Hands an event over as the lanes do. */
function hand(event: HandedEvent | null): void {
  for (const { slot, lane, seq, delivery_id, ...endpoint } of event?.to ?? [])
    deliver.handed(
      {
        slot,
        lane,
        seq,
        workspace_id: event?.workspace_id ?? "",
        item_id: delivery_id,
        event_id: event?.id ?? "",
        key: null,
        expires_at: null,
        work: { event, endpoint },
      },
      app.clock.monotonic(),
    );
}

const work = async (workspaceId: string) => {
  const rows = await app.queue(workspaceId);
  return await Promise.all(rows.map((row) => deliver.work(row, testClaim())));
};

test("what a call has just committed is posted without a look, and a process that looks it up posts the same bytes", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  await call("POST", PATH, { body: { url: receiver.url, events: ["delivered"] } });
  receiver.answer((response) => response.writeHead(500).end());
  hand(await app.emitToHand(id, { text: "Grüße 👋" }));
  expect(await work(id)).toMatchObject([{ kind: "later" }, { kind: "later" }]);
  expect(loads).toBe(0);
  receiver.answer((response) => response.end());
  app.clock.advance(60_000);
  expect(await app.workAll(id)).toMatchObject([{ kind: "done" }, { kind: "done" }]);
  const texts = receiver.received.map(({ text }) => text);
  expect(texts).toHaveLength(4);
  expect(new Set(texts).size).toBe(1);
  expect(await deliveriesOf({ call }, endpoint.id)).toMatchObject([{ status: "succeeded", attempt: 2 }]);
});

test("a tenth of a second later the endpoint is looked at again: it was switched off meanwhile", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  hand(await app.emitToHand(id));
  await call("PATCH", `${PATH}/${endpoint.id}`, { body: { enabled: false } });
  app.clock.advance(101);
  expect(await work(id)).toEqual([{ kind: "not_ours" }]);
  expect(loads).toBe(1);
  expect(receiver.received).toEqual([]);
});

test.each([
  ["ordered", { ordered: true }],
  ["switched off", { enabled: false }],
])("an endpoint that is %s is handed nothing, and its slot is announced", async (_what, change) => {
  const { id, call, endpoint } = await app.subscribed();
  await call("PATCH", `${PATH}/${endpoint.id}`, { body: change });
  expect(await app.emitToHand(id)).toBeNull();
  expect(await app.queue(id)).toHaveLength(1);
});

test("an event that cannot be rendered fails when it is worked, and not in the call that has committed it", async () => {
  const { id, call, endpoint } = await app.subscribed();
  const event = await app.emitToHand(id);
  if (event === null) throw new Error("it was not handed over");
  hand({ ...event, created_at: Number.NaN });
  expect(await work(id)).toMatchObject([{ kind: "done" }]);
  expect(loads).toBe(1);
  expect(await deliveriesOf({ call }, endpoint.id)).toMatchObject([{ status: "succeeded" }]);
});

test("each endpoint has its own new secret or address from the next event on", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed();
  hand(await app.emitToHand(id));
  await work(id);
  const other = await app.newReceiver();
  await call("PATCH", `${PATH}/${endpoint.id}`, { body: { url: other.url } });
  hand(await app.emitToHand(id));
  await work(id);
  expect(loads).toBe(0);
  expect([receiver.received.length, other.received.length]).toEqual([1, 1]);
});
