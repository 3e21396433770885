import { Type } from "typebox";
import { afterAll, beforeEach } from "vitest";
import type { Actor, App } from "../../ctx.ts";
import { openDatabase, type Sql } from "../../db/database.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { withClient } from "../../testing/client.ts";
import { testDatabase } from "../../testing/database.ts";
import type { ActivityRow } from "../activity.ts";
import { requireMatch } from "../headers.ts";
import { Problem } from "../problem.ts";
import { type AnyRoute, route } from "../route.ts";
import { testApp, useServer, WORKSPACE } from "./server.ts";

// Writes with keys, on a real PostgreSQL: each verb inserts one row, so that effects can be counted.
export const OTHER_WORKSPACE = newUuid(2_000);
const ACTOR: Actor = { type: "api_key", id: newUuid(3_000), name: "k", scopes: ["*"], phoneNumberIds: null };

/** What the tests of a file set, and what they count. Reset before each, except the clock. */
const newDial = () => ({
  now: Date.UTC(2026, 0, 1),
  /** Verbs begun. */
  calls: 0,
  /** What verbs throw. */
  refuse: null as Error | null,
  /** What verbs wait for. */
  hold: null as Promise<void> | null,
  entered: (): void => undefined,
  auditFails: false,
  /** What `after` of the slow route throws, if anything. */
  afterwards: null as (() => Error | null) | null,
});
type Dial = ReturnType<typeof newDial>;

const Thing = Type.Object({ id: Type.String(), name: Type.String(), secret: Type.String() });
const row = {
  auth: "workspace" as const,
  scope: null,
  tag: "Workspace" as const,
  summary: "Make",
  description: "For tests.",
  body: Type.Object({ name: Type.String(), more: Type.Optional(Type.Unknown()) }),
  status: 201,
  response: Thing,
};

const mark = (ctx: { sql: Sql; now: number }, workspaceId: string, name: string, at: number): Promise<number> =>
  ctx.sql.run(
    "insert into idempotency_key (workspace_id, digest, fingerprint, resource_id, created_at) values ($1, $2, '\\x00', $3, $4)",
    [workspaceId, Buffer.from(newUuid(ctx.now).replaceAll("-", ""), "hex"), name, new Date(at)],
  );

/** The effect of all verbs: one row of a table that any workspace may write. */
async function make(dial: Dial, ctx: { sql: Sql; workspaceId: string; now: number }, name: string) {
  dial.calls += 1;
  dial.entered();
  await dial.hold;
  if (dial.refuse) throw dial.refuse;
  await mark(ctx, ctx.workspaceId, `effect:${name}`, ctx.now);
  if (name === "late") throw new Problem("conflict", "Refused after the effect.");
  const id = formatId("con", newUuid(dial.now));
  return {
    body: { id, name, secret: `whsec_${dial.calls}` },
    headers: { location: `/v1/things/${id}`, etag: `"${dial.calls}"` },
    resource: { type: "thing", id },
    changes: { name },
  };
}

const routesOf = (dial: Dial): AnyRoute[] => [
  route({
    ...row,
    kind: "write",
    method: "POST",
    path: "/v1/things",
    action: "thing.make",
    verb: (ctx, { body, ifMatch }) => {
      requireMatch(ifMatch, '"1"');
      return make(dial, ctx, body.name);
    },
  }),
  route({
    ...row,
    kind: "write",
    method: "POST",
    path: "/v1/others",
    action: "other.make",
    verb: (ctx, { body }) => make(dial, ctx, body.name),
  }),
  route({
    ...row,
    kind: "write",
    method: "POST",
    path: "/v1/slow",
    action: "slow.make",
    verb: (ctx, { body }) => make(dial, ctx, body.name),
    after: (_ctx, answer) => {
      const error = dial.afterwards?.();
      return error ? Promise.reject(error) : Promise.resolve({ ...answer, body: { ...answer.body, name: "settled" } });
    },
  }),
  route({
    ...row,
    kind: "write",
    method: "PATCH",
    path: "/v1/things",
    action: "thing.change",
    status: 200,
    verb: (ctx, { body }) => make(dial, ctx, body.name),
  }),
  route({
    ...row,
    kind: "write",
    method: "POST",
    path: "/v1/gone",
    action: "thing.remove",
    status: 204,
    response: Type.Null(),
    verb: async (ctx, { body }) => ({ ...(await make(dial, ctx, body.name)), body: null }),
  }),
  route({
    ...row,
    kind: "write",
    method: "POST",
    path: "/admin/v1/things",
    action: "operator.make",
    auth: "operator",
    verb: (ctx, { body }) => make(dial, ctx, body.name),
  }),
];

async function openApp(dial: Dial, log: App["log"]): Promise<{ app: App; url: string; drop(): Promise<void> }> {
  const database = await testDatabase();
  const [installation] = await withClient(
    database.url,
    async (client) => (await client.query<{ app_role: string }>("select app_role from installation")).rows,
  );
  const db = openDatabase({ url: database.url, appRole: installation!.app_role, onError: () => undefined });
  return {
    app: testApp({ now: () => dial.now, env: { API_RATE_LIMIT: "off" }, db, log }),
    url: database.url,
    async drop() {
      await db.close();
      await database.drop();
    },
  };
}

/** Runs the server with keyed writes for the tests of a file. */
export function useKeyed() {
  const dial = newDial();
  let opened: Awaited<ReturnType<typeof openApp>> | null = null;
  let keys = 0;
  const open = () => {
    if (opened === null) throw new Error("the database is not open");
    return opened;
  };
  afterAll(() => opened?.drop()); // hooks after the tests run in reverse: the server has closed before
  const record = async (sql: Sql, entry: ActivityRow): Promise<void> => {
    if (dial.auditFails) throw new Error("audit cannot be written");
    const name = `audit:${entry.action}:${entry.response.status}`;
    await mark({ sql, now: dial.now }, entry.workspaceId, name, entry.at);
  };
  const server = useServer("one", async ({ log }) => {
    opened = await openApp(dial, log);
    return {
      app: opened.app,
      routes: routesOf(dial),
      authenticate: (bearer) =>
        Promise.resolve({ workspaceId: bearer === "other" ? OTHER_WORKSPACE : WORKSPACE, actor: ACTOR }),
      record,
    };
  });
  beforeEach(() => {
    Object.assign(dial, { ...newDial(), now: dial.now });
  });
  /** A statement on a connection of its own, past the pools. */
  const outside = <Row extends object>(text: string): Promise<Row[]> =>
    withClient(open().url, async (client) => (await client.query<Row>(text)).rows);
  return {
    dial,
    later: server.later,
    lines: server.lines,
    app: (): App => open().app,
    newKey: (): string => `key-${(keys += 1)}`,
    /** One write: with a key, or null. */
    post: (
      url: string,
      key: string | null,
      body: unknown,
      options: { bearer?: string; headers?: Record<string, string>; method?: "POST" | "PATCH" } = {},
    ) =>
      server.ask(url, {
        method: options.method ?? "POST",
        headers: { ...(key === null ? {} : { "x-idempotency-key": key }), ...options.headers },
        body: JSON.stringify(body),
        ...(options.bearer === undefined ? {} : { key: options.bearer }),
      }),
    /** Rows that the effect and the audit left for a name, as seen inside the workspace. */
    count: (like: string, workspace = WORKSPACE): Promise<number> =>
      open().app.db.read(workspace, async (sql) => {
        const read = "select count(*)::int as n from idempotency_key where resource_id like $1";
        const [counted] = await sql.query<{ n: number }>(read, [like]);
        return counted!.n;
      }),
    /** Holds verbs until opened; `entered` resolves when the first one is inside. */
    openGate(): { entered: Promise<void>; open: () => void } {
      let release: () => void = () => undefined;
      dial.hold = new Promise((resolve) => (release = resolve));
      return { entered: new Promise((resolve) => (dial.entered = resolve)), open: () => release() };
    },
    outside,
    /** Resolves when some session of this database waits for another's lock. */
    async waitsForLock(): Promise<void> {
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      while ((await outside(waiting)).length === 0);
    },
  };
}
