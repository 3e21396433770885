import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensurePartitions } from "../../packages/server/src/db/partitions.ts";
import { DAY_MS } from "../../packages/server/src/lib/duration.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { exampleOf, HOT_EXAMPLES, HOT_NAMES, type HotExample, openWorld } from "./hot-examples.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { openStage, STATES, type Stage } from "./plan-states.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// Each hot function, by its example of hot-examples.ts, on tables as they are in the first minute, after a busy day, and in a
// backlog: the planner's statistics of them are of another time. The plans are the server's own, by auto_explain with every nested
// statement.

let database: Owned;
let stage: Stage | null = null;
let tenant: Tenant;
let why = "";

beforeAll(async () => {
  const url = await adminUrl();
  if (url === null) {
    why = "auto_explain can be loaded by a superuser alone, and the login of DATABASE_URL is none";
    return;
  }
  database = await ownedDatabase();
  for (const days of [44, 28, 13]) await ensurePartitions(database.db.sql, NOW - days * DAY_MS);
  stage = await openStage(urlOf(url, new URL(database.url).pathname.slice(1)));
  if (!stage) why = "the server has no auto_explain";
}, 120_000);
afterAll(async () => {
  await stage?.close();
  await database?.drop();
});

// In this order: a state begins where the one before ended, and one of them keeps its connection, with the plans made on it.
describe.each(STATES)("on tables $what", ({ prepare, mostPages }) => {
  beforeAll(async () => {
    if (!stage) return;
    tenant = await makeTenant(database.db, "+15551230000", NOW);
    await prepare(stage, tenant);
    const { rows: days } = await stage
      .session()
      .admin.query("select from pg_inherits where inhparent = 'event'::regclass");
    expect(days).toHaveLength(60);
  }, 120_000);
  beforeEach(() => stage?.session().admin.query("begin"));
  afterEach(() => stage?.session().admin.query("rollback"));

  it.for(HOT_NAMES)(
    "%s uses the index that fixes most columns, and reads only the rows it needs",
    async (name, context) => {
      const example = exampleOf(name);
      if (!stage) return context.skip(why);
      if (example.walks !== undefined) return context.skip(example.walks);
      const { admin, explainer } = stage.session();
      const rows = await example.rows(await openWorld(admin), tenant);
      const { answers, faults } = await explainer.explain(name, rows, mostPages);
      expect(answers.length).toBeGreaterThan(0);
      expect(answers).toMatchObject(example.answers ?? answers);
      const merged = (fault: string): boolean =>
        example.merges !== undefined && /^touches \d+ (partitions|pages)/.test(fault);
      expect(faults.filter((fault) => !merged(fault))).toEqual([]);
    },
  );

  it.for(HOT_NAMES.filter((name) => HOT_EXAMPLES[name]?.alone !== undefined))(
    "%s takes a usual row that is alone by a short way, whose plans are as good",
    async (name, context) => {
      if (!stage) return context.skip(why);
      const { admin, explainer } = stage.session();
      const { rows, other } = exampleOf(name).alone as NonNullable<HotExample["alone"]>;
      const given = await rows(await openWorld(admin), tenant);
      // As a batch they go the other way: the text is one of its statements.
      await admin.query("savepoint outset");
      expect((await explainer.explain(name, given)).statements.join("\n")).toContain(other);
      await admin.query("rollback to savepoint outset");
      for (const [index, row] of given.entries()) {
        const { answers, faults, statements } = await explainer.explain(name, [row], mostPages);
        const goes = statements.some((text) => text.includes(other)) ? "the other way" : "the short way";
        expect({ index, answers: answers.length, goes, faults }).toEqual({
          index,
          answers: 1,
          goes: "the short way",
          faults: [],
        });
      }
    },
  );
});
