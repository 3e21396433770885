import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withInner } from "../../packages/server/src/db/inner-function.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { testDatabase } from "../../packages/server/src/testing/database.ts";
import { DECLARED } from "../../packages/server/src/testing/declared.ts";
import { type KeyedTable, undecidedMoves } from "./moves.ts";

// What must stay possible: the rows of a workspace move to another database while it works, and a pooler stands in between.

const TABLES = `
  select c.relname as name,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and a.attnotnull) as tenant,
    coalesce((select json_object_agg(i.indexrelid::regclass::text, (
        select json_agg(coalesce(a.attname, '(expression)') order by k.place)
        from unnest(i.indkey::int2[]) with ordinality k(attnum, place)
        left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where k.place <= i.indnkeyatts))
      from pg_index i where i.indrelid = c.oid and i.indisunique), '{}') as keys,
    array(select a.attname::text from pg_attribute a left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where a.attrelid = c.oid and not a.attisdropped and a.attnum > 0
        and (format_type(a.atttypid, null) ~ '^(xid|xid8|cid|tid|pg_lsn|pg_snapshot|txid_snapshot)(\\[\\])?$'
          or pg_get_expr(d.adbin, d.adrelid) ~ 'xact_id|txid_|_lsn|snapshot|current_era')) as transactions
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`;

it("is decided of each table, unique index and column of transaction numbers how it moves, or follows from its keys", async () => {
  const database = await testDatabase();
  try {
    await withClient(database.url, async (client) => {
      const undecided = async () => undecidedMoves(DECLARED, (await client.query<KeyedTable>(TABLES)).rows);
      expect(await undecided()).toEqual([]);

      await client.query(`
        create table reminder (id uuid primary key, workspace_id uuid not null);
        create table memo (workspace_id uuid not null, id bigint default txid_current(), era int default current_era(), seen xid, primary key (workspace_id, id));
        create table bare (workspace_id uuid not null);
        alter table portfolio_limit add column other uuid unique;
        create unique index contact_by_email on contact (email) include (workspace_id);
        create unique index dispatch_once on dispatch (seq)`);
      expect(await undecided()).toEqual([
        "bare: give it workspace_id, not null, and a primary key that begins with it, or say how it moves in `moves` of its feature.ts.",
        "unique index contact_by_email of contact: put workspace_id first in it, or say how the table moves in `moves` of its feature.ts.",
        "unique index dispatch_once of dispatch: add workspace_id to it, or say how the table moves in `moves` of its feature.ts.",
        ...["id", "era", "seen"].map(
          (column) =>
            `memo.${column}: numbers of transactions mean nothing in another database. Keep a time or a sequence, or say in \`moves\` that it is "written again".`,
        ),
        "portfolio_limit: put portfolio_id first in its keys.",
        "unique index reminder_pkey of reminder: put workspace_id first in it, or say how the table moves in `moves` of its feature.ts.",
      ]);
    });
  } finally {
    await database.drop();
  }
});

it("fails for a decision that is not true any more", () => {
  const table = { name: "reminder", tenant: true, keys: { reminder_pkey: ["workspace_id", "id"] }, transactions: [] };
  const faults = (moves: (typeof DECLARED)[number]["moves"]) =>
    undecidedMoves([{ name: "reminders", ...(moves ? { moves } : {}) }], [table]);
  expect(faults(undefined)).toEqual([]);
  expect(faults({ reminder: "by workspace" })).toEqual([
    "reminder: needs no line in `moves`, its keys begin with workspace_id.",
  ]);
  expect(faults({ reminder: "stays" })).toEqual(["reminder: has rows of a workspace, so it cannot stay behind."]);
  expect(faults({ other: "stays" })).toEqual([
    "other: `moves` names it, and there is no such table or column of transaction numbers.",
  ]);
});

/** Walks of retention over a table, page by page: they look at the age of each row that is at a place now. */
const BY_PAGES = /^prune_/;

it("has no place of a row in a call or an answer: it may be another row's by then", () => {
  const passing = withInner(HOT_FUNCTIONS)
    .filter(({ text }) => /\btid\b(?!\[)/.test(text))
    .map(({ name }) => name);
  expect(passing.filter((name) => !BY_PAGES.test(name))).toEqual([]);
});

/** What only the same session would see again, and what has no place behind a pooler; in words that SQL alone has. */
const OF_A_SESSION = [
  /\bset_config\([^)]*,\s*false\s*\)/i,
  /["'`;]\s*set\s+(?!local\b)(session\s+)?\w+(\.\w+)?\s*(=|\bto\b)\s/i,
  /\bset\s+session\s/i,
  /["'`;]\s*(prepare|deallocate)\s+\w+/i,
  /\bcreate\s+(local\s+)?temp(orary)?\s/i,
  /\bpg_(try_)?advisory_(lock|unlock)/i,
  /\bwith\s+hold\b/i,
  /["'`;]\s*(un)?listen\s+\w+["'`;]/i,
  /\blo_(creat|import|export|open|put|get|from_bytea|unlink)/i,
  /\bcurrval\(|\blastval\(/i,
];

/** Its lock is held by a connection of its own, past any pooler, for as long as the round that it stands for. */
const OF_ITS_OWN_SESSION = ["features/retention/retention.ts"];

it("has no statement that needs its session again, and no large objects, outside of the database layer", () => {
  const src = new URL("../../packages/server/src/", import.meta.url);
  const found: string[] = [];
  for (const path of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    if (!/^(features|http|lanes|provider)\/.*\.ts$/.test(path) || /\.test\.ts$|\/testing\//.test(path)) continue;
    if (OF_ITS_OWN_SESSION.includes(path)) continue;
    const text = readFileSync(new URL(path, src), "utf8").replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, "");
    for (const pattern of OF_A_SESSION) if (pattern.test(text)) found.push(`${path}: ${pattern.exec(text)?.[0]}`);
  }
  expect(found).toEqual([]);
  for (const statement of [
    "select set_config('app.x', $1, false)",
    "`set statement_timeout = 0`",
    '"prepare one as select 1"',
    "create temp table x",
    "select pg_advisory_lock(1)",
    "select pg_try_advisory_lock(1)",
    "declare c cursor with hold for",
    '"listen hints"',
    "select lo_from_bytea(0, $1)",
    "select currval('x')",
  ])
    expect(OF_A_SESSION.filter((pattern) => pattern.test(statement))).not.toEqual([]);
  for (const statement of ["set_config('a', $1, true)", "`set local role x`", "pg_advisory_xact_lock(1)", "lo_bound"])
    expect([statement, ...OF_A_SESSION.filter((pattern) => pattern.test(statement))]).toEqual([statement]);
});
