import type { Sql, SqlValue } from "../../db/database.ts";
import { onlyRow } from "../../db/only-row.ts";
import type { PageRequest } from "../../http/pagination.ts";

export type NoteRow = {
  id: string;
  text: string;
  topic: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
};
const COLUMNS = "id, text, topic, version, created_at, updated_at";

/** Newest first. Each filter is a condition of the statement only where it is given: its index serves it then. */
export function selectNoteRows(
  sql: Sql,
  workspaceId: string,
  { before, fetch, topic }: PageRequest & { topic: string | undefined },
): Promise<NoteRow[]> {
  const values: SqlValue[] = [workspaceId, before, fetch, ...(topic === undefined ? [] : [topic])];
  return sql.query<NoteRow>(
    `select ${COLUMNS} from note where workspace_id = $1 and ($2::uuid is null or id < $2)
       ${topic === undefined ? "" : "and topic = $4"} order by id desc limit $3`,
    values,
  );
}

export async function selectNoteRow(sql: Sql, workspaceId: string, id: string): Promise<NoteRow | null> {
  const rows = await sql.query<NoteRow>(`select ${COLUMNS} from note where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

/** The same, locked until the end of the transaction: what is checked of it still holds when it is changed. */
export async function lockNoteRow(sql: Sql, workspaceId: string, id: string): Promise<NoteRow | null> {
  const rows = await sql.query<NoteRow>(`select ${COLUMNS} from note where workspace_id = $1 and id = $2 for update`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

export async function countNoteRows(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>("select count(*) as count from note where workspace_id = $1", [
    workspaceId,
  ]);
  return row?.count ?? 0;
}

export async function insertNoteRow(
  sql: Sql,
  workspaceId: string,
  { id, text, topic, now }: { id: string; text: string; topic: string | null; now: number },
): Promise<NoteRow> {
  const rows = await sql.query<NoteRow>(
    `insert into note (workspace_id, id, text, topic, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning ${COLUMNS}`,
    [workspaceId, id, text, topic, new Date(now)],
  );
  return onlyRow(rows);
}

/** The row has to be locked. */
export async function updateNoteRow(
  sql: Sql,
  workspaceId: string,
  { id, text, topic, now }: { id: string; text: string; topic: string | null; now: number },
): Promise<NoteRow> {
  const rows = await sql.query<NoteRow>(
    `update note set text = $3, topic = $4, updated_at = $5, version = version + 1
     where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
    [workspaceId, id, text, topic, new Date(now)],
  );
  return onlyRow(rows);
}

/** The row has to be locked. */
export async function deleteNoteRow(sql: Sql, workspaceId: string, id: string): Promise<void> {
  await sql.run("delete from note where workspace_id = $1 and id = $2", [workspaceId, id]);
}
