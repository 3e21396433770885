import { createKeyOrder, type KeyOrder } from "./keys.ts";
import { type LaneSettings, type QueueRow, STARTED } from "./kind.ts";
import { createPace, type Pace } from "./pace.ts";
import { LANE_BUFFER } from "./queue.ts";

/**
 * One lane in its owner's memory: what was read and not yet started, and when the next row may go. It exists only while it
 * has work. Pure bookkeeping: it reads and writes nothing.
 */
export type Lane = {
  readonly lane: number;
  readonly slot: number;
  settings: LaneSettings | null;
  /** Takes a row that was read: `kept` here, `timed` (its `due` lies ahead) or `passed` by because the buffer is full; the last two are read again. */
  add(row: QueueRow, now: number): "kept" | "timed" | "passed";
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
  /** Applies loaded settings; the first time opens the lane. */
  configure(settings: LaneSettings): void;
  hold(key: string, seq: number, until: number): void;
  /** A started row of a former owner is settled or gone. */
  cleared(row: QueueRow, now: number): void;
  /** Wakes keys whose time has come; says which holds may be deleted and when to ask again. */
  ring(now: number): { released: { key: string; until: number }[]; nextMs: number };
  /** Where the next fresh read goes on, when it is worth one. */
  refillFrom(): number | null;
  /** Ends a refill: `complete` when it found the end of the lane. */
  refilled(complete: boolean): void;
  /** Rows of former owners whose attempt was started. */
  readonly started: Map<number, QueueRow>;
  readonly deferred: { row: QueueRow; due: number }[];
  /** The pair after which due rows are still unread, and the time up to which all were read. */
  dueCursor: { due: number; seq: number };
  dueReadTo: number;
  /** The soonest `due` known to lie ahead, and for which time a look at it stands on the runner's heap. */
  nextDue: number;
  watched: number;
  inAir: number;
  readonly pace: Pace | null;
  /** Nothing in memory and nothing known to come: the lane can be forgotten. */
  idle(): boolean;
  readonly buffered: number;
};

export function createLane(lane: number, slot: number, monotonic: number, since: number): Lane {
  const fresh: QueueRow[] = [];
  const dueRows: QueueRow[] = [];
  const released: QueueRow[] = [];
  const started = new Map<number, QueueRow>();
  const deferred: { row: QueueRow; due: number }[] = [];
  let keys: KeyOrder | null = null;
  let pace: Pace | null = null;
  let passedBy = false;
  let passedDuringRefill = false;
  let refilling = false;
  let cursor = -1;
  let turn: "fresh" | "due" = "due";
  let allowed = 1;
  let held: { key: string; seq: number; until: number }[] = [];
  const openedAt = monotonic;

  function configure(settings: LaneSettings): void {
    const first = self.settings === null;
    self.settings = settings;
    if (settings.ratePerSecond === null) pace = null;
    else if (pace) pace.setRate(settings.ratePerSecond);
    else pace = createPace(settings.ratePerSecond, openedAt);
    if (!first) return;
    allowed = settings.concurrency.start;
    if (settings.ordered) {
      keys = createKeyOrder(settings.keyPace, since);
      for (const row of started.values()) keys.block(row);
      for (const { key, seq, until } of held) keys.hold(key, seq, until);
    }
    held = [];
  }

  function add(row: QueueRow, now: number): "kept" | "timed" | "passed" {
    if (row.state === STARTED) {
      started.set(row.seq, row);
      keys?.block(row);
      if (row.due === Number.NEGATIVE_INFINITY) cursor = Math.max(cursor, row.seq);
      return "kept";
    }
    if (row.due > now) {
      self.nextDue = Math.min(self.nextDue, row.due);
      return "timed";
    }
    if (row.due > Number.NEGATIVE_INFINITY) {
      insertBySeq(dueRows, row);
      return "kept";
    }
    // Older than what is buffered: it committed late, and its place is before the others.
    const late = row.seq <= cursor;
    if (!late && (passedBy || fresh.length >= LANE_BUFFER)) return pass();
    insertBySeq(fresh, row);
    cursor = Math.max(cursor, row.seq);
    return "kept";
  }

  function pass(): "passed" {
    if (refilling) passedDuringRefill = true;
    passedBy = true;
    return "passed";
  }

  function take(now: number): { row: QueueRow } | { waitMs: number } | null {
    const settings = self.settings;
    if (!settings || settings.closed || self.inAir >= allowed) return null;
    for (;;) {
      const source = pick();
      const row = source?.[0];
      if (!source || !row) return null;
      const waitMs = pace?.waitMs(nowMonotonic()) ?? 0;
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
      pace?.spend(nowMonotonic());
      self.inAir += 1;
      return { row };
    }
  }

  // What was freed by a finished row first; then due and fresh rows in turn, so that neither starves the other.
  function pick(): QueueRow[] | null {
    if (released.length > 0) return released;
    turn = turn === "fresh" ? "due" : "fresh";
    const [one, other] = turn === "fresh" ? [fresh, dueRows] : [dueRows, fresh];
    return one.length > 0 ? one : other.length > 0 ? other : null;
  }

  const nowMonotonic = (): number => performance.now();

  const self: Lane = {
    lane,
    slot,
    settings: null,
    add,
    pass,
    rows: () => [...fresh, ...dueRows, ...released, ...started.values(), ...(keys?.rows() ?? [])],
    take,
    configure,
    finish(row, now) {
      self.inAir -= 1;
      if (keys) released.push(...keys.finish(row, now));
    },
    backOff(row, due, holdsKey, now) {
      self.inAir -= 1;
      self.nextDue = Math.min(self.nextDue, due);
      if (!keys) return;
      if (holdsKey) keys.backOff(row, due);
      else released.push(...keys.finish(row, now));
    },
    putBack(row) {
      self.inAir -= 1;
      // Its key stays busy: nothing of it may overtake.
      released.unshift(row);
    },
    report(good) {
      const settings = self.settings;
      if (!settings) return;
      if (good) allowed = Math.min(settings.concurrency.most, allowed + 1);
      else allowed = Math.max(1, Math.floor(allowed / 2));
    },
    hold(key, seq, until) {
      self.nextDue = Math.min(self.nextDue, until);
      if (keys) keys.hold(key, seq, until);
      else held.push({ key, seq, until });
    },
    cleared(row, now) {
      started.delete(row.seq);
      if (keys) released.push(...keys.unblock(row, now));
    },
    ring(now) {
      if (!keys) return { released: [], nextMs: Number.POSITIVE_INFINITY };
      const rung = keys.ring(now, self.dueReadTo);
      released.push(...rung.rows);
      return { released: rung.released, nextMs: keys.nextRing(now) };
    },
    refillFrom() {
      if (!passedBy || refilling || fresh.length > LANE_BUFFER / 4) return null;
      refilling = true;
      passedDuringRefill = false;
      passedBy = false;
      return cursor;
    },
    refilled(complete) {
      refilling = false;
      // Rows that came by meanwhile were dropped: the end is not reached yet.
      passedBy = passedBy || !complete || passedDuringRefill;
    },
    started,
    deferred,
    dueCursor: { due: Number.NEGATIVE_INFINITY, seq: -1 },
    dueReadTo: Number.NEGATIVE_INFINITY,
    nextDue: Number.POSITIVE_INFINITY,
    watched: Number.POSITIVE_INFINITY,
    inAir: 0,
    get pace() {
      return pace;
    },
    idle: () =>
      self.inAir === 0 &&
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

function insertBySeq(rows: QueueRow[], row: QueueRow): void {
  let at = rows.length;
  while (at > 0 && (rows[at - 1]?.seq ?? 0) > row.seq) at -= 1;
  rows.splice(at, 0, row);
}
