import type { Sql, SqlValue } from "../../db/database.ts";
import { onlyRow } from "../../db/only-row.ts";
import type { PageRequest } from "../../http/pagination.ts";
import type { MediaType } from "./media-types.ts";
import type { Media, MediaError } from "./schema.ts";

export type MediaRow = {
  id: string;
  source: Media["source"];
  status: Media["status"];
  type: MediaType;
  mime_type: string | null;
  size: number | null;
  sha256: Buffer | null;
  filename: string | null;
  file_id: string | null;
  message_id: string | null;
  contact_id: string | null;
  phone_number_id: string | null;
  error: MediaError | null;
  created_at: Date;
};
// Of what is not here yet: what the last try to fetch it met.
const ERROR = `case when status = 'pending' then (
    select f.last_error from media_fetch f where f.workspace_id = media.workspace_id and f.media_id = media.id) else error end`;
const COLUMNS = `id, source, status, type, mime_type, size::float8, sha256, filename, file_id, message_id, contact_id, phone_number_id,
  ${ERROR} as error, created_at`;

/** Uuids and values of the filters of a list; undefined: all. */
export type MediaFilters = {
  source: Media["source"] | undefined;
  status: Media["status"] | undefined;
  messageId: string | undefined;
};

/** Newest first. Each filter is a condition of the statement only where it is given: its index serves it then. */
export function selectMediaRows(
  sql: Sql,
  workspaceId: string,
  { before, fetch }: PageRequest,
  { source, status, messageId }: MediaFilters,
): Promise<MediaRow[]> {
  const values: SqlValue[] = [workspaceId, before, fetch];
  const conditions: string[] = [];
  const add = (column: string, value: string | undefined, more = ""): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`and ${column} = $${values.length}${more}`);
  };
  // Most are available, so that only what is not has an index, and the index by source serves the others.
  add("status", status, status === "available" ? "" : " and status <> 'available'");
  add("source", source, status === undefined || status === "available" ? " and source > ''" : "");
  add("message_id", messageId);
  return sql.query<MediaRow>(
    `select ${COLUMNS} from media where workspace_id = $1 and ($2::uuid is null or id < $2) ${conditions.join(" ")}
     order by id desc limit $3`,
    values,
  );
}

export async function selectMediaRow(sql: Sql, workspaceId: string, id: string): Promise<MediaRow | null> {
  const [row] = await sql.query<MediaRow>(`select ${COLUMNS} from media where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return row ?? null;
}

/** In no order; those that there are. */
export const selectMediaRowsOf = (sql: Sql, workspaceId: string, ids: readonly string[]): Promise<MediaRow[]> =>
  sql.query<MediaRow>(`select ${COLUMNS} from media where workspace_id = $1 and id = any($2)`, [workspaceId, ids]);

export type NewUpload = Pick<MediaRow, "id" | "type" | "mime_type" | "size" | "filename" | "file_id" | "error"> & {
  sha256: string;
  now: number;
};

/** An upload that has ended: available with its file, or failed with its error. */
export async function insertUploadRow(sql: Sql, workspaceId: string, upload: NewUpload): Promise<MediaRow> {
  const rows = await sql.query<MediaRow>(
    `insert into media (workspace_id, id, source, status, type, mime_type, size, sha256, filename, file_id, error, created_at, used_at)
     values ($1, $2, 'upload', $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning ${COLUMNS}`,
    [
      workspaceId,
      upload.id,
      upload.file_id === null ? "failed" : "available",
      upload.type,
      upload.mime_type,
      upload.size,
      Buffer.from(upload.sha256, "hex"),
      upload.filename,
      upload.file_id,
      upload.error === null ? null : JSON.stringify(upload.error),
      new Date(upload.now),
    ],
  );
  return onlyRow(rows);
}

/** How the fetch of inbound media ended. */
export type Outcome =
  | { status: "available"; fileId: string; size: number; sha256: string; mimeType: string | null }
  | { status: "failed"; error: MediaError };

/** Null for media that is not pending any more: it ended in another way, or is gone. */
export async function updatePendingRow(
  sql: Sql,
  workspaceId: string,
  id: string,
  outcome: Outcome,
  now: number,
): Promise<MediaRow | null> {
  const { fileId, size, sha256, mimeType, error } = { ...NO_OUTCOME, ...outcome };
  const [row] = await sql.query<MediaRow>(
    `update media set status = $3, file_id = $4, size = $5, sha256 = $6, mime_type = coalesce($7, mime_type), error = $8, used_at = $9
     where workspace_id = $1 and id = $2 and status = 'pending' returning ${COLUMNS}`,
    [
      workspaceId,
      id,
      outcome.status,
      fileId,
      size,
      sha256 === null ? null : Buffer.from(sha256, "hex"),
      mimeType,
      error === null ? null : JSON.stringify(error),
      new Date(now),
    ],
  );
  return row ?? null;
}
const NO_OUTCOME = { fileId: null, size: null, sha256: null, mimeType: null, error: null };

/** Its file, which may have no other media now; undefined where there was no such media. */
export async function deleteMediaRow(sql: Sql, workspaceId: string, id: string): Promise<string | null | undefined> {
  const [row] = await sql.query<Pick<MediaRow, "file_id">>(
    "delete from media where workspace_id = $1 and id = $2 returning file_id",
    [workspaceId, id],
  );
  return row?.file_id;
}

/** Whether the workspace is there and may be used. */
export async function isActiveWorkspace(sql: Sql, workspaceId: string): Promise<boolean> {
  const rows = await sql.query("select from workspace where workspace_id = $1 and status = 'active'", [workspaceId]);
  return rows.length > 0;
}
