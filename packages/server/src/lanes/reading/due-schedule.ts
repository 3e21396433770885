import type { Clock } from "../../lib/clock.ts";
import { Heap } from "../../lib/heap.ts";
import type { Lane } from "../lane/lane.ts";

/** The place of a due row: many scheduled rows share one instant, so the time alone would lose most of them. */
export type DueCursor = { due: number; seq: number };

/** A cursor before every due row and behind every fresh one: a read from it must not walk the fresh ones, dead ones above all. */
export const NOTHING_READ: DueCursor = { due: Number.NEGATIVE_INFINITY, seq: Number.MAX_SAFE_INTEGER };

const NEVER = Number.POSITIVE_INFINITY;

/** Entries a lane on the heap: an earlier due adds one, and the later one is only passed over when its time comes. */
const HEAP_SLACK = 4;
const HEAP_LEAST = 1_000;

/** How far the due rows of one lane were read. */
type Progress = {
  /** The soonest `due` known to lie ahead. */
  next: number;
  /** The soonest entry on the heap. */
  onHeap: number;
  /** After this row due rows are still unread. */
  cursor: DueCursor;
  /** All rows due until then were read. */
  readTo: number;
  /** Reads that are under way. */
  readonly reads: Set<DueRead>;
};

/** A read of a lane's due rows that is under way: all rows due until `upTo` will have been read when it has found their end. */
export type DueRead = { upTo: number };

/**
 * When the next due row of each lane falls due, and how far its due rows were read. One timer over all lanes. Only DueRows
 * reads the rows and reports its progress here; any part may `expect` something of a lane.
 */
export class DueSchedule {
  readonly #clock: Clock;
  readonly #progress = new WeakMap<Lane, Progress>();
  #heap = new Heap<Lane>();
  #waiter: ((lanes: Lane[]) => void) | null = null;
  #cancelTimer: (() => void) | null = null;
  #timerAt = NEVER;
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something of the lane is due then: it is looked for, also when the reading has got further already. */
  expect(lane: Lane, due: number): void {
    const progress = this.#progressOf(lane);
    if (due <= progress.cursor.due) progress.cursor = { due: due - 1, seq: -1 };
    // What was read, or is being read now, may have been read before the row had this `due`.
    progress.readTo = Math.min(progress.readTo, due - 1);
    for (const read of progress.reads) read.upTo = Math.min(read.upTo, due - 1);
    this.lookAt(lane, due);
  }

  /** The lane is looked at then, from where its reading has got. */
  lookAt(lane: Lane, at: number): void {
    const progress = this.#progressOf(lane);
    progress.next = Math.min(progress.next, at);
    if (progress.onHeap <= progress.next) return; // an earlier look is on the heap already
    progress.onHeap = progress.next;
    this.#heap.push(progress.next, lane);
    this.#setTimer();
  }

  /** The lane is not looked at before then. */
  postpone(lane: Lane, at: number): void {
    this.#progressOf(lane).next = NEVER;
    this.lookAt(lane, at);
  }

  /** True when a row of the lane lies ahead, so that the lane must not be forgotten. */
  expects(lane: Lane): boolean {
    return (this.#progress.get(lane)?.next ?? NEVER) < NEVER;
  }

  /** The lane was emptied: its due rows are read from the first when it opens again. */
  forget(lane: Lane): void {
    const progress = this.#progressOf(lane);
    Object.assign(progress, { next: NEVER, cursor: NOTHING_READ, readTo: Number.NEGATIVE_INFINITY });
    for (const read of progress.reads) read.upTo = Number.NEGATIVE_INFINITY;
  }

  /** Resolves with the lanes whose time has come, dropped ones among them. One caller at a time. */
  next(): Promise<Lane[]> {
    return new Promise((resolve) => {
      this.#waiter = resolve;
      this.#setTimer();
    });
  }

  #setTimer(): void {
    const at = this.#heap.peek();
    if (at >= this.#timerAt || this.#waiter === null || this.#stopped) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    this.#cancelTimer = this.#clock.after(at - this.#clock.now(), () => this.#ring());
  }

  #ring(): void {
    this.#timerAt = NEVER;
    const now = this.#clock.now();
    const due = new Set<Lane>();
    while (this.#heap.peek() <= now) {
      const lane = this.#heap.pop();
      if (!lane) break;
      this.#progressOf(lane).onHeap = NEVER;
      due.add(lane);
    }
    const waiter = this.#waiter;
    this.#waiter = null;
    waiter?.([...due]);
  }

  /** Where the next read of the lane begins. */
  cursorOf(lane: Lane): DueCursor {
    return this.#progress.get(lane)?.cursor ?? NOTHING_READ;
  }

  /** All rows of the lane that were due until then were read. */
  readTo(lane: Lane): number {
    return this.#progress.get(lane)?.readTo ?? Number.NEGATIVE_INFINITY;
  }

  /** A read of the rows due until `now` begins: it will find again what lies ahead. */
  beginRead(lane: Lane, now: number): DueRead {
    const progress = this.#progressOf(lane);
    progress.next = NEVER;
    const read = { upTo: now };
    progress.reads.add(read);
    return read;
  }

  /** Ends a read; `foundEnd`: it read the last row that was due. */
  endRead(lane: Lane, read: DueRead, foundEnd: boolean): void {
    const progress = this.#progressOf(lane);
    progress.reads.delete(read);
    if (foundEnd) progress.readTo = Math.max(progress.readTo, read.upTo);
  }

  /**
   * A read got to this row. A row that was expected since the read began may have been left out, because it was still in flight
   * then: the next read begins before it.
   */
  advance(lane: Lane, read: DueRead, { due, seq }: DueCursor): void {
    if (due > read.upTo) return;
    const progress = this.#progressOf(lane);
    const { cursor } = progress;
    if (due > cursor.due || (due === cursor.due && seq > cursor.seq)) progress.cursor = { due, seq };
  }

  /** Rebuilds the heap when it has grown far beyond what these lanes need. */
  tidy(lanes: ReadonlyMap<number, Lane>): void {
    if (this.#heap.size <= lanes.size * HEAP_SLACK + HEAP_LEAST) return;
    this.#heap = new Heap();
    for (const lane of lanes.values()) {
      const progress = this.#progress.get(lane);
      if (!progress) continue;
      progress.onHeap = NEVER;
      if (progress.next < NEVER) this.lookAt(lane, progress.next);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #progressOf(lane: Lane): Progress {
    let progress = this.#progress.get(lane);
    if (!progress) {
      const readTo = Number.NEGATIVE_INFINITY;
      progress = { next: NEVER, onHeap: NEVER, cursor: NOTHING_READ, readTo, reads: new Set() };
      this.#progress.set(lane, progress);
    }
    return progress;
  }
}
