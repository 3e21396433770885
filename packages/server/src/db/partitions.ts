import { DAY_MS } from "../lib/duration.ts";
import { uuidFloor } from "../lib/ids.ts";
import type { Sql } from "./database.ts";

type Period = "month" | "day";
type Partitioned = {
  table: string;
  period: Period;
  /** Periods created ahead of now. */
  ahead: number;
  /** Storage options, which `like` does not copy. */
  options?: string;
};

/** Growing tables, split by the time in their UUIDv7. All rows of a message are placed by the message's id. */
export const PARTITIONED: readonly Partitioned[] = [
  { table: "message", period: "month", ahead: 3 },
  { table: "message_state", period: "month", ahead: 3, options: "fillfactor = 50" },
  { table: "history", period: "month", ahead: 3 },
  { table: "attempt", period: "month", ahead: 3 },
  { table: "audit", period: "month", ahead: 3 },
  { table: "event", period: "day", ahead: 14 },
  { table: "delivery", period: "day", ahead: 14, options: "fillfactor = 70" },
  { table: "callback", period: "day", ahead: 14 },
];

/** Tables whose partitions carry no workspace and so no policies. */
const WITHOUT_WORKSPACE = new Set(["callback"]);

type Range = { name: string; table: Partitioned; from: number; to: number };

/** Makes sure that partitions exist from one period back (late ids) to some ahead. Several processes may run it at once. */
export async function ensurePartitions(sql: Sql, nowMs: number): Promise<void> {
  await createMissing(
    sql,
    PARTITIONED.flatMap((table) => rangesAhead(table, nowMs)),
  );
}

async function createMissing(sql: Sql, wanted: readonly Range[]): Promise<void> {
  const missing = await sql.query<{ name: string }>(
    "select name from unnest($1::text[]) name where to_regclass(name) is null",
    [wanted.map(({ name }) => name)],
  );
  const names = new Set(missing.map(({ name }) => name));
  for (const range of wanted) if (names.has(range.name)) await sql.run(attachText(range));
}

/** Makes sure that these tables have partitions from a time on, for rows whose ids are of the past; milliseconds. Several may run it at once. */
export async function ensurePartitionsSince(
  sql: Sql,
  tables: readonly string[],
  fromMs: number,
  nowMs: number,
): Promise<void> {
  const wanted = tables.flatMap((name) => {
    const table = known(name);
    const ranges: Range[] = [];
    for (let step = 0; ranges.at(-1) === undefined || (ranges.at(-1)?.from ?? 0) > fromMs; step--)
      ranges.push(rangeOf(table, nowMs, step));
    return ranges;
  });
  await createMissing(sql, wanted);
}

function rangesAhead(table: Partitioned, nowMs: number): Range[] {
  return Array.from({ length: table.ahead + 2 }, (_, index) => rangeOf(table, nowMs, index - 1));
}

/** The partition of the period that is `step` periods from now. */
function rangeOf(table: Partitioned, nowMs: number, step: number): Range {
  const [from, to] = [startOf(table.period, nowMs, step), startOf(table.period, nowMs, step + 1)];
  const stamp = new Date(from).toISOString().slice(0, table.period === "month" ? 7 : 10);
  return { name: `${table.table}_${stamp.replaceAll("-", "")}`, table, from, to };
}

/** The partitions of rows written now and within a day from now. */
export function currentPartitions(nowMs: number): { name: string; table: string }[] {
  const ranges = PARTITIONED.flatMap((table) => rangesAhead(table, nowMs));
  const days = [nowMs, nowMs + DAY_MS];
  return ranges
    .filter(({ from, to }) => days.some((day) => from <= day && day < to))
    .map(({ name, table }) => ({ name, table: table.table }));
}

// Created as a plain table with its policies, then attached: `create table … partition of` takes a lock that made hot inserts
// fail behind one slow reader. The advisory lock serializes processes; the second one finds the table attached. It looks into the
// catalogue itself: waiting for an advisory lock leaves the session's cache of names, in which the table is still missing.
function attachText({ name, table: { table, options }, from, to }: Range): string {
  const tenant = !WITHOUT_WORKSPACE.has(table);
  return `do $$ begin
    perform pg_advisory_xact_lock(hashtext('waypost partition ${table}'));
    if not exists (select from pg_class where relnamespace = 'public'::regnamespace and relname = '${name}') then
      create table ${name} (like ${table} including all)${options ? ` with (${options})` : ""};
      ${tenant ? `perform protect_tenant_table('${name}', '', '');` : ""}
      alter table ${table} attach partition ${name} for values from ('${uuidFloor(from)}') to ('${uuidFloor(to)}');
    end if;
  end $$`;
}

export type Expired = {
  name: string;
  table: string;
  /** Bounds of its ids, the upper one outside. */
  from: string;
  to: string;
  /** Already detached from its table by a round that was interrupted. */
  detached: boolean;
};

/** Partitions whose youngest row is older than `days`, the oldest first. */
export async function expiredPartitions(sql: Sql, table: string, days: number, nowMs: number): Promise<Expired[]> {
  const { period } = known(table);
  const rows = await sql.query<{ name: string; detached: boolean }>(
    `select c.relname as name, not c.relispartition as detached from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname ~ ('^' || $1 || '_\\d{6,8}$') order by c.relname`,
    [table],
  );
  return rows.flatMap(({ name, detached }) => {
    const bounds = boundsOf(period, name.slice(table.length + 1));
    if (bounds === null || bounds.to > nowMs - days * DAY_MS) return [];
    return [{ name, table, from: uuidFloor(bounds.from), to: uuidFloor(bounds.to), detached }];
  });
}

/** The time in milliseconds before which the table has no rows; null when it has no partition. */
export async function oldestKept(sql: Sql, table: string): Promise<number | null> {
  const rows = await sql.query<{ name: string | null }>(
    "select min(c.relname::text) as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass",
    [table],
  );
  const name = rows[0]?.name;
  return name ? (boundsOf(known(table).period, name.slice(table.length + 1))?.from ?? null) : null;
}

/**
 * Drops a partition without stopping its table's traffic. Needs a session of its own, outside a transaction: it waits for
 * transactions that use the table. If that takes too long (55P03), `finishDetaching` completes it later.
 */
export async function dropPartition(sql: Sql, { name, table, detached }: Expired): Promise<void> {
  if (!detached) await sql.run(`alter table ${table} detach partition ${name} concurrently`);
  await sql.run(`drop table if exists ${name}`);
}

/** Completes detaching that was killed or waited too long. The tables are dropped later, as expired ones. */
export async function finishDetaching(sql: Sql): Promise<void> {
  const rows = await sql.query<{ name: string; table: string }>(
    'select inhrelid::regclass::text as name, inhparent::regclass::text as "table" from pg_inherits where inhdetachpending',
  );
  for (const { name, table } of rows) await sql.run(`alter table ${table} detach partition ${name} finalize`);
}

function known(table: string): Partitioned {
  const found = PARTITIONED.find((entry) => entry.table === table);
  if (!found) throw new Error(`${table} has no partitions`);
  return found;
}

function startOf(period: Period, nowMs: number, step: number): number {
  const now = new Date(nowMs);
  return period === "month"
    ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step, 1)
    : Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + step);
}

function boundsOf(period: Period, stamp: string): { from: number; to: number } | null {
  const match = /^(\d{4})(\d{2})(\d{2})?$/.exec(stamp);
  if (!match || (match[3] === undefined) !== (period === "month")) return null;
  const from = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3] ?? "1"));
  return { from, to: startOf(period, from, 1) };
}
