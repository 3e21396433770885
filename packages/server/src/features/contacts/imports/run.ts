import type { App } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { FileMissing, type FileStore, FileStoreUnavailable } from "../../../files/file-store.ts";
import { hintCommitted } from "../../events/event.ts";
import type { Task } from "../../tasks/lane.ts";
import { type Batch, type LongTask, LongTasks, type Stepped, Unfinishable } from "../../tasks/long-task.ts";
import type { ContactWrite } from "../write.store.ts";
import { batchesOf } from "./batches.ts";
import { type ErrorRow, endImportRow, IMPORTS } from "./import.store.ts";
import { readRecords } from "./read-csv.ts";
import { readLines } from "./read-ndjson.ts";
import type { Piece } from "./reading.ts";
import { IMPORT_FILES } from "./receive.ts";
import { type Entry, resultsOf } from "./results.ts";
import { columnIn, type ReadRow, readCells, readLine } from "./row.ts";
import { MOST_ERRORS } from "./schema.ts";
import { insertErrorRows, type RunRow, selectRunRow, updateImportRow, writeRows } from "./step.store.ts";

/** Tries to find a file that is not there: a shared directory may show it late. */
const MOST_TRIES = 5;

/** The imports of this process. */
export const importsOf = (app: App, files: FileStore): LongTasks<RunRow, Entry, ErrorRow> =>
  new LongTasks(app, importTask(app, files));

const importTask = (app: App, files: FileStore): LongTask<RunRow, Entry, ErrorRow> => ({
  name: "an import",
  table: IMPORTS,
  idOf: (payload) => (payload as { import_id: string }).import_id, // as `createImport` wrote it
  select: selectRunRow,
  async *batches(row, turn, task) {
    const bytes = await openFile(files, row, task);
    yield* batchesOf(readRows(bytes, row, app.clock.now()), { offset: row.place, line: row.lines }, turn);
  },
  step: (sql, row, batch) => writeBatch(app, sql, row, batch),
  refused: (entry) => ("error" in entry.value ? null : { ...entry, value: { error: NOT_STORABLE } }),
  insertErrors: (sql, { workspace_id, id }, errors) => insertErrorRows(sql, workspace_id, id, errors),
  mostErrors: MOST_ERRORS,
  async end(sql, workspaceId, id, end) {
    const row = await endImportRow(sql, workspaceId, id, end);
    return row && { import_id: id, rows: row.rows, failed: row.failed };
  },
  forget: (workspaceId, id) => files.delete({ area: IMPORT_FILES, workspaceId, id }),
  passing: (error) => (error instanceof FileMissing || error instanceof FileStoreUnavailable ? FILE_GONE : null),
});

async function openFile(files: FileStore, row: RunRow, task: Task): Promise<AsyncIterable<Buffer>> {
  try {
    return await files.open({ area: IMPORT_FILES, workspaceId: row.workspace_id, id: row.id }, row.place);
  } catch (error) {
    if (error instanceof FileMissing && task.attempt >= MOST_TRIES)
      throw new Unfinishable(FILE_GONE.code, FILE_GONE.detail);
    throw error;
  }
}

async function* readRows(
  bytes: AsyncIterable<Buffer>,
  { format, delimiter, targets, place, lines }: RunRow,
  now: number,
): AsyncGenerator<Piece<ReadRow>> {
  const from = { offset: place, line: lines };
  if (format === "csv") {
    for await (const { rows, behind } of readRecords(bytes, from, delimiter ?? ","))
      yield { rows: rows.map((raw) => ({ ...raw, value: readCells(raw.value, targets ?? [], now) })), behind };
    return;
  }
  for await (const { rows, behind } of readLines(bytes, from))
    yield { rows: rows.map((raw) => ({ ...raw, value: readLine(raw.value, now) })), behind };
}

/** Writes rows of the file, each contact at most once, and moves the import behind them. */
async function writeBatch(
  { clock, notifier }: App,
  sql: Sql,
  row: RunRow,
  { items, behind }: Batch<Entry>,
): Promise<Stepped<RunRow, ErrorRow>> {
  const now = clock.now();
  const writes = items.flatMap(({ value }) => ("write" in value ? [rowOf(row, value.write)] : []));
  const { outcomes, slotsMask } = await writeRows(sql, writes, now);
  const columnOf = (field: string): string => columnIn(row.targets ?? [], field);
  const { counts, errors } = resultsOf(items, outcomes, { rowsBefore: row.rows, columnOf });
  await updateImportRow(sql, row.workspace_id, row.id, { place: behind, counts, now });
  return {
    row: {
      ...row,
      place: behind.offset,
      lines: behind.line,
      rows: row.rows + counts.rows,
      failed: row.failed + counts.failed,
    },
    errors,
    committed: () => {
      if (slotsMask !== undefined) hintCommitted(notifier, [{ slots_mask: slotsMask }]);
    },
  };
}

// What a file says of consent was said before the file was sent: a STOP that came since stays.
const rowOf = (row: RunRow, write: Extract<ReadRow, { write: object }>["write"]): ContactWrite => ({
  ...write,
  workspace_id: row.workspace_id,
  source: "import" as const,
  said_at: undefined,
  consent_at: row.created_at.toISOString(),
});

const NOT_STORABLE = { column: null, code: "invalid_row", detail: "The row cannot be stored." };
const FILE_GONE = {
  code: "file_missing",
  detail:
    "The file is not in the data directory of the process that reads it: WAYPOST_DATA_DIR must be one directory for all processes. Import the file again.",
};
