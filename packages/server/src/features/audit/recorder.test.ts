import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { App } from "../../ctx.ts";
import { DatabaseUnavailable } from "../../db/database.ts";
import type { ActivityRow } from "../../http/activity.ts";
import { NIL_WORKSPACE, newUuid } from "../../lib/ids.ts";
import { alteredDatabase } from "../../testing/altered-database.ts";
import { manualClock } from "../../testing/clock.ts";
import { type Gateway, startGateway } from "../../testing/gateway.ts";
import { Recorder } from "./recorder.ts";

describe("the recorder", () => {
  let gateway: Gateway;
  let away: boolean;
  let lostAnswers: number;
  let calls: number;
  let app: App;
  const logged: object[] = [];

  beforeAll(async () => {
    gateway = await startGateway({}, { clock: manualClock() });
    const { db, log } = gateway.app;
    const callTexts: App["db"]["callTexts"] = async (fn, rows, now) => {
      calls += 1;
      if (away) throw new DatabaseUnavailable("away");
      const answers = await db.callTexts(fn, rows, now);
      // Committed, but the answer is lost: the next call brings the same rows.
      if (lostAnswers-- > 0) throw new DatabaseUnavailable("lost");
      return answers;
    };
    app = {
      ...gateway.app,
      db: alteredDatabase(db, { callTexts }),
      log: { ...log, error: (fields) => void logged.push(fields) },
    };
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    away = false;
    lostAnswers = 0;
    calls = 0;
    logged.length = 0;
  });

  const row = (action: string, changed: Partial<ActivityRow> = {}): ActivityRow => ({
    workspaceId: NIL_WORKSPACE,
    at: gateway.clock.now(),
    actor: { type: "operator", id: null, name: "operator", scopes: [], phoneNumberIds: null },
    action,
    resource: null,
    request: { method: "GET", path: "/", request_id: "r", ip: null, user_agent: null },
    response: { status: 200, code: null },
    changes: null,
    ...changed,
  });
  const count = (action: string, workspaceId = NIL_WORKSPACE): Promise<number> =>
    app.db.read(workspaceId, async (sql) => {
      const rows = await sql.query<{ n: number }>("select count(*)::int as n from audit where action = $1", [action]);
      return rows[0]!.n;
    });

  it("writes the rows of many workspaces in one call", async () => {
    const recorder = new Recorder(app);
    const workspaces = Array.from({ length: 20 }, () => newUuid(gateway.clock.now()));
    for (let i = 0; i < 200; i++) recorder.later(row("many", { workspaceId: workspaces[i % 20]! }));
    gateway.clock.advance(500);
    await recorder.stop();
    expect(calls).toBe(1);
    expect(await Promise.all(workspaces.map((id) => count("many", id)))).toEqual(Array(20).fill(10));
  });

  it("writes each row once although the first call's answer was lost", async () => {
    const recorder = new Recorder(app);
    for (let i = 0; i < 30; i++) recorder.later(row("once"));
    lostAnswers = 1;
    await recorder.stop();
    expect([calls, await count("once")]).toEqual([2, 30]);
  });

  it("waits while the database is away and continues by itself", async () => {
    const recorder = new Recorder(app);
    away = true;
    recorder.later(row("patient"));
    gateway.clock.advance(500);
    await expect.poll(() => calls).toBe(1);
    recorder.later(row("patient"));
    away = false;
    await expect
      .poll(() => {
        gateway.clock.advance(500);
        return count("patient");
      })
      .toBe(2);
    expect(logged).toEqual([]);
    await recorder.stop();
  });

  it("is bounded, and says how much it lost", async () => {
    const recorder = new Recorder(app);
    away = true;
    const anonymous = { actor: { type: "anonymous", id: null, name: null, scopes: [], phoneNumberIds: null } } as const;
    for (let i = 0; i < 3_000; i++) recorder.later(row("bound.stranger", anonymous));
    for (let i = 0; i < 9_000; i++) recorder.later(row("bound.known"));
    away = false;
    await recorder.stop();
    // Calls without a key have their share of 2,000 and leave the rest of 10,000 to the others.
    expect([await count("bound.stranger"), await count("bound.known")]).toEqual([2_000, 8_000]);
    expect(logged).toEqual([{ rows: 2_000 }]);
    recorder.later(row("bound.again", anonymous));
    await recorder.stop();
    expect(await count("bound.again")).toBe(1);
  });

  it("loses only the row that the database cannot take", async () => {
    const recorder = new Recorder(app);
    recorder.later(row("neighbour"));
    recorder.later(row("neighbour", { at: Date.UTC(2001, 0, 1) })); // no partition
    recorder.later(row("neighbour", { workspaceId: newUuid(1), response: { status: 99_999, code: null } }));
    recorder.later(row("neighbour"));
    await recorder.stop();
    expect(await count("neighbour")).toBe(2);
    expect(logged).toEqual([{ rows: 2 }]);
  });

  it("writes the row of a change in its transaction: no commit, no row", async () => {
    const recorder = new Recorder(app);
    const kept = row("change", { changes: { text: "ü", nested: [1, null] } });
    await app.db.transaction(NIL_WORKSPACE, (sql) => recorder.record(sql, kept));
    const failing = app.db.transaction(NIL_WORKSPACE, async (sql) => {
      await recorder.record(sql, row("change"));
      await sql.query("select 1 / 0");
    });
    await expect(failing).rejects.toThrow(/division/);
    expect(await count("change")).toBe(1);
    const elsewhere = row("change", { workspaceId: newUuid(1) });
    await expect(app.db.transaction(NIL_WORKSPACE, (sql) => recorder.record(sql, elsewhere))).rejects.toThrow(
      /row-level security/,
    );
  });
});
