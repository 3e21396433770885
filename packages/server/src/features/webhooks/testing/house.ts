import { readConfig } from "../../../config.ts";
import type { Actor, House } from "../../../ctx.ts";
import { openDatabase } from "../../../db/database.ts";
import { hotFunction } from "../../../db/hot-function.ts";
import { migrate } from "../../../db/migrate.ts";
import { createHttp, type Http } from "../../../http/server.ts";
import type { Grip, QueueRow } from "../../../lanes/kind.ts";
import { SLOTS } from "../../../lanes/wake.ts";
import type { Clock } from "../../../lib/clock.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { createLog } from "../../../lib/log.ts";
import { createSecrets } from "../../../lib/secrets.ts";
import { type TestDatabase, testDatabase } from "../../../testing/database.ts";
import { deliverQueue } from "../deliver.store.ts";
import { createDeliver, type DeliverOptions } from "../deliver.ts";
import { EVENT_VARIABLES, emitEvent } from "../event.sql.ts";
import type { EventDoors, JsonRow } from "../event-body.ts";
import { webhookFunctions, webhooksFeature } from "../feature.ts";

/** What another feature's database function would do: one message with its event, by the shared step. */
export const emitTestEvents = hotFunction({
  name: "emit_test_events",
  returns: "id uuid, wake text",
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
export const testDoors: EventDoors = {
  renderMessage: (message, state) => ({
    id: formatId("msg", String(message["id"])),
    text: message["content"],
    rank: state["rank"],
    error: { code: "x" },
  }),
  renderContact: (contact) => ({ id: formatId("con", String(contact["id"])), name: contact["name"] }),
  renderResource: (kind, _workspace, resourceId, state) => ({ kind, resource: resourceId, ...state }),
};

/** Time that a test moves: wall clock, monotonic reading and timers together. */
export function handClock(): Clock & { advance(ms: number): void } {
  let now = Date.now();
  let timers: { at: number; fn: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    after(ms, fn) {
      const timer = { at: now + ms, fn };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      now += ms;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.fn();
    },
  };
}

export const TEST_ENV = {
  WAYPOST_OPERATOR_KEY: "operator-key-0123456789",
  PORT: "0",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  API_RATE_LIMIT: "off",
};
export const TEST_KEY = new Uint8Array(32);

export type Reply = {
  status: number;
  body: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Record<string, unknown>;
};
export type Call = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Reply>;

export type TestHouse = {
  house: House;
  database: TestDatabase;
  clock: ReturnType<typeof handClock>;
  http: Http;
  deliver: ReturnType<typeof createDeliver>;
  /** Hinted slots, in order. */
  hints: number[];
  workspace(scopes?: readonly string[]): Promise<{ id: string; call: Call }>;
  /** Events of `kinds`, one after the other; their uuids. */
  emit(workspaceId: string, events: { kind?: string; text?: string; conversation?: number }[]): Promise<string[]>;
  /** The rows of the queue that belong to a workspace, as their lane's owner would hold them. */
  queue(workspaceId: string): Promise<QueueRow[]>;
  stop(): Promise<void>;
};

/** The feature on a database of its own, behind the real HTTP layer. */
export async function startHouse(
  options: Partial<DeliverOptions> & { doors?: EventDoors; env?: Record<string, string> } = {},
): Promise<TestHouse> {
  const database = await testDatabase();
  const { appRole } = await migrate(database.url, {
    functions: [...webhookFunctions, emitTestEvents],
    slots: SLOTS,
    now: Date.now(),
  });
  const clock = handClock();
  const hints: number[] = [];
  const house: House = {
    config: readConfig({ ...TEST_ENV, ...options.env }),
    log: createLog("silent"),
    clock,
    secrets: createSecrets([TEST_KEY]),
    db: openDatabase({ url: database.url, appRole, onError: () => undefined }),
    provider: {} as House["provider"], // not reached from here
    wake: { hint: (_kind, slots) => void hints.push(...slots) },
  };
  const { doors = testDoors, env: _env, ...rest } = options;
  const deliverOptions = { version: "0.0.0", random: () => 0.5, ...rest };
  const deliver = createDeliver(house, doors, deliverOptions);
  const feature = webhooksFeature(house, doors, deliverOptions);
  const known = new Map<string, { workspaceId: string; actor: Actor }>();
  const http = await createHttp(house, {
    routes: feature.routes ?? [],
    rawRoutes: [],
    authenticate: (bearer) => Promise.resolve(known.get(bearer) ?? null),
    activity: { record: () => Promise.resolve(), later: () => undefined },
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.0.0",
  });

  return {
    house,
    database,
    clock,
    http,
    deliver,
    hints,
    async workspace(scopes = ["*"]) {
      const id = newUuid(clock.now());
      await house.db.transaction(id, (sql) =>
        sql.run(
          "insert into workspace (workspace_id, name, created_at, updated_at) values ($1, 'Acme', now(), now())",
          [id],
        ),
      );
      const bearer = `bearer-${id}`;
      known.set(bearer, { workspaceId: id, actor: { type: "api_key", id, name: "test", scopes } });
      return {
        id,
        async call(method, path, body, headers = {}) {
          const reply = await http.inject({
            method,
            url: path,
            headers: { authorization: `Bearer ${bearer}`, ...headers },
            ...(body === undefined ? {} : { payload: body }),
          });
          return {
            status: reply.statusCode,
            body: reply.payload === "" ? {} : reply.json(),
            text: reply.payload,
            headers: reply.headers,
          };
        },
      };
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
      return (await house.db.call<{ id: string }>(emitTestEvents, rows, clock.now())).map((row) => row.id);
    },
    async queue(workspaceId) {
      const asks = Array.from({ length: SLOTS }, (_, slot) => JSON.stringify({ slot, lo: -1 }));
      const rows = await house.db.call<JsonRow>(deliverQueue.tail, asks, clock.now());
      return rows
        .filter((row) => row["workspace_id"] === workspaceId)
        .map(queueRow)
        .toSorted((a, b) => a.seq - b.seq);
    },
    async stop() {
      await http.close();
      await deliver.stop();
      await feature.stop?.();
      await house.db.close();
      await database.drop();
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

export type TestGrip = Grip & { reports: boolean[]; lost: boolean; abort: AbortController };

export function testGrip(): TestGrip {
  const abort = new AbortController();
  const reports: boolean[] = [];
  const grip: TestGrip = {
    worker: "w",
    epoch: 1,
    lost: false,
    valid: () => !grip.lost,
    departure: () => Promise.resolve(),
    pause: () => undefined,
    report: (good) => void reports.push(good),
    signal: abort.signal,
    reports,
    abort,
  };
  return grip;
}
