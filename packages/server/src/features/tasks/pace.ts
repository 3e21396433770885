import type { App } from "../../ctx.ts";

/** Rows of a step: what the limit of a hot function allows, and what is worth a transaction. */
const ROWS = { least: 10, first: 50, most: 500 };
/**
 * A step holds its snapshot and its locks for this long: readers of events wait for the oldest transaction, so the feed of every
 * workspace is late by as much.
 */
const STEP_MS = { long: 50, short: 25 };
/** An empty query that takes longer is a sign that others wait for the database or for this process. */
const SLOW_MS = 8;
/**
 * Between two steps, as a part of the step: a sixth of the time is left to others when nothing waits, four fifths at most, so that it
 * goes on beside a database that is always slow.
 */
const REST = { least: 0.2, most: 4, up: 1.5, down: 0.8 };

/** How fast the long tasks of one kind go in a process: in short steps, with pauses that grow while other work is slow (as of deliveries, ADR 11). */
export class Pace {
  readonly #app: Pick<App, "db">;
  #rows = ROWS.first;
  #rest = REST.least;

  constructor(app: Pick<App, "db">) {
    this.#app = app;
  }

  /** Of the next step. */
  get rows(): number {
    return this.#rows;
  }

  /** Milliseconds to rest after a step of so many rows that took so long. */
  async afterStep(tookMs: number, rows: number): Promise<number> {
    if (tookMs > STEP_MS.long) this.#rows = Math.max(ROWS.least, Math.floor(this.#rows * 0.7));
    else if (tookMs < STEP_MS.short && rows >= this.#rows)
      this.#rows = Math.min(ROWS.most, Math.ceil(this.#rows * 1.25));
    return await this.after(tookMs);
  }

  /** The same after other work of this process. */
  async after(tookMs: number): Promise<number> {
    const asked = performance.now();
    await this.#app.db.sql.query("");
    this.#rest *= performance.now() - asked > SLOW_MS ? REST.up : REST.down;
    this.#rest = Math.min(REST.most, Math.max(REST.least, this.#rest));
    return tookMs * this.#rest;
  }
}
