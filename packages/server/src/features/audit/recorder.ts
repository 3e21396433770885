import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import type { Activity, ActivityRow } from "../../http/activity.ts";
import { sqlState } from "../../lib/error-fields.ts";
import { newUuid } from "../../lib/ids.ts";
import { activityFields } from "./fields.ts";
import { activityText, insertActivityRow, recordActivities } from "./store.ts";

/** A read or a refusal is in the log within a second; half of it is left for the write. */
const COLLECT_MS = 500;
/** Rows of one call. */
const ROWS = 500;
/** Rows waiting: some seconds of reads at full speed, 15 MiB at the longest paths and user agents. Past it they are lost. */
const MOST_WAITING = 10_000;
/** Calls without a valid key may hold this many of them: they crowd out no workspace's rows. */
const MOST_ANONYMOUS = 2_000;
/** Tries of one call at the stop. */
const LAST_TRIES = 3;

type Waiting = { anonymous: boolean; text: string };

/**
 * Writes the rows of changes in their transactions, and those of reads and refusals in batches after the answer. The latter
 * may be lost at a kill -9 or, counted in the log of the process, when the database is away for long.
 *
 * States: *empty*; *collecting* (rows wait, a timer is set); *writing* (`#writing` is set; rows that arrive meanwhile are
 * written by it or, when it has to stop, by the timer that it sets).
 */
export class Recorder implements Activity {
  readonly #app: Pick<App, "clock" | "db" | "log">;
  #waiting: Waiting[] = [];
  /** Rows of `#waiting` without a known caller. */
  #anonymous = 0;
  /** Rows lost and not logged yet. */
  #lost = 0;
  #cancelTimer: (() => void) | null = null;
  #writing: Promise<boolean> | null = null;

  constructor(app: Pick<App, "clock" | "db" | "log">) {
    this.#app = app;
  }

  /** Writes the row in the transaction of the change that it describes. */
  record(sql: Sql, row: ActivityRow): Promise<void> {
    return insertActivityRow(sql, row.workspaceId, {
      ...activityFields(row),
      id: newUuid(row.at),
      at: row.at,
      changes: row.changes ?? null,
    });
  }

  /** Takes a row of a read, a replay or a refusal, to be written within a second. Never throws; past the bound it is lost. */
  later(row: ActivityRow): void {
    const anonymous = row.actor.type === "anonymous";
    if (this.#waiting.length >= MOST_WAITING || (anonymous && this.#anonymous >= MOST_ANONYMOUS)) {
      this.#lost += 1;
      return;
    }
    const text = activityText(row.workspaceId, newUuid(row.at), row.at, activityFields(row));
    this.#waiting.push({ anonymous, text });
    if (anonymous) this.#anonymous += 1;
    if (this.#writing !== null) return;
    if (this.#waiting.length >= ROWS) void this.#write();
    else this.#schedule();
  }

  #schedule(): void {
    this.#cancelTimer ??= this.#app.clock.after(COLLECT_MS, () => void this.#write());
  }

  #write(): Promise<boolean> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      if (this.#waiting.length > 0) this.#schedule();
    });
    return this.#writing;
  }

  /** True when nothing is left; false when the database has to be tried again. */
  async #writeAll(): Promise<boolean> {
    while (this.#waiting.length > 0) {
      const rows = this.#waiting.slice(0, ROWS);
      if (!(await this.#writeRows(rows.map(({ text }) => text)))) return false;
      this.#waiting = this.#waiting.slice(rows.length);
      for (const row of rows) if (row.anonymous) this.#anonymous -= 1;
    }
    if (this.#lost > 0) {
      this.#logLost(this.#lost);
      this.#lost = 0;
    }
    return true;
  }

  async #writeRows(texts: string[]): Promise<boolean> {
    const { db, clock } = this.#app;
    try {
      await db.callTexts(recordActivities, texts, clock.now());
      return true;
    } catch (error) {
      return isOfTheRows(error) ? await this.#writeOneByOne(texts) : false;
    }
  }

  // A row that the database cannot take must not hold back its neighbours.
  async #writeOneByOne(texts: string[]): Promise<boolean> {
    const { db, clock } = this.#app;
    for (const text of texts) {
      try {
        await db.callSolo(recordActivities, text, clock.now());
      } catch (error) {
        if (!isOfTheRows(error)) return false;
        this.#lost += 1;
      }
    }
    return true;
  }

  #logLost(rows: number): void {
    this.#app.log.error({ rows }, "audit rows of reads and refusals are lost: they could not be written in time");
  }

  /** Writes the rows that wait, and logs how many are lost. */
  async stop(): Promise<void> {
    for (let tries = 0; tries < LAST_TRIES && !(await this.#write()); tries++);
    this.#cancelTimer?.();
    const lost = this.#waiting.length + this.#lost;
    if (lost > 0) this.#logLost(lost);
  }
}

/** Data exceptions and broken constraints: the same rows would fail again. Every other error may pass. */
const isOfTheRows = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? "");
