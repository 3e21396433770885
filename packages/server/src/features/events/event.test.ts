import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { TxCtx } from "../../ctx.ts";
import { Problem } from "../../http/problem.ts";
import { route } from "../../http/route.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { testClaim } from "../../testing/queue.ts";
import { CONTACT_EVENTS } from "../contacts/events.ts";
import { STATUS_EVENTS } from "../messages/events.ts";
import { startWebhooks, type WebhooksApp } from "../webhooks/testing/app.ts";
import { emit, hintDeliveries } from "./event.ts";
import { EventGroups, eventGroup } from "./event-groups.ts";

const DOING_EVENTS = eventGroup({
  category: "account",
  kinds: ["account_changed"],
  shapes: [
    {
      name: "DoingEvent",
      means: { account_changed: "Done." },
      data: Type.Object({ kind: Type.String(), resource: Type.String(), name: Type.String() }),
      example: () => ({}),
    },
  ],
  data: ({ kind, resourceId, state }) => ({ kind, resource: resourceId, ...state }),
});

/** What the verb of the test's own route does. */
let events: ((ctx: TxCtx) => Promise<void>)[];
let refuses: boolean;
/** The number of hints when the verb had emitted its events and had not committed. */
let hintsBefore: number;

const doing = route({
  kind: "write",
  method: "POST",
  path: "/v1/doings",
  tag: "Webhooks",
  summary: "Do",
  description: "For tests.",
  action: "doing.make",
  auth: "workspace",
  scope: "contacts:write",
  status: 204,
  response: Type.Null(),
  errors: ["conflict"],
  async verb(ctx) {
    for (const write of events) await write(ctx);
    hintsBefore = app.hints.length;
    if (refuses) throw new Problem("conflict", "not after all");
    return { body: null };
  },
  after: hintDeliveries,
});

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks({
    routes: [doing],
    events: new EventGroups([DOING_EVENTS, CONTACT_EVENTS, STATUS_EVENTS]),
  });
});
afterAll(() => app.stop());
beforeEach(() => {
  refuses = false;
  app.hints.length = 0;
});

const subscribed = (kinds: string[]) => app.subscribed({ events: kinds });

const doingOf = (resource: string) => (ctx: TxCtx) =>
  emit(ctx, DOING_EVENTS, { kind: "account_changed", resource, state: { name: "after" }, conversation: resource });

test("an event is written in the verb's transaction, once for an idempotency key, and delivered to its own workspace alone", async () => {
  const [mine, theirs] = [await subscribed(["account_changed"]), await subscribed(["*"])];
  const resource = newUuid(app.clock.now());
  events = [doingOf(resource)];
  const once = () => mine.call("POST", "/v1/doings", { headers: { "x-idempotency-key": "once" } });
  expect([(await once()).status, (await once()).status]).toEqual([204, 204]);

  const text = "select kind, resource_id, contact_id, message_id, occurred_at, state from event";
  const at = new Date(app.clock.now());
  expect(await app.rows(mine.id, text)).toEqual([
    {
      kind: "account_changed",
      resource_id: resource,
      contact_id: null,
      message_id: null,
      occurred_at: at,
      state: { name: "after" },
    },
  ]);
  expect(await app.rows(theirs.id, text)).toEqual([]);
  expect(await app.queue(theirs.id)).toEqual([]);

  const queue = await app.queue(mine.id);
  expect(queue).toHaveLength(1);
  for (const row of queue) await app.deliver.work(row, testClaim());
  await mine.receiver.got(1);
  expect(mine.receiver.received[0]?.body).toMatchObject({
    kind: "account_changed",
    category: "account",
    workspace_id: formatId("ws", mine.id),
    created_at: at.toISOString(),
    data: { kind: "account_changed", resource, name: "after" },
  });
});

test("lanes are hinted after the commit, and never after a rollback", async () => {
  const mine = await subscribed(["*"]);
  events = [doingOf(newUuid(app.clock.now()))];
  expect((await mine.call("POST", "/v1/doings")).status).toBe(204);
  expect([hintsBefore, app.hints.map(({ kind }) => kind)]).toEqual([0, ["deliver"]]);
  const [queued] = await app.queue(mine.id);
  expect(app.hints[0]?.slots).toContain(queued?.slot);

  app.hints.length = 0;
  refuses = true;
  expect((await mine.call("POST", "/v1/doings")).status).toBe(409);
  expect(app.hints).toEqual([]);
  expect(await app.queue(mine.id)).toHaveLength(1);
  expect(await app.rows(mine.id, "select id from event")).toHaveLength(1);
});

test("an event that no endpoint listens to is kept for the feed, and nothing is queued", async () => {
  const mine = await subscribed(["sent"]);
  events = [doingOf(newUuid(app.clock.now()))];
  expect((await mine.call("POST", "/v1/doings")).status).toBe(204);
  expect(await app.rows(mine.id, "select kind from event")).toEqual([{ kind: "account_changed" }]);
  expect(await app.queue(mine.id)).toEqual([]);
});

test("several events of one verb keep their order, in the same conversation as those of database functions", async () => {
  const mine = await subscribed(["*"]);
  const contact = newUuid(app.clock.now());
  events = (["contact_created", "opted_out"] as const).map(
    (kind) => (ctx) => emit(ctx, CONTACT_EVENTS, { kind, contact, state: { source: "api" }, conversation: contact }),
  );
  expect((await mine.call("POST", "/v1/doings")).status).toBe(204);
  const rows = await app.rows(mine.id, "select kind, contact_id, state from event order by sequence");
  const row = { contact_id: contact, state: { source: "api" } };
  expect(rows).toEqual([
    { kind: "contact_created", ...row },
    { kind: "opted_out", ...row },
  ]);
  const keys = await app.rows(
    mine.id,
    "select distinct conversation = hashtextextended($1::uuid::text, 0) same from deliver",
    [contact],
  );
  expect(keys).toEqual([{ same: true }]);
});
