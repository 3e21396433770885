import type { Role } from "../process/config/config.ts";
import type { LaneKindName } from "./lane-kinds.ts";
import type { HandedRow, Queue } from "./queue.ts";
import type { OtherWork, Yielding } from "./working/yielding.ts";

/** A queue row in its owner's memory. Times in milliseconds since the epoch; `due` is -Infinity for fresh rows. */
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
  /** Recipient or conversation whose rows are worked one after the other; null where order does not matter. */
  key: string | null;
  attempt: number;
  /** READY, STARTED or UNKNOWN (lane-kinds.ts). */
  state: number;
  startedAt: number | null;
  expiresAt: number | null;
};

/**
 * The result of working a row; the kind has already committed it. `coped`: whether the receiver coped with the row, for the
 * lane's concurrency; absent where it says nothing of the receiver.
 */
export type Disposition = Landing & { coped?: boolean | undefined };
type Landing =
  /** The row is gone from the table. */
  | { kind: "done" }
  /** `due` was moved, or may have become an earlier time than this, from `from` on; rows of the same key wait for this one when `holdsKey`. */
  | { kind: "later"; due: number; from?: number; holdsKey: boolean }
  /** Another process has the row, or it is gone. It is forgotten here; a sweep finds what is still in the table. */
  | { kind: "not_ours" }
  /** Nothing was committed (the database is away): the same row is worked again after a pause. */
  | { kind: "again" }
  /** Nothing was begun: the lane keeps an order by now, and the row started without one. It is worked again in its place, under settings of now. */
  | { kind: "unordered" }
  /**
   * The receiver has answered, and the outcome waits to be stored with others: another row takes the place meanwhile, and the row is
   * remembered until it lands as `stored` says. For rows without an order only.
   */
  | { kind: "answered"; stored: Promise<Disposition> }
  /**
   * Nothing was begun: these keys, the row's own among them, are one from now on. Rows of all of them have one order and one pace,
   * and the row is worked again in its place.
   */
  | { kind: "joined"; keys: readonly string[] };

/** How a lane is worked; from the row of its phone number or endpoint. */
export type LaneSettings = {
  /** The scheduler shares its places evenly between lanes of different keys: a workspace id, or the lane's own number. */
  fairShareKey: string;
  /** The workspace of every row of the lane; only for kinds whose queue holds keys, because a hold carries it. */
  workspaceId?: string;
  /** Another value is another receiver, of which the troubles before say nothing; for kinds with a breaker. */
  receiver?: number;
  /**
   * When rows of the lane that waited in the table were last given an earlier `due` by other than its owner, who looks for them, and asks
   * a receiver that was in trouble again.
   */
  advancedAt?: number | null;
  /** Starts a second; null where the receiver sets the pace. */
  ratePerSecond: number | null;
  /** Bounds of the rows in flight at once: the limit grows by one for each success and halves on trouble. */
  concurrency: { start: number; most: number };
  /** Rows of one key are worked one at a time, in order. */
  ordered: boolean;
  /** Pace of one key: one start each `everyMs`, at most `burst` saved up. */
  keyPace: { everyMs: number; burst: number } | null;
  /** A closed lane is not worked; its rows stay in the table and cost nothing there. */
  closed: boolean;
};

/** Settings of lanes that share the places evenly and are bounded by nothing but their concurrency. */
export function evenSettings(
  lanes: readonly number[],
  concurrency: LaneSettings["concurrency"],
): Map<number, LaneSettings> {
  const free = { ratePerSecond: null, concurrency, ordered: false, keyPace: null, closed: false };
  return new Map(lanes.map((lane) => [lane, { ...free, fairShareKey: String(lane) }]));
}

/** The right to work rows of a lane: checked before each intent and each socket write. */
export type LaneClaim = {
  /** Id of this process's worker row. */
  worker: string;
  /** Epoch under which the slot was taken. */
  epoch: number;
  /** True while this process surely has the lease and the slot, by the monotonic clock. */
  valid(): boolean;
  /** Resolves when the lane's pace allows the next socket write. */
  departure(): Promise<void>;
  /**
   * How many keys were one with the row's when the row started, itself included: 1 for a key that was not joined, 0 where no
   * order is kept. Where the database has more, the kind begins nothing and answers `joined`, except at 0.
   */
  joinedWith(row: QueueRow): number;
  /** Starts nothing of the lane for `ms`. */
  pause(ms: number): void;
  /** The receiver answered that the whole lane is too fast: its pace halves, and recovers while no more such answers come. */
  slow(): void;
  /** Aborted at the end of a graceful stop. */
  signal: AbortSignal;
};

/** One kind of deferred work: where its rows are, how its lanes are paced, how a row is worked. */
export type LaneKind = {
  name: LaneKindName;
  role: Role;
  queue: Queue;
  /** Rows in flight at once in this process, shared fairly; one fair-share key alone comes to four fifths of them. */
  inFlight: number;
  /** A lane leaves its receiver alone while that is in trouble (`lane/breaker.ts`), as `coped` of its rows says. */
  hasBreaker?: boolean;
  /** Limits the rate of starts so that other work is not slowed down. */
  yields?: Yielding;
  /** Work of this kind that the process does without the queue: what yields gives way to it too. */
  beside?: OtherWork;
  /** Settings of lanes that have work; a lane without settings (deleted) is not worked. */
  settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>>;
  work(row: QueueRow, claim: LaneClaim): Promise<Disposition>;
  /**
   * A row is taken from the call that committed it, which began at `begunAt` of the monotonic clock: its `work` is remembered until the
   * row starts, for as long as it may be used.
   */
  handed?(row: HandedRow, begunAt: number): void;
  /** Settles a row whose attempt was started by a worker that is gone; called once its deadline has passed. */
  settle?(row: QueueRow, claim: LaneClaim): Promise<Disposition>;
  /** Milliseconds from `startedAt` until a started row may be settled. */
  settleAfterMs?: number;
};
