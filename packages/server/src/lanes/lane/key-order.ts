import type { QueueRow } from "../kind.ts";

/**
 * Order and pace of the recipients of one lane. At most one row of a key is in the air, and rows go in the order of `seq`;
 * what must wait is kept here (few) or in the table (many).
 *
 * - `retry`: a row of the key backs off; nothing after it goes before it.
 * - `away`: rows of the key were put back into the table with a `due`; fresh ones after them go there too, until all are through.
 */
export type KeyOrder = {
  /** Offers a row: may it go now, does it wait here, or must it go back to the table with a `due`? */
  offer(row: QueueRow, now: number): Offer;
  /** A row of the key has gone for good: what of its key may go next. */
  finish(row: QueueRow, now: number): QueueRow[];
  /** A row of the key was moved to `due`; nothing after it overtakes it. */
  backOff(row: QueueRow, due: number, now: number): void;
  /** What a former owner left in the table: see `HeldKey`. */
  hold(held: HeldKey): void;
  /** A row started by a former owner: its key waits until it is settled or gone. */
  block(row: QueueRow): void;
  unblock(row: QueueRow, now: number): QueueRow[];
  /** Rows whose key's pace or hold has run out, and holds that may be deleted; `only` looks at one key. */
  ring(now: number, reading: Reading, only?: string): { rows: QueueRow[]; released: ReleasedKey[] };
  /** Forgets the rows that wait here: they are read again. Holds stay. `started` are rows that were let go but never left. */
  clear(letGo: readonly QueueRow[]): QueueRow[];
  /** Rows waiting here. */
  rows(): QueueRow[];
  readonly waiting: number;
  readonly size: number;
};

export type Offer = { kind: "go" } | { kind: "wait" } | { kind: "defer"; due: number };

export type KeyPace = { everyMs: number; burst: number };

export type ReleasedKey = { key: string; until: number };

/** A key whose rows wait in the table: one that backs off (`retry`), and the first of those that were put aside (`from`). */
export type HeldKey = { key: string; until: number; retry: number | null; from: number | null };

/** How far the lane's table has been read when keys are rung. */
export type Reading = {
  /** Every row due until then was read; -Infinity: nobody has looked. */
  dueTo: number;
  /** True for a key with due rows that were read and not offered yet. */
  unoffered(key: string): boolean;
};

export type KeyOrderOptions = {
  pace: KeyPace | null;
  /** When this process became the owner. */
  since: number;
  /** False: there is no way back into the table, so everything waits here. */
  defers: boolean;
  /** Every fresh row of the lane up to this `seq` has been read; Infinity: all. */
  freshReadTo(): number;
};

/** Rows of one key kept in memory; one person's flood must not fill the number's read-ahead. */
export const WAITING_A_KEY = 50;
/** Rows of all keys of a lane kept waiting: forty crowded keys. Above it each of them counts as crowded. */
export const WAITING_A_LANE = 2_000;
/**
 * Savings of a key when we become the owner. A former owner may have spent the person's whole burst; a handful more is at
 * worst a few throttled answers, tried again in order, and does not make everybody wait after a restart.
 */
const FIRST_TOKENS = 10;
const PRUNE_EVERY_MS = 5_000;
/** Distance of deferred rows of one key without a pace: about what one answer takes, so that they come as they are wanted. */
const DEFER_EVERY_MS = 100;

const FRESH = Number.NEGATIVE_INFINITY;
const GO: Offer = { kind: "go" };
const WAIT: Offer = { kind: "wait" };

type Key = {
  busy: boolean;
  /** In order of `seq`. */
  waiting: QueueRow[];
  retry: { seq: number; until: number } | null;
  away: { from: number; until: number } | null;
  /** Until when the table holds the key; FRESH: it does not. */
  heldUntil: number;
  /** Started rows of a former owner. */
  blocked: Set<number> | null;
  tokens: number;
  tokensAt: number;
  spentAt: number;
};

export function createKeyOrder(options: KeyOrderOptions): KeyOrder {
  const { pace, since } = options;
  const every = pace?.everyMs ?? DEFER_EVERY_MS;
  const keys = new Map<string, Key>();
  // Keys that something must be rung for.
  const timed = new Set<string>();
  let waiting = 0;
  let prunedAt = since;

  function offer(row: QueueRow, now: number): Offer {
    if (row.key === null) return GO;
    prune(now);
    const key = keyOf(row.key, now);
    const first = key.waiting[0];
    if ((first === undefined || first.seq > row.seq) && mayGo(key, row, now)) {
      start(key, row, now);
      return GO;
    }
    timed.add(row.key);
    if (hasRoom(key, row)) {
      insertBySeq(key.waiting, row);
      waiting += 1;
      return WAIT;
    }
    // Dues grow with `seq`, so the rows come back in their order.
    const due = Math.ceil(Math.max(key.heldUntil, now + WAITING_A_KEY * every) + every);
    key.away = { from: Math.min(key.away?.from ?? row.seq, row.seq), until: due };
    key.heldUntil = due;
    return { kind: "defer", due };
  }

  // What came back from the table stays: put aside again it would fall behind its successors. What comes after those in the
  // table goes there too, behind them. A late one stays, its place is before the others.
  function hasRoom(key: Key, row: QueueRow): boolean {
    if (!options.defers || row.due > FRESH) return true;
    if (key.away !== null && row.seq > key.away.from) return false;
    if (key.waiting.length < WAITING_A_KEY && waiting < WAITING_A_LANE) return true;
    return row.seq < (key.waiting.at(-1)?.seq ?? 0);
  }

  function mayGo(key: Key, row: QueueRow, now: number): boolean {
    if (key.busy || key.blocked !== null) return false;
    if (key.retry !== null && row.seq > key.retry.seq) return false;
    if (row.due === FRESH) {
      if (key.away !== null && row.seq > key.away.from) return false;
    } else if (key.heldUntil > FRESH && row.seq > options.freshReadTo()) return false; // fresh ones before it are still unread
    refill(key, now);
    return pace === null || key.tokens >= 1;
  }

  function start(key: Key, row: QueueRow, now: number): void {
    key.busy = true;
    if (key.retry?.seq === row.seq) key.retry = null;
    if (pace) key.tokens -= 1;
    key.spentAt = now;
  }

  // The first that may go: the head, or a row from the table while the fresh ones before it are held back for its sake.
  function next(name: string, key: Key, now: number): QueueRow[] {
    const index = key.waiting.findIndex((row) => mayGo(key, row, now));
    const row = key.waiting[index];
    if (!row) return [];
    key.waiting.splice(index, 1);
    waiting -= 1;
    start(key, row, now);
    if (isQuiet(key)) timed.delete(name);
    return [row];
  }

  // Everything due until then was read, so what is not among the rows here is gone.
  function ringKey(name: string, key: Key, now: number, reading: Reading, released: ReleasedKey[]): QueueRow[] {
    const settled = !key.busy && !reading.unoffered(name);
    const read = (until: number): boolean => settled && until <= now && reading.dueTo >= until;
    const { retry } = key;
    if (retry && read(retry.until) && !key.waiting.some((row) => row.seq === retry.seq)) key.retry = null;
    const returned = key.waiting.some((row) => row.due > FRESH);
    if (key.away && key.retry === null && !returned && read(key.away.until)) key.away = null;
    if (key.heldUntil > FRESH && settled && key.retry === null && key.away === null && !returned) {
      released.push({ key: name, until: key.heldUntil });
      key.heldUntil = FRESH;
    }
    const rows = next(name, key, now);
    if (isQuiet(key)) timed.delete(name);
    return rows;
  }

  // A key that would start anew with at most one token more than it has may be forgotten after one interval: one each
  // interval is what it may have anyway.
  function prune(now: number): void {
    if (now - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = now;
    for (const [name, key] of keys) {
      if (key.busy || key.blocked !== null || !isQuiet(key)) continue;
      refill(key, now);
      if (pace === null || (key.tokens >= firstTokens(now) - 1 && now - key.spentAt >= pace.everyMs)) keys.delete(name);
    }
  }

  function refill(key: Key, now: number): void {
    if (!pace) return;
    key.tokens = Math.min(pace.burst, key.tokens + (now - key.tokensAt) / pace.everyMs);
    key.tokensAt = now;
  }

  function keyOf(name: string, now: number): Key {
    let key = keys.get(name);
    if (!key) {
      const tokens = firstTokens(now);
      key = {
        busy: false,
        waiting: [],
        retry: null,
        away: null,
        heldUntil: FRESH,
        blocked: null,
        tokens,
        tokensAt: now,
        spentAt: FRESH,
      };
      keys.set(name, key);
    }
    return key;
  }

  const firstTokens = (now: number): number =>
    pace ? Math.min(pace.burst, FIRST_TOKENS + (now - since) / pace.everyMs) : 1;

  return {
    offer,
    finish(row, now) {
      const key = row.key === null ? undefined : keys.get(row.key);
      if (!key || row.key === null) return [];
      key.busy = false;
      return next(row.key, key, now);
    },
    backOff(row, due, now) {
      if (row.key === null) return;
      const key = keyOf(row.key, now);
      key.busy = false;
      key.retry = { seq: row.seq, until: due };
      key.heldUntil = Math.max(key.heldUntil, due);
      timed.add(row.key);
    },
    hold(held) {
      const key = keyOf(held.key, since);
      if (held.retry !== null) key.retry = { seq: held.retry, until: held.until };
      if (held.from !== null) key.away = { from: held.from, until: held.until };
      key.heldUntil = Math.max(key.heldUntil, held.until);
      timed.add(held.key);
    },
    block(row) {
      if (row.key === null) return;
      const key = keyOf(row.key, since);
      key.blocked ??= new Set();
      key.blocked.add(row.seq);
    },
    unblock(row, now) {
      const key = row.key === null ? undefined : keys.get(row.key);
      if (!key?.blocked?.delete(row.seq) || row.key === null) return [];
      if (key.blocked.size > 0) return [];
      key.blocked = null;
      return next(row.key, key, now);
    },
    ring(now, reading, only) {
      prune(now);
      const rows: QueueRow[] = [];
      const released: ReleasedKey[] = [];
      for (const name of only === undefined ? timed : timed.has(only) ? [only] : []) {
        const key = keys.get(name);
        if (key) rows.push(...ringKey(name, key, now, reading, released));
        else timed.delete(name);
      }
      return { rows, released };
    },
    clear(letGo) {
      for (const row of letGo) {
        const key = row.key === null ? undefined : keys.get(row.key);
        if (key) key.busy = false;
      }
      waiting = 0;
      return [...keys.values()].flatMap((key) => key.waiting.splice(0));
    },
    rows: () => [...keys.values()].flatMap((key) => key.waiting),
    get waiting() {
      return waiting;
    },
    get size() {
      return keys.size;
    },
  };
}

// Nothing waits for time: pace and holds have nothing to ring for.
const isQuiet = (key: Key): boolean =>
  key.waiting.length === 0 && key.retry === null && key.away === null && key.heldUntil === FRESH;

/** Puts a row at its place; new ones belong at the end, so it is looked for from there. */
export function insertBySeq(rows: QueueRow[], row: QueueRow): void {
  let at = rows.length;
  while (at > 0 && (rows[at - 1]?.seq ?? 0) > row.seq) at -= 1;
  if (at === rows.length) rows.push(row);
  else rows.splice(at, 0, row);
}
