import type { Sql } from "../../db/database.ts";

export type ProcessRow = { id: string; roles: string[]; version: string; expires_at: Date };

/** The oldest first. */
export const selectProcessRows = (sql: Sql, most: number): Promise<ProcessRow[]> =>
  sql.query(
    "select id, roles, version, expires_at from worker where expires_at > clock_timestamp() order by id limit $1",
    [most],
  );

/** By kind: how many slots there are, and how many each live worker has; `owner` null for those of none. */
export const selectSlotRows = (sql: Sql): Promise<{ kind: number; owner: string | null; slots: number }[]> =>
  sql.query(
    `select s.kind, w.id as owner, count(*)::int as slots
     from slot s left join worker w on w.id = s.owner and w.expires_at > clock_timestamp() group by 1, 2`,
  );

export async function selectServerVersion(sql: Sql): Promise<string> {
  const rows = await sql.query<{ version: string }>("select current_setting('server_version') as version");
  return rows[0]?.version ?? "";
}

/** Looks at each file of the database. */
export async function selectDatabaseSize(sql: Sql): Promise<number> {
  const rows = await sql.query<{ bytes: number }>("select pg_database_size(current_database())::float8 as bytes");
  return rows[0]?.bytes ?? 0;
}
