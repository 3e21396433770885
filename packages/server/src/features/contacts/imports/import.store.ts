import type { Sql } from "../../../db/database.ts";
import type { LongTable } from "../../tasks/long-task.sql.ts";
import type { End } from "../../tasks/long-task.ts";
import type { Target } from "./columns.ts";
import type { RowError } from "./row.ts";
import type { ContactImport, Format } from "./schema.ts";

/** Imports as long tasks. */
export const IMPORTS: LongTable = {
  table: "contact_import",
  place: "bytes",
  errors: { table: "contact_import_error", of: "import_id" },
};

export type ImportRow = {
  id: string;
  status: ContactImport["status"];
  format: Format;
  mapping: ContactImport["mapping"];
  total_bytes: number;
  bytes: number;
  rows: number;
  created: number;
  updated: number;
  failed: number;
  error: { code: string; detail: string } | null;
  created_at: Date;
  completed_at: Date | null;
};

// Counts as double precision: the driver returns a bigint as text, and none of them reaches 2^53.
const COLUMNS = `id, status, format, mapping, total_bytes::float8, bytes::float8, rows::float8, created::float8, updated::float8,
  failed::float8, error, created_at, completed_at`;

export type NewImport = Pick<ImportRow, "id" | "format" | "mapping" | "total_bytes" | "bytes" | "created_at"> & {
  delimiter: string | null;
  targets: readonly (Target | null)[] | null;
  lines: number;
  job_id: string;
};

export async function insertImportRow(sql: Sql, workspaceId: string, row: NewImport): Promise<ImportRow> {
  const [inserted] = await sql.query<ImportRow>(
    `insert into contact_import (workspace_id, id, status, format, mapping, delimiter, targets, total_bytes, bytes, lines,
       rows, created, updated, failed, job_id, created_at, updated_at)
     values ($1, $2, 'pending', $3, $4, $5, $6, $7, $8, $9, 0, 0, 0, 0, $10, $11, $11) returning ${COLUMNS}`,
    [
      workspaceId,
      row.id,
      row.format,
      JSON.stringify(row.mapping),
      row.delimiter,
      row.targets === null ? null : JSON.stringify(row.targets),
      row.total_bytes,
      row.bytes,
      row.lines,
      row.job_id,
      row.created_at,
    ],
  );
  if (!inserted) throw new Error("an insert returned no row");
  return inserted;
}

export async function selectImportRow(sql: Sql, workspaceId: string, id: string): Promise<ImportRow | null> {
  const [row] = await sql.query<ImportRow>(
    `select ${COLUMNS} from contact_import where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return row ?? null;
}

/** Newest first. */
export const selectImportRows = (
  sql: Sql,
  workspaceId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<ImportRow[]> =>
  sql.query<ImportRow>(
    `select ${COLUMNS} from contact_import
     where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [workspaceId, before, limit],
  );

/** Ends an import that has not ended; null when it has. */
export async function endImportRow(sql: Sql, workspaceId: string, id: string, end: End): Promise<ImportRow | null> {
  const [row] = await sql.query<ImportRow>(
    `update contact_import set status = $3, error = $4, completed_at = $5, updated_at = $5,
       bytes = case when $3 = 'completed' then total_bytes else bytes end
     where workspace_id = $1 and id = $2 and completed_at is null returning ${COLUMNS}`,
    [workspaceId, id, end.status, end.error === null ? null : JSON.stringify(end.error), end.at],
  );
  return row ?? null;
}

export type ErrorRow = RowError & { row: number; line: number };

/** After a row of the file, in the order of the file. */
export const selectErrorRows = (
  sql: Sql,
  workspaceId: string,
  importId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ErrorRow[]> =>
  sql.query<ErrorRow>(
    `select row_number::float8 as row, line::float8, column_name as "column", code, detail from contact_import_error
     where workspace_id = $1 and import_id = $2 and row_number > $3 order by row_number limit $4`,
    [workspaceId, importId, after, limit],
  );
