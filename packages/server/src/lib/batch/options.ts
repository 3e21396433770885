import type { Clock } from "../clock.ts";

/** How a batcher (batch.ts) calls for its rows, groups them, and what their failures mean. */
export type BatchOptions<Row, Answer> = {
  /** Runs one batch; must return exactly one answer for each row, in the order of the rows. */
  flush(rows: readonly SubmittedRow<Row>[]): Promise<Answer[]>;
  /** Runs one row alone, after its batch failed, on a connection of its own. */
  solo(row: SubmittedRow<Row>): Promise<Answer>;
  /** Whether a row that failed alone may be called once more, after the others of its batch. */
  mayRetry?(error: unknown, row: SubmittedRow<Row>): boolean;
  /** The group of a row: batches are filled round robin over groups. */
  group(row: Row): string;
  /**
   * A group's rows keep their order: they are in one flush at a time, one by one too, and when one of them fails with an
   * error that `stops`, all rows of the group behind it get that error instead of overtaking it.
   */
  inOrder?: { stops(error: unknown): boolean };
  /** True for failures of a lone row that the next rows most likely share: after three in a row the rest of the batch gets the error untried. */
  shared?(error: unknown): boolean;
  /** The row as it is sent; its length counts for the bounds of bytes. */
  text(row: Row): string;
  /** Rows that this row's call writes; 1 by default. */
  weight?(row: Row): number;
  /** True for failures that no row caused (the database is away): every row of the batch gets the error as it is. */
  isSystemic(error: unknown): boolean;
  /** The error for a row that exceeds the bounds of waiting rows: the caller answers 503. */
  overloaded(): Error;
  clock: Pick<Clock, "monotonic" | "after">;
  /**
   * After a flush of a crowd the next one waits as long as that one took, so that rows that come quickly share fewer flushes: starting a
   * database function's statements costs as much as some ten rows of it. Not where few callers send their next row only after the last
   * one's answer: a rest delays all of them, and gathers nothing.
   */
  rests?: boolean;
  limits?: Partial<BatchLimits>;
  tighter?: TighterLimits;
};

/** A row with its text and when it was submitted, by the monotonic clock. */
export type SubmittedRow<Row> = { row: Row; text: string; submittedAt: number };

/** Limits that replace the usual ones while `when` returns true. */
export type TighterLimits = { when(): boolean; limits: Partial<BatchLimits> };

/** A batch that was called: of which function, with how many rows, for how long. Not ok: it failed as a whole. */
export type EndedBatch = { name: string; rows: number; ms: number; ok: boolean };

export type BatchLimits = {
  /** Rows in a batch: past 200 the transaction's length costs more latency than the round trip saves. */
  rows: number;
  /** Bytes in a batch: one JSON argument of a few MiB parses in milliseconds; more stalls other calls. */
  bytes: number;
  /** Sum of the weights in a batch. */
  weight: number;
  /** Flushes in flight at once. */
  inFlight: number;
  /**
   * Rows that start a flush beside one already in flight; fewer wait for its return. Flushes of a few rows cost PostgreSQL
   * twice the time per row. CPU per accepted row, server and PostgreSQL together, at 64 and 256 callers: 286 and 265 µs
   * with 20, 255 and 242 µs with 48.
   */
  minSecondBatch: number;
  /** Rows waiting: some seconds of work at the lowest measured speed. */
  waitingRows: number;
  waitingBytes: number;
};

export const LIMITS: BatchLimits = {
  rows: 200,
  bytes: 4 * 1024 * 1024,
  weight: 1_000,
  inFlight: 2,
  minSecondBatch: 48,
  waitingRows: 20_000,
  waitingBytes: 64 * 1024 * 1024,
};
