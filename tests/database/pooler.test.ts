import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../packages/server/src/db/database.ts";
import { columns, hotFunction } from "../../packages/server/src/db/hot-function.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { SLOTS } from "../../packages/server/src/lanes/lane-kinds.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";

// A transaction pooler gives each transaction another of its connections to the server, where a statement that was named on one
// does not exist, or was named by another client. A test has both on the one connection that it uses.
const named = hotFunction({
  name: "named",
  input: columns({}),
  answers: columns({ statements: "int" }),
  body: "return query select count(*)::int from pg_prepared_statements;",
});
const NOW = Date.now();
const WORKSPACE = newUuid(NOW);

let database: TestDatabase;
let appRole: string;
beforeAll(async () => {
  database = await testDatabase();
  ({ appRole } = await migrate(database.url, { functions: [named], slots: SLOTS, now: NOW }));
});
afterAll(() => database.drop());

async function withDatabase(test: (db: Database, call: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const db = openDatabase({ url: database.url, appRole, onError: () => {} });
  try {
    await test(db, () => db.call(named, [{}], NOW));
  } finally {
    await db.close();
  }
}

it("names the calls on a connection of its own", () =>
  withDatabase(async (_, call) => {
    expect(await call()).toEqual([{ statements: 1 }]);
    expect(await call()).toEqual([{ statements: 1 }]);
  }));

it("goes on without names where a name is gone, and the caller notices nothing", () =>
  withDatabase(async (db, call) => {
    await call();
    await db.transaction(WORKSPACE, (sql) => sql.run("deallocate all"));
    expect(await call()).toEqual([{ statements: 0 }]);
    expect(await call()).toEqual([{ statements: 0 }]);
  }));

it("goes on without names where a name is another client's", () =>
  withDatabase(async (db, call) => {
    await db.transaction(WORKSPACE, (sql) => sql.run(`prepare ${named.installed} as select 1`));
    expect(await call()).toEqual([{ statements: 1 }]);
    expect(await call()).toEqual([{ statements: 1 }]);
  }));
