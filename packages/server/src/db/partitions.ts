import { uuidFloor } from "../lib/ids.ts";
import type { Sql } from "./database.ts";

type Period = "month" | "day";
type Partitioned = {
  table: string;
  period: Period /** Periods made ahead of now. */;
  ahead: number /** Storage options, which `like` does not copy. */;
  options?: string;
};

/** Growing tables, split by the time in their UUIDv7. A message's rows all go by the message's id. */
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

/** Makes sure that partitions exist from one period back (late ids) to some ahead. Safe to run by many at once. */
export async function ensurePartitions(sql: Sql, nowMs: number): Promise<void> {
  for (const { table, period, ahead, options } of PARTITIONED) {
    for (let step = -1; step <= ahead; step++) {
      const from = startOf(period, nowMs, step);
      const to = startOf(period, nowMs, step + 1);
      const name = `${table}_${new Date(from)
        .toISOString()
        .slice(0, period === "month" ? 7 : 10)
        .replaceAll("-", "")}`;
      await sql.run(attachText(name, table, from, to, options, !WITHOUT_WORKSPACE.has(table)));
    }
  }
}

// Made plain with its walls, then attached: `create table … partition of` takes a lock that made hot inserts fail behind
// one slow reader. The advisory lock makes two processes agree; who comes second finds it done.
function attachText(
  name: string,
  table: string,
  from: number,
  to: number,
  options: string | undefined,
  tenant: boolean,
): string {
  return `do $$ begin
    if to_regclass('${name}') is null then
      perform pg_advisory_xact_lock(hashtext('waypost partition ${table}'));
      if to_regclass('${name}') is null then
        create table ${name} (like ${table} including all)${options ? ` with (${options})` : ""};
        ${tenant ? `perform protect_tenant_table('${name}', '', '');` : ""}
        alter table ${table} attach partition ${name} for values from ('${uuidFloor(from)}') to ('${uuidFloor(to)}');
      end if;
    end if;
  end $$`;
}

/** Drops partitions whose youngest row is older than `days`. Queue rows of a message keep its month. */
export async function dropPartitions(sql: Sql, table: string, days: number, nowMs: number): Promise<string[]> {
  const known = PARTITIONED.find((entry) => entry.table === table);
  if (!known) throw new Error(`${table} has no partitions`);
  const rows = await sql.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass",
    [table],
  );
  const dropped: string[] = [];
  for (const { name } of rows) {
    const end = endOf(known.period, name.slice(table.length + 1));
    if (end === null || end > nowMs - days * DAY_MS) continue;
    await sql.run(`alter table ${table} detach partition ${name} concurrently`);
    await sql.run(`drop table ${name}`);
    dropped.push(name);
  }
  return dropped;
}

const DAY_MS = 86_400_000;

function startOf(period: Period, nowMs: number, step: number): number {
  const now = new Date(nowMs);
  return period === "month"
    ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + step, 1)
    : Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + step);
}

function endOf(period: Period, stamp: string): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})?$/.exec(stamp);
  if (!match) return null;
  const start = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3] ?? "1"));
  return startOf(period, start, 1);
}
