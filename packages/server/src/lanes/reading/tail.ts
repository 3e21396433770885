import { pause, untilBeat } from "../../lib/clock.ts";
import type { Slot } from "../ownership/slot.ts";
import type { ReadRow } from "../queue.ts";
import type { RunnerState } from "../runner-state.ts";
import { Drawn } from "./drawn.ts";
import type { LastDrawn } from "./last-drawn.ts";
import { NEAR_SWEEP_BACK_MS, type Position, Positions } from "./positions.ts";
import type { RowReader } from "./row-reader.ts";
import { SeenRanges } from "./seen-ranges.ts";

/** Polling: from 50 ms after something was found to a second when idle and hints work. */
const POLL_LEAST_MS = 50;
const POLL_MOST_MS = 1_000;
const POLL_MOST_DEAF_MS = 100;
/**
 * Rows of all slots in one near sweep; in a flood the next sweep goes on where this one ended. A late row is found while it
 * lies less than 15 s back, so up to 120,000 waiting rows are covered; beyond that the slow sweep finds it.
 */
const NEAR_SWEEP_ROWS = 8_000;
/**
 * Rows of one read over all its slots, so that a flood in some of them delays neither the others nor answers to clients:
 * 270,000 rows a second were measured in the database, and taking them in takes longer.
 */
const PAGE_ROWS = 500;
/** Slots of one read of a near sweep. */
const NEAR_SWEEP_SLOTS = 4;

type Ask = { slot: number; lo: number };

/** A slot whose new rows take more than a page: where to go on, and when the first page was read. */
type Unfinished = { position: Position; lo: number; since: number };

/** Reads new rows of the slots in order of arrival: above a watermark that moves, and again a little below it. */
export class Tail {
  readonly #state: RunnerState;
  readonly #reader: RowReader;
  readonly #listening: () => boolean;
  readonly #drawn: Drawn;
  readonly #positions: Positions;
  readonly #hinted = new Set<number>();
  readonly #unfinished = new Map<number, Unfinished>();
  readonly #seen = new SeenRanges();
  #polledAt = Number.NEGATIVE_INFINITY;
  #sweptSlot = -1;
  #endPause = (): void => {};

  /** `listening`: hints of other processes arrive; without them polling is denser. */
  constructor(state: RunnerState, reader: RowReader, from: { listening: () => boolean; lastDrawn: LastDrawn }) {
    this.#state = state;
    this.#reader = reader;
    this.#listening = from.listening;
    this.#drawn = new Drawn(state, from.lastDrawn);
    this.#positions = new Positions(state, this.#drawn);
  }

  /** Reads until the runner stops. */
  async run(): Promise<void> {
    let pauseMs = POLL_LEAST_MS;
    while (!this.#state.stopped) {
      // Slots with more are read on together with those that were hinted meanwhile: a flood does not delay its neighbours.
      if (this.#unfinished.size === 0 && this.#hinted.size === 0) await this.#pauseFor(pauseMs);
      if (this.#state.stopped) return;
      const most = this.#listening() ? POLL_MOST_MS : POLL_MOST_DEAF_MS;
      try {
        if (await this.#nothingNew()) {
          // All kinds at the same moments, so that they ask together.
          pauseMs = untilBeat(this.#state.clock.monotonic(), most);
          continue;
        }
        const found = await this.#readNew(this.#nextSlots(most));
        pauseMs = found > 0 ? POLL_LEAST_MS : Math.min(most, pauseMs * 2);
      } catch (error) {
        this.#state.report("tail read", error);
        this.#unfinished.clear();
        pauseMs = POLL_MOST_MS;
        await pause(this.#state.clock, POLL_LEAST_MS); // a hint must not turn a lasting failure into a spin
      }
    }
  }

  #pauseFor(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#state.clock.after(ms, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Rows of these slots were committed; null: of any. */
  hint(slots: readonly number[] | null): void {
    for (const slot of slots ?? this.#state.slots.keys()) if (this.#state.slots.has(slot)) this.#hinted.add(slot);
    if (this.#hinted.size > 0) this.#endPause();
  }

  /** Ends the pause between two reads. */
  readSoon(): void {
    this.#endPause();
  }

  /**
   * Whether nothing can have appeared since the last reads. They began so long after the last number was drawn that the transactions
   * that drew it and those before it had ended; and none has been drawn since. Then the sequence is all that a poll asks for.
   */
  async #nothingNew(): Promise<boolean> {
    if (this.#hinted.size + this.#unfinished.size > 0) return false;
    const { at, watermark } = this.#drawn.latest;
    const settledAt = at + NEAR_SWEEP_BACK_MS;
    const asked = this.#state.clock.monotonic();
    if (asked < settledAt) return false;
    const ready: Position[] = [];
    for (const slot of this.#state.slots.keys()) {
      const position = this.#positions.of(slot);
      if (position) ready.push(position);
    }
    if (ready.length === 0 || ready.some(({ readAt }) => readAt < settledAt)) return false;
    if ((await this.#drawn.ask()) !== watermark) return false;
    for (const position of ready) position.readAt = asked;
    return true;
  }

  /** Whether the last number was drawn so long before this moment that the transactions that drew it and those before it had ended. */
  wasQuietAt(moment: number): boolean {
    return moment >= this.#drawn.latest.at + NEAR_SWEEP_BACK_MS;
  }

  // Hinted slots only, but all of them once in a while: hints get lost, and busy slots must not hide the others.
  #nextSlots(most: number): number[] {
    const { clock, slots } = this.#state;
    const nothingElse = this.#hinted.size + this.#unfinished.size === 0;
    const all = nothingElse || clock.monotonic() - this.#polledAt >= most;
    const next = all ? [...slots.keys()] : [...this.#hinted];
    if (all) this.#polledAt = clock.monotonic();
    this.#hinted.clear();
    return next;
  }

  /** Reads a page of new rows: of these slots, and of those that the page before had no room for. Returns how many there were. */
  async #readNew(which: readonly number[]): Promise<number> {
    const since = this.#state.clock.monotonic();
    const reads = new Map(this.#unfinished);
    for (const slot of which) {
      const position = this.#positions.of(slot);
      if (position && !reads.has(slot)) reads.set(slot, { position, lo: this.#positions.overlap(position), since });
    }
    this.#unfinished.clear();
    for (const [slot, { position }] of reads) if (this.#positions.of(slot) !== position) reads.delete(slot);
    if (reads.size === 0) return 0;
    const asks = [...reads].map(([slot, { lo }]) => ({ slot, lo }));
    this.#markRead();
    const [, { rows, more }] = await Promise.all([this.#drawn.askNowAndThen(), this.#readPage(asks, true)]);
    let found = 0;
    for (const row of rows) {
      const position = this.#positions.of(row.slot);
      if (!position || row.seq <= position.watermark) continue;
      position.watermark = row.seq;
      found += 1;
    }
    for (const { slot, lo } of more) this.#unfinished.set(slot, { ...(reads.get(slot) as Unfinished), lo });
    for (const [slot, read] of reads)
      if (!this.#unfinished.has(slot)) this.#positions.endReached(read.position, read.since);
    return found;
  }

  /**
   * Whether a row of this number, which was just committed here, comes next: every number between it and those that the last read of its
   * slot was sure to see is known. Another row may be unread otherwise: of another process, or one whose commit is not answered yet.
   */
  isNext(slot: number, seq: number): boolean {
    const position = this.#positions.of(slot);
    return position !== undefined && this.#seen.covers(this.#positions.sureTo(position) + 1, seq - 1);
  }

  /** The row of this number was taken without a read: none needs to return it. */
  markSeen(seq: number): void {
    this.#seen.add(seq);
  }

  /** Takes rows above `lo` in each slot, up to a page; `unseen`: only new ones. `more`: where to go on in slots that have more. */
  async #readPage(asks: readonly Ask[], unseen: boolean): Promise<{ rows: ReadRow[]; more: Ask[] }> {
    const most = Math.ceil(PAGE_ROWS / asks.length);
    const seen = unseen ? this.#seen.above(Math.min(...asks.map(({ lo }) => lo))) : undefined;
    const pages = asks.map((ask, index) => ({ ...ask, most, seen: index === 0 ? seen : undefined }));
    const rows = await this.#reader.read(this.#state.kind.queue.tail, pages);
    const reached = new Map<number, { count: number; lo: number }>();
    for (const { slot, seq } of rows) {
      const last = reached.get(slot);
      if (last) {
        last.count += 1;
        last.lo = seq;
      } else reached.set(slot, { count: 1, lo: seq });
      this.#seen.add(seq);
    }
    return { rows, more: [...reached].flatMap(([slot, { count, lo }]) => (count >= most ? [{ slot, lo }] : [])) };
  }

  /** Sets the watermark of slots that are being taken over to the last number drawn; their rows below it are for a sweep. */
  async open(slots: readonly Slot[]): Promise<void> {
    const watermark = await this.#drawn.ask();
    this.#positions.open(slots, { at: this.#state.clock.monotonic(), watermark });
  }

  /** Forgets which numbers were drawn; the positions go with their slots. */
  clear(): void {
    this.#drawn.clear();
  }

  /** A row that was read shows that its number was drawn. */
  #markRead(): void {
    if (this.#drawn.wantsMark) this.#drawn.mark(this.#positions.highest);
  }

  /** Reads the last 15 s again: finds rows that committed late, below the watermark. */
  async nearSweep(): Promise<void> {
    let asks: Ask[] = [];
    for (const slot of this.#state.slots.keys()) {
      const position = this.#positions.of(slot);
      const lo = position ? this.#positions.moveMarks(position) : null;
      if (position && lo !== null) asks.push({ slot, lo: Math.max(lo, position.sweptTo ?? lo) });
    }
    // In turn, so that the slots that one sweep has no room for are the first of the next.
    asks.sort((a, b) => a.slot - b.slot);
    const next = asks.findIndex(({ slot }) => slot > this.#sweptSlot);
    if (next > 0) asks = [...asks.slice(next), ...asks.slice(0, next)];
    let left = NEAR_SWEEP_ROWS;
    while (asks.length > 0 && left > 0 && !this.#state.stopped) {
      const part = asks.splice(0, NEAR_SWEEP_SLOTS);
      const { rows, more } = await this.#readAgain(part);
      left -= rows;
      this.#sweptSlot = part.at(-1)?.slot ?? this.#sweptSlot;
      asks.push(...more);
    }
  }

  /** Returns how many rows there were, and where to go on in slots that have more below their watermark. */
  async #readAgain(asks: readonly Ask[]): Promise<{ rows: number; more: Ask[] }> {
    const { rows, more: pages } = await this.#readPage(asks, false);
    const more = pages.filter(({ slot, lo }) => lo < (this.#positions.of(slot)?.watermark ?? lo));
    for (const { slot } of asks) {
      const position = this.#positions.of(slot);
      if (position) position.sweptTo = more.find((next) => next.slot === slot)?.lo ?? null;
    }
    return { rows: rows.length, more };
  }
}
