import type { Database } from "../db/database.ts";
import type { Clock } from "../lib/clock.ts";
import { Inbox } from "../lib/inbox.ts";
import type { Log } from "../lib/log.ts";
import { QuietLog } from "../lib/quiet-log.ts";
import type { LaneKind, QueueRow } from "./kind.ts";
import { FRESH } from "./lane/key-state.ts";
import { Lane } from "./lane/lane.ts";
import { READY } from "./lane-kinds.ts";
import type { Membership } from "./ownership/membership.ts";
import type { Slot } from "./ownership/slot.ts";
import type { HandedRow, ReadRow } from "./queue.ts";

/** What cannot be read, written or worked now is tried again after this. */
export const AGAIN_AFTER_MS = 500;

/**
 * A lane may hold another row while this many times its rows are free: n lanes with endless backlogs come to 1/(n + 8) of the
 * buffer each, and a lane that gets work finds room. The scheduler shares its places by the same idea.
 */
const FREE_A_LANE = 8;

export type RunnerOptions = {
  kind: LaneKind;
  db: Database;
  clock: Clock;
  log: Log;
  membership: Membership;
  random: () => number;
  /** Rows in memory over all lanes. A row is ids and numbers of fixed width, below half a KiB, so this bounds the bytes too. */
  buffer: number;
};

/** What the parts of a runner share: the slots it holds, their lanes that have work, and which rows are in memory. */
export class RunnerState {
  readonly kind: LaneKind;
  readonly db: Database;
  readonly clock: Clock;
  readonly membership: Membership;
  readonly random: () => number;
  readonly slots = new Map<number, Slot>();
  readonly lanes = new Map<number, Lane>();
  readonly registry = new RowRegistry();
  /** Lanes that were found at the take-over of their slot: a former owner may have left something undone. */
  readonly inherited = new WeakSet<Lane>();
  /** Numbers of lanes whose settings are to be loaded (SettingsLoader). */
  readonly unconfigured = new Inbox<number>();
  /** Lanes that may have something to start (Scheduler). */
  readonly startable = new Inbox<Lane>();
  readonly #buffer: number;
  readonly #log: QuietLog;
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.kind = options.kind;
    this.db = options.db;
    this.clock = options.clock;
    this.membership = options.membership;
    this.random = options.random;
    this.#buffer = options.buffer;
    this.#log = new QuietLog(options.log, options.clock);
  }

  /** From now on nothing is begun and no failure is logged. */
  stop(): void {
    this.#stopped = true;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** False for a lane that was dropped, also when its number was opened again since. */
  isCurrent(lane: Lane): boolean {
    return this.lanes.get(lane.number) === lane;
  }

  /**
   * Takes a row that the read `read` returned into its lane, each row once; `ofRefill`: the lane's own refill read it. Returns
   * the lane of a row that must be read again when it is due; null: nothing is left to do.
   */
  take(raw: ReadRow, read: number, ofRefill: boolean): Lane | null {
    if (!this.registry.isNew(raw.seq, read)) return null;
    const room = this.room();
    const lane = this.laneOf(raw.slot, raw.lane);
    const taken = lane?.add(rowOf(raw), this.clock.now(), room, ofRefill);
    if (!lane || taken === "passed") return null;
    if (taken === "timed") return lane;
    this.startable.add(lane);
    this.registry.keep(raw.seq);
    return null;
  }

  /** The same for a fresh row that a call of this process has committed, which counts as the read `read`. */
  takeHanded(row: HandedRow, read: number): void {
    this.take({ ...row, due: FRESH, attempt: 0, state: READY, started_at: null }, read, false);
  }

  /**
   * True when the slot has been held since that moment of the monotonic clock. What was read of it before its take-over may
   * have been changed by another owner in between.
   */
  heldSince(slot: number, moment: number): boolean {
    const held = this.slots.get(slot);
    return held !== undefined && held.since <= moment;
  }

  /** False when the slot may have had another owner at this time or later; clocks of processes differ by less than `within` (milliseconds). */
  hadSlotAt(slot: number, time: number, within: number): boolean {
    const held = this.slots.get(slot);
    return held !== undefined && this.clock.now() - (this.clock.monotonic() - held.since) < time - within;
  }

  /** Rows that a lane may hold now, at least one. The others stay in the table, and the lane is read again later. */
  room(): number {
    return Math.max(1, Math.floor((this.#buffer - this.registry.size) / FREE_A_LANE));
  }

  /** The lane of a row that was read, created where it is new; null when its slot is not held here. */
  laneOf(slot: number, number: number): Lane | null {
    const known = this.lanes.get(number);
    if (known) return known;
    const held = this.slots.get(slot);
    if (!held) return null;
    this.unconfigured.add(number);
    const { queue, hasBreaker = false } = this.kind;
    const [defers, advances, passes] = [queue.defer !== null, queue.advance !== null, queue.numbered !== null];
    const lane = new Lane({ number, slot, clock: this.clock, defers, advances, passes, hasBreaker });
    this.lanes.set(number, lane);
    if (held.takingOver) this.inherited.add(lane);
    return lane;
  }

  /** The row left memory: done, moved or not ours. False: its lane was dropped before. */
  finish(lane: Lane, row: QueueRow): boolean {
    if (!this.isCurrent(lane)) return false;
    this.registry.finish(row.seq);
    return true;
  }

  lanesOf(slot: number): Lane[] {
    return [...this.lanes.values()].filter((lane) => lane.slot === slot);
  }

  /** Forgets a lane and the rows it holds. */
  forget(lane: Lane): void {
    this.lanes.delete(lane.number);
    for (const row of lane.rows()) this.registry.finish(row.seq);
  }

  /** Forgets all slots, lanes and rows. */
  clear(): void {
    this.slots.clear();
    this.lanes.clear();
    this.registry.clear();
  }

  /** Logs a failure of something that is tried again, a line a second at most: with the database away everything fails. */
  report(what: string, error: unknown): void {
    if (this.#stopped) return;
    this.#log.warn(what, { err: error, kind: this.kind.name }, `${what} failed; it will be tried again`);
  }
}

const rowOf = (raw: ReadRow): QueueRow => ({
  slot: raw.slot,
  lane: raw.lane,
  due: raw.due,
  seq: raw.seq,
  workspaceId: raw.workspace_id ?? "",
  itemId: raw.item_id,
  eventId: raw.event_id ?? "",
  key: raw.key,
  attempt: raw.attempt,
  state: raw.state,
  startedAt: raw.started_at,
  expiresAt: raw.expires_at,
});

/**
 * Which rows are in this process's memory, by `seq`, and which have just left it. A read that began before a row's outcome
 * was committed still returns the row: without the second list it would be worked again.
 *
 *     unknown ──keep──▶ held ──finish──▶ finished, while a read is under way that may have seen it ──▶ unknown
 */
export class RowRegistry {
  readonly #held = new Set<number>();
  /** The number of the latest read that had begun when the row left memory. */
  readonly #finished = new Map<number, number>();
  readonly #reads = new Set<number>();
  #latest = 0;

  /** Begins a read and returns its number; rows that are finished until it ends are remembered. */
  beginRead(): number {
    this.#latest += 1;
    this.#reads.add(this.#latest);
    return this.#latest;
  }

  endRead(read: number): void {
    this.#reads.delete(read);
    if (this.#reads.size === 0) {
      this.#finished.clear();
      return;
    }
    const oldest = Math.min(...this.#reads);
    for (const [seq, at] of this.#finished) if (at < oldest) this.#finished.delete(seq);
  }

  /** True when a row that this read returned is neither held nor finished since the read began. */
  isNew(seq: number, read: number): boolean {
    return !this.#held.has(seq) && !this.finishedSince(seq, read);
  }

  /** True when the row left memory after this read began, so that the read may not have seen what became of it. */
  finishedSince(seq: number, read: number): boolean {
    return (this.#finished.get(seq) ?? -1) >= read;
  }

  keep(seq: number): void {
    this.#held.add(seq);
  }

  /** The row left memory: done, moved or not ours. */
  finish(seq: number): void {
    this.#held.delete(seq);
    if (this.#reads.size > 0) this.#finished.set(seq, this.#latest);
  }

  clear(): void {
    this.#held.clear();
  }

  get size(): number {
    return this.#held.size;
  }
}
