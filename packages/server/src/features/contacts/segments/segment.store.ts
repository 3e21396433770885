import type { Sql } from "../../../db/database.ts";
import { onlyRow } from "../../../db/only-row.ts";

export type SegmentRow = {
  id: string;
  name: string;
  filter: unknown;
  revision: number;
  /** How many contacts fitted when they were last counted to the end. */
  count: number | null;
  counted_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

const COLUMNS = "id, name, filter, revision, count, counted_at, created_at, updated_at";

export async function insertSegmentRow(
  sql: Sql,
  workspaceId: string,
  row: { id: string; name: string; filter: unknown; now: number },
): Promise<SegmentRow> {
  return onlyRow(
    await sql.query<SegmentRow>(
      `insert into segment (workspace_id, id, name, filter, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning ${COLUMNS}`,
      [workspaceId, row.id, row.name, JSON.stringify(row.filter), new Date(row.now)],
    ),
  );
}

export async function countSegmentRows(sql: Sql, workspaceId: string): Promise<number> {
  return onlyRow(
    await sql.query<{ count: number }>("select count(*) as count from segment where workspace_id = $1", [workspaceId]),
  ).count;
}

/** Newest first. */
export const selectSegmentRows = (
  sql: Sql,
  workspaceId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<SegmentRow[]> =>
  sql.query<SegmentRow>(
    `select ${COLUMNS} from segment where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [workspaceId, before, limit],
  );

export async function selectSegmentRow(sql: Sql, workspaceId: string, id: string): Promise<SegmentRow | null> {
  const rows = await sql.query<SegmentRow>(`select ${COLUMNS} from segment where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

/** As `selectSegmentRow`, locked until the transaction ends. */
export async function lockSegmentRow(sql: Sql, workspaceId: string, id: string): Promise<SegmentRow | null> {
  const rows = await sql.query<SegmentRow>(
    `select ${COLUMNS} from segment where workspace_id = $1 and id = $2 for no key update`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** With another filter the last count is that of other contacts. */
export async function updateSegmentRow(
  sql: Sql,
  workspaceId: string,
  id: string,
  { name, filter, isCounted, now }: { name: string; filter: unknown; isCounted: boolean; now: number },
): Promise<SegmentRow> {
  return onlyRow(
    await sql.query<SegmentRow>(
      `update segment set name = $3, filter = $4, revision = revision + 1, updated_at = $5,
         count = case when $6 then count end, counted_at = case when $6 then counted_at end
       where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
      [workspaceId, id, name, JSON.stringify(filter), new Date(now), isCounted],
    ),
  );
}

/** Keeps a count of the filter that the segment had at this revision, unless a newer one is there. */
export async function updateSegmentRowCount(
  sql: Sql,
  workspaceId: string,
  { id, revision, count, now }: { id: string; revision: number; count: number; now: number },
): Promise<void> {
  await sql.run(
    `update segment set count = $4, counted_at = $5
     where workspace_id = $1 and id = $2 and revision = $3 and (counted_at is null or counted_at < $5)`,
    [workspaceId, id, revision, count, new Date(now)],
  );
}

export async function deleteSegmentRow(sql: Sql, workspaceId: string, id: string): Promise<void> {
  await sql.run("delete from segment where workspace_id = $1 and id = $2", [workspaceId, id]);
}
