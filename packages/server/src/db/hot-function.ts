import { createHash } from "node:crypto";

/** What each SQL type is in TypeScript: in a row that a caller passes as JSON, and in an answer as the driver reads it. */
type SqlTypes = {
  uuid: { row: string; answer: string };
  "uuid[]": { row: readonly string[]; answer: string[] };
  text: { row: string; answer: string };
  "text[]": { row: readonly string[]; answer: string[] };
  boolean: { row: boolean; answer: boolean };
  smallint: { row: number; answer: number };
  int: { row: number; answer: number };
  /** The driver's parser makes it a number (connect.ts); a caller may pass the digits. */
  bigint: { row: number | string; answer: number };
  float8: { row: number; answer: number };
  /** ISO text in a row. */
  timestamptz: { row: string; answer: Date };
  json: { row: unknown; answer: unknown };
  jsonb: { row: unknown; answer: unknown };
  bytea: { row: never; answer: Buffer };
  /** A place in a table, `(block,item)`. */
  tid: { row: string; answer: string };
};
type SqlType = keyof SqlTypes;

declare const NARROWED: unique symbol;
/** A column whose values are fewer than its SQL type allows; see `of`. */
type Narrowed<T> = { readonly sql: SqlType | `${SqlType}?`; readonly [NARROWED]?: T };

/** The columns of a row or an answer, by name: the SQL type; with `?` behind it the value may be null. */
export type Columns = Readonly<Record<string, SqlType | `${SqlType}?` | Narrowed<unknown>>>;

/** The columns of a hot function's rows or answers. A comment above a column is seen at each use of its field. */
export const columns = <C extends Columns>(all: C): C => all;

/** A column with a narrower TypeScript type than its SQL type has: `outcome: of<"go" | "no">("text")`. */
export function of<T>(sql: SqlType): Narrowed<T>;
export function of<T>(sql: `${SqlType}?`): Narrowed<T | null>;
export function of(sql: SqlType | `${SqlType}?`): Narrowed<unknown> {
  return { sql };
}

/**
 * A row as the caller passes it. Every key must be there, so that a misspelt or forgotten one is a type error and no silent
 * null; where null is allowed the value may be undefined, which saves the bytes of a null.
 */
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: RowValue<C[K]> };
type RowValue<T> =
  T extends Narrowed<infer V>
    ? null extends V
      ? V | undefined
      : V
    : T extends `${infer S extends SqlType}?`
      ? SqlTypes[S]["row"] | null | undefined
      : T extends SqlType
        ? SqlTypes[T]["row"]
        : never;

/** An answer row as the driver reads it. */
export type AnswerOf<C extends Columns> = { -readonly [K in keyof C]: AnswerValue<C[K]> };
type AnswerValue<T> =
  T extends Narrowed<infer V>
    ? V
    : T extends `${infer S extends SqlType}?`
      ? SqlTypes[S]["answer"] | null
      : T extends SqlType
        ? SqlTypes[T]["answer"]
        : never;

const sqlOf = (all: Columns): string =>
  Object.entries(all)
    .map(([name, column]) => `${name} ${(typeof column === "string" ? column : column.sql).replace("?", "")}`)
    .join(", ");

/** The input rows as a table `alias` of a query: the declared columns, and `ordinality`, the place of each row from 1. */
export const recordset = (input: Columns, alias = "x", json = "rows"): string =>
  `rows from (json_to_recordset(${json}) as (${sqlOf(input)})) with ordinality ${alias}`;

/**
 * boolean: whether a call has one row, as nearly every call has at a number's own speed. What a statement for many rows costs then is
 * its start, whatever the row needs; a row of the usual kind is taken by a few plain statements instead. The size first: to count the
 * rows of a large call is to parse them.
 */
export const HAS_ONE_ROW = "pg_column_size(rows) < 8192 and json_array_length(rows) = 1";

/**
 * A select into the variable `x` of the one row of a call: then the look-ups of its short way refer to it as those of many rows do to theirs.
 * `more` are columns to be filled later, `json` is the array where it is not that of the call.
 */
export const readOnlyRow = (input: Columns, more: Columns = {}, json = "rows"): string =>
  `select x.* into x from json_to_recordset(${json}) as x(${sqlOf({ ...input, ...more })});`;

/** Some of the columns. Each that is read of a row costs the call a microsecond. */
export const some = <C extends Columns, K extends keyof C & string>(all: C, names: readonly K[]): Pick<C, K> =>
  Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<C, K>; // of these names

/** Columns of a record, each by its own name. */
export const ofRecord = (record: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `${record}.${name}`]));

declare const SHAPE: unique symbol;

/**
 * A hot path as one PL/pgSQL function: called with a batch of rows as one JSON array and `now`, one round trip, one
 * transaction. It runs as the engine role (security definer), so it is a narrow, listable way into all workspaces.
 *
 * Inside, `rows` is the array, `now` the time of the batch, and `again` is true when an earlier call with these rows may have
 * committed although its answer was lost: the function must then return the answer that is true instead of writing twice.
 *
 * `npm run generate` writes the full text of each to packages/server/functions.sql, for reviews, and to try a change: paste
 * it into `psql` after `begin`, with the inner functions that it calls (no process calls the names without the hash), call it, roll
 * back. For its plans say before:
 * `load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set
 * client_min_messages = log`. Each has an example in tests/database/hot-examples.ts, from which `npm run test:sql` tests its
 * plans, two workspaces in one call, and a second call with `again`.
 */
export type HotFunction<Row extends object = never, Answer extends object = object> = {
  /** Name in the code and in logs. */
  name: string;
  /** Name in the database: carries a hash of the text, so that old and new processes run side by side. */
  installed: string;
  /** Full `create function` text. */
  text: string;
  writes: boolean;
  /** The ids that a row looks up in a partitioned table, null where one is not known; see `inSpan`. Null for functions without. */
  span: ((row: Row) => Iterable<string | null | undefined>) | null;
  /** Types only. */
  readonly [SHAPE]?: (row: Row) => Answer;
};

export type HotFunctionParts<Input extends Columns, Answers extends Columns> = {
  name: string;
  /** Columns of a row; of each kind of row where there are several. None for a function that reads no row. */
  input: Input | readonly Input[];
  /** Columns of the answer rows, one row for each input row unless the function says otherwise. */
  answers: Answers;
  /** Variables, as in a PL/pgSQL declare section. */
  declare?: string;
  /** Reads its rows `from ${recordset(input)}`. */
  body: string;
  /** False for reads: they leave no mark in `flight`. */
  writes?: boolean;
  /**
   * True for a function that is a step of a request's own transaction (`callWithin`): it waits for locks like the statements around
   * it, because no batch repeats it row by row.
   */
  waits?: boolean;
  /** Other settings of the planner, for a function whose statements are planned each time. */
  planner?: readonly string[];
  /** The ids that a row looks up in a partitioned table, null where one is not known; see `inSpan`. */
  span?(row: RowOf<Input>): Iterable<string | null | undefined>;
};

/**
 * Queue and key tables look empty to the planner's statistics; without these a tail read went from 1.2 to 265 ms, and the
 * search for the next lane of a slot read the slot to its end by a bitmap.
 */
const PLANNER = [
  "enable_seqscan = off",
  "enable_bitmapscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
  "enable_material = off",
  "enable_memoize = off",
  "jit = off",
  "plan_cache_mode = force_generic_plan",
];

/** A hot call never waits long for a lock: its batch is retried row by row instead, and the other rows go on. */
const LOCK_TIMEOUT = "lock_timeout = '100ms'";
/** As long as some batches of a thousand rows take one after another; below the time that a statement has. */
const PATIENT_LOCK_TIMEOUT = "lock_timeout = '5s'";

/** The function with the types of its rows and answers, for `db.call`, `BatchedCalls` and `callWithin`. */
export function hotFunction<Input extends Columns, Answers extends Columns>(
  parts: HotFunctionParts<Input, Answers>,
): HotFunction<RowOf<Input>, AnswerOf<Answers>> {
  const writes = parts.writes ?? true;
  const settings = [
    ...(parts.planner ?? PLANNER),
    ...(writes ? [parts.waits === true ? PATIENT_LOCK_TIMEOUT : LOCK_TIMEOUT] : []),
    "search_path = public, pg_temp",
  ];
  const signature = `(rows json, now timestamptz, call uuid, again boolean${parts.span ? `, lowest uuid default '${LOWEST}', highest uuid default '${HIGHEST}'` : ""})`;
  const definition = `${signature} returns table (${sqlOf(parts.answers)}) language plpgsql volatile security definer
${settings.map((setting) => `set ${setting}`).join("\n")}
as $function$
#variable_conflict use_column
${parts.declare ? `declare\n${parts.declare.trim()}\n` : ""}begin
${writes ? "insert into flight (id) values (call);\n" : ""}${parts.body.trim()}
end
$function$`;
  const hash = createHash("sha256").update(definition).digest("hex").slice(0, 10);
  const installed = `${parts.name}_${hash}`;
  const text = `create or replace function ${installed}${definition}`;
  return { name: parts.name, installed, writes, text, span: parts.span ?? null };
}

const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";
export type Span = readonly [lowest: string, highest: string];
export const ALL_IDS: Span = [LOWEST, HIGHEST];

/** The lowest and the highest id that a call looks up; all ids when one of them is not known. */
export function spanOf<Row extends object>(
  { span }: Pick<HotFunction<Row>, "span">,
  rows: readonly Row[],
): Span | null {
  if (span === null) return null;
  let [lowest, highest] = [HIGHEST, LOWEST];
  for (const row of rows)
    for (const id of span(row)) {
      if (!id) return ALL_IDS;
      if (id < lowest) lowest = id;
      if (id > highest) highest = id;
    }
  return [lowest, highest];
}

/**
 * A condition on the key of a partitioned table, in a function with a `span`: partitions of other times are left out when
 * the statement starts. A look-up for each row alone opens all of them at each start, 5 to 10 µs for each.
 *
 * Never in a look-up that locks: PostgreSQL 18 finds no row there when it had to wait for another transaction to change it.
 */
export const inSpan = (id: string): string => `${id} between lowest and highest`;

/** An interval as SQL, from milliseconds. */
export function sqlInterval(ms: number): string {
  if (ms % 3_600_000 === 0) return `interval '${ms / 3_600_000} hours'`;
  if (ms % 60_000 === 0) return `interval '${ms / 60_000} minutes'`;
  return ms % 1_000 === 0 ? `interval '${ms / 1_000} seconds'` : `interval '${ms} milliseconds'`;
}

/**
 * A look-up by key for each row of a `from` list, whatever the statistics say: `offset 0` keeps the planner from joining the
 * tables with each other first. Planned while the tables were empty, accepting read all conversations of the workspace for
 * each of its rows.
 */
export const lookUp = (alias: string, select: string): string =>
  `left join lateral (${select} offset 0) ${alias} on true`;

/** As `lookUp`, for rows that must be there: a row without any is left out. */
export const each = (alias: string, select: string): string => `cross join lateral (${select} offset 0) ${alias}`;

/**
 * The end of an `insert … select` that changes rows which the statement has locked, so that they are known to exist. An `update`
 * would join its table with the rows given in an order that the planner chooses: from a table that was empty then, it read
 * all of it for each call. This way no table is read, and of a partitioned one only the partitions concerned are opened.
 */
export const changeLocked = (key: string, changed: readonly string[]): string =>
  `on conflict (${key}) do update set ${changed.map((column) => `${column} = excluded.${column}`).join(", ")}`;
