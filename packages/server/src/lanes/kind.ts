import type { Role } from "../config.ts";
import type { LaneKindName } from "./lane-kinds.ts";
import type { Queue } from "./queue.ts";
import type { Yielding } from "./working/yielding.ts";

/** A queue row as its owner holds it. Times in milliseconds since the epoch; `due` is -Infinity for fresh rows. */
export type QueueRow = {
  slot: number;
  lane: number;
  due: number;
  /** From the database: unique in the table, orders the lane. */
  seq: number;
  /** Empty for kinds without a workspace. */
  workspaceId: string;
  itemId: string;
  /** Event of a delivery; empty for other kinds. */
  eventId: string;
  /** Recipient or conversation whose rows go one after the other; null where order does not matter. */
  key: string | null;
  attempt: number;
  state: number;
  startedAt: number | null;
  expiresAt: number | null;
};

/** States of a row; 0 is ready. */
export const STARTED = 1;
export const UNKNOWN = 2;

/** What became of a row; the kind has already committed it. */
export type Disposition =
  /** The row is gone from the table. */
  | { kind: "done" }
  /** `due` was moved; rows of the same key wait for it when `holdsKey`. */
  | { kind: "later"; due: number; holdsKey: boolean }
  /** Somebody else has it or it is gone: forget it, a sweep finds what is still there. */
  | { kind: "not_ours" }
  /** Nothing was committed (database away): the same row again after a pause. */
  | { kind: "again" };

/** How a lane is worked; from the row of its phone number or endpoint. */
export type LaneSettings = {
  workspaceId: string;
  /** Starts a second; null where the receiver sets the pace. */
  ratePerSecond: number | null;
  /** Rows in the air at once; between these it grows by one for each success and halves on trouble. */
  concurrency: { start: number; most: number };
  /** Rows of one key go one at a time, in order. */
  ordered: boolean;
  /** Pace of one key: one each `everyMs`, `burst` saved up at most. */
  keyPace: { everyMs: number; burst: number } | null;
  /** A closed lane is not worked; its rows stay in the table and in nobody's way. */
  closed: boolean;
};

/** The right to work a row: checked before each intent and each socket write. */
export type LaneClaim = {
  worker: string;
  epoch: number;
  /** True while our lease and the slot are surely ours, by the monotonic clock. */
  valid(): boolean;
  /** Resolves when the lane's pace allows the next socket write. */
  departure(): Promise<void>;
  /** Nothing of the lane starts for this long: the other side said that all of it is too fast. */
  pause(ms: number): void;
  /** Tells how the other side took it, for the lane's concurrency. */
  report(good: boolean): void;
  /** Aborted at the end of a graceful stop. */
  signal: AbortSignal;
};

/** One kind of deferred work: where its rows are, how its lanes are paced, what working a row means. */
export type LaneKind = {
  name: LaneKindName;
  role: Role;
  queue: Queue;
  /** Rows in the air at once in this process, shared fairly; reached only while others wait. */
  inFlight: number;
  /** It starts only as fast as nobody else notices. */
  yields?: Yielding;
  /** Settings of lanes that have work; a lane without settings (deleted) is not worked. */
  settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>>;
  work(row: QueueRow, claim: LaneClaim): Promise<Disposition>;
  /** Settles a row whose attempt was started by a worker that is gone; called once its deadline has passed. */
  settle?(row: QueueRow, claim: LaneClaim): Promise<Disposition>;
  /** When a started row may be settled, after `startedAt`. */
  settleAfterMs?: number;
};
