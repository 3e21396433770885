import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase } from "../../packages/server/src/db/database.ts";
import { columns, type HotFunction, hotFunction } from "../../packages/server/src/db/hot-function.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { SLOTS } from "../../packages/server/src/lanes/lane-kinds.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";

// Answers of hot functions are read by code of ours, those of all other statements by the driver's: both must read the same.
const everyType = hotFunction({
  name: "every_type",
  input: columns({}),
  answers: columns({
    a_uuid: "uuid?",
    some_uuids: "uuid[]?",
    a_text: "text?",
    some_texts: "text[]?",
    a_boolean: "boolean?",
    a_smallint: "smallint?",
    an_int: "int?",
    a_bigint: "bigint?",
    a_float: "float8?",
    a_time: "timestamptz?",
    the_first: "timestamptz?",
    a_json: "json?",
    a_jsonb: "jsonb?",
    some_bytes: "bytea?",
    a_tid: "tid?",
    no_text: "text?",
    seventeenth: "text?",
  }),
  // Without a query, `return next` adds a row of nulls.
  body: `
return query select '01934a5e-7c00-7000-8000-00000000000a'::uuid, array['01934a5e-7c00-7000-8000-00000000000a']::uuid[],
  'with "quotes" and ü'::text, array['a, b', null]::text[], false, (-3)::smallint, 0, 9007199254740991::bigint, 'infinity'::float8,
  '2026-07-01 10:00:00.123+00'::timestamptz, '-infinity'::timestamptz, '{"a":[null,1]}'::json, '"text"'::jsonb, '\\x00ff'::bytea,
  '(1,2)'::tid, ''::text, 'last'::text;
return next;`,
});
const noRow = hotFunction({
  name: "no_row",
  input: columns({}),
  answers: columns({ n: "int" }),
  body: "return;",
});
const refusing = hotFunction({
  name: "refusing",
  input: columns({ n: "int" }),
  answers: columns({ n: "int" }),
  body: "return query select 1; return query select 1 / (rows->0->>'n')::int;",
});
const FUNCTIONS = [everyType, noRow, refusing] as HotFunction[];
const NOW = Date.now();

let database: TestDatabase;
let appRole: string;
let db: Database;
beforeAll(async () => {
  database = await testDatabase();
  ({ appRole } = await migrate(database.url, { functions: FUNCTIONS, slots: SLOTS, now: NOW }));
});
afterAll(() => database.drop());
beforeEach(() => {
  db = openDatabase({ url: database.url, appRole, onError: () => {} });
});
afterEach(() => db.close());

it("reads each type as the driver does, whether the rows are described or not, with names and without", async () => {
  const expected = await db.sql.query(`select * from ${everyType.installed}('[]', now(), $1, false)`, [randomUUID()]);
  expect(expected).toHaveLength(2);
  for (let call = 1; call <= 2; call++) expect(await db.call(everyType, [], NOW)).toStrictEqual(expected);
  await db.transaction(newUuid(NOW), (sql) => sql.run("deallocate all"));
  for (let call = 1; call <= 2; call++) expect(await db.call(everyType, [], NOW)).toStrictEqual(expected);
  expect(Object.keys((await db.call(everyType, [], NOW))[0] ?? {})).toEqual(Object.keys(expected[0] ?? {}));
});

it("reads an answer without rows", async () => {
  for (let call = 1; call <= 2; call++) expect(await db.call(noRow, [], NOW)).toEqual([]);
});

it("goes on after a refusal, whose error has the place of the call", async () => {
  const refused = { code: "22012", stack: expect.stringContaining("database.ts") };
  await expect(db.call(refusing, [{ n: 0 }], NOW)).rejects.toMatchObject(refused);
  expect(await db.call(refusing, [{ n: 1 }], NOW)).toEqual([{ n: 1 }, { n: 1 }]);
  await expect(db.call(refusing, [{ n: 0 }], NOW)).rejects.toMatchObject(refused);
});
