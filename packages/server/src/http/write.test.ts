import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import type { Actor, House } from "../ctx.ts";
import { openDatabase, type Sql } from "../db/database.ts";
import { formatId, NIL_WORKSPACE, newUuid } from "../lib/ids.ts";
import { createLog } from "../lib/log.ts";
import { createSecrets } from "../lib/secrets.ts";
import { withClient } from "../testing/client.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import type { ActivityRow } from "./activity.ts";
import { requireMatch } from "./etag.ts";
import { Problem } from "./problem.ts";
import { route } from "./route.ts";
import { createHttp, type Http } from "./server.ts";

// Writes with keys, on a real PostgreSQL: each verb inserts one workspace row, so that effects can be counted.
const DAY_MS = 86_400_000;
const WORKSPACE = newUuid(1_000);
const OTHER = newUuid(2_000);
const OPERATOR_KEY = "operator-key-0123456789";
const actor: Actor = { type: "api_key", id: newUuid(3_000), name: "k", scopes: ["*"] };

const later: ActivityRow[] = [];
let database: TestDatabase;
let house: House;
let http: Http;
let now = Date.UTC(2026, 0, 1);
let calls = 0;
let refuse: Error | null = null;
let hold: Promise<void> | null = null;
let entered: () => void = () => undefined;
let auditFails = false;
let afterwards: (() => Error | null) | null = null;

const Thing = Type.Object({ id: Type.String(), name: Type.String(), secret: Type.String() });
const row = {
  auth: "workspace" as const,
  scope: null,
  tag: "things",
  body: Type.Object({ name: Type.String(), more: Type.Optional(Type.Unknown()) }),
  status: 201,
  response: Thing,
};

/** The effect: one row of a table that any workspace may write. */
async function make(ctx: { sql: Sql; workspaceId: string; now: number }, name: string) {
  calls += 1;
  entered();
  await hold;
  if (refuse) throw refuse;
  const digest = Buffer.from(newUuid(now).replaceAll("-", ""), "hex");
  await ctx.sql.run(
    "insert into idempotency_key (workspace_id, digest, fingerprint, resource_id, created_at) values ($1, $2, '\\x00', $3, $4)",
    [ctx.workspaceId, digest, `effect:${name}`, new Date(ctx.now)],
  );
  if (name === "late") throw new Problem("conflict", "Refused after the effect.");
  const id = formatId("con", newUuid(now));
  return {
    body: { id, name, secret: `whsec_${calls}` },
    headers: { location: `/v1/things/${id}`, etag: `"${calls}"` },
    resource: { type: "thing", id },
    changes: { name },
  };
}

beforeAll(async () => {
  database = await testDatabase();
  const rows = await outside<{ app_role: string }>("select app_role from installation");
  house = {
    config: readConfig({ WAYPOST_OPERATOR_KEY: OPERATOR_KEY, PORT: "0", API_RATE_LIMIT: "off" }),
    log: createLog("silent"),
    clock: { now: () => now, monotonic: () => now, after: () => () => undefined },
    secrets: createSecrets([new Uint8Array(32)]),
    db: openDatabase({ url: database.url, appRole: rows[0]!.app_role, onError: () => undefined }),
    provider: {} as House["provider"], // not reached
    wake: { hint: () => undefined },
  };
  http = await createHttp(house, {
    routes: [
      route({
        ...row,
        kind: "write",
        method: "POST",
        path: "/v1/things",
        summary: "Make",
        action: "thing.make",
        verb: (ctx, { body, ifMatch }) => {
          requireMatch(ifMatch, '"1"');
          return make(ctx, body.name);
        },
      }),
      route({
        ...row,
        kind: "write",
        method: "POST",
        path: "/v1/others",
        summary: "Make",
        action: "other.make",
        verb: (ctx, { body }) => make(ctx, body.name),
      }),
      route({
        ...row,
        kind: "write",
        method: "POST",
        path: "/v1/slow",
        summary: "Make and wait",
        action: "slow.make",
        verb: (ctx, { body }) => make(ctx, body.name),
        after: (_ctx, answer) => {
          const error = afterwards?.();
          return error
            ? Promise.reject(error)
            : Promise.resolve({ ...answer, body: { ...answer.body, name: "settled" } });
        },
      }),
      route({
        ...row,
        kind: "write",
        method: "PATCH",
        path: "/v1/things",
        summary: "Change",
        action: "thing.change",
        status: 200,
        verb: (ctx, { body }) => make(ctx, body.name),
      }),
      route({
        ...row,
        kind: "write",
        method: "POST",
        path: "/v1/gone",
        summary: "Remove",
        action: "thing.remove",
        status: 204,
        response: Type.Null(),
        verb: async (ctx, { body }) => ({ ...(await make(ctx, body.name)), body: null }),
      }),
      route({
        ...row,
        kind: "write",
        method: "POST",
        path: "/admin/v1/things",
        summary: "Make",
        action: "operator.make",
        auth: "operator",
        verb: (ctx, { body }) => make(ctx, body.name),
      }),
    ],
    rawRoutes: [],
    authenticate: (bearer) => Promise.resolve({ workspaceId: bearer === "other" ? OTHER : WORKSPACE, actor }),
    activity: {
      record: async (sql, entry) => {
        if (auditFails) throw new Error("audit cannot be written");
        const digest = Buffer.from(newUuid(now).replaceAll("-", ""), "hex");
        await sql.run(
          "insert into idempotency_key (workspace_id, digest, fingerprint, resource_id, created_at) values ($1, $2, '\\x01', $3, $4)",
          [entry.workspaceId, digest, `audit:${entry.action}:${entry.response.status}`, new Date(entry.at)],
        );
      },
      later: (entry) => void later.push(entry),
    },
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.1.0",
  });
});
afterAll(async () => {
  await http?.close();
  await house?.db.close();
  await database?.drop();
});
beforeEach(() => {
  calls = 0;
  refuse = null;
  hold = null;
  entered = () => undefined;
  auditFails = false;
  afterwards = null;
  later.length = 0;
});

let keys = 0;
const newKey = (): string => `key-${(keys += 1)}`;
const post = (
  url: string,
  key: string | null,
  body: unknown,
  {
    bearer = "one",
    headers = {},
    method = "POST",
  }: { bearer?: string; headers?: Record<string, string>; method?: "POST" | "PATCH" } = {},
) =>
  http.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      ...(key === null ? {} : { "x-idempotency-key": key }),
      ...headers,
    },
    payload: JSON.stringify(body),
  });

/** Rows that the effect and the audit left for a name, as seen inside the workspace. */
const count = (like: string, workspace = WORKSPACE): Promise<number> =>
  house.db.read(
    workspace,
    async (sql) =>
      (
        await sql.query<{ n: number }>("select count(*)::int as n from idempotency_key where resource_id like $1", [
          like,
        ])
      )[0]!.n,
  );

describe("a key", () => {
  test("gives the first answer again, byte for byte", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "a1", more: { x: 1, y: [2] } });
    expect(first.statusCode).toBe(201);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    now += 7 * DAY_MS - 1;
    const again = await post("/v1/things", key, { more: { y: [2], x: 1 }, name: "a1" });
    expect([again.statusCode, again.payload]).toEqual([201, first.payload]);
    expect(again.headers).toMatchObject({
      "idempotent-replayed": "true",
      location: first.headers["location"],
      etag: first.headers["etag"],
      "content-type": first.headers["content-type"],
    });
    expect([calls, await count("effect:a1")]).toEqual([1, 1]);
    expect(later).toMatchObject([{ action: "thing.make", response: { status: 201, code: null } }]);
  });

  test("is asked before the verb's rules and before If-Match", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "b1" }, { headers: { "if-match": '"1"' } });
    refuse = new Problem("window_closed", "Not any more.");
    const again = await post("/v1/things", key, { name: "b1" }, { headers: { "if-match": '"9"' } });
    expect(again.payload).toBe(first.payload);
    expect((await post("/v1/things", newKey(), { name: "b2" }, { headers: { "if-match": '"9"' } })).statusCode).toBe(
      412,
    );
  });

  test("with another body, path or query is 422 and names the first", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "c1" });
    for (const [url, body] of [
      ["/v1/things", { name: "c2" }],
      ["/v1/others", { name: "c1" }],
    ] as const) {
      const other = await post(url, key, body);
      expect(other.json()).toMatchObject({ status: 422, code: "idempotency_key_reused", resource_id: first.json().id });
    }
    expect(calls).toBe(1);
  });

  test("of another workspace is another key; the operator has its own", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "d1" });
    const other = await post("/v1/things", key, { name: "d1" }, { bearer: "other" });
    expect(other.json().id).not.toBe(first.json().id);
    const operator = await post("/admin/v1/things", key, { name: "d1" }, { bearer: OPERATOR_KEY });
    expect((await post("/admin/v1/things", key, { name: "d1" }, { bearer: OPERATOR_KEY })).payload).toBe(
      operator.payload,
    );
    expect([
      await count("effect:d1"),
      await count("effect:d1", OTHER),
      await count("effect:d1", NIL_WORKSPACE),
    ]).toEqual([1, 1, 1]);
  });

  test("is free again after a refusal, and nothing of it is left", async () => {
    const key = newKey();
    refuse = new Problem("template_not_approved", "Not yet.");
    expect((await post("/v1/things", key, { name: "e1" })).json()).toMatchObject({
      status: 422,
      code: "template_not_approved",
    });
    refuse = new Error("boom");
    expect((await post("/v1/things", key, { name: "e1" })).statusCode).toBe(500);
    refuse = null;
    expect((await post("/v1/things", key, { name: "late" })).statusCode).toBe(409);
    auditFails = true;
    expect((await post("/v1/things", key, { name: "e1" })).statusCode).toBe(500);
    auditFails = false;
    expect([await count("effect:e1"), await count("effect:late")]).toEqual([0, 0]);
    expect((await post("/v1/things", key, { name: "e1" })).statusCode).toBe(201);
    expect(await count("effect:e1")).toBe(1);
    expect(later.map((entry) => entry.response.status)).toEqual([422, 500, 409, 500]);
  });

  test("after 7 days says that it is used; after 30 it is new", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "f1" });
    now += 7 * DAY_MS;
    const expired = await post("/v1/things", key, { name: "f1" });
    expect(expired.json()).toMatchObject({
      status: 409,
      code: "idempotency_key_expired",
      resource_id: first.json().id,
    });
    expect(calls).toBe(1);
    now += 23 * DAY_MS + 1;
    const anew = await post("/v1/things", key, { name: "f2" });
    expect([anew.statusCode, anew.headers["idempotent-replayed"]]).toEqual([201, undefined]);
    expect((await post("/v1/things", key, { name: "f2" })).payload).toBe(anew.payload);
  });

  test("is kept without its text, and its answer without its secret", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "g1" });
    const kept = await house.db.read(WORKSPACE, (sql) =>
      sql.query<{ digest: Buffer; answer: Buffer }>("select * from idempotency_key where resource_id = $1", [
        first.json().id,
      ]),
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]!.digest).toHaveLength(16);
    expect(kept[0]!.answer.toString("latin1")).not.toContain("whsec_");
    expect(JSON.stringify(kept)).not.toContain(key);
  });

  test("whose answer no longer opens is used up, not run again", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "h1" });
    await house.db.transaction(WORKSPACE, (sql) =>
      sql.run("update idempotency_key set answer = '\\x00' where resource_id = $1", [first.json().id]),
    );
    expect((await post("/v1/things", key, { name: "h1" })).json()).toMatchObject({
      status: 409,
      code: "idempotency_key_expired",
    });
    expect(calls).toBe(1);
  });

  test("keeps an answer without a body", async () => {
    const key = newKey();
    const first = await post("/v1/gone", key, { name: "i1" });
    const again = await post("/v1/gone", key, { name: "i1" });
    expect([first.statusCode, again.statusCode, again.payload, again.headers["idempotent-replayed"]]).toEqual([
      204,
      204,
      "",
      "true",
    ]);
  });

  test("is read on POST only", async () => {
    const key = newKey();
    await post("/v1/things", key, { name: "j1" }, { method: "PATCH" });
    await post("/v1/things", key, { name: "j1" }, { method: "PATCH" });
    expect(await count("effect:j1")).toBe(2);
  });
});

describe("twins", () => {
  test("50 at once are one execution and 50 equal answers", async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post("/v1/things", key, { name: "t1" })));
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.payload}`)).size).toBe(1);
    expect(answers[0]!.statusCode).toBe(201);
    expect(answers.filter((answer) => answer.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    expect([calls, await count("effect:t1")]).toEqual([1, 1]);
  });

  test("wait for the first one's refusal and then run themselves", async () => {
    const key = newKey();
    const gate = openGate();
    const first = post("/v1/things", key, { name: "late" });
    await gate.entered;
    const second = post("/v1/things", key, { name: "late" });
    await waitsForLock();
    gate.open();
    expect([(await first).statusCode, (await second).statusCode, calls]).toEqual([409, 409, 2]);
  });

  test("that wait more than 2 s are told so; the first is not disturbed", async () => {
    const key = newKey();
    const gate = openGate();
    const first = post("/v1/things", key, { name: "t3" });
    await gate.entered;
    const second = await post("/v1/things", key, { name: "t3" });
    expect(second.json()).toMatchObject({ status: 409, code: "idempotency_in_progress", retryable: true });
    expect(second.headers["retry-after"]).toBe("1");
    gate.open();
    expect((await first).statusCode).toBe(201);
    expect((await post("/v1/things", key, { name: "t3" })).payload).toBe((await first).payload);
  });

  test("of which the first loses its connection: the second runs", async () => {
    const key = newKey();
    const gate = openGate();
    const first = post("/v1/things", key, { name: "t4" });
    await gate.entered;
    const second = post("/v1/things", key, { name: "t4" });
    await waitsForLock();
    await outside(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
    );
    gate.open();
    expect([(await first).statusCode, (await second).statusCode]).toEqual([503, 201]);
    expect(await count("effect:t4")).toBe(1);
  });
});

describe("after the commit", () => {
  test("the newer state is answered; the kept one is the first", async () => {
    const key = newKey();
    afterwards = () => null;
    expect((await post("/v1/slow", key, { name: "u1" })).json().name).toBe("settled");
    expect((await post("/v1/slow", key, { name: "u1" })).json().name).toBe("u1");
  });

  test("a failure is not the answer: what is committed is", async () => {
    afterwards = () => new Error("the task could not be waited for");
    const answer = await post("/v1/slow", null, { name: "u2" });
    expect([answer.statusCode, answer.json().name, await count("effect:u2")]).toEqual([201, "u2", 1]);
  });
});

test("the audit row is written with the change, once", async () => {
  const before = await count("audit:other.make:201");
  const key = newKey();
  await post("/v1/others", key, { name: "v1" });
  await post("/v1/others", key, { name: "v1" });
  expect((await count("audit:other.make:201")) - before).toBe(1);
});

/** Holds verbs until opened; `entered` resolves when the first one is inside. */
function openGate(): { entered: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  hold = new Promise((resolve) => (open = resolve));
  return { entered: new Promise((resolve) => (entered = resolve)), open: () => open() };
}

/** Until some session of this database waits for another's lock. */
async function waitsForLock(): Promise<void> {
  for (;;) {
    const rows = await outside(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
  }
}

/** A statement on a connection of its own, past the pools. */
const outside = <Row extends object>(text: string): Promise<Row[]> =>
  withClient(database.url, async (client) => (await client.query<Row>(text)).rows);
