import type { App } from "../../ctx.ts";
import type { Activity, ActivityRow } from "../../http/activity.ts";
import { sqlState } from "../../lib/error-fields.ts";
import { newUuid } from "../../lib/ids.ts";
import { activityFields } from "./fields.ts";
import { activityText, insertActivity, recordActivities, recordActivityAlone } from "./store.ts";

/** HTTP's audit log, with its end: `stop` writes what waits. */
export type Recorder = Activity & { stop(): Promise<void> };

/** A read or a refusal is in the log within a second; half of it is left for the writing. */
const COLLECT_MS = 500;
/** Rows of one call. */
const ROWS = 500;
/** Rows waiting: some seconds of reads at full speed, 15 MiB at the longest paths and user agents. Past it they are lost. */
const MOST_WAITING = 10_000;
/** Of which calls without a key may hold this many: strangers push no workspace's rows out. */
const MOST_ANONYMOUS = 2_000;
/** Tries of one call at the stop. */
const LAST_TRIES = 3;

type Waiting = { anonymous: boolean; text: string };

/**
 * Writes the rows of changes in their transactions, and those of reads and refusals in batches after the answer. The
 * latter may be lost at a kill -9 or, counted in the log of the process, when the database is away for long.
 */
export function createRecorder(app: App): Recorder {
  const { clock, db, log } = app;
  let waiting: Waiting[] = [];
  let anonymous = 0;
  let lost = 0;
  let cancelTimer: (() => void) | null = null;
  let writing: Promise<boolean> | null = null;

  function later(row: ActivityRow): void {
    const stranger = row.actor.type === "anonymous";
    if (waiting.length >= MOST_WAITING || (stranger && anonymous >= MOST_ANONYMOUS)) {
      lost += 1;
      return;
    }
    const text = activityText(row.workspaceId, newUuid(row.at), row.at, activityFields(row));
    waiting.push({ anonymous: stranger, text });
    if (stranger) anonymous += 1;
    // One at a time: the write under way takes what comes meanwhile, and sets the timer when it must wait.
    if (writing !== null) return;
    if (waiting.length >= ROWS) void write();
    else schedule();
  }

  function schedule(): void {
    cancelTimer ??= clock.after(COLLECT_MS, () => void write());
  }

  function write(): Promise<boolean> {
    cancelTimer?.();
    cancelTimer = null;
    writing ??= writeAll().finally(() => {
      writing = null;
      if (waiting.length > 0) schedule();
    });
    return writing;
  }

  /** True when nothing is left; false when the database has to be tried again. */
  async function writeAll(): Promise<boolean> {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, ROWS);
      if (!(await writeRows(rows.map(({ text }) => text)))) return false;
      waiting = waiting.slice(rows.length);
      for (const row of rows) if (row.anonymous) anonymous -= 1;
    }
    if (lost > 0) {
      log.error({ rows: lost }, "audit rows of reads and refusals lost");
      lost = 0;
    }
    return true;
  }

  async function writeRows(texts: string[]): Promise<boolean> {
    try {
      await recordActivities(db, texts, clock.now());
      return true;
    } catch (error) {
      return isOfTheRows(error) ? await writeOneByOne(texts) : false;
    }
  }

  // A row that the database cannot take must not hold back its neighbours.
  async function writeOneByOne(texts: string[]): Promise<boolean> {
    for (const text of texts) {
      try {
        await recordActivityAlone(db, text, clock.now());
      } catch (error) {
        if (!isOfTheRows(error)) return false;
        lost += 1;
      }
    }
    return true;
  }

  return {
    record: (sql, row) =>
      insertActivity(sql, row.workspaceId, {
        ...activityFields(row),
        id: newUuid(row.at),
        at: row.at,
        changes: row.changes ?? null,
      }),
    later,
    async stop() {
      for (let tries = 0; tries < LAST_TRIES && !(await write()); tries++);
      cancelTimer?.();
      if (waiting.length + lost > 0)
        log.error({ rows: waiting.length + lost }, "audit rows of reads and refusals lost");
    },
  };
}

/** Data exceptions and broken constraints: the same rows would fail again. Everything else passes. */
const isOfTheRows = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? "");
