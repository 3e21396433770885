import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withInner } from "../../packages/server/src/db/inner-function.ts";
import type { Grants } from "../../packages/server/src/feature.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { install } from "../../packages/server/src/process/install.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";
import { DECLARED } from "../../packages/server/src/testing/declared.ts";
import { emptyDatabase, type Fresh } from "./databases.ts";

/** The only tables whose rows belong to no workspace, or are needed before one is known. It may only shrink. */
const WITHOUT_WORKSPACE = [
  "api_demand", // by process
  "business_account_route", // a callback's account → its workspace
  "callback", // raw bytes, before anything is understood
  "flight", // ids of calls
  "function_use",
  "ingest", // queue of callbacks
  "installation",
  "key_digest", // a presented key → its workspace
  "migration",
  "phone_number_route", // a callback's number → its workspace
  "portfolio_limit", // workspaces may share a business portfolio, and with it its messaging limit
  "portfolio_recipient", // digests of the people it has written to
  "portfolio_return", // and of those it has not reached
  "quarantine", // what had no owner
  "slot",
  "worker",
];

const GRANTS: Record<string, Grants> = Object.assign({}, ...DECLARED.map(({ grants }) => grants));

type Table = {
  name: string;
  partition: boolean;
  rls: boolean;
  forced: boolean;
  tenant: boolean;
  /** Columns of the primary key and of each unique index. */
  keys: string[][];
  policies: { name: string; roles: string[]; command: string; using: string; check: string }[];
};

const TABLES = `
  select c.relname as name, c.relispartition as partition, c.relrowsecurity as rls, c.relforcerowsecurity as forced,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and a.attnotnull) as tenant,
    coalesce((select json_agg((select json_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])))
              from pg_index i where i.indrelid = c.oid and i.indisunique), '[]') as keys,
    coalesce((select json_agg(json_build_object('name', p.polname, 'roles', p.polroles::regrole[]::text[], 'command', p.polcmd::text,
                'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
              from pg_policy p where p.polrelid = c.oid), '[]') as policies
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;

const MINE = "(workspace_id = (NULLIF(current_setting('app.workspace_id'::text, true), ''::text))::uuid)";

type Place = { url: string };
const inEach: { what: string; open(): Promise<Place & { drop(): Promise<void> }> }[] = [
  { what: "a clone, as tests use it", open: testDatabase },
  {
    what: "a database just installed, beside others in one cluster",
    async open() {
      const database = await emptyDatabase();
      await install(database.url);
      return database;
    },
  },
];

describe.each(inEach)("the catalogue of $what", ({ open }) => {
  let place: Awaited<ReturnType<typeof open>>;
  let tables: Table[];
  let app: string;
  let engine: string;

  beforeAll(async () => {
    place = await open();
    tables = await rows<Table>(place, TABLES);
    const [roles] = await rows<{ app: string; engine: string }>(
      place,
      "select app_role as app, engine_role as engine from installation",
    );
    app = roles?.app ?? "";
    engine = roles?.engine ?? "";
  });
  afterAll(() => place.drop());

  const tenants = (): Table[] => tables.filter((table) => table.tenant);

  it("knows a workspace in every table but the few on the list", () => {
    const without = tables.filter((table) => !table.tenant && !table.partition).map(({ name }) => name);
    expect(without).toEqual(WITHOUT_WORKSPACE.filter((name) => !tables.find((table) => table.name === name)?.tenant));
    expect(
      tenants()
        .filter(({ name }) => WITHOUT_WORKSPACE.includes(name))
        .map(({ name }) => name),
    ).toEqual(["business_account_route", "key_digest", "phone_number_route"]);
  });

  it("has the workspace in the primary key and every unique index of a tenant's table", () => {
    for (const { name, keys } of tenants().filter((table) => !WITHOUT_WORKSPACE.includes(table.name))) {
      expect({ name, keyed: keys.length > 0 }).toEqual({ name, keyed: true });
      for (const key of keys) expect([name, ...key]).toContain("workspace_id");
    }
  });

  it("forces row-level security on each tenant's table and each partition of one, with two policies", () => {
    const walled = tenants().filter((table) => !WITHOUT_WORKSPACE.includes(table.name));
    expect(walled.filter(({ partition }) => partition).length).toBeGreaterThan(30);
    for (const { name, rls, forced, policies } of walled) {
      expect({ name, rls, forced, policies }).toEqual({
        name,
        rls: true,
        forced: true,
        policies: [
          { name: "app", roles: [app], command: "*", using: MINE, check: MINE },
          { name: "engine", roles: [engine], command: "*", using: "true", check: "true" },
        ],
      });
    }
  });

  it("grants the listed privileges and no others; none on a partition, none to public", async () => {
    const found: Record<string, { app: string; engine: string }> = {};
    await withClient(place.url, async (client) => {
      for (const { name, partition } of tables) {
        const { rows } = await client.query<{ app: string; engine: string; others: string[] }>(GRANTS_OF, [
          name,
          app,
          engine,
        ]);
        expect({ name, others: rows[0]?.others }).toEqual({ name, others: [] });
        const { app: toApp = "", engine: toEngine = "" } = rows[0] ?? {};
        if (!partition || toApp !== "" || toEngine !== "") found[name] = { app: toApp, engine: toEngine };
      }
    });
    expect(found).toEqual(GRANTS);
  });

  it("shows nothing and takes nothing where the role was forgotten", async () => {
    const workspace = "018f0000-0000-7000-8000-000000000001";
    await withClient(place.url, async (client) => {
      await client.query("begin");
      await client.query(`set local role ${quote(app)}`);
      await client.query("select set_config('app.workspace_id', $1, true)", [workspace]);
      await client.query(
        "insert into workspace (workspace_id, name, created_at, updated_at) values ($1, 'a', now(), now())",
        [workspace],
      );
      await client.query("commit");
    });
    await withClient(place.url, async (client) => {
      for (const { name } of tenants().filter((table) => !WITHOUT_WORKSPACE.includes(table.name))) {
        const { rowCount } = await client.query(`select from ${name} limit 1`);
        expect({ name, rowCount }).toEqual({ name, rowCount: 0 });
        await expect(client.query(insertText(name))).rejects.toThrow(
          /row-level security policy|no partition of relation|violates partition constraint/,
        );
      }
    });
  });

  it("has functions that run as the engine, have a fixed search path, and can be executed by app only", async () => {
    const functions = await rows<{ name: string; owner: string; settings: string[]; acl: string[] }>(
      place,
      `select p.proname as name, p.proowner::regrole::text as owner, p.proconfig as settings,
         array(select case when a.grantee = 0 then 'public' else a.grantee::regrole::text end from aclexplode(p.proacl) a order by 1) as acl
       from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`,
    );
    expect(functions.map(({ name }) => name)).toEqual(HOT_FUNCTIONS.map((fn) => fn.installed).sort());
    for (const { name, owner, settings, acl } of functions) {
      expect({ name, owner }).toEqual({ name, owner: engine });
      expect(settings).toContain("search_path=public, pg_temp");
      expect([...acl].sort()).toEqual([app, engine].sort());
    }
  });

  it("has inner functions that run as their caller, and can be executed by the engine only", async () => {
    const functions = await rows<{ name: string; owner: string; acl: string[] }>(
      place,
      `select p.proname as name, p.proowner::regrole::text as owner,
         array(select case when a.grantee = 0 then 'public' else a.grantee::regrole::text end from aclexplode(p.proacl) a order by 1) as acl
       from pg_proc p
       where p.pronamespace = 'public'::regnamespace and not p.prosecdef and p.proname ~ '_[0-9a-f]{10}$' order by 1`,
    );
    const called = new Set(HOT_FUNCTIONS.map((fn) => fn.installed));
    const inner = withInner(HOT_FUNCTIONS).filter((fn) => !called.has(fn.installed));
    expect(functions.map(({ name }) => name)).toEqual(inner.map((fn) => fn.installed).sort());
    for (const { name, owner, acl } of functions)
      expect({ name, owner, acl }).toEqual({ name, owner: engine, acl: [engine] });
  });

  it("has no login in the engine role: no member inherits from it, none may log in as it", async () => {
    const [login] = await rows<{ uses: boolean; login: boolean; create: boolean }>(
      place,
      `select pg_has_role(current_user, $1, 'usage') as uses, (select bool_or(rolcanlogin) from pg_roles where rolname in ($1, $2)) as login,
         has_schema_privilege($1, 'public', 'create') as create`,
      [engine, app],
    );
    expect(login).toEqual({ uses: false, login: false, create: false });
    const members = await rows(
      place,
      `select m.member::regrole from pg_auth_members m where m.roleid = $1::regrole and pg_has_role(m.member, m.roleid, 'usage')
        and not (select rolsuper from pg_roles where oid = m.member)`,
      [quote(engine)],
    );
    expect(members).toEqual([]);
  });
});

describe("two installations in one cluster", () => {
  let first: Fresh;
  let second: TestDatabase;

  beforeAll(async () => {
    first = await emptyDatabase();
    second = await emptyDatabase();
    await Promise.all([install(first.url), install(second.url)]);
  });
  afterAll(() => second.drop());

  it("have roles of their own, and one goes without the other noticing", async () => {
    const roles = async (place: Place): Promise<string[]> =>
      (
        await rows<{ role: string }>(place, "select unnest(array[app_role, engine_role]) as role from installation")
      ).map(({ role }) => role);
    const [ours, theirs] = [await roles(first), await roles(second)];
    expect(new Set([...ours, ...theirs]).size).toBe(4);
    await first.drop();
    const left = await rows<{ role: string }>(second, "select rolname as role from pg_roles where rolname = any($1)", [
      [...ours, ...theirs],
    ]);
    expect(left.map(({ role }) => role).sort()).toEqual([...theirs].sort());
    // Installs again, and its functions still answer.
    await install(second.url);
    const list = HOT_FUNCTIONS.find((fn) => fn.name === "list_workspaces");
    expect(
      await rows(second, `select * from ${list?.installed}('[{"before":null,"most":5}]', now(), null, false)`),
    ).toEqual([]);
  });

  it("do not share roles though their long names begin the same", async () => {
    const long = `waypost_${"x".repeat(48)}`;
    const databases = [await emptyDatabase(`${long}_a`), await emptyDatabase(`${long}_b`)];
    const [one, two] = [await install(databases[0]?.url ?? ""), await install(databases[1]?.url ?? "")];
    for (const database of databases) await database.drop();
    expect(one.engineRole).not.toBe(two.engineRole);
    expect(one.appRole).not.toBe(one.engineRole);
  });
});

const GRANTS_OF = `
  with granted as (
    select a.grantee, lower(a.privilege_type) as privilege, null::name as "column" from pg_class c, aclexplode(c.relacl) a where c.oid = $1::regclass and a.grantee <> c.relowner
    union all
    select a.grantee, lower(a.privilege_type), t.attname from pg_attribute t, aclexplode(t.attacl) a where t.attrelid = $1::regclass
  ), said as (
    select grantee, case when bool_or("column" is null) then privilege else privilege || '(' || string_agg("column", ' ' order by "column") || ')' end as privilege from granted group by grantee, granted.privilege
  )
  select coalesce((select string_agg(privilege, ', ' order by privilege) from said where grantee = to_regrole(quote_ident($2))), '') as app,
         coalesce((select string_agg(privilege, ', ' order by privilege) from said where grantee = to_regrole(quote_ident($3))), '') as engine,
         array(select grantee::regrole::text from said where grantee not in (to_regrole(quote_ident($2)), to_regrole(quote_ident($3)))) as others`;

/** A row of nulls but for the workspace: what refuses it first is the wall, or the lack of a partition for it. */
const insertText = (table: string): string =>
  `insert into ${table} (workspace_id) values ('018f0000-0000-7000-8000-000000000001')`;

async function rows<Row extends object>(place: Place, text: string, values: unknown[] = []): Promise<Row[]> {
  return await withClient(place.url, async (client) => (await client.query<Row>(text, values)).rows);
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
