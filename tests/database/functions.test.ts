import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { dropUnusedFunctions, installFunctions, keepFunctions } from "../../packages/server/src/db/functions.ts";
import { type AnswerOf, columns, hotFunction, of, type RowOf } from "../../packages/server/src/db/hot-function.ts";
import { innerFunction, withInner } from "../../packages/server/src/db/inner-function.ts";
import { MIGRATION_LOCK } from "../../packages/server/src/db/locks.ts";
import { readRoles } from "../../packages/server/src/db/migrate.ts";
import { joinText } from "../../packages/server/src/db/roles.ts";
import { withLongSession } from "../../packages/server/src/db/session.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { install } from "../../packages/server/src/process/install.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";

const version = (answer: number) =>
  hotFunction({
    name: "answer_test",
    input: columns({}),
    answers: columns({ answer: "int" }),
    body: `return query select ${answer};`,
    writes: false,
  });

const [older, newer] = [version(1), version(2)];

/** Two functions of a version, which call an inner one that calls another, both of the version's own. */
const nested = (n: number) => {
  const one = innerFunction({
    name: "one_test",
    takes: { given: "int" },
    gives: { added: "int" },
    declare: "",
    body: `added := given + ${n};`,
  });
  const all = innerFunction({
    name: "all_test",
    takes: { given: "int" },
    keeps: { total: "int" },
    gives: { named: "text" },
    declare: "",
    body: `total := total + ${one.value({ given: "given" })}; named := current_user;`,
  });
  const caller = (name: string) =>
    hotFunction({
      name,
      input: columns({}),
      answers: columns({ answer: "int" }),
      declare: "total int := 1000; named text;",
      body: `${all.call({ given: "10" })} return query select case when named = current_user then total end;`,
      writes: false,
    });
  return { callers: [caller("first_test"), caller("second_test")] as const, inner: [one.installed, all.installed] };
};

const INPUT = columns({ id: "uuid", note: "text?", seq: "bigint", at: "timestamptz", kind: of<"a" | "b">("text") });
const ANSWERS = columns({ seq: "bigint", at: "timestamptz?", state: of<{ n: number }>("json?"), raw: "json" });

// Both are checked by the compiler alone.
describe("the declared columns of a hot function", () => {
  it("are the keys of a row, none of which may be left out", () => {
    expectTypeOf<RowOf<typeof INPUT>>().toEqualTypeOf<{
      id: string;
      note: string | null | undefined;
      seq: number | string;
      at: string;
      kind: "a" | "b";
    }>();
  });

  it("are the fields of an answer, as the driver reads them", () => {
    expectTypeOf<AnswerOf<typeof ANSWERS>>().toEqualTypeOf<{
      seq: number;
      at: Date | null;
      state: { n: number } | null;
      raw: unknown;
    }>();
  });
});

describe("hot functions", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    const roles = await readRoles(database.url);
    if (!roles) throw new Error("the test's database is not installed");
    await session((sql) => installFunctions(sql, roles, [older]));
    await session((sql) => installFunctions(sql, roles, [newer]));
  });
  afterAll(() => database.drop());

  // The plans of plans.test.ts show it where the server is older than 17.
  it("take no list of a queue's numbers for a condition, because an older server takes it for a filter", () => {
    const statements = withInner(HOT_FUNCTIONS).flatMap(({ text }) => text.split(";"));
    expect(statements.filter((statement) => /\bseq = any\(/.test(statement))).toEqual([]);
  });

  it("of two versions run side by side", async () => {
    expect(older.installed).not.toBe(newer.installed);
    expect([await answerOf(older), await answerOf(newer)]).toEqual([1, 2]);
  });

  it("have inner functions of their own version, which are kept while one of their callers is", async () => {
    const roles = await readRoles(database.url);
    if (!roles) throw new Error("the test's database is not installed");
    const [old, now] = [nested(1), nested(2)];
    for (const { callers } of [old, now]) await session((sql) => installFunctions(sql, roles, callers));
    expect(await Promise.all([...old.callers, ...now.callers].map(answerOf))).toEqual([1_011, 1_011, 1_012, 1_012]);

    const ofOld = withInner(old.callers).map((fn) => fn.installed);
    expect(ofOld).toEqual([...old.inner, ...old.callers.map((fn) => fn.installed)]);
    await age(ofOld, "7 days 1 minute");
    // A process that has one of the callers says that it uses all that this calls.
    const used = withInner([old.callers[0]]).map((fn) => fn.installed);
    expect(await session((sql) => keepFunctions(sql, used))).toEqual([]);
    expect(await drop()).toEqual([old.callers[1].installed]);
    expect(await answerOf(old.callers[0])).toBe(1_011);

    await age(used, "7 days 1 minute");
    expect((await drop()).toSorted()).toEqual(used.toSorted());
    expect(await answerOf(now.callers[0])).toBe(1_012);
  });

  it("are installed although the role that they belong to is busy for longer than a lock is waited for", async () => {
    const roles = await readRoles(database.url);
    if (!roles) throw new Error("the test's database is not installed");
    await withClient(database.url, async (other) => {
      await other.query(`begin; ${joinText(roles)}`);
      const installing = session((sql) => installFunctions(sql, roles, [version(3)]));
      // Its first try has ended by the lock's timeout, and it waits for the next.
      await expect.poll(lastStatements, { timeout: 30_000, interval: 20 }).toContain("rollback");
      await other.query("rollback");
      await installing;
    });
    expect(await answerOf(version(3))).toBe(3);
  });

  it("each have a name of their own, short enough to be kept whole", () => {
    const names = withInner(HOT_FUNCTIONS).map((fn) => fn.installed);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z_]{1,52}_[0-9a-f]{10}$/);
  });

  it("are dropped 7 days after their last use, by maintenance alone", async () => {
    const names = [older.installed, newer.installed];
    await age(names, "6 days 23 hours");
    expect(await drop()).toEqual([]);

    await age(names, "7 days 1 minute");
    // The newer version runs somewhere and says so.
    expect(await session((sql) => keepFunctions(sql, [newer.installed]))).toEqual([]);
    // Installing is no pruning: the old version may be started again.
    await install(database.url);
    expect(await answerOf(older)).toBe(1);

    expect(await drop()).toEqual([older.installed]);
    await expect(answerOf(older)).rejects.toMatchObject({ code: "42883" });
    expect(await answerOf(newer)).toBe(2);
    expect(await session((sql) => keepFunctions(sql, names))).toEqual([older.installed]);
  });

  it("are not dropped while another process installs", async () => {
    await age([newer.installed], "8 days");
    await withClient(database.url, async (installer) => {
      await installer.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
      await expect(drop()).rejects.toMatchObject({ code: "55P03" });
      await session((sql) => keepFunctions(sql, [newer.installed]));
    });
    expect(await drop()).not.toContain(newer.installed);
    expect(await answerOf(newer)).toBe(2);
  });

  const session = <T>(work: Parameters<typeof withLongSession<T>>[2]): Promise<T> =>
    withLongSession(database.url, "test", work);
  /** Of the sessions that `session` has open. */
  const lastStatements = (): Promise<string[]> =>
    withClient(database.url, async (client) => {
      const { rows } = await client.query<{ query: string }>(
        "select query from pg_stat_activity where datname = current_database() and application_name = 'waypost test'",
      );
      return rows.map(({ query }) => query);
    });
  const drop = (): Promise<string[]> => session((sql) => dropUnusedFunctions(sql, MIGRATION_LOCK));
  const age = (names: string[], by: string): Promise<unknown> =>
    session((sql) =>
      sql.run("update function_use set last_used = clock_timestamp() - $2::interval where name = any($1)", [names, by]),
    );
  const answerOf = async (fn: typeof older): Promise<number | undefined> =>
    await session(
      async (sql) =>
        (
          await sql.query<{ answer: number }>(`select * from ${fn.installed}('[]', now(), $1, false)`, [randomUUID()])
        )[0]?.answer,
    );
});
