import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callHot, exampleOf, HOT_EXAMPLES, HOT_NAMES, openWorld, type Row, type World } from "./hot-examples.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// What must hold for every hot function, on the examples of hot-examples.ts: rows of two workspaces in one call do not meet,
// and a call whose answer was lost may be repeated. Each test runs in one transaction, which is rolled back.

let database: Owned;
let client: Client;
let role: string;
/** Every row of every table, a line each. Planned once: a thousand times a run, its tables with their partitions are planned slowly. */
let dumping: { name: string; text: string };
/** As alike as can be: the same people, provider ids, names and keys. */
let tenants: readonly [Tenant, Tenant];

beforeAll(async () => {
  database = await ownedDatabase();
  tenants = [await makeTenant(database.db, "+15551230000", NOW), await makeTenant(database.db, "+15551230000", NOW)];
  client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  // Marks of calls are of no workspace, and there is one for each call.
  const tables = rows.map(({ name }) => name).filter((name) => name !== "flight");
  const lines = tables.map((name) => `select '${name} ' || to_jsonb(t)::text as line from ${name} t`);
  dumping = { name: "dump", text: lines.join(" union all ") };
  role = (await client.query<{ role: string }>("select engine_role as role from installation")).rows[0]?.role ?? "";
  // The engine's policies show all workspaces.
  await client.query(
    `grant all on all tables in schema public to ${role}; grant all on all sequences in schema public to ${role}`,
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

let world: World;
beforeEach(async () => {
  // Other databases of the server have the same role: the membership goes with the transaction.
  await client.query(`begin; grant ${role} to current_user; set local role ${role}`);
  world = await openWorld(client);
});
afterEach(() => client.query("rollback"));

it("every hot function has an example, and every example a function", () => {
  for (const name of HOT_NAMES) exampleOf(name);
  expect(Object.keys(HOT_EXAMPLES).toSorted()).toEqual(HOT_NAMES.toSorted());
});

describe("rows of two workspaces in one call", () => {
  const apart = HOT_NAMES.filter((name) => HOT_EXAMPLES[name]?.ofAll === undefined);

  it.each(apart)("%s: do and answer what the rows of each do alone", async (name) => {
    const { rows, ids, outcome } = await bothPrepared(name);
    const together = await outcome(mixed(...rows));
    const alone = [await outcome(rows[0]), await outcome(rows[1])] as const;
    const answers = [...alone[0].answers, ...alone[1].answers].toSorted();
    expect(together.answers).toEqual(exampleOf(name).oneAnswer === undefined ? answers : together.answers);
    expect(together.changes).toEqual([...alone[0].changes, ...alone[1].changes].toSorted());
    expect(linesWithAny(alone[0], ids[1])).toEqual([]);
    expect(linesWithAny(alone[1], ids[0])).toEqual([]);
  });

  it.each(HOT_NAMES)("%s: leave no answer and no row that names both", async (name) => {
    const { rows, ids, outcome } = await bothPrepared(name);
    const together = await outcome(mixed(...rows));
    const ofOne = linesWithAny(together, ids[0]);
    const ofOther = new Set(linesWithAny(together, ids[1]));
    expect(ofOne.filter((line) => ofOther.has(line))).toEqual([]);
  });
});

describe("a call whose answer was lost, repeated", () => {
  const repeated = HOT_NAMES.filter((name) => HOT_EXAMPLES[name]?.neverAgain === undefined);
  const other = repeated.filter((name) => HOT_EXAMPLES[name]?.answersAgain !== undefined);

  it.each(repeated.filter((name) => !other.includes(name)))(
    "%s: gives the same answer, and writes nothing",
    async (name) => {
      const { first, second, changes } = await calledTwice(name);
      expect(second).toEqual(first);
      expect(changes).toEqual([]);
    },
  );

  // For the reason that the example gives.
  it.each(other)("%s: gives another answer, and writes nothing", async (name) => {
    const { first, second, changes } = await calledTwice(name);
    expect(second).not.toEqual(first);
    expect(changes).toEqual([]);
  });
});

async function calledTwice(name: string): Promise<{ first: Row[]; second: Row[]; changes: string[] }> {
  const rows = await exampleOf(name).rows(world, tenants[0]);
  const first = await callHot(client, name, rows);
  const after = await dump();
  const second = await callHot(client, name, rows, true);
  return { first, second, changes: changesOf(after, await dump()) };
}

type Outcome = { answers: string[]; changes: string[] };

/** The example prepared for both workspaces, with its rows; `outcome` calls it with some rows and takes all of it back. */
async function bothPrepared(name: string) {
  const example = exampleOf(name);
  const rows = [await example.rows(world, tenants[0]), await example.rows(world, tenants[1])] as const;
  const before = await dump();
  const known = new Set([...before, JSON.stringify(rows)].flatMap((text) => text.match(UUID) ?? []));
  const outcome = async (given: readonly object[]): Promise<Outcome> => {
    await client.query("savepoint outset");
    const answers = await callHot(client, name, given);
    const after = await dump();
    await client.query("rollback to savepoint outset");
    return { answers: masked(answers, known), changes: masked(changesOf(before, after), known) };
  };
  return { rows, ids: idsOfEach(rows, before), outcome };
}

/** Rows of one and of the other in turn. */
const mixed = (ones: readonly object[], others: readonly object[]): object[] =>
  Array.from({ length: Math.max(ones.length, others.length) }, (_, index) => [
    ...ones.slice(index, index + 1),
    ...others.slice(index, index + 1),
  ]).flat();

const linesWithAny = ({ answers, changes }: Outcome, ids: readonly string[]): string[] =>
  [...answers, ...changes].filter((line) => ids.some((id) => line.includes(id)));

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

async function dump(): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(dumping);
  return rows.map(({ line }) => line);
}

/** Lines that came and went. */
function changesOf(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ];
}

/**
 * Sorted texts, without what differs from call to call: ids that the database generated, numbers of sequences, jitter, and the mask
 * of slots, which is that of the whole call.
 */
function masked(lines: readonly (string | Row)[], known: ReadonlySet<string>): string[] {
  return lines
    .map((line) =>
      (typeof line === "string" ? line : JSON.stringify(line))
        .replaceAll(UUID, (id) => (known.has(id) ? id : "<generated>"))
        .replaceAll(/"(seq|sequence|slots_mask|replay_at)": ?("[^"]*"|\d+)/g, '"$1":<masked>'),
    )
    .toSorted();
}

/** Ids that belong to one of the two workspaces: in its example rows, and in its rows of the tables. */
function idsOfEach(rows: readonly [readonly object[], readonly object[]], before: readonly string[]) {
  const all = [0, 1].map((whose) => {
    const workspace = tenants[whose]?.workspace ?? "";
    const lines = [workspace, JSON.stringify(rows[whose]), ...before.filter((line) => line.includes(workspace))];
    return new Set(lines.flatMap((line) => line.match(UUID) ?? []));
  });
  const [ones = new Set<string>(), others = new Set<string>()] = all;
  return [[...ones].filter((id) => !others.has(id)), [...others].filter((id) => !ones.has(id))] as const;
}
