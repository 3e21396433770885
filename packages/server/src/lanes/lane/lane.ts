import type { Clock } from "../../lib/clock.ts";
import { type LaneSettings, type QueueRow, STARTED } from "../kind.ts";
import { LANE_BUFFER } from "../queue.ts";
import {
  createKeyOrder,
  type HeldKey,
  insertBySeq,
  type KeyOrder,
  type ReleasedKey,
  WAITING_A_LANE,
} from "./key-order.ts";
import { Pace } from "./pace.ts";

/**
 * One lane in its owner's memory: what was read and not yet started, and when the next row may go. It exists only while it
 * has work. Pure bookkeeping: it reads and writes nothing.
 */
export type Lane = {
  readonly lane: number;
  readonly slot: number;
  /** Null until they are known, and for a lane whose number or endpoint is gone. */
  settings: LaneSettings | null;
  /** Takes a row that was read: `kept` here, `timed` (to be looked for at its `due`) or `passed` by, with `room` rows held; the last two are read again. */
  add(row: QueueRow, now: number, room: number, ofRefill?: boolean): "kept" | "timed" | "passed";
  /** Counts a row that was read but not taken: the lane must be read again. */
  pass(): "passed";
  /** Every row held here, for whoever drops the lane. */
  rows(): QueueRow[];
  /** The next row that may start, or how long to wait, or nothing. Rows that must go back to the table land in `deferred`. */
  take(now: number): { row: QueueRow } | { waitMs: number } | null;
  /** The row has left the air for good. */
  finish(row: QueueRow, now: number): void;
  /** The row's `due` was moved. */
  backOff(row: QueueRow, due: number, holdsKey: boolean, now: number): void;
  /** The same row again. */
  putBack(row: QueueRow): void;
  report(good: boolean): void;
  /**
   * Applies settings; the first time opens the lane. Answers with the rows that a lane just closed lets go of: they stay in
   * the table, and all of it is read again when the lane opens.
   */
  configure(settings: LaneSettings | null, now: number): QueueRow[];
  /** True when its settings say that nothing of it is worked; false while they are not known. */
  readonly closed: boolean;
  hold(held: HeldKey): void;
  /** A started row of a former owner is settled or gone. */
  cleared(row: QueueRow, now: number): void;
  /** Wakes keys whose time has come (`only` one of them); says which holds may be deleted. */
  ring(now: number, only?: string): ReleasedKey[];
  /** Something of the lane is due then: it is looked for, also when the reading of due rows has got further already. */
  expect(due: number): void;
  /** With room for this many rows, more due ones may be read. */
  takesDue(room: number): boolean;
  /** Begins a refill where one is worth it: where to go on, and how many rows to take. */
  refill(room: number): { lo: number; most: number } | null;
  /** Ends a refill: `complete` when it found the end of the lane. */
  refilled(complete: boolean): void;
  /** Rows of former owners whose attempt was started. */
  readonly started: Map<number, QueueRow>;
  readonly deferred: { row: QueueRow; due: number }[];
  /** The pair after which due rows are still unread, and the time up to which all were read. */
  dueCursor: DueCursor;
  dueReadTo: number;
  /** The soonest `due` known to lie ahead, and for which time a look at it stands on the heap. */
  nextDue: number;
  watched: number;
  /** Reads and writes of the lane that are under way; it is not forgotten before they end. */
  pending: number;
  readonly inFlight: number;
  /**
   * Rows that are begun and wait for their departure. Nothing starts behind them: begun and never written they would end as
   * `unknown`, should the process be killed, and a backlog here would last as long as the lane is busy.
   */
  leaving: number;
  readonly pace: Pace | null;
  /** Nothing in memory and nothing known to come: the lane can be forgotten. */
  idle(): boolean;
  readonly buffered: number;
};

/** Due rows and what waits for them in one lane; more stay in the table until some have gone. */
const DUE_BUFFER = 1_000;

export type DueCursor = { due: number; seq: number };

/** A cursor before every due row and behind every fresh one: a read from it must not walk the fresh ones, dead ones above all. */
export const NOTHING_READ: DueCursor = { due: Number.NEGATIVE_INFINITY, seq: Number.MAX_SAFE_INTEGER };

export type LaneOptions = {
  lane: number;
  slot: number;
  clock: Clock;
  /** Rows of a crowded key can be put back into the table. */
  defers: boolean;
};

export function createLane({ lane, slot, clock, defers }: LaneOptions): Lane {
  const fresh: QueueRow[] = [];
  const dueRows: QueueRow[] = [];
  const released: QueueRow[] = [];
  const started = new Map<number, QueueRow>();
  const deferred: { row: QueueRow; due: number }[] = [];
  const air = new Map<number, QueueRow>();
  const since = clock.now();
  const openedAt = clock.monotonic();
  let keys: KeyOrder | null = null;
  let pace: Pace | null = null;
  let known = false;
  let passedBy = false;
  let passedDuringRefill = false;
  let refilling = false;
  let cursor = -1;
  let turn: "fresh" | "due" = "due";
  let allowed = 1;
  const held: HeldKey[] = [];

  function configure(settings: LaneSettings | null, now: number): QueueRow[] {
    const wasClosed = self.closed;
    const first = self.settings === null && settings !== null;
    self.settings = settings;
    known = true;
    if (settings) pacing(settings);
    if (settings && first) allowed = settings.concurrency.start;
    if (settings?.ordered && !keys) keys = ordered(settings);
    if (self.closed && !wasClosed) return empty();
    if (wasClosed && !self.closed) self.expect(now);
    return [];
  }

  function pacing({ ratePerSecond }: LaneSettings): void {
    if (ratePerSecond === null) pace = null;
    else if (pace) pace.setRate(ratePerSecond);
    else pace = new Pace(ratePerSecond, openedAt);
  }

  function ordered({ keyPace }: LaneSettings): KeyOrder {
    const freshReadTo = (): number => (passedBy || refilling ? cursor : Number.POSITIVE_INFINITY);
    const order = createKeyOrder({ pace: keyPace, since, defers, freshReadTo });
    for (const row of started.values()) order.block(row);
    for (const key of held.splice(0)) order.hold(key);
    return order;
  }

  // What is in the air and what was started stays; the rest is in the table and in nobody's way.
  function empty(): QueueRow[] {
    const letGo = released.splice(0);
    const rows = [...fresh.splice(0), ...dueRows.splice(0), ...letGo, ...(keys?.clear(letGo) ?? [])];
    passedBy = true;
    cursor = -1;
    self.dueCursor = NOTHING_READ;
    self.dueReadTo = Number.NEGATIVE_INFINITY;
    self.nextDue = Number.POSITIVE_INFINITY;
    return rows;
  }

  function add(row: QueueRow, now: number, room: number, ofRefill = false): "kept" | "timed" | "passed" {
    if (row.state === STARTED) {
      started.set(row.seq, row);
      keys?.block(row);
      if (row.due === Number.NEGATIVE_INFINITY) cursor = Math.max(cursor, row.seq);
      return "kept";
    }
    if (self.closed) return pass();
    if (row.due > now || (row.due > Number.NEGATIVE_INFINITY && !self.takesDue(room))) {
      self.expect(row.due);
      return "timed";
    }
    if (row.due > Number.NEGATIVE_INFINITY) {
      insertBySeq(dueRows, row);
      return "kept";
    }
    // Older than what is buffered: it committed late, and its place is before the others.
    const late = row.seq <= cursor;
    // A refill's rows are older than those that come by meanwhile, which must not go before them.
    const inTurn = ofRefill || (!passedBy && !refilling);
    if (!late && (!inTurn || fresh.length >= Math.min(room, LANE_BUFFER))) return pass();
    insertBySeq(fresh, row);
    cursor = Math.max(cursor, row.seq);
    return "kept";
  }

  function pass(): "passed" {
    if (refilling) passedDuringRefill = true;
    else passedBy = true;
    return "passed";
  }

  function take(now: number): { row: QueueRow } | { waitMs: number } | null {
    const settings = self.settings;
    if (!settings || settings.closed || air.size >= allowed || self.leaving > 0) return null;
    for (;;) {
      const source = pick();
      const row = source?.[0];
      if (!source || !row) return null;
      const waitMs = pace?.waitMs(clock.monotonic()) ?? 0;
      if (waitMs > 0) return { waitMs };
      source.shift();
      if (source !== released && keys) {
        const offer = keys.offer(row, now);
        if (offer.kind === "wait") continue;
        if (offer.kind === "defer") {
          deferred.push({ row, due: offer.due });
          continue;
        }
      }
      pace?.spend(clock.monotonic());
      air.set(row.seq, row);
      return { row };
    }
  }

  // What was freed by a finished row first; then due and fresh rows in turn, so that neither starves the other.
  function pick(): QueueRow[] | null {
    if (released.length > 0) return released;
    // Without a way back into the table the keys' memory is the bound: nothing more is drawn until some of it has gone.
    if (!defers && keys !== null && keys.waiting >= WAITING_A_LANE) return null;
    turn = turn === "fresh" ? "due" : "fresh";
    const [one, other] = turn === "fresh" ? [fresh, dueRows] : [dueRows, fresh];
    return one.length > 0 ? one : other.length > 0 ? other : null;
  }

  const self: Lane = {
    lane,
    slot,
    settings: null,
    add,
    pass,
    rows: () => [
      ...fresh,
      ...dueRows,
      ...released,
      ...started.values(),
      ...deferred.map(({ row }) => row),
      ...(keys?.rows() ?? []),
      ...air.values(),
    ],
    take,
    configure,
    get closed() {
      return known && (self.settings === null || self.settings.closed);
    },
    finish(row, now) {
      air.delete(row.seq);
      if (keys) released.push(...keys.finish(row, now));
    },
    backOff(row, due, holdsKey, now) {
      air.delete(row.seq);
      self.expect(due);
      if (!keys) return;
      if (holdsKey) keys.backOff(row, due, now);
      else released.push(...keys.finish(row, now));
    },
    putBack(row) {
      air.delete(row.seq);
      // Its key stays busy: nothing of it may overtake.
      released.unshift(row);
    },
    report(good) {
      const settings = self.settings;
      if (!settings) return;
      if (good) allowed = Math.min(settings.concurrency.most, allowed + 1);
      else allowed = Math.max(1, Math.floor(allowed / 2));
    },
    hold(key) {
      self.expect(key.until);
      if (keys) keys.hold(key);
      else held.push(key);
    },
    cleared(row, now) {
      started.delete(row.seq);
      if (keys) released.push(...keys.unblock(row, now));
    },
    ring(now, only) {
      if (!keys) return [];
      let unoffered: Set<string | null> | null = null;
      const isUnoffered = (key: string): boolean => {
        if (dueRows.length === 0) return false;
        if (only !== undefined) return dueRows.some((row) => row.key === key);
        unoffered ??= new Set(dueRows.map((row) => row.key));
        return unoffered.has(key);
      };
      const rung = keys.ring(now, { dueTo: self.dueReadTo, unoffered: isUnoffered }, only);
      released.push(...rung.rows);
      return rung.released;
    },
    expect(due) {
      self.nextDue = Math.min(self.nextDue, due);
      if (due <= self.dueCursor.due) self.dueCursor = { due: due - 1, seq: -1 };
    },
    takesDue: (room) => self.buffered < Math.min(room, DUE_BUFFER),
    refill(room) {
      const most = Math.min(room, LANE_BUFFER);
      if (!passedBy || refilling || self.closed || fresh.length > most / 4) return null;
      refilling = true;
      passedDuringRefill = false;
      passedBy = false;
      return { lo: cursor, most: most - fresh.length };
    },
    refilled(complete) {
      refilling = false;
      // Rows that came by meanwhile were dropped: the end is not reached yet.
      passedBy = passedBy || !complete || passedDuringRefill;
    },
    started,
    deferred,
    dueCursor: NOTHING_READ,
    dueReadTo: Number.NEGATIVE_INFINITY,
    nextDue: Number.POSITIVE_INFINITY,
    watched: Number.POSITIVE_INFINITY,
    pending: 0,
    leaving: 0,
    get inFlight() {
      return air.size;
    },
    get pace() {
      return pace;
    },
    idle: () =>
      self.inFlight + self.pending === 0 &&
      fresh.length + dueRows.length + released.length + started.size + deferred.length === 0 &&
      !passedBy &&
      !refilling &&
      self.nextDue === Number.POSITIVE_INFINITY &&
      (keys?.size ?? 0) === 0,
    get buffered() {
      return fresh.length + dueRows.length + released.length + (keys?.waiting ?? 0);
    },
  };
  return self;
}
