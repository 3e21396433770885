import { setTimeout as elapsed } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { alteredDatabase } from "../../../testing/altered-database.ts";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { countPart } from "../search/search.ts";
import { Recounts } from "./recounts.ts";

// More than are counted between two looks at the clock.
const CONTACTS = 12_000;

let gateway: Gateway;
let mine: Workspace;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.workspace();
  await gateway.app.db.transaction(mine.uuid, (sql) =>
    sql.run(
      `insert into contact (workspace_id, id, name, tags, created_at, updated_at)
       select $1, new_uuid(now() - n * interval '1 second'), 'Person ' || n, case n % 2 when 0 then '{even}' else '{}' end::text[], now(), now()
       from generate_series(1, ${CONTACTS}) n`,
      [mine.uuid],
    ),
  );
});
afterAll(() => gateway.stop());

const EVEN = { not: { field: "tags", op: "exists", value: false } };

it("counts in parts, each of which goes on where the one before ended", async () => {
  const condition = { leaf: "tags_exist", value: null } as const;
  let [count, from, parts]: [number, string | null, number] = [0, null, 0];
  do {
    const part = await gateway.app.db.read(mine.uuid, (sql) =>
      countPart({ sql, workspaceId: mine.uuid, now: gateway.clock.now() }, { condition, from, budgetMs: 0 }),
    );
    [count, from, parts] = [count + part.count, part.at, parts + 1];
  } while (from !== null);
  expect([count, parts]).toEqual([CONTACTS / 2, 3]);
});

it("keeps what was counted in the background, and rests", async () => {
  const made = (await mine.call("POST", "/v1/segments", { body: { name: "Even", filter: EVEN } })).body;
  expect(made.count).toBe(CONTACTS / 2);
  const id = parseId("seg", made.id) ?? "";
  const kept = () =>
    mine.rows<{ count: number; counted_at: Date }>("select count, counted_at from segment where id = $1", [id]);
  await mine.call("POST", "/v1/contacts", { body: { phone: "+15556000001", tags: ["even"] } });
  expect(await kept()).toEqual([{ count: CONTACTS / 2, counted_at: new Date(made.counted_at) }]);

  gateway.clock.advance(1_000);
  const recounts = new Recounts(gateway.app);
  recounts.ask({ workspaceId: mine.uuid, id });
  await recounts.idle();
  const [counted] = await kept();
  expect(counted?.count).toBe(CONTACTS / 2 + 1);
  expect(Number(counted?.counted_at)).toBeGreaterThan(Date.parse(made.counted_at));

  recounts.ask({ workspaceId: mine.uuid, id });
  await recounts.idle();
  expect(await kept()).toEqual([counted]);
  gateway.clock.advance(60 * 60_000);
  recounts.ask({ workspaceId: mine.uuid, id });
  await recounts.idle();
  expect(Number((await kept())[0]?.counted_at)).toBeGreaterThan(Number(counted?.counted_at));

  // With another filter the last count is that of others.
  await gateway.app.db.transaction(mine.uuid, (sql) =>
    sql.run("update segment set count = 7 where workspace_id = $1 and id = $2", [mine.uuid, id]),
  );
  const renamed = await mine.call("PATCH", `/v1/segments/${made.id}`, { body: { name: "Odd", filter: { not: EVEN } } });
  expect(renamed.body.count).toBe(CONTACTS / 2);
  expect((await kept())[0]?.count).toBe(CONTACTS / 2);
  await recounts.stop();
});

it("does not count again what was asked for while it pauses, and a stop does not wait for the pause", async () => {
  const made = (await mine.call("POST", "/v1/segments", { body: { name: "Slow", filter: EVEN } })).body;
  const slow = { workspaceId: mine.uuid, id: parseId("seg", made.id) ?? "" };
  const { db } = gateway.app;
  const slowMs = 700;
  let reads = 0;
  let paused = (): void => {};
  const pauses = new Promise<void>((resolve) => {
    paused = resolve;
  });
  const recounts = new Recounts({
    ...gateway.app,
    db: alteredDatabase(db, {
      read: async (...of) => {
        reads += 1;
        await elapsed(slowMs);
        return await db.read(...of);
      },
      transaction: async (...of) => {
        const done = await db.transaction(...of);
        setImmediate(paused); // what goes on with it has been done by then
        return done;
      },
    }),
  });
  recounts.ask(slow);
  await pauses;
  const before = reads;
  recounts.ask(slow);
  const stopped = performance.now();
  await recounts.stop();
  expect(performance.now() - stopped).toBeLessThan(slowMs);
  expect([before > 1, reads]).toEqual([true, before]);
});
