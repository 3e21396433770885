import type { Database, Sql } from "../../../db/database.ts";
import { columns, hotFunction, recordset } from "../../../db/hot-function.ts";
import type { Question } from "../../../db/question.ts";

/** A file that is being stored. */
export type NewFile = { id: string; sha256: string; size: number; sweepAt: Date };

export async function insertFileRow(sql: Sql, workspaceId: string, file: NewFile): Promise<void> {
  await sql.run(
    `insert into media_file (workspace_id, id, sha256, size, state, sweep_at) values ($1, $2, $3, $4, 'arriving', $5)`,
    [workspaceId, file.id, Buffer.from(file.sha256, "hex"), file.size, file.sweepAt],
  );
}

/** Of files with the same bytes one at a time becomes stored. */
export async function lockDigest(sql: Sql, workspaceId: string, sha256: string): Promise<void> {
  await sql.run("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`media ${workspaceId} ${sha256}`]);
}

export async function updateFileStored(sql: Sql, workspaceId: string, id: string): Promise<void> {
  await sql.run("update media_file set state = 'stored' where workspace_id = $1 and id = $2 and state = 'arriving'", [
    workspaceId,
    id,
  ]);
}

/** Whether a media can name a file: it stays until the end of the transaction, and afterwards where it is named then. */
export async function lockStoredFile(sql: Sql, workspaceId: string, id: string): Promise<boolean> {
  const rows = await sql.query(
    "select from media_file where workspace_id = $1 and id = $2 and state = 'stored' for key share",
    [workspaceId, id],
  );
  return rows.length > 0;
}

/** A file of these bytes that is here already, kept at least until `sweepAt`; null for none. */
export async function keepFileRow(
  sql: Sql,
  workspaceId: string,
  { sha256, size, sweepAt }: Omit<NewFile, "id">,
): Promise<string | null> {
  const [row] = await sql.query<{ id: string }>(
    `update media_file f set sweep_at = greatest(f.sweep_at, $4)
     where f.workspace_id = $1 and f.state = 'stored' and f.id = (
       select k.id from media_file k
       where k.workspace_id = $1 and k.sha256 = $2 and k.size = $3 and k.state = 'stored' limit 1)
     returning f.id`,
    [workspaceId, Buffer.from(sha256, "hex"), size, sweepAt],
  );
  return row?.id ?? null;
}

/** Has the sweep look at files that a media has named until now. */
export async function releaseFileRows(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  await sql.run(
    "update media_file set sweep_at = greatest(sweep_at, $3) where workspace_id = $1 and id = any($2) and state = 'stored'",
    [workspaceId, ids, new Date(now)],
  );
}

/** Once its bytes are gone, or were never there. */
export async function deleteFileRow(sql: Sql, workspaceId: string, id: string): Promise<void> {
  await sql.run("delete from media_file where workspace_id = $1 and id = $2 and state <> 'stored'", [workspaceId, id]);
}

/** Which of these ids have a row. */
export async function selectFileIds(sql: Sql, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>("select id from media_file where workspace_id = $1 and id = any($2)", [
    workspaceId,
    ids,
  ]);
  return new Set(rows.map(({ id }) => id));
}

export const DUE_FILES: Question = {
  name: "due media files",
  rows: "select from media_file f where f.sweep_at <= now",
};

const MOST = columns({ most: "int" });
/** A file whose bytes could not be deleted is due again after this. */
const AGAIN = "interval '1 minute'";

/**
 * Looks at the files that are due, the oldest first: one that a media names stays, any other can be named no more, and is returned: its
 * bytes are to be deleted, and then its row.
 */
export const sweepMediaFiles = hotFunction({
  name: "sweep_media_files",
  input: MOST,
  answers: columns({ workspace_id: "uuid", id: "uuid" }),
  declare: "r record;",
  // A media that is being inserted holds its file's row, so that this waits for it; the next statement sees it.
  body: `
for r in
  select f.workspace_id, f.id from media_file f where f.sweep_at <= now
  order by f.sweep_at limit (select max(x.most) from ${recordset(MOST)}) for update skip locked
loop
  if exists (select from media m where m.workspace_id = r.workspace_id and m.file_id = r.id) then
    update media_file f set sweep_at = null where f.workspace_id = r.workspace_id and f.id = r.id;
  else
    update media_file f set state = 'leaving', sweep_at = now + ${AGAIN} where f.workspace_id = r.workspace_id and f.id = r.id;
    return query select r.workspace_id, r.id;
  end if;
end loop;`,
});

/** `most` files of all workspaces that are to be deleted. */
export const selectDueFiles = (
  db: Database,
  most: number,
  now: number,
): Promise<{ workspace_id: string; id: string }[]> => db.call(sweepMediaFiles, [{ most }], now);
