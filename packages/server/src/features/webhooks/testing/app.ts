import type { Actor } from "../../../ctx.ts";
import { hotFunction } from "../../../db/hot-function.ts";
import type { AnyRoute } from "../../../http/route.ts";
import { type HttpServer, openServer } from "../../../http/server.ts";
import type { LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { SLOTS } from "../../../lanes/lane-kinds.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { type TestApp as OpenApp, openApp } from "../../../testing/app.ts";
import { type Call, injectAs } from "../../../testing/call.ts";
import { deliverQueue } from "../deliver/deliver.store.ts";
import { createDeliver, type DeliverOptions } from "../deliver/deliver.ts";
import { EVENT_VARIABLES, emitEvent } from "../events/event.sql.ts";
import type { EventDeps, JsonRow } from "../events/event-body.ts";
import { webhookFunctions, webhooksFeature } from "../feature.ts";

/** What another feature's database function would do: one message with its event, by the shared step. */
export const emitTestEvents = hotFunction({
  name: "emit_test_events",
  returns: "id uuid, slots_mask text",
  declare: `${EVENT_VARIABLES}
  r record;`,
  body: `
for r in select * from json_to_recordset(rows) as x(workspace_id uuid, message_id uuid, contact_id uuid, kind text, text text, conversation bigint) loop
  insert into message (workspace_id, id, outbound, phone_number_id, contact_id, type, content, sequence, created_at)
  values (r.workspace_id, r.message_id, true, r.contact_id, r.contact_id, 'text', json_build_object('body', r.text), 1, now) on conflict do nothing;
  ${emitEvent({
    workspace: "r.workspace_id",
    kind: "r.kind",
    message: "r.message_id",
    contact: "r.contact_id",
    occurredAt: "now",
    state: "json_build_object('rank', 7)",
    conversation: "r.conversation",
  })}
  return query select event_id, fan::text;
end loop;`,
});

/** Stands for the rendering of other features. */
export const testDeps: EventDeps = {
  renderMessage: (message, state) => ({
    id: formatId("msg", String(message["id"])),
    text: message["content"],
    rank: state["rank"],
    error: { code: "x" },
  }),
  renderContact: (contact) => ({ id: formatId("con", String(contact["id"])), name: contact["name"] }),
  renderResource: (kind, _workspace, resourceId, state) => ({ kind, resource: resourceId, ...state }),
};

export const TEST_ENV = {
  WAYPOST_OPERATOR_KEY: "operator-key-0123456789",
  PORT: "0",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  API_RATE_LIMIT: "off",
};
/** The key of `openHouse`, for another process on the same database. */
export const TEST_KEY = new Uint8Array(32).fill(7);

export type TestApp = Omit<OpenApp, "workspace"> & {
  http: HttpServer;
  deliver: ReturnType<typeof createDeliver>;
  workspace(scopes?: readonly string[]): Promise<{ id: string; call: Call }>;
  /** Events of `kinds`, one after the other; their uuids. */
  emit(workspaceId: string, events: { kind?: string; text?: string; conversation?: number }[]): Promise<string[]>;
  /** The rows of the queue that belong to a workspace, as their lane's owner would hold them. */
  queue(workspaceId: string): Promise<QueueRow[]>;
  stop(): Promise<void>;
};

/** The feature on a database of its own, behind the real HTTP layer; `routes` stand for those of other features. */
export async function startApp(
  options: Partial<DeliverOptions> & {
    deps?: EventDeps;
    env?: Record<string, string>;
    routes?: readonly AnyRoute[];
  } = {},
): Promise<TestApp> {
  const open = await openApp({
    functions: [...webhookFunctions, emitTestEvents],
    env: { ...TEST_ENV, ...options.env },
  });
  const { app, clock } = open;
  const { deps = testDeps, env: _env, routes = [], ...rest } = options;
  const deliverOptions = { version: "0.0.0", random: () => 0.5, ...rest };
  const deliver = createDeliver(app, deps, deliverOptions);
  const feature = webhooksFeature(app, deps, deliverOptions);
  const known = new Map<string, { workspaceId: string; actor: Actor }>();
  const http = await openServer(app, {
    routes: [...(feature.routes ?? []), ...routes],
    rawRoutes: [],
    authenticate: (bearer) => Promise.resolve(known.get(bearer) ?? null),
    activity: { record: () => Promise.resolve(), later: () => undefined },
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.0.0",
  });

  return {
    ...open,
    http,
    deliver,
    async workspace(scopes = ["*"]) {
      const id = await open.workspace();
      const bearer = `bearer-${id}`;
      known.set(bearer, { workspaceId: id, actor: { type: "api_key", id, name: "test", scopes } });
      return { id, call: injectAs(http, bearer) };
    },
    async emit(workspaceId, events) {
      const rows = events.map(({ kind = "delivered", text = "hello", conversation = 1 }) =>
        JSON.stringify({
          workspace_id: workspaceId,
          message_id: newUuid(clock.now()),
          contact_id: newUuid(clock.now()),
          kind,
          text,
          conversation,
        }),
      );
      return (await app.db.call<{ id: string }>(emitTestEvents, rows, clock.now())).map((row) => row.id);
    },
    async queue(workspaceId) {
      const asks = Array.from({ length: SLOTS }, (_, slot) => JSON.stringify({ slot, lo: -1 }));
      const rows = await app.db.call<JsonRow>(deliverQueue.tail, asks, clock.now());
      return rows
        .filter((row) => row["workspace_id"] === workspaceId)
        .map(queueRow)
        .toSorted((a, b) => a.seq - b.seq);
    },
    async stop() {
      await http.close();
      await deliver.stop();
      await feature.stop?.();
      await open.stop();
    },
  };
}

const queueRow = (row: JsonRow): QueueRow => ({
  slot: Number(row["slot"]),
  lane: Number(row["lane"]),
  due: Number(row["due"]),
  seq: Number(row["seq"]),
  workspaceId: String(row["workspace_id"]),
  itemId: String(row["item_id"]),
  eventId: String(row["event_id"]),
  key: String(row["key"]),
  attempt: Number(row["attempt"]),
  state: 0,
  startedAt: null,
  expiresAt: null,
});

export type TestClaim = LaneClaim & { reports: boolean[]; lost: boolean; abort: AbortController };

export function testClaim(): TestClaim {
  const abort = new AbortController();
  const reports: boolean[] = [];
  const claim: TestClaim = {
    worker: "w",
    epoch: 1,
    lost: false,
    valid: () => !claim.lost,
    departure: () => Promise.resolve(),
    pause: () => undefined,
    report: (good) => void reports.push(good),
    signal: abort.signal,
    reports,
    abort,
  };
  return claim;
}
