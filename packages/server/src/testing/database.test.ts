import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withClient } from "./client.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

describe("a test's database", () => {
  let first: TestDatabase;
  let second: TestDatabase;

  beforeAll(async () => {
    [first, second] = await Promise.all([testDatabase(), testDatabase()]);
  });
  afterAll(async () => {
    await Promise.all([first.drop(), second.drop()]);
  });

  it("is migrated and apart from every other one", async () => {
    await withClient(first.url, (client) => client.query("create table mine ()"));
    const [mine, theirs] = await Promise.all([first, second].map(({ url }) => tables(url)));
    expect(mine).toContain("mine");
    expect(theirs).not.toContain("mine");
    expect(theirs).toContain("installation");
  });

  it("bounds every session of the gateway's login as the installed one does", async () => {
    const bounds = ["statement_timeout", "idle_in_transaction_session_timeout", "max_parallel_workers_per_gather"];
    const shown = await withClient(first.url, async (client) => {
      const text =
        "select current_setting(name) as is from unnest($1::text[]) with ordinality b (name, nr) order by nr";
      return (await client.query<{ is: string }>(text, [bounds])).rows;
    });
    // A search on all cores would leave none to sends.
    expect(shown.map(({ is }) => is)).toEqual(["8s", "30s", "0"]);
  });

  it("is worked on by an owner who is no superuser", async () => {
    const text = `select rolsuper, rolbypassrls, rolcreaterole, d.datdba = r.oid as owner
      from pg_roles r, pg_database d where rolname = current_user and datname = current_database()`;
    const rows = await withClient(first.url, async (client) => (await client.query(text)).rows);
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: true, owner: true }]);
  });

  it("is dropped although a client is still connected", async () => {
    const database = await testDatabase();
    await withClient(database.url, async (client) => {
      await client.query("select 1");
      await database.drop();
      await expect(client.query("select 1")).rejects.toThrow(/terminat|closed|not queryable/i);
    });
  });
});

async function tables(url: string): Promise<string[]> {
  const text = "select tablename as name from pg_tables where schemaname = 'public'";
  return await withClient(url, async (client) =>
    (await client.query<{ name: string }>(text)).rows.map(({ name }) => name),
  );
}
