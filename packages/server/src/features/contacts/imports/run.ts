import type { App } from "../../../ctx.ts";
import { isPassing } from "../../../db/batched.ts";
import { isTransient } from "../../../db/connect.ts";
import { FileMissing, type FileStore, FileStoreUnavailable } from "../../../files/file-store.ts";
import { pause } from "../../../lib/clock.ts";
import { hintCommitted } from "../../events/event.ts";
import type { Task, TaskOutcome } from "../../tasks/lane.ts";
import { endImportRow } from "./import.store.ts";
import { ImportError } from "./import-error.ts";
import { Pace } from "./pace.ts";
import { readRecords } from "./read-csv.ts";
import { readLines } from "./read-ndjson.ts";
import type { Piece, Place } from "./reading.ts";
import { IMPORT_FILES } from "./receive.ts";
import { type Entry, resultsOf } from "./results.ts";
import { columnIn, type ReadRow, readCells, readLine } from "./row.ts";
import {
  insertErrorRows,
  lockImportRow,
  noteProgress,
  type RunRow,
  selectRunRow,
  updateImportRow,
  writeRows,
} from "./step.store.ts";

/** Imports that a process works at once: each keeps the database busy for a part of the time. */
const MOST_AT_ONCE = 2;
/** Then the next one has its turn, of this workspace or of another. */
const TURN_MS = 5_000;
/**
 * Until it is looked at again: one that waits for a place, for each earlier import up to `MOST_WAIT_MS`, and for its workspace, which is
 * suspended.
 */
const WAIT_MS = 1_000;
const MOST_WAIT_MS = 5_000;
const SUSPENDED_WAIT_MS = 60_000;
/** Of the file in one step, but for its last row: as many rows of the largest size as of usual size would be hundreds of megabytes. */
const MOST_STEP_BYTES = 1024 * 1024;
/** Reading that is due a rest of its own. Between two steps of rows there is less of it; empty lines have no steps. */
const READING_MS = 40;
/** Tries to find a file that is not there: a shared directory may show it late. */
const MOST_TRIES = 5;

/** How the import goes on after a step: another one, or not by this run. */
type After = "more" | "stop";

/** Works the imports of this process. */
export class ImportRunner {
  readonly #app: App;
  readonly #files: FileStore;
  readonly #pace: Pace;
  #running = 0;
  /** Imports that found no place, and when (monotonic). */
  readonly #waiting = new Map<string, number>();

  constructor(app: App, files: FileStore) {
    this.#app = app;
    this.#files = files;
    this.#pace = new Pace(app);
  }

  /** The handler of the task: a turn of reading, and another task of the same job while there is more. */
  async run(task: Task): Promise<TaskOutcome> {
    const later = (ms: number): TaskOutcome => ({ kind: "wait", at: this.#app.clock.now() + ms });
    const { import_id: id } = task.payload as { import_id: string }; // as `createImport` wrote it
    try {
      const row = await this.#app.db.read(task.workspaceId, (sql) => selectRunRow(sql, task.workspaceId, id));
      if (row === null) return await this.#ended(task, id);
      if (!row.active) return later(SUSPENDED_WAIT_MS);
      // It takes no place and asks for none: one that can begin is not held up by those that cannot.
      if (row.earlier > 0) return later(Math.min(MOST_WAIT_MS, WAIT_MS * row.earlier));
      if (this.#running >= MOST_AT_ONCE) {
        this.#waiting.set(id, this.#app.clock.monotonic());
        return later(WAIT_MS);
      }
      this.#waiting.delete(id);
      return (await this.#turn(task, id, row)) === "more" ? later(this.#restMs()) : await this.#ended(task, id);
    } catch (error) {
      if (error instanceof FileMissing || error instanceof FileStoreUnavailable)
        return { kind: "retry", error: FILE_GONE };
      throw error;
    }
  }

  /** Longer than others wait for their next look, if any do: so each has its turn. */
  #restMs(): number {
    const now = this.#app.clock.monotonic();
    for (const [id, at] of this.#waiting) if (now - at > 3 * WAIT_MS) this.#waiting.delete(id);
    return this.#waiting.size === 0 ? 0 : 2 * WAIT_MS;
  }

  /** Nothing of an import that has ended is needed. One that this run only stopped working keeps its file. */
  async #ended({ workspaceId }: Task, id: string): Promise<TaskOutcome> {
    const row = await this.#app.db.read(workspaceId, (sql) => selectRunRow(sql, workspaceId, id));
    if (row !== null) return { kind: "wait", at: this.#app.clock.now() + WAIT_MS };
    await this.#files.delete({ area: IMPORT_FILES, workspaceId, id });
    return { kind: "done" };
  }

  async #turn(task: Task, id: string, row: RunRow): Promise<After> {
    const run = new ImportRun(this.#app, task, id, row);
    this.#running += 1;
    try {
      const { workspaceId } = task;
      const bytes = await this.#files.open({ area: IMPORT_FILES, workspaceId, id }, row.bytes);
      return await run.read(bytes, this.#pace);
    } catch (error) {
      if (error instanceof FileMissing && task.attempt >= MOST_TRIES) return await run.end("failed", FILE_GONE);
      throw error;
    } finally {
      this.#running -= 1;
    }
  }
}

const FILE_GONE = {
  code: "file_missing",
  detail:
    "The file is not in the data directory of the process that reads it: WAYPOST_DATA_DIR must be one directory for all processes. Import the file again.",
};

/** One turn of one import. */
class ImportRun {
  readonly #app: App;
  readonly #task: Task;
  readonly #id: string;
  readonly #row: RunRow;
  #place: Place;
  #rowNumber: number;

  constructor(app: App, task: Task, id: string, row: RunRow) {
    this.#app = app;
    this.#task = task;
    this.#id = id;
    this.#row = row;
    this.#place = { offset: row.bytes, line: row.lines };
    this.#rowNumber = row.rows;
  }

  /** Reads on, step by step, until the turn is over. */
  async read(bytes: AsyncIterable<Buffer>, pace: Pace): Promise<After> {
    const { clock } = this.#app;
    const { signal } = this.#task;
    const until = clock.monotonic() + TURN_MS;
    const isOver = (): boolean => signal.aborted || clock.monotonic() >= until;
    let entries: Entry[] = [];
    let fault: ImportError | null = null;
    let readSince = performance.now();
    try {
      for await (const { rows, behind } of this.#entries(bytes)) {
        entries = entries.concat(rows);
        while (entries.length >= pace.rows || this.#bytesOf(entries) >= MOST_STEP_BYTES) {
          const began = performance.now();
          if ((await this.#step(entries.splice(0, pace.rows))) === "stop") return "stop";
          await pause(clock, await pace.afterStep(performance.now() - began), signal);
          if (isOver()) return "more";
          readSince = performance.now();
        }
        const readMs = performance.now() - readSince;
        if (readMs < READING_MS) continue;
        await pause(clock, await pace.after(readMs), signal);
        if (isOver()) return await this.#leave(entries, behind);
        readSince = performance.now();
      }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      fault = error; // the rows above it are written all the same
    }
    while (entries.length > 0) {
      if ((await this.#step(entries.splice(0, pace.rows))) === "stop") return "stop";
    }
    return await (fault === null
      ? this.end("completed", null)
      : this.end("failed", { code: fault.code, detail: fault.message }));
  }

  /** Of rows that are not written yet, and of the empty lines between them. */
  #bytesOf = (entries: readonly Entry[]): number =>
    (entries.at(-1)?.next.offset ?? this.#place.offset) - this.#place.offset;

  /** Ends the turn between two steps, at a place that may be far behind the last row: empty lines are not read again. */
  async #leave(entries: readonly Entry[], behind: Place): Promise<After> {
    if (entries.length > 0 && (await this.#step(entries)) === "stop") return "stop";
    return await this.#write([], behind);
  }

  async *#entries(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece<ReadRow>> {
    const { format, delimiter, targets } = this.#row;
    const now = this.#app.clock.now();
    if (format === "csv") {
      for await (const { rows, behind } of readRecords(bytes, this.#place, delimiter ?? ","))
        yield { rows: rows.map((raw) => ({ ...raw, value: readCells(raw.value, targets ?? [], now) })), behind };
      return;
    }
    for await (const { rows, behind } of readLines(bytes, this.#place))
      yield { rows: rows.map((raw) => ({ ...raw, value: readLine(raw.value, now) })), behind };
  }

  /** Writes some rows. What the database refuses of many is written one by one, so that one row is refused and not all. */
  async #step(entries: readonly Entry[]): Promise<After> {
    const repeated = firstRepeated(entries);
    if (repeated > 0) {
      const before = await this.#step(entries.slice(0, repeated));
      return before === "stop" ? before : await this.#step(entries.slice(repeated));
    }
    try {
      return await this.#write(entries);
    } catch (error) {
      if (isPassing(error) || isTransient(error)) throw error;
      const [only] = entries;
      if (only === undefined) throw error;
      if (entries.length === 1) {
        if ("error" in only.value) throw error;
        this.#app.log.warn({ err: error, workspace_id: this.#task.workspaceId }, "a row of an import cannot be stored");
        return await this.#write([{ ...only, value: { error: NOT_STORABLE } }]);
      }
      const half = entries.length >> 1;
      const first = await this.#step(entries.slice(0, half));
      return first === "stop" ? first : await this.#step(entries.slice(half));
    }
  }

  async #write(entries: readonly Entry[], next = entries.at(-1)?.next ?? this.#place): Promise<After> {
    const { db, clock, notifier } = this.#app;
    const { workspaceId, jobId } = this.#task;
    const now = clock.now();
    const written = await db.transaction(workspaceId, async (sql) => {
      if (!(await lockImportRow(sql, workspaceId, this.#id, this.#place))) return null;
      const rows = entries.flatMap(({ value }) => ("write" in value ? [this.#rowOf(value.write)] : []));
      const { outcomes, slotsMask } = await writeRows(sql, rows, now);
      const { counts, errors } = resultsOf(entries, outcomes, {
        rowsBefore: this.#rowNumber,
        columnOf: this.#columnOf,
      });
      await insertErrorRows(sql, workspaceId, this.#id, errors);
      await updateImportRow(sql, workspaceId, this.#id, { place: next, counts, now });
      await noteProgress(sql, workspaceId, jobId);
      return { slotsMask };
    });
    if (written === null) return "stop";
    if (written.slotsMask !== undefined) hintCommitted(notifier, [{ slots_mask: written.slotsMask }]);
    this.#place = next;
    this.#rowNumber += entries.length;
    return "more";
  }

  #columnOf = (field: string): string => columnIn(this.#row.targets ?? [], field);

  // What a file says of consent was said before the file was sent: a STOP that came since stays.
  #rowOf = (write: Extract<ReadRow, { write: object }>["write"]) => ({
    ...write,
    workspace_id: this.#task.workspaceId,
    source: "import" as const,
    said_at: undefined,
    consent_at: this.#row.created_at.toISOString(),
  });

  async end(status: "completed" | "failed", error: { code: string; detail: string } | null): Promise<After> {
    const { db, clock, log } = this.#app;
    const { workspaceId } = this.#task;
    const end = { status, error, at: new Date(clock.now()) };
    const ended = await db.transaction(workspaceId, async (sql) =>
      (await lockImportRow(sql, workspaceId, this.#id, this.#place))
        ? await endImportRow(sql, workspaceId, this.#id, end)
        : null,
    );
    if (ended !== null)
      log.info(
        {
          workspace_id: workspaceId,
          import_id: this.#id,
          status,
          code: error?.code,
          rows: ended.rows,
          failed: ended.failed,
        },
        "an import has ended",
      );
    return "stop";
  }
}

/** The place of the first row about a contact, by its id, that an earlier row is about too; -1 without one. */
function firstRepeated(entries: readonly Entry[]): number {
  const seen = new Set<string>();
  return entries.findIndex(({ value }) => {
    if (!("write" in value)) return false;
    if (seen.has(value.write.contact_id)) return true;
    seen.add(value.write.contact_id);
    return false;
  });
}

const NOT_STORABLE = { column: null, code: "invalid_row", detail: "The row cannot be stored." };
