import type { Clock } from "../../lib/clock.ts";
import type { LaneSettings, QueueRow } from "../kind.ts";
import { STARTED } from "../lane-kinds.ts";
import { Advances } from "./advances.ts";
import { DeferredRows } from "./deferred-rows.ts";
import type { RefillResult } from "./fresh-rows.ts";
import type { EndedHold, HeldKey } from "./holds.ts";
import { InFlight } from "./in-flight.ts";
import { insertBySeq } from "./insert-by-seq.ts";
import { KeyOrder, WAITING_A_LANE } from "./key-order.ts";
import { type Advance, FRESH } from "./key-state.ts";
import type { LaneOptions } from "./lane-options.ts";
import { LanePace } from "./lane-pace.ts";
import { deferredBy, type Follows } from "./offer.ts";
import { PassedRows } from "./passed-rows.ts";
import { Places } from "./places.ts";
import { DUE_BUFFER, Sources } from "./sources.ts";
import { takeFirst, unofferedKeys } from "./unoffered.ts";

/**
 * One lane in its owner's memory, while it has work: the rows that were read and are not done, and which may start next. It reads nothing.
 *
 * By its settings a lane is *unknown* (just created; nothing starts), *open*, or *closed* (also when its number or endpoint
 * is deleted: nothing starts and no row is kept). `configure` moves between them.
 *
 * A row here is *buffered* (fresh, due, freed, or waiting in the key order), *deferred* (about to be written back), *in
 * flight*, *answered* (its outcome is being stored), or an *orphan* (a former owner started it). Which fresh rows are here is FreshRows' part.
 */
export class Lane {
  readonly number: number;
  readonly slot: number;
  readonly #clock: Clock;
  readonly #defers: boolean;
  readonly #since: number;
  #settings: LaneSettings | null | undefined; // undefined: unknown
  #keys: KeyOrder | null = null;
  readonly pace: LanePace;
  /** How many rows may be in flight. */
  readonly places: Places;
  readonly #sources = new Sources();
  readonly #fresh = this.#sources.fresh;
  readonly #due = this.#sources.due;
  readonly #freed = this.#sources.freed;
  /** Rows that go back to the table: the caller of `take`, `backOff`, `putBack`, `join` and `restoreHold` writes them. */
  readonly deferred = new DeferredRows();
  /** What is to be moved in the table: the caller of `take` moves it. Null: nothing ever is. */
  readonly advances: Advances | null;
  /** Due rows that were let go, which the caller of `take` and `backOff` forgets; null: none is. */
  readonly passed: PassedRows | null;
  /** A row of which the receiver has answered gives up its place here before it is finished. */
  readonly inFlight = new InFlight();
  readonly #orphans = new Map<number, QueueRow>();
  /** Holds that were restored before the settings were known. */
  readonly #held: HeldKey[] = [];
  #pins = 0;

  constructor({ number, slot, clock, defers, advances = false, passes = false, hasBreaker = false }: LaneOptions) {
    this.number = number;
    this.slot = slot;
    this.#clock = clock;
    this.#defers = defers;
    this.advances = advances ? new Advances() : null;
    this.passed = passes ? new PassedRows() : null;
    this.#since = clock.now();
    this.pace = new LanePace(clock);
    this.places = new Places(hasBreaker ? clock : null);
  }

  /** Null until they are known, and for a lane whose number or endpoint is gone. */
  get settings(): LaneSettings | null {
    return this.#settings ?? null;
  }

  /** True when known settings forbid work; false while the settings are unknown. */
  get closed(): boolean {
    return this.#settings === null || this.#settings?.closed === true;
  }

  /**
   * Applies settings. Returns the rows that a lane just closed lets go of: they stay in the table, and the whole lane is
   * read again when it opens.
   */
  configure(settings: LaneSettings | null): QueueRow[] {
    const wasClosed = this.closed;
    if (settings) this.places.configure(settings, this.settings);
    this.#settings = settings;
    if (settings) this.pace.setRate(settings.ratePerSecond);
    if (settings?.ordered && !this.#keys) this.#keys = this.#newKeyOrder(settings);
    return this.closed && !wasClosed ? this.#empty() : [];
  }

  #newKeyOrder({ keyPace: pace }: LaneSettings): KeyOrder {
    const unoffered = { fresh: this.#fresh, due: this.#due, deferred: this.deferred };
    const own = { since: this.#since, defers: this.#defers, advances: this.advances, passed: this.passed };
    const keys = new KeyOrder({ pace, unoffered, ...own });
    for (const row of this.#orphans.values()) keys.addOrphan(row);
    for (const row of this.inFlight.orderBegins()) keys.addBegun(row, this.#clock.now());
    for (const held of this.#held.splice(0)) keys.restoreHold(held, this.#clock.now());
    return keys;
  }

  // Rows in flight and orphans stay; the others are in the table.
  #empty(): QueueRow[] {
    this.passed?.clear();
    const unstarted = this.#freed.splice(0);
    return [...this.#fresh.clear(), ...this.#due.splice(0), ...unstarted, ...(this.#keys?.clear(unstarted) ?? [])];
  }

  /**
   * Takes a row that was read: `kept` here, `timed` (to be read again at its `due`) or `passed` by (to be read by a refill).
   * `room` is how many rows a lane may hold now; `ofRefill` says that this lane's refill read the row, or asked for it by its number.
   */
  add(row: QueueRow, now: number, room: number, ofRefill = false): "kept" | "timed" | "passed" {
    if (row.state === STARTED) {
      this.#orphans.set(row.seq, row);
      this.#keys?.addOrphan(row);
      if (row.due === FRESH) this.#fresh.keptElsewhere(row);
      return "kept";
    }
    if (this.closed) return this.#fresh.pass();
    if (row.due > now || (row.due > FRESH && !ofRefill && !this.hasRoomForDue(room))) return "timed";
    if (row.due === FRESH) return this.#fresh.add(row, room, ofRefill);
    insertBySeq(this.#due, row);
    return "kept";
  }

  /** Says that fresh rows may be in the table that were not kept here, so that the lane is refilled. */
  markPassedBy(): void {
    this.#fresh.pass();
  }

  /** True when the table may have fresh rows that are not here. */
  get passedBy(): boolean {
    return !this.#fresh.complete;
  }

  /** Begins a refill where one is worth it: returns the `seq` after which to read and how many rows to take, else null. */
  beginRefill(room: number): { lo: number; most: number } | null {
    return this.closed ? null : this.#fresh.beginRefill(room);
  }

  /** Ends a refill; null: it failed. */
  endRefill(result: RefillResult | null): void {
    this.#fresh.endRefill(result);
  }

  /** True when more due rows may be read, with `room` for this many rows in a lane. */
  hasRoomForDue(room: number): boolean {
    return this.#due.length + (this.#keys?.waitingDue ?? 0) + this.deferred.size < Math.min(room, DUE_BUFFER);
  }

  /** The next row that may start, or how long to wait, or null. May leave rows to be deferred. */
  take(now: number): { row: QueueRow } | { waitMs: number } | null {
    const settings = this.#settings;
    if (!settings || settings.closed || !this.places.hasFree(this.inFlight.size)) return null;
    // Where rows cannot be deferred, the key order's memory is the bound: none is drawn until some of it has gone.
    const isFull = (): boolean => !this.#defers && (this.#keys?.waiting ?? 0) >= WAITING_A_LANE;
    for (let source = this.#sources.pick(isFull()); source; source = this.#sources.pick(isFull())) {
      const waitMs = Math.max(this.pace.waitMs(), this.places.breaker?.waitMs() ?? 0);
      if (waitMs > 0) return { waitMs };
      const row = takeFirst(source, source === this.#fresh.rows ? this.#due : [], this.#keys);
      if (source !== this.#freed && this.#keys) {
        const offer = this.#keys.offer(row, now);
        this.deferred.add(...deferredBy(offer, row));
        if (offer.kind !== "go") continue;
      }
      this.pace.spend();
      this.places.breaker?.started();
      this.inFlight.add(row);
      return { row };
    }
    return null;
  }

  /** The row is done, or not ours any more. */
  finish(row: QueueRow, now: number): void {
    this.inFlight.delete(row);
    if (this.#keys) this.#freed.push(...this.#keys.finish(row, now));
  }

  /** The row's `due` was moved; with `holdsKey` the later rows of its key wait for it. */
  backOff(row: QueueRow, due: number, holdsKey: boolean, now: number): void {
    if (!holdsKey || !this.#keys) return this.finish(row, now);
    this.inFlight.delete(row);
    this.#follow(this.#keys.backOff(row, due, now));
  }

  /** The row starts again, before all others. Its key stays in flight meanwhile, so that no row of it overtakes. */
  putBack(row: QueueRow, now: number): void {
    const waitedItsTurn = this.joinedWith(row) > 0;
    this.inFlight.delete(row);
    if (this.#keys && row.key !== null && (!waitedItsTurn || this.#keys.joinedWith(row.key) > 1))
      this.#putBackAll(this.#keys, row, row.key, now);
    else this.#freed.unshift(row);
  }

  /** The name under which rows of this key and of those that were joined with it have one order. */
  nameOf(key: string): string {
    return this.#keys?.nameOf(key) ?? key;
  }

  /** How many keys are one with the row's, itself included, or were when it started; 0 where no order is kept. */
  joinedWith(row: QueueRow): number {
    return this.inFlight.joinedWith(row) ?? (this.#keys && row.key !== null ? this.#keys.joinedWith(row.key) : 0);
  }

  /** Joins the row's key with these, and puts the row back, which was not begun. False: all were one when it started, and it stays. */
  join(row: QueueRow, joined: readonly string[], now: number): boolean {
    const [keys, key] = [this.#keys, row.key];
    if (!keys || key === null) return false;
    this.inFlight.keepOver(
      () => keys.join([key, ...joined], now),
      (one) => this.joinedWith(one),
    );
    if (keys.joinedWith(key) <= this.joinedWith(row)) return false;
    this.inFlight.delete(row);
    this.#putBackAll(keys, row, key, now);
    return true;
  }

  // With the rows of its group that were let go: one of them may come after it.
  #putBackAll(keys: KeyOrder, row: QueueRow, key: string, now: number): void {
    const name = keys.nameOf(key);
    const isOf = (other: QueueRow): boolean => other.key !== null && keys.nameOf(other.key) === name;
    const freed = this.#freed.splice(0);
    this.#follow(keys.putBack([row, ...freed.filter(isOf)], now));
    this.#freed.push(...freed.filter((other) => !isOf(other)));
  }

  #follow({ rows, deferred }: Follows): void {
    this.#freed.push(...rows);
    this.deferred.add(...deferred);
  }

  /** Takes over a hold that a former owner left in the table. */
  restoreHold(held: HeldKey): void {
    if (this.#keys) this.deferred.add(...this.#keys.restoreHold(held, this.#clock.now()));
    else this.#held.push(held);
  }

  /** Rows of former owners whose attempt was started, by `seq`. */
  get orphans(): ReadonlyMap<number, QueueRow> {
    return this.#orphans;
  }

  /** A row that a former owner started is settled or gone. */
  removeOrphan(row: QueueRow, now: number): void {
    this.#orphans.delete(row.seq);
    if (this.#keys) this.#freed.push(...this.#keys.removeOrphan(row, now));
  }

  /** Frees rows of keys whose time has come (`only`: of one key); returns the holds that may be deleted from the table. */
  resumeKeys(now: number, dueReadTo: number, only?: string): EndedHold[] {
    if (!this.#keys) return [];
    const unoffered = unofferedKeys(this.#due, this.deferred, this.#keys, only !== undefined);
    const { rows, ended } = this.#keys.resume(now, { readTo: dueReadTo, unoffered }, only);
    this.#freed.push(...rows);
    return ended;
  }

  endAdvance(advance: Advance): void {
    this.#keys?.endAdvance(advance, this.#clock.now());
  }

  /** Keeps the lane in memory while a read or write of it is under way; `unpin` ends that. */
  pin(): void {
    this.#pins += 1;
  }

  unpin(): void {
    this.#pins -= 1;
  }

  /** True while rows are in flight or their outcomes are being stored, or a read or write of the lane is under way. */
  get busy(): boolean {
    return this.inFlight.unsettled + this.#pins > 0;
  }

  /** Rows that were not offered to their key yet, or let go by it: what may start without waiting for others. */
  get startable(): number {
    return this.#sources.size;
  }

  /** Rows that wait here for their start. */
  get buffered(): number {
    return this.startable + (this.#keys?.waiting ?? 0);
  }

  /** True when the lane holds no row and waits for none here; due rows that lie ahead are not its knowledge. */
  get idle(): boolean {
    const rows = this.buffered + this.#orphans.size + this.deferred.waiting;
    return rows === 0 && !this.busy && this.#fresh.complete && (this.#keys?.size ?? 0) === 0;
  }

  /** Every row that is here. */
  rows(): QueueRow[] {
    const waiting = [...this.#fresh.rows, ...this.#due, ...this.#freed, ...(this.#keys?.rows() ?? [])];
    return [...waiting, ...this.deferred.rows(), ...this.#orphans.values(), ...this.inFlight.rows()];
  }
}
