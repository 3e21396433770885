import { type Columns, hotFunction } from "../db/hot-function.ts";
import type { LaneKindName } from "./lane-kinds.ts";

export type QueueColumns = {
  kind: LaneKindName;
  table: string;
  item: string;
  /** Column of the order key; null: none. */
  key: string | null;
  workspace: boolean;
  event: boolean;
  /** Rows may get an earlier `due` by others than the owner. Starting one asks whether an earlier one of its key waits in the table. */
  advances?: boolean;
  /** Kinds with intents have state, started_at, expires_at. */
  intents: boolean;
};

/**
 * SQL: the row belongs to a lane, in the lane index's own expressions; `orderIn` is the row's place in it. Primary key and
 * lane index of a queue share no expression (db/indexes.ts), so that the planner cannot take one for the other, whatever the
 * statistics say: a query for a lane never names `slot` or `seq` alone, a query for a row by its key never `lane` or `due`.
 */
export const inLane = (row: string, slot: string, lane: string): string =>
  `${row}.slot::int = ${slot} and ${row}.lane = ${lane}`;
export const orderIn = (row: string): string => `(${row}.seq + 0)`;

/** Milliseconds since the epoch, as SQL. */
export const ms = (expression: string): string => `(extract(epoch from ${expression}) * 1000)::float8`;

/** A read of the queue table `table`. */
export const read = <Input extends Columns, Answers extends Columns>(
  table: string,
  name: string,
  input: Input,
  answers: Answers,
  body: string,
  declare?: string,
) => hotFunction({ name: `${table}_${name}`, input, answers, body, writes: false, ...(declare ? { declare } : {}) });
