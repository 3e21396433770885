import { Webhook } from "standardwebhooks";
import { expect, vi } from "vitest";
import type { Actor } from "../../../ctx.ts";
import { columns, hotFunction, recordset } from "../../../db/hot-function.ts";
import { SERVER_TAGS } from "../../../http/declared.ts";
import type { AnyRoute } from "../../../http/route.ts";
import { type HttpServer, openServer } from "../../../http/server.ts";
import type { Disposition, QueueRow } from "../../../lanes/kind.ts";
import { ALL_SLOTS } from "../../../lanes/lane-kinds.ts";
import { newUuid } from "../../../lib/ids.ts";
import { openApp, type TestApp } from "../../../testing/app.ts";
import { type Call, injectAs } from "../../../testing/call.ts";
import { readQueue, type TestClaim, testClaim } from "../../../testing/queue.ts";
import { EVENT_VARIABLES, emitEvent, HANDED, HANDED_VARIABLES, SLOTS_MASK } from "../../events/event.sql.ts";
import type { EventGroups } from "../../events/event-groups.ts";
import type { HandedEvent } from "../../events/handed-event.ts";
import { deliverQueue } from "../deliver/deliver.store.ts";
import { Deliver } from "../deliver/deliver.ts";
import type { ReceiversOptions } from "../deliver/receivers.ts";
import { deliveryVerbs } from "../deliveries/get.ts";
import { webhooks } from "../feature.ts";
import { Handshakes } from "../provider-format/handshake.ts";
import { deliveryRoutes, webhookRoutes } from "../routes.ts";
import { TEST_ENV, TEST_EVENTS } from "./deps.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const PATH = "/v1/webhook-endpoints";

const TEST_EVENT = columns({
  workspace_id: "uuid",
  message_id: "uuid",
  contact_id: "uuid",
  kind: "text",
  text: "text",
  conversation: "bigint",
});

/** What another feature's database function would do: one message with its event, by the shared step. */
export const emitTestEvents = hotFunction({
  name: "emit_test_events",
  input: TEST_EVENT,
  answers: columns({ id: "uuid", slots_mask: "text", handed: HANDED }),
  declare: `${EVENT_VARIABLES}${HANDED_VARIABLES}
  r record;`,
  body: `
for r in select * from ${recordset(TEST_EVENT)} loop
  insert into message (workspace_id, id, outbound, phone_number_id, contact_id, type, content, sequence, created_at)
  values (r.workspace_id, r.message_id, true, r.contact_id, r.contact_id, 'text', json_build_object('body', r.text), 1, now) on conflict do nothing;
  handed := null;
  ${emitEvent(
    {
      workspace: "r.workspace_id",
      kind: "r.kind",
      message: "r.message_id",
      contact: "r.contact_id",
      occurredAt: "now",
      state: "json_build_object('rank', 7)",
      conversation: "r.conversation",
    },
    {
      when: "true",
      message: "(select row_to_json(m) from message m where m.workspace_id = r.workspace_id and m.id = r.message_id)",
    },
  )}
  return query select event_id, ${SLOTS_MASK}, handed;
end loop;`,
});

export type TestWorkspace = { id: string; call: Call };

export type WebhooksApp = Omit<TestApp, "workspace"> & {
  http: HttpServer;
  deliver: Deliver;
  /** A new workspace, and calls of it with these scopes. */
  workspace(scopes?: readonly string[]): Promise<TestWorkspace>;
  /** Calls of a workspace with other scopes. */
  workspaceAs(id: string, scopes: readonly string[]): TestWorkspace;
  /** A receiver that is closed at the end. */
  newReceiver(): Promise<Receiver>;
  /** A new workspace with a receiver and an endpoint for every kind of event; `more` goes into the endpoint's body. */
  subscribed(more?: object): Promise<TestWorkspace & { endpoint: ReturnType<typeof JSON.parse>; receiver: Receiver }>;
  /** Writes events of these kinds, in order; resolves to their uuids. */
  emit(workspaceId: string, events: TestEvent[]): Promise<string[]>;
  /** The same with one event, as the call hands it over that has written it; null where it hands over nothing. */
  emitToHand(workspaceId: string, event?: TestEvent): Promise<HandedEvent | null>;
  /** The workspace's rows of the queue, as their lane's owner reads them. */
  queue(workspaceId: string): Promise<QueueRow[]>;
  /** Works every row that is due, one after the other. */
  workAll(workspaceId: string, claim?: TestClaim): Promise<Disposition[]>;
  /** Whether the reference library accepts the last request of a receiver, at the time of the test's clock. */
  verifies(receiver: Receiver, secret: string): boolean;
  stop(): Promise<void>;
};

type TestEvent = { kind?: string; text?: string; conversation?: number };

type Options = Partial<ReceiversOptions> & {
  events?: EventGroups;
  env?: Record<string, string>;
  /** Routes that stand for those of other features. */
  routes?: readonly AnyRoute[];
};

/** The feature on a database of its own behind the real HTTP layer; the test runs its lanes itself. */
export async function startWebhooks(options: Options = {}): Promise<WebhooksApp> {
  const { events = TEST_EVENTS, env, routes = [], ...rest } = options;
  const open = await openApp({
    functions: [...(webhooks.functions ?? []), emitTestEvents],
    env: { ...TEST_ENV, ...env },
  });
  const { app, clock } = open;
  const deliver = new Deliver({ ...app, random: () => 0.5 }, events, { version: "0.0.0", ...rest });
  const actors = new Map<string, { workspaceId: string; actor: Actor }>();
  const handshakes = new Handshakes(app);
  const http = await openServer(app, {
    routes: [
      ...webhookRoutes(handshakes),
      ...deliveryRoutes(deliveryVerbs(events, deliver.envelopes, "0.0.0")),
      ...routes,
    ],
    rawRoutes: [],
    authenticate: (bearer) => Promise.resolve(actors.get(bearer) ?? null),
    declared: { tags: SERVER_TAGS, lists: { scopes: ["*"], event_kinds: ["*", ...events.kinds] }, events: [] },
    activity: { record: () => Promise.resolve(), later: () => undefined },
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.0.0",
  });
  const receivers: Receiver[] = [];
  const write = (workspaceId: string, events: readonly TestEvent[]) => {
    const rows = events.map(({ kind = "delivered", text = "hello", conversation = 1 }) => ({
      workspace_id: workspaceId,
      message_id: newUuid(clock.now()),
      contact_id: newUuid(clock.now()),
      kind,
      text,
      conversation,
    }));
    return app.db.call(emitTestEvents, rows, clock.now());
  };

  const self: WebhooksApp = {
    ...open,
    http,
    deliver,
    async workspace(scopes = ["*"]) {
      return self.workspaceAs(await open.workspace(), scopes);
    },
    workspaceAs(id, scopes) {
      const bearer = `bearer-${id}-${scopes.join("-")}`;
      const actor: Actor = { type: "api_key", id, name: "test", scopes: [...scopes], phoneNumberIds: null };
      actors.set(bearer, { workspaceId: id, actor });
      return { id, call: injectAs(http, bearer) };
    },
    async newReceiver() {
      const receiver = await startReceiver();
      receivers.push(receiver);
      return receiver;
    },
    async subscribed(more = {}) {
      const workspace = await self.workspace();
      const receiver = await self.newReceiver();
      const body = { url: receiver.url, events: ["*"], ...more };
      const created = await workspace.call("POST", PATH, { body });
      expect(created.status).toBe(201);
      return { ...workspace, endpoint: created.body, receiver };
    },
    async emit(workspaceId, events) {
      return (await write(workspaceId, events)).map((row) => row.id);
    },
    async emitToHand(workspaceId, event = {}) {
      return (await write(workspaceId, [event]))[0]?.handed ?? null;
    },
    async queue(workspaceId) {
      const rows = await readQueue(app, deliverQueue, ALL_SLOTS);
      return rows.filter((row) => row.workspaceId === workspaceId);
    },
    async workAll(workspaceId, claim = testClaim()) {
      const dispositions: Disposition[] = [];
      for (const row of await self.queue(workspaceId))
        if (row.due <= clock.now()) dispositions.push(await deliver.work(row, claim));
      return dispositions;
    },
    verifies({ received }, secret) {
      const { text, headers, body } = received.at(-1)!;
      vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
      try {
        expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
        return true;
      } catch {
        return false;
      } finally {
        vi.useRealTimers();
      }
    },
    async stop() {
      for (const receiver of receivers) await receiver.close();
      await http.close();
      await deliver.stop();
      await handshakes.stop();
      await open.stop();
    },
  };
  return self;
}

/** The deliveries in the list of an endpoint; `query` begins with `?`. */
export async function deliveriesOf({ call }: { call: Call }, endpointId: string, query = "") {
  return (await call("GET", `${PATH}/${endpointId}/deliveries${query}`)).body.data;
}
