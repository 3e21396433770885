import { callWithin } from "../../../db/call-within.ts";
import type { Sql } from "../../../db/database.ts";
import { type Standing, standingColumns } from "../../tasks/long-task.sql.ts";
import { type ContactWrite, type WriteOutcome, writeContacts } from "../write.store.ts";
import type { Target } from "./columns.ts";
import { type ErrorRow, IMPORTS } from "./import.store.ts";
import type { Place } from "./reading.ts";
import type { Format } from "./schema.ts";

/** What a run needs of an import. Its place is `bytes`. */
export type RunRow = Standing & {
  workspace_id: string;
  id: string;
  format: Format;
  delimiter: string | null;
  targets: (Target | null)[] | null;
  place: number;
  lines: number;
  rows: number;
  created_at: Date;
};

/** The import as it stands; null when it has ended, or is gone with its workspace. */
export async function selectRunRow(sql: Sql, workspaceId: string, id: string): Promise<RunRow | null> {
  const [row] = await sql.query<RunRow>(
    `select i.workspace_id, i.id, i.format, i.delimiter, i.targets, i.bytes::float8 as place, i.lines::float8, i.rows::float8,
       i.failed::float8, i.created_at, ${standingColumns(IMPORTS)}
     from contact_import i where i.workspace_id = $1 and i.id = $2 and i.completed_at is null`,
    [workspaceId, id],
  );
  return row ?? null;
}

export type Counts = { rows: number; created: number; updated: number; failed: number };

/** Moves the import ahead, in the transaction that wrote the rows. */
export async function updateImportRow(
  sql: Sql,
  workspaceId: string,
  id: string,
  step: { place: Place; counts: Counts; now: number },
): Promise<void> {
  const { place, counts, now } = step;
  await sql.run(
    `update contact_import set status = 'running', bytes = $3, lines = $4, rows = rows + $5, created = created + $6,
       updated = updated + $7, failed = failed + $8, updated_at = $9
     where workspace_id = $1 and id = $2`,
    [
      workspaceId,
      id,
      place.offset,
      place.line,
      counts.rows,
      counts.created,
      counts.updated,
      counts.failed,
      new Date(now),
    ],
  );
}

/** Keeps errors of rows. */
export async function insertErrorRows(
  sql: Sql,
  workspaceId: string,
  importId: string,
  errors: readonly ErrorRow[],
): Promise<void> {
  await sql.run(
    `insert into contact_import_error (workspace_id, import_id, row_number, line, column_name, code, detail)
     select $1, $2, x.row, x.line, x."column", x.code, x.detail
     from json_to_recordset($3::json) as x("row" bigint, line bigint, "column" text, code text, detail text)`,
    [workspaceId, importId, JSON.stringify(errors)],
  );
}

/** One outcome for each row, in their order; each contact at most once. */
export async function writeRows(
  sql: Sql,
  rows: readonly ContactWrite[],
  now: number,
): Promise<{ outcomes: WriteOutcome[]; slotsMask: string | undefined }> {
  const answers = await callWithin(sql, writeContacts, rows, now);
  const byRow = new Map(answers.map(({ of_row, outcome }) => [of_row, outcome]));
  return {
    outcomes: rows.map(({ contact_id }) => byRow.get(contact_id) ?? "not_found"),
    slotsMask: answers.at(-1)?.slots_mask,
  };
}
