import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  openDatabase,
} from "../../packages/server/src/db/database.ts";
import { columns, hotFunction } from "../../packages/server/src/db/hot-function.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { SLOTS } from "../../packages/server/src/lanes/lane-kinds.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../packages/server/src/testing/database-proxy.ts";

// A call that committed and whose answer was lost, with a database of which each step is known: no lane goes on beside it.
const echo = hotFunction({
  name: "echo",
  input: columns({}),
  answers: columns({ repeated: "boolean" }),
  declare: "known boolean := again;",
  body: "return query select known;",
});
const NOW = Date.now();

let database: TestDatabase;
let proxy: DatabaseProxy;
let db: Database;
beforeEach(async () => {
  database = await testDatabase();
  const { appRole } = await migrate(database.url, { functions: [echo], slots: SLOTS, now: NOW });
  proxy = await openDatabaseProxy(database.url);
  db = openDatabase({ url: proxy.url, appRole, onError: () => undefined });
});
afterEach(async () => {
  await db.close();
  await proxy.close();
  await database.drop();
});

const call = () => db.call(echo, [{}], NOW);

/** The call has committed and the process knows it, and from then on there is no connection to be had; `lost` is called then. */
async function callAndLoseAll(lost = (): void => {}): Promise<ReturnType<typeof call>> {
  const calling = proxy.hold(echo.installed, "answer");
  const answer = call();
  answer.catch(() => {}); // asserted by the caller
  const called = await calling;
  const asking = proxy.hold("on conflict", "answer");
  called.cut();
  const asked = await asking;
  asked.pass();
  proxy.cut();
  lost();
  await expect(db.sql.query("select")).rejects.toBeInstanceOf(DatabaseUnavailable);
  return answer;
}

describe("a call that is known to be done", () => {
  it("is asked for its answer until there is a connection again", async () => {
    expect(await call()).toEqual([{ repeated: false }]);
    const answer = callAndLoseAll(() => void setTimeout(() => proxy.mend(), 1_000));
    expect(await answer).toEqual([{ repeated: true }]);
  });

  it("is never reported as not done: without a connection in time its answer is unknown", async () => {
    db.hurry();
    await expect(callAndLoseAll()).rejects.toBeInstanceOf(CommitUnknown);
  });
});

it("a question whose answer is lost again and again is answered by the first one", async () => {
  const calling = proxy.hold(echo.installed, "request");
  const answer = call();
  const called = await calling;
  for (let round = 1, held = called; round <= 3; round++) {
    const asking = proxy.hold("on conflict", "answer");
    held.cut();
    held = await asking;
    if (round === 3) held.pass();
  }
  // It never came: so it is called once more, and that is the first time.
  expect(await answer).toEqual([{ repeated: false }]);
});
