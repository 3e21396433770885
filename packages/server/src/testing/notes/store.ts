import type { Sql } from "../../db/database.ts";
import type { PageRequest } from "../../http/pagination.ts";

export type NoteRow = { id: string; text: string; created_at: Date };

/** Newest first. */
export const selectNoteRows = (sql: Sql, workspaceId: string, { before, fetch }: PageRequest): Promise<NoteRow[]> =>
  sql.query(
    "select id, text, created_at from note where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3",
    [workspaceId, before, fetch],
  );

export async function selectNoteRow(sql: Sql, workspaceId: string, id: string): Promise<NoteRow | null> {
  const [row] = await sql.query<NoteRow>("select id, text, created_at from note where workspace_id = $1 and id = $2", [
    workspaceId,
    id,
  ]);
  return row ?? null;
}

export async function countNoteRows(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>("select count(*) as count from note where workspace_id = $1", [
    workspaceId,
  ]);
  return row?.count ?? 0;
}

export async function insertNoteRow(sql: Sql, workspaceId: string, row: NoteRow): Promise<void> {
  await sql.run("insert into note (workspace_id, id, text, created_at) values ($1, $2, $3, $4)", [
    workspaceId,
    row.id,
    row.text,
    row.created_at,
  ]);
}

/** True when there was one. */
export async function deleteNoteRow(sql: Sql, workspaceId: string, id: string): Promise<boolean> {
  return (await sql.run("delete from note where workspace_id = $1 and id = $2", [workspaceId, id])) === 1;
}
