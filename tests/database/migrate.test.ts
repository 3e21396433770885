import { readdir } from "node:fs/promises";
import { escapeIdentifier } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { withInner } from "../../packages/server/src/db/inner-function.ts";
import { inspectDatabase } from "../../packages/server/src/db/inspect.ts";
import { InstallError } from "../../packages/server/src/db/roles.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { install } from "../../packages/server/src/process/install.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import type { TestDatabase } from "../../packages/server/src/testing/database.ts";
import { adminUrl, emptyDatabase, installedDatabase, runChild, strangerDatabase } from "./databases.ts";

/** The names of all functions that an installation has, in their order. */
const INSTALLED = withInner(HOT_FUNCTIONS)
  .map((fn) => fn.installed)
  .sort();
/** In SQL: a function of ours, which the name alone says. */
const IS_OURS = "proname ~ '_[0-9a-f]{10}$' and pronamespace = 'public'::regnamespace";

let installed: Awaited<ReturnType<typeof installedDatabase>>;
let open: TestDatabase[] = [];
beforeAll(async () => {
  installed = await installedDatabase();
});
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop();
});
afterAll(() => installed.drop());
const keep = <T extends TestDatabase>(database: T): T => {
  open = [...open, database];
  return database;
};

describe("an installation", () => {
  it("is done once when four processes start it at once", { timeout: 120_000 }, async () => {
    const { url } = keep(await emptyDatabase());
    const ends = await Promise.all([1, 2, 3, 4].map(async () => (await runChild("migrate-child.ts", [url])).ended));
    expect(ends.map(({ code, complaint }) => ({ code, complaint }))).toEqual(
      ends.map(() => ({ code: 0, complaint: "" })),
    );
    const files = await readdir(new URL("../../packages/server/migrations", import.meta.url));
    const [found] = await query<{ migrations: string[]; functions: string[]; installations: number }>(
      url,
      `select (select array_agg(name order by name) from migration) as migrations,
         (select array_agg(proname::text order by proname) from pg_proc where ${IS_OURS}) as functions,
         (select count(*)::int from installation) as installations`,
    );
    expect(found?.migrations).toEqual(files.map((file) => file.replace(/\.sql$/, "")).sort());
    expect(found?.functions).toEqual(INSTALLED);
    expect(found?.installations).toBe(1);
  });

  it("that was killed between its functions and the leaving of the engine is whole after the next start", async () => {
    const { url } = keep(await emptyDatabase());
    const killed = await (await runChild("migrate-child.ts", [url, "killed"])).ended;
    expect(killed.signal).toBe("SIGKILL");
    expect(await inheritsEngine(url)).toBe(false);
    expect(await installedFunctions(url)).toEqual([]);
    await install(url);
    expect(await inheritsEngine(url)).toBe(false);
    expect(await installedFunctions(url)).toEqual(INSTALLED);
  });

  it("revokes the engine from a login that was left a member, by whatever", async () => {
    const { url } = keep(await installed.copy());
    const { engineRole } = await install(url);
    await query(url, `grant ${escapeIdentifier(engineRole)} to current_user`);
    expect(await inheritsEngine(url)).toBe(true);
    await install(url);
    expect(await inheritsEngine(url)).toBe(false);
    // And again as before: nothing was lost that installing needs.
    await query(url, `drop function ${HOT_FUNCTIONS[0]?.installed}`);
    await install(url);
    expect(await installedFunctions(url)).toHaveLength(INSTALLED.length);
  });

  it("waits for a lock that another transaction holds, again and again, and is then done", async () => {
    const { url } = keep(await emptyDatabase());
    const waiting = () =>
      query<{ n: number }>(
        url,
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
    const often = { timeout: 20_000, interval: 20 };
    const roles = await withClient(url, async (other) => {
      await other.query("begin");
      await other.query("grant usage on schema public to current_user"); // the first migration grants on it too
      const installing = install(url);
      installing.catch(() => {}); // awaited below
      for (const n of [1, 0, 1]) await expect.poll(waiting, often).toEqual([{ n }]);
      await other.query("rollback");
      return installing;
    });
    expect(roles).toMatchObject({ appRole: expect.any(String) });
    expect(await installedFunctions(url)).toHaveLength(INSTALLED.length);
  });

  it.each([
    [
      "lacks one below those that it has",
      "delete from migration where name = '0017_short_functions'",
      "migration 0017_short_functions was never run on this database, and its number is below that of 0018_quoted_message, which was: give it the next number (npm run migration)",
    ],
    [
      "has one of another version in between",
      "update migration set name = '0017_reminders' where name = '0017_short_functions'",
      "this database has the migration 0017_reminders, which this version does not know: start the version that made it, or a later one",
    ],
  ])("that %s is left alone, and one line says what to do", async (_what, change, line) => {
    const { url } = keep(await installed.copy());
    await query(url, change);
    await expect(install(url)).rejects.toThrow(new InstallError(line));
    // One of a later version, which is beyond ours, is none of our business.
    await query(url, "truncate migration");
    for (const file of (await readdir(new URL("../../packages/server/migrations", import.meta.url))).toSorted())
      await query(url, `insert into migration (name, run_on) values ('${file.replace(/\.sql$/, "")}', now())`);
    await query(url, "insert into migration (name, run_on) values ('9999_later', now())");
    await install(url);
  });

  it("notices that it was restored into another cluster, once", async () => {
    const { url } = keep(await installed.copy());
    await query(url, "update installation set system_identifier = '1'");
    await install(url);
    await install(url);
    expect(await query(url, "select era from installation")).toEqual([{ era: 2 }]);
  });
});

describe("a login", () => {
  it("without CREATEROLE gets one line that says what to do, and that is enough", async (context) => {
    const admin = await administrator(context);
    const database = keep(await strangerDatabase(admin, "nocreaterole"));
    const refusal = await install(database.url).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: "InstallError" });
    const line = (refusal as Error).message;
    expect(line).toMatch(
      /^DATABASE_URL's login .* needs CREATEROLE, or an administrator makes the two roles: create role /,
    );
    expect(line).not.toContain("\n");

    const statements = line.slice(line.indexOf(": create role") + 2);
    await withClient(admin, (server) => server.query(statements));
    await install(database.url);
    expect(await inheritsEngine(database.url)).toBe(false);
    expect(await installedFunctions(database.url)).toHaveLength(INSTALLED.length);
    // The next version installs its functions in the same way.
    await query(database.url, `drop function ${HOT_FUNCTIONS[0]?.installed}`);
    await install(database.url);
    expect(await inheritsEngine(database.url)).toBe(false);
  });

  it("that does not own the database gets one line, and so does whoever asks what is wrong", async (context) => {
    const admin = await administrator(context);
    const database = keep(await strangerDatabase(admin, "createrole"));
    await withClient(admin, async (server) => {
      await server.query(`alter database ${database.name} owner to current_user`);
    });
    const line = `DATABASE_URL's login ${database.login} may create nothing in the database`;
    await expect(install(database.url)).rejects.toThrow(line);
    expect((await inspectDatabase(database.url, [])).roles.fault?.message).toContain(line);
  });

  it("that inherits from the engine through another role is refused, because it would see every workspace", async (context) => {
    const admin = await administrator(context);
    const database = keep(await strangerDatabase(admin, "createrole"));
    const { engineRole } = await install(database.url);
    const between = `${database.name}_between`;
    await withClient(admin, async (server) => {
      await server.query(`create role ${between}`);
      await server.query(`grant ${escapeIdentifier(engineRole)} to ${between}`);
      await server.query(`grant ${between} to ${database.login}`);
    });
    try {
      await expect(install(database.url)).rejects.toThrow(/inherits from the role .* it would see every workspace/);
    } finally {
      await withClient(admin, (server) => server.query(`drop role ${between}`));
    }
    await install(database.url);
  });

  it("that is a superuser works, with a warning", async (context) => {
    const admin = await administrator(context);
    const database = keep(await strangerDatabase(admin, "superuser"));
    const warnings: string[] = [];
    await install(database.url, { warn: (text) => warnings.push(text) });
    expect(warnings).toEqual([expect.stringMatching(/is a superuser, to which row-level security does not apply/)]);
    expect(await installedFunctions(database.url)).toHaveLength(INSTALLED.length);
    const { length } = await query(
      database.url,
      `select from pg_proc p, installation i where ${IS_OURS} and p.proowner::regrole::text <> i.engine_role`,
    );
    expect(length).toBe(0);
  });
});

async function administrator(context: TestContext): Promise<string> {
  const url = await adminUrl();
  if (url === null) context.skip("the login of DATABASE_URL is no superuser, and this needs logins of other kinds");
  return url ?? "";
}

async function inheritsEngine(url: string): Promise<boolean | undefined> {
  const [found] = await query<{ inherits: boolean }>(
    url,
    "select pg_has_role(current_user, engine_role, 'usage') as inherits from installation",
  );
  return found?.inherits;
}

const installedFunctions = async (url: string): Promise<string[]> =>
  (await query<{ name: string }>(url, `select proname as name from pg_proc where ${IS_OURS} order by 1`)).map(
    ({ name }) => name,
  );

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  return await withClient(url, async (client) => (await client.query<Row>(text)).rows);
}
