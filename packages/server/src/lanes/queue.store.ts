import type { Sql } from "../db/database.ts";

/** The last number that any transaction has drawn for a row of each queue, committed or not; of a queue without any there is none. */
export async function selectLastDrawn(sql: Sql, tables: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql.query<{ name: string; seq: number | null }>(
    "select t.name, pg_sequence_last_value(pg_get_serial_sequence(t.name, 'seq')::regclass) as seq from unnest($1::text[]) t(name)",
    [tables],
  );
  return new Map(rows.map(({ name, seq }) => [name, seq ?? 0]));
}

/** Rows of each queue as the server's statistics estimate them: counting would walk them all. */
export async function selectQueueSizes(sql: Sql, tables: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql.query<{ name: string; rows: number }>(
    `select s.relname as name, s.n_live_tup::float8 as rows from pg_stat_user_tables s
     where s.schemaname = any (current_schemas(false)) and s.relname = any ($1)`,
    [tables],
  );
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
}

const WRITERS = `select array(select distinct l.virtualtransaction from pg_locks l
  where l.locktype = 'relation' and l.relation = $1::regclass and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database())) as writers`;

/** The transactions that are writing to the queue now; each of them takes this lock before it draws a number. */
export async function selectWriters(sql: Sql, table: string): Promise<string[]> {
  const [row] = await sql.query<{ writers: string[] }>(WRITERS, [table]);
  return row?.writers ?? [];
}
