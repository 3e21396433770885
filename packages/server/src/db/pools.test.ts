import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { type LentConnection, Pools } from "./pools.ts";

let database: TestDatabase;
let pools: Pools;
beforeEach(async () => {
  database = await testDatabase();
  pools = new Pools(database.url, () => undefined);
});
afterEach(async () => {
  await pools.end();
  await database.drop();
});

const lend = (): Promise<LentConnection> => pools.lend("work", pools.limits().call);
const serverProcess = async (connection: LentConnection): Promise<number | undefined> =>
  (await connection.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;

it("gives work to the same connections while they are free, whichever was free last", async () => {
  const lent = [await lend(), await lend(), await lend(), await lend()];
  const processes = await Promise.all(lent.map(serverProcess));
  for (const connection of lent) connection.release();
  const [first, second] = [await lend(), await lend()];
  expect([await serverProcess(first), await serverProcess(second)]).toEqual(processes.slice(0, 2));
  first.release();
  second.release();
});

it("lends sixteen at a time to callers of one moment, and counts them under one name", async () => {
  const lent = await Promise.all(Array.from({ length: 16 }, lend));
  expect(new Set(await Promise.all(lent.map(serverProcess))).size).toBe(16);
  const waiting = lend();
  expect(pools.use()[0]).toEqual({ name: "work", used: 16, idle: 0, waiting: 1 });
  for (const connection of lent) connection.release();
  (await waiting).release();
  expect(pools.use()[0]).toEqual({ name: "work", used: 0, idle: 16, waiting: 0 });
});
