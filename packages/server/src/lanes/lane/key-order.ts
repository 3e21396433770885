import type { QueueRow } from "../kind.ts";
import { beginAdvance, endAdvance } from "./advances.ts";
import type { DeferredRow } from "./deferred-rows.ts";
import { beginGathering, gatheredDue, gatherSoon, mustGather, takeGathered } from "./gathering.ts";
import { addHold, type EndedHold, type HeldKey } from "./holds.ts";
import type { DueProgress, KeyOrderOptions } from "./key-order-options.ts";
import {
  type Advance,
  addBackingOff,
  endStates,
  FRESH,
  hasToken,
  isQuiet,
  type Key,
  removeBackingOff,
} from "./key-state.ts";
import { KnownKeys } from "./known-keys.ts";
import { deferBehind, isNext, WAITING_A_KEY, waitsHere } from "./next-row.ts";
import { type Follows, GO, type Offer, PASS, WAIT } from "./offer.ts";
import { takeReturned } from "./returned-rows.ts";
import { WaitingRows } from "./waiting-rows.ts";

/** Rows of all keys of a lane kept waiting: forty crowded keys. Above it each of them counts as crowded. */
export const WAITING_A_LANE = 2_000;
/** Distance of deferred rows of one key without a pace: about the time of one answer, so that they fall due as they are needed. */
const DEFER_EVERY_MS = 100;

/**
 * Order and pace of the recipients of one lane. At most one row of a key is in flight, and rows start in the order of `seq`;
 * rows that must wait are kept here (few) or in the table (many).
 *
 * The states of a key combine; a row may start when none of them stops it (`#mayStart`):
 *
 * - in flight: one of its rows is being worked, from `#start` to `finish`, `backOff`, `putBack` or `clear`.
 * - backing off: one of its rows waits in the table for a retry and no later row starts before it; from `backOff` until that
 *   row starts or turns out to be gone.
 * - deferred: rows from `from` on were written back to the table with a `due`, and later fresh rows follow them there; from
 *   `offer` or `backOff` (returned-rows.ts) until all of them have been read back.
 * - held: the table names the key in `held` until `heldUntil`, for the next owner; ends after the two before.
 * - orphaned: a former owner started some of its rows; from `addOrphan` until `removeOrphan` of the last.
 * - advancing: rows of it are being given an earlier `due` in the table (advances.ts); from `offer` until `endAdvance`.
 * - passed: due rows of it were let go to the table (passed-rows.ts); from `offer` or `backOff` until all of them were read again.
 * - gathering: it was joined with other keys and their deferred rows are being sorted (gathering.ts); from `join` until they are.
 *
 * Keys that were joined have one state from then on. Rows and holds keep the key that they have in the table.
 */
export class KeyOrder {
  readonly #options: KeyOrderOptions;
  readonly #deferEveryMs: number;
  readonly #keys: KnownKeys;
  /** Names of keys that `resume` must look at. */
  readonly #timed = new Set<string>();
  readonly #waiting = new WaitingRows();

  constructor(options: KeyOrderOptions) {
    this.#options = options;
    this.#deferEveryMs = options.pace?.everyMs ?? DEFER_EVERY_MS;
    this.#keys = new KnownKeys(options.pace, options.since);
    options.passed?.of(this.#keys);
  }

  /** The name of the key's group; of most keys their own. */
  nameOf(key: string): string {
    return this.#keys.nameOf(key);
  }

  /** How many keys are one with this one, itself included. */
  joinedWith(key: string): number {
    return this.#keys.joinedWith(key);
  }

  /** Decides on a row that was read: it starts, waits here, or goes back to the table. */
  offer(row: QueueRow, now: number): Offer {
    if (row.key === null) return GO;
    const { passed, defers } = this.#options;
    this.#keys.prune(now);
    const name = this.#keys.nameOf(row.key);
    const key = this.#keys.of(name, now);
    if (row.due > FRESH && key.backingOff.length > 0) this.#noteAdvance(name, key, row, now);
    const gathered = key.gathering && gatheredDue(key, row, now, this.#options.unoffered);
    if (gathered !== null) {
      removeBackingOff(key, row.seq);
      passed?.remove(key, row.seq);
      return { kind: "defer", due: gathered };
    }
    const first = key.waiting[0];
    if ((first === undefined || first.seq > row.seq) && this.#mayStart(key, row, now)) {
      this.#start(key, row, now);
      passed?.remove(key, row.seq);
      return GO;
    }
    this.#timed.add(name);
    if (passed?.take(name, key, row)) return PASS;
    passed?.remove(key, row.seq);
    if (!defers || waitsHere(key, row, this.#waiting.count >= WAITING_A_LANE)) {
      this.#waiting.insert(key, row);
      const rows = row.due > FRESH ? this.#takeReturned(key) : [];
      return rows.length > 0 ? { kind: "return", rows } : WAIT;
    }
    return { kind: "defer", due: deferBehind(key, row, now, this.#deferEveryMs) };
  }

  #noteAdvance(name: string, key: Key, row: QueueRow, now: number): void {
    const advance = this.#options.advances && beginAdvance(key, name, row);
    if (!advance) return;
    this.#options.advances?.add(advance);
    gatherSoon(key, now);
  }

  /** Its rows were moved. Those that may start are returned by `resume`, when what is due was read again. */
  endAdvance(advance: Advance, now: number): void {
    const key = this.#keys.get(this.#keys.nameOf(advance.keys[0] ?? ""));
    if (key && endAdvance(key, advance)) gatherSoon(key, now);
  }

  /** The row was started before an order was kept: the rows of its key wait for it. */
  addBegun(row: QueueRow, now: number): void {
    if (row.key !== null) this.#start(this.#keys.of(this.#keys.nameOf(row.key), now), row, now);
  }

  #mayStart(key: Key, row: QueueRow, now: number): boolean {
    return isNext(key, row, this.#options) && hasToken(key, this.#options.pace, now);
  }

  #start(key: Key, row: QueueRow, now: number): void {
    key.inFlight += 1;
    removeBackingOff(key, row.seq);
    if (this.#options.pace) key.tokens -= 1;
    key.spentAt = now;
  }

  /** The row is done and gone from the table. Returns the row of its key that starts next, if any. */
  finish(row: QueueRow, now: number): QueueRow[] {
    const name = this.#nameOfRow(row);
    const key = name === null ? undefined : this.#keys.get(name);
    if (!key || name === null) return [];
    key.inFlight = Math.max(0, key.inFlight - 1);
    removeBackingOff(key, row.seq); // a hold of this very row may have been restored since it started
    return this.#next(name, key, now);
  }

  /** The row was moved to `due`; no later row of its key starts before it, but an earlier one may. */
  backOff(row: QueueRow, due: number, now: number): Follows {
    if (row.key === null) return { rows: [], deferred: [] };
    const name = this.#keys.nameOf(row.key);
    const key = this.#keys.of(name, now);
    key.inFlight = Math.max(0, key.inFlight - 1);
    removeBackingOff(key, row.seq);
    addBackingOff(key, row.seq, due);
    this.#timed.add(name);
    this.#waiting.gone(this.#options.passed?.takeBehind(name, key, row.seq) ?? []);
    return { deferred: this.#takeReturned(key), rows: this.#next(name, key, now) };
  }

  #takeReturned(key: Key): DeferredRow[] {
    const returned = this.#options.defers && this.#options.advances ? takeReturned(key) : [];
    this.#waiting.gone(returned.map(({ row }) => row));
    return returned;
  }

  // The first row that may start: usually the head, or a due row while the fresh rows before it wait for its sake. Of joined
  // keys only the head.
  #next(name: string, key: Key, now: number): QueueRow[] {
    const { waiting, joined } = key;
    if (key.inFlight > 0) return [];
    const ahead = joined === null ? waiting : waiting.slice(0, 1);
    const index = ahead.findIndex((row) => this.#mayStart(key, row, now));
    const row = index === -1 ? undefined : this.#waiting.takeAt(key, index);
    if (!row) return [];
    this.#start(key, row, now);
    if (isQuiet(key)) this.#timed.delete(name);
    return [row];
  }

  /** From now on rows of these keys have one order and one pace. The caller puts back those that were let go and not begun. */
  join(keys: readonly string[], now: number): void {
    const name = this.#keys.join(keys, now);
    if (name === null) return;
    this.#options.passed?.joined(name);
    this.#beginGathering(this.#keys.of(name, now), now);
  }

  #beginGathering(key: Key, now: number): void {
    if (this.#options.defers) beginGathering(key, { everyMs: this.#deferEveryMs, most: WAITING_A_KEY }, now);
  }

  /** Rows of one key or group were let go, and not begun. They start again in their place. */
  putBack(put: readonly QueueRow[], now: number): Follows {
    const name = this.#nameOfRow(put[0]);
    if (name === null) return { rows: [...put], deferred: [] };
    const key = this.#keys.of(name, now);
    for (const row of put) {
      key.inFlight = Math.max(0, key.inFlight - 1);
      if (this.#options.pace) key.tokens += 1;
      this.#waiting.insert(key, row);
    }
    this.#timed.add(name);
    if (mustGather(key, put)) this.#beginGathering(key, now);
    return { deferred: this.#takeGathered(key, now), rows: this.#next(name, key, now) };
  }

  // Or those that are returned, where nothing is gathered.
  #takeGathered(key: Key, now: number): DeferredRow[] {
    if (key.gathering === null) return this.#takeReturned(key);
    const rows = takeGathered(key, now);
    this.#waiting.gone(rows);
    return rows.map((row) => ({ row, due: key.gathering?.at ?? key.heldUntil }));
  }

  /**
   * Starts waiting rows whose key's pace, retry or hold has run out, and ends holds that are over; `only` looks at one key.
   * The caller deletes the ended holds from the table.
   */
  resume(now: number, progress: DueProgress, only?: string): { rows: QueueRow[]; ended: EndedHold[] } {
    this.#keys.prune(now);
    const rows: QueueRow[] = [];
    const ended: EndedHold[] = [];
    const one = only === undefined ? null : this.#keys.nameOf(only);
    for (const name of one === null ? this.#timed : this.#timed.has(one) ? [one] : []) {
      const key = this.#keys.get(name);
      if (key) rows.push(...this.#resumeKey(name, key, now, progress, ended));
      else this.#timed.delete(name);
    }
    return { rows, ended };
  }

  #resumeKey(name: string, key: Key, now: number, progress: DueProgress, ended: EndedHold[]): QueueRow[] {
    const allOffered = key.inFlight === 0 && key.orphans === null && !progress.unoffered(name);
    const until = allOffered ? endStates(key, Math.min(now, progress.readTo)) : FRESH;
    // Each hold was written under the key that its row has in the table.
    if (until > FRESH) for (const each of key.joined ?? [name]) ended.push({ key: each, until });
    const rows = this.#next(name, key, now);
    if (isQuiet(key)) this.#timed.delete(name);
    return rows;
  }

  /**
   * Takes over a hold that a former owner left in the table. Of a key that is worked here, it may be older than what is known.
   * Returns rows that must be written back to the table.
   */
  restoreHold(held: HeldKey, now: number): DeferredRow[] {
    const name = this.#keys.nameOf(held.key);
    const key = this.#keys.of(name, this.#options.since);
    this.#timed.add(name);
    const isNews = addHold(key, held);
    if (key.joined !== null && isNews) this.#beginGathering(key, now);
    return this.#takeGathered(key, now);
  }

  /** A former owner started this row: its key waits until the row is settled or gone. */
  addOrphan(row: QueueRow): void {
    if (row.key === null) return;
    const key = this.#keys.of(this.#keys.nameOf(row.key), this.#options.since);
    key.orphans = (key.orphans ?? new Set()).add(row.seq);
  }

  /** Returns the row of the key that starts next, if any. */
  removeOrphan(row: QueueRow, now: number): QueueRow[] {
    const name = this.#nameOfRow(row);
    const key = name === null ? undefined : this.#keys.get(name);
    if (!key?.orphans?.delete(row.seq) || name === null || key.orphans.size > 0) return [];
    key.orphans = null;
    return this.#next(name, key, now);
  }

  /** Forgets and returns the rows that wait here; they will be read again. Holds stay. `unstarted`: rows let go that never started. */
  clear(unstarted: readonly QueueRow[]): QueueRow[] {
    for (const row of unstarted) {
      const name = this.#nameOfRow(row);
      const key = name === null ? undefined : this.#keys.get(name);
      if (key) key.inFlight = Math.max(0, key.inFlight - 1);
    }
    return this.#keys.values().flatMap((key) => this.#waiting.takeAll(key));
  }

  #nameOfRow(row: QueueRow | undefined): string | null {
    return row === undefined || row.key === null ? null : this.#keys.nameOf(row.key);
  }

  /** Rows waiting here. */
  rows(): QueueRow[] {
    return this.#keys.values().flatMap((key) => key.waiting);
  }

  /** How many rows wait here. */
  get waiting(): number {
    return this.#waiting.count;
  }

  /** How many of them were due when they were read. */
  get waitingDue(): number {
    return this.#waiting.due;
  }

  /** How many keys are known. */
  get size(): number {
    return this.#keys.size;
  }
}
