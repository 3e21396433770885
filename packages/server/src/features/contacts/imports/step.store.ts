import { callWithin } from "../../../db/call-within.ts";
import type { Sql } from "../../../db/database.ts";
import { type ContactWrite, type WriteOutcome, writeContacts } from "../write.store.ts";
import type { Target } from "./columns.ts";
import type { ErrorRow } from "./import.store.ts";
import type { Place } from "./reading.ts";
import { type Format, MOST_ERRORS } from "./schema.ts";

/** What a run needs of an import. */
export type RunRow = {
  status: "pending" | "running";
  format: Format;
  delimiter: string | null;
  targets: (Target | null)[] | null;
  bytes: number;
  lines: number;
  rows: number;
  created_at: Date;
  /** Earlier imports of the workspace that have not ended. */
  earlier: number;
  /** Whether the workspace is active. */
  active: boolean;
};

/** The import as it stands; null when it has ended, or is gone with its workspace. */
export async function selectRunRow(sql: Sql, workspaceId: string, id: string): Promise<RunRow | null> {
  const [row] = await sql.query<RunRow>(
    `select i.status, i.format, i.delimiter, i.targets, i.bytes::float8, i.lines::float8, i.rows::float8, i.created_at,
       (select count(*)::int from contact_import o
        where o.workspace_id = $1 and o.id < i.id and o.completed_at is null) as earlier,
       (select w.status = 'active' from workspace w where w.workspace_id = $1) as active
     from contact_import i where i.workspace_id = $1 and i.id = $2 and i.completed_at is null`,
    [workspaceId, id],
  );
  return row ?? null;
}

/** Locks the import if it still stands at this place, and goes on. False: another run is ahead, or it was canceled. */
export async function lockImportRow(sql: Sql, workspaceId: string, id: string, place: Place): Promise<boolean> {
  const rows = await sql.query(
    `select from contact_import i
     where i.workspace_id = $1 and i.id = $2 and i.completed_at is null and i.bytes = $3
       and exists (select from workspace w where w.workspace_id = $1 and w.status = 'active')
     for no key update`,
    [workspaceId, id, place.offset],
  );
  return rows.length > 0;
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

/** Keeps errors of the first rows that have one. */
export async function insertErrorRows(
  sql: Sql,
  workspaceId: string,
  importId: string,
  errors: readonly ErrorRow[],
): Promise<void> {
  if (errors.length === 0) return;
  await sql.run(
    `insert into contact_import_error (workspace_id, import_id, row_number, line, column_name, code, detail)
     select $1, $2, x.row, x.line, x."column", x.code, x.detail
     from json_to_recordset($3::json) as x("row" bigint, line bigint, "column" text, code text, detail text)
     where (select failed from contact_import where workspace_id = $1 and id = $2) < $4`,
    [workspaceId, importId, JSON.stringify(errors), MOST_ERRORS],
  );
}

/** A job that makes progress is not one that ends its process: starts without an end are counted from here. */
export async function noteProgress(sql: Sql, workspaceId: string, jobId: string): Promise<void> {
  await sql.run("update job set unfinished = 1 where workspace_id = $1 and id = $2 and unfinished <> 1", [
    workspaceId,
    jobId,
  ]);
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
