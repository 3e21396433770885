import type { QueueRow } from "../kind.ts";
import { insertBySeq } from "./insert-by-seq.ts";
import { addTokens, FRESH, isQuiet, type Key, type KeyPace, newKey } from "./key-state.ts";

/** What becomes of an offered row: it may start, it waits here, or it must be written back to the table with this `due`. */
export type Offer = { kind: "go" } | { kind: "wait" } | { kind: "defer"; due: number };

/** A key that the table held until `until` and that needs no hold any more. */
export type EndedHold = { key: string; until: number };

/** A hold that a former owner left in the table: the `seq` of the row that backs off, and of the first deferred row. */
export type HeldKey = { key: string; until: number; backingOff: number | null; deferredFrom: number | null };

/** How far the lane's due rows have been read. */
export type DueProgress = {
  /** Every row due until then was read; -Infinity: none has been read. */
  readTo: number;
  /** True for a key with due rows that were read and not offered yet. */
  unoffered(key: string): boolean;
};

export type KeyOrderOptions = {
  pace: KeyPace | null;
  /** When this process became the owner. */
  since: number;
  /** False: rows cannot be written back to the table, so all of them wait here. */
  defers: boolean;
  /** `readTo`: every fresh row of the lane up to this `seq` has been read; Infinity: all. */
  fresh: { readonly readTo: number };
};

/** Rows of one key kept in memory; one recipient's flood must not fill the number's read-ahead. */
export const WAITING_A_KEY = 50;
/** Rows of all keys of a lane kept waiting: forty crowded keys. Above it each of them counts as crowded. */
export const WAITING_A_LANE = 2_000;
/**
 * Tokens of a key when this process becomes the owner. A former owner may have spent the recipient's whole burst. With ten
 * tokens the worst case is a few throttled answers, tried again in order; without any, all recipients wait after a restart.
 */
const FIRST_TOKENS = 10;
const PRUNE_EVERY_MS = 5_000;
/** Distance of deferred rows of one key without a pace: about the time of one answer, so that they fall due as they are needed. */
const DEFER_EVERY_MS = 100;

const GO: Offer = { kind: "go" };
const WAIT: Offer = { kind: "wait" };

/**
 * Order and pace of the recipients of one lane. At most one row of a key is in flight, and rows start in the order of `seq`;
 * rows that must wait are kept here (few) or in the table (many).
 *
 * The states of a key combine; a row may start when none of them stops it (`#mayStart`):
 *
 * - in flight: one of its rows is being worked, from `#start` to `finish`, `backOff` or `clear`.
 * - backing off: one of its rows waits in the table for a retry and no later row starts before it; from `backOff` until that
 *   row starts or turns out to be gone.
 * - deferred: rows from `from` on were written back to the table with a `due`, and later fresh rows follow them there; from
 *   `offer` until all of them have been read back.
 * - held: the table names the key in `held` until `heldUntil`, for the next owner; ends after the two before.
 * - orphaned: a former owner started some of its rows; from `addOrphan` until `removeOrphan` of the last.
 */
export class KeyOrder {
  readonly #options: KeyOrderOptions;
  readonly #deferEveryMs: number;
  readonly #keys = new Map<string, Key>();
  /** Keys that `resume` must look at. */
  readonly #timed = new Set<string>();
  #waiting = 0;
  #prunedAt: number;

  constructor(options: KeyOrderOptions) {
    this.#options = options;
    this.#deferEveryMs = options.pace?.everyMs ?? DEFER_EVERY_MS;
    this.#prunedAt = options.since;
  }

  /** Decides on a row that was read: it starts, waits here, or goes back to the table. */
  offer(row: QueueRow, now: number): Offer {
    if (row.key === null) return GO;
    this.#prune(now);
    const key = this.#keyOf(row.key, now);
    const first = key.waiting[0];
    if ((first === undefined || first.seq > row.seq) && this.#mayStart(key, row, now)) {
      this.#start(key, row, now);
      return GO;
    }
    this.#timed.add(row.key);
    if (this.#hasRoom(key, row)) {
      insertBySeq(key.waiting, row);
      this.#waiting += 1;
      return WAIT;
    }
    // Dues grow with `seq`, so the rows are read back in their order.
    const due = Math.ceil(Math.max(key.heldUntil, now + WAITING_A_KEY * this.#deferEveryMs) + this.#deferEveryMs);
    key.deferred = { from: Math.min(key.deferred?.from ?? row.seq, row.seq), until: due };
    key.heldUntil = due;
    return { kind: "defer", due };
  }

  #mayStart(key: Key, row: QueueRow, now: number): boolean {
    if (key.inFlight || key.orphans !== null) return false;
    if (key.backingOff !== null && row.seq > key.backingOff.seq) return false;
    if (row.due === FRESH) {
      if (key.deferred !== null && row.seq > key.deferred.from) return false;
    } else if (key.heldUntil > FRESH && row.seq > this.#options.fresh.readTo) return false; // fresh rows before it are unread
    const { pace } = this.#options;
    if (!pace) return true;
    addTokens(key, pace, now);
    return key.tokens >= 1;
  }

  #start(key: Key, row: QueueRow, now: number): void {
    key.inFlight = true;
    if (key.backingOff?.seq === row.seq) key.backingOff = null;
    if (this.#options.pace) key.tokens -= 1;
    key.spentAt = now;
  }

  // A due row stays: deferred again it would fall behind its successors. A fresh row behind deferred ones is deferred too,
  // after them. A row that committed late stays, because its place is before the waiting ones.
  #hasRoom(key: Key, row: QueueRow): boolean {
    if (!this.#options.defers || row.due > FRESH) return true;
    if (key.deferred !== null && row.seq > key.deferred.from) return false;
    if (key.waiting.length < WAITING_A_KEY && this.#waiting < WAITING_A_LANE) return true;
    return row.seq < (key.waiting.at(-1)?.seq ?? 0);
  }

  /** The row is done and gone from the table. Returns the row of its key that starts next, if any. */
  finish(row: QueueRow, now: number): QueueRow[] {
    const key = row.key === null ? undefined : this.#keys.get(row.key);
    if (!key || row.key === null) return [];
    key.inFlight = false;
    // A hold of this very row may have been restored since it started.
    if (key.backingOff?.seq === row.seq) key.backingOff = null;
    return this.#next(row.key, key, now);
  }

  /** The row was moved to `due`; no later row of its key starts before it. */
  backOff(row: QueueRow, due: number, now: number): void {
    if (row.key === null) return;
    const key = this.#keyOf(row.key, now);
    key.inFlight = false;
    key.backingOff = { seq: row.seq, until: due };
    key.heldUntil = Math.max(key.heldUntil, due);
    this.#timed.add(row.key);
  }

  // The first row that may start: usually the head, or a due row while the fresh rows before it wait for its sake.
  #next(name: string, key: Key, now: number): QueueRow[] {
    const index = key.waiting.findIndex((row) => this.#mayStart(key, row, now));
    const row = key.waiting[index];
    if (!row) return [];
    key.waiting.splice(index, 1);
    this.#waiting -= 1;
    this.#start(key, row, now);
    if (isQuiet(key)) this.#timed.delete(name);
    return [row];
  }

  /**
   * Starts waiting rows whose key's pace, retry or hold has run out, and ends holds that are over; `only` looks at one key.
   * The caller deletes the ended holds from the table.
   */
  resume(now: number, progress: DueProgress, only?: string): { rows: QueueRow[]; ended: EndedHold[] } {
    this.#prune(now);
    const rows: QueueRow[] = [];
    const ended: EndedHold[] = [];
    for (const name of only === undefined ? this.#timed : this.#timed.has(only) ? [only] : []) {
      const key = this.#keys.get(name);
      if (key) rows.push(...this.#resumeKey(name, key, now, progress, ended));
      else this.#timed.delete(name);
    }
    return { rows, ended };
  }

  // Everything due until `readTo` was read, so a row that should be among the waiting ones and is not has gone. Not so while an
  // orphan is left: the hold may stand for the orphan, whose outcome was stored after it was read as started.
  #resumeKey(name: string, key: Key, now: number, progress: DueProgress, ended: EndedHold[]): QueueRow[] {
    const allOffered = !key.inFlight && key.orphans === null && !progress.unoffered(name);
    const passed = (until: number): boolean => allOffered && until <= now && progress.readTo >= until;
    const { backingOff } = key;
    if (backingOff && passed(backingOff.until) && !key.waiting.some((row) => row.seq === backingOff.seq))
      key.backingOff = null;
    const dueRowWaits = key.waiting.some((row) => row.due > FRESH);
    if (key.deferred && key.backingOff === null && !dueRowWaits && passed(key.deferred.until)) key.deferred = null;
    if (key.heldUntil > FRESH && allOffered && key.backingOff === null && key.deferred === null && !dueRowWaits) {
      ended.push({ key: name, until: key.heldUntil });
      key.heldUntil = FRESH;
    }
    const rows = this.#next(name, key, now);
    if (isQuiet(key)) this.#timed.delete(name);
    return rows;
  }

  /** Takes over a hold that a former owner left in the table. Of a key that is worked here, it may be older than what is known. */
  restoreHold({ key: name, until, backingOff, deferredFrom }: HeldKey): void {
    const key = this.#keyOf(name, this.#options.since);
    if (backingOff !== null) {
      const known = key.backingOff?.seq === backingOff ? key.backingOff.until : until;
      key.backingOff = { seq: backingOff, until: Math.max(until, known) };
    }
    if (deferredFrom !== null) {
      const known = key.deferred ?? { from: deferredFrom, until };
      key.deferred = { from: Math.min(deferredFrom, known.from), until: Math.max(until, known.until) };
    }
    key.heldUntil = Math.max(key.heldUntil, until);
    this.#timed.add(name);
  }

  /** A former owner started this row: its key waits until the row is settled or gone. */
  addOrphan(row: QueueRow): void {
    if (row.key === null) return;
    const key = this.#keyOf(row.key, this.#options.since);
    key.orphans ??= new Set();
    key.orphans.add(row.seq);
  }

  /** Returns the row of the key that starts next, if any. */
  removeOrphan(row: QueueRow, now: number): QueueRow[] {
    const key = row.key === null ? undefined : this.#keys.get(row.key);
    if (!key?.orphans?.delete(row.seq) || row.key === null) return [];
    if (key.orphans.size > 0) return [];
    key.orphans = null;
    return this.#next(row.key, key, now);
  }

  /** Forgets and returns the rows that wait here; they will be read again. Holds stay. `unstarted`: rows let go that never started. */
  clear(unstarted: readonly QueueRow[]): QueueRow[] {
    for (const row of unstarted) {
      const key = row.key === null ? undefined : this.#keys.get(row.key);
      if (key) key.inFlight = false;
    }
    this.#waiting = 0;
    return [...this.#keys.values()].flatMap((key) => key.waiting.splice(0));
  }

  /** Rows waiting here. */
  rows(): QueueRow[] {
    return [...this.#keys.values()].flatMap((key) => key.waiting);
  }

  /** How many rows wait here. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many keys are known. */
  get size(): number {
    return this.#keys.size;
  }

  // A key that would start again with at most one token more than it has may be forgotten after one interval: one token each
  // interval is its due anyway.
  #prune(now: number): void {
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    const { pace } = this.#options;
    for (const [name, key] of this.#keys) {
      if (key.inFlight || key.orphans !== null || !isQuiet(key)) continue;
      if (pace) {
        addTokens(key, pace, now);
        if (key.tokens < this.#firstTokens(now) - 1 || now - key.spentAt < pace.everyMs) continue;
      }
      this.#keys.delete(name);
    }
  }

  #keyOf(name: string, now: number): Key {
    let key = this.#keys.get(name);
    if (!key) {
      key = newKey(this.#firstTokens(now), now);
      this.#keys.set(name, key);
    }
    return key;
  }

  #firstTokens(now: number): number {
    const { pace, since } = this.#options;
    return pace ? Math.min(pace.burst, FIRST_TOKENS + (now - since) / pace.everyMs) : 1;
  }
}
