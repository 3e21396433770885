import type { QueueRow } from "./kind.ts";

/**
 * Order and pace of the recipients of one lane. At most one row of a key is in the air, and rows go in the order of `seq`;
 * what must wait is kept here (few) or in the table (many).
 *
 * - `retry`: a row of the key backs off; nothing of the key goes before it.
 * - `heldUntil`: some rows of the key lie in the table with a `due`; fresh ones wait until those are through.
 */
export type KeyOrder = {
  /** Offers a row: may it go now, does it wait here, or must it go back to the table with a `due`? */
  offer(row: QueueRow, now: number): Offer;
  /** A row of the key has gone for good: what of its key may go next. */
  finish(row: QueueRow, now: number): QueueRow[];
  /** A row of the key was moved to `due`; nothing of the key overtakes it. */
  backOff(row: QueueRow, due: number): void;
  /** Rows of the key were put back into the table until `due`. */
  hold(key: string, seq: number, until: number): void;
  /** A row started by a former owner: its key waits until it is settled or gone. */
  block(row: QueueRow): void;
  unblock(row: QueueRow, now: number): QueueRow[];
  /** Rows whose key's pace or hold has run out; and the next moment worth asking. */
  ring(now: number, dueReadTo: number): { rows: QueueRow[]; released: { key: string; until: number }[] };
  /** Milliseconds until `ring` may have something; Infinity: nothing waits for time. */
  nextRing(now: number): number;
  /** Rows waiting here. */
  rows(): QueueRow[];
  readonly waiting: number;
  readonly size: number;
};

export type Offer = { kind: "go" } | { kind: "wait" } | { kind: "defer"; due: number };

export type KeyPace = { everyMs: number; burst: number };

/** Rows of one key kept in memory; one person's flood must not fill the number's read-ahead. */
export const WAITING_A_KEY = 50;
/**
 * Savings of a key when we become the owner. A former owner may have spent the person's whole burst; a handful more is at
 * worst a few throttled answers, tried again in order, and does not make everybody wait after a restart.
 */
const FIRST_TOKENS = 10;
const PRUNE_EVERY_MS = 5_000;
/** Distance of deferred rows of one key where no pace says otherwise. */
const DEFER_EVERY_MS = 6_000;

type Key = {
  busy: boolean;
  waiting: QueueRow[];
  retry: { seq: number; until: number } | null;
  heldUntil: number;
  /** Started rows of a former owner. */
  blocked: Set<number>;
  tokens: number;
  tokensAt: number;
  spentAt: number;
};

/** `since`: when this process became the owner. */
export function createKeyOrder(pace: KeyPace | null, since: number): KeyOrder {
  const keys = new Map<string, Key>();
  const timed = new Set<string>();
  let waiting = 0;
  let prunedAt = since;

  function keyOf(name: string, now: number): Key {
    let key = keys.get(name);
    if (!key) {
      const tokens = firstTokens(now);
      key = {
        busy: false,
        waiting: [],
        retry: null,
        heldUntil: Number.NEGATIVE_INFINITY,
        blocked: new Set(),
        tokens,
        tokensAt: now,
        spentAt: Number.NEGATIVE_INFINITY,
      };
      keys.set(name, key);
    }
    return key;
  }

  function refill(key: Key, now: number): void {
    if (!pace) return;
    key.tokens = Math.min(pace.burst, key.tokens + (now - key.tokensAt) / pace.everyMs);
    key.tokensAt = now;
  }

  function mayGo(key: Key, row: QueueRow, now: number): boolean {
    if (key.busy || key.blocked.size > 0) return false;
    if (key.retry !== null && row.seq > key.retry.seq) return false;
    // Held: what comes back from the table goes first, in its own order.
    if (key.heldUntil > Number.NEGATIVE_INFINITY && row.due === Number.NEGATIVE_INFINITY) return false;
    refill(key, now);
    return pace === null || key.tokens >= 1;
  }

  function start(key: Key, row: QueueRow, now: number): void {
    key.busy = true;
    if (key.retry?.seq === row.seq) key.retry = null;
    if (pace) key.tokens -= 1;
    key.spentAt = now;
  }

  function insert(key: Key, row: QueueRow): void {
    let at = key.waiting.length;
    while (at > 0 && (key.waiting[at - 1]?.seq ?? 0) > row.seq) at -= 1;
    key.waiting.splice(at, 0, row);
    waiting += 1;
  }

  // The head of the key's queue, when it may go.
  function next(name: string, key: Key, now: number): QueueRow[] {
    const index = key.waiting.findIndex((row) => mayGo(key, row, now));
    // Only the head may go, or a row from the table that the hold lets pass while the fresh ones before it... wait.
    const row = key.waiting[index];
    if (!row || (index > 0 && row.due === Number.NEGATIVE_INFINITY)) {
      if (key.waiting.length > 0) timed.add(name);
      return [];
    }
    key.waiting.splice(index, 1);
    waiting -= 1;
    start(key, row, now);
    if (key.waiting.length === 0 && key.heldUntil === Number.NEGATIVE_INFINITY) timed.delete(name);
    return [row];
  }

  // A key that would start anew with at most one token more than it has may be forgotten after one interval: one each
  // interval is what it may have anyway.
  function prune(now: number): void {
    if (now - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = now;
    for (const [name, key] of keys) {
      refill(key, now);
      const idle =
        !key.busy &&
        key.waiting.length === 0 &&
        key.retry === null &&
        key.blocked.size === 0 &&
        key.heldUntil === Number.NEGATIVE_INFINITY;
      if (idle && (pace === null || (key.tokens >= firstTokens(now) - 1 && now - key.spentAt >= pace.everyMs)))
        keys.delete(name);
    }
  }

  function firstTokens(now: number): number {
    return pace ? Math.min(pace.burst, FIRST_TOKENS + (now - since) / pace.everyMs) : 1;
  }

  return {
    offer(row, now) {
      if (row.key === null) return { kind: "go" };
      prune(now);
      const key = keyOf(row.key, now);
      const first = key.waiting[0];
      if ((first === undefined || first.seq > row.seq) && mayGo(key, row, now)) {
        start(key, row, now);
        return { kind: "go" };
      }
      const fromTable = row.due > Number.NEGATIVE_INFINITY;
      if (key.waiting.length < WAITING_A_KEY || fromTable) {
        insert(key, row);
        timed.add(row.key);
        return { kind: "wait" };
      }
      const every = pace?.everyMs ?? DEFER_EVERY_MS;
      const due = Math.max(key.heldUntil, now + WAITING_A_KEY * every) + every;
      key.heldUntil = due;
      timed.add(row.key);
      return { kind: "defer", due: Math.ceil(due) };
    },
    finish(row, now) {
      if (row.key === null) return [];
      const key = keys.get(row.key);
      if (!key) return [];
      key.busy = false;
      if (key.retry?.seq === row.seq) key.retry = null;
      return next(row.key, key, now);
    },
    backOff(row, due) {
      if (row.key === null) return;
      const key = keyOf(row.key, due);
      key.busy = false;
      key.retry = { seq: row.seq, until: due };
      key.heldUntil = Math.max(key.heldUntil, due);
      timed.add(row.key);
    },
    hold(name, seq, until) {
      const key = keyOf(name, since);
      key.retry = { seq, until };
      key.heldUntil = Math.max(key.heldUntil, until);
      timed.add(name);
    },
    block(row) {
      if (row.key !== null) keyOf(row.key, since).blocked.add(row.seq);
    },
    unblock(row, now) {
      const key = row.key === null ? undefined : keys.get(row.key);
      if (!key || row.key === null || !key.blocked.delete(row.seq)) return [];
      return next(row.key, key, now);
    },
    ring(now, dueReadTo) {
      prune(now);
      const rows: QueueRow[] = [];
      const released: { key: string; until: number }[] = [];
      for (const name of timed) {
        const key = keys.get(name);
        if (!key) {
          timed.delete(name);
          continue;
        }
        // Every row due until then has been read: a head that is not among them is gone.
        if (
          key.retry &&
          key.retry.until <= now &&
          dueReadTo >= key.retry.until &&
          !key.busy &&
          !key.waiting.some((row) => row.seq === key.retry?.seq)
        )
          key.retry = null;
        const deferredHere = key.waiting.some((row) => row.due > Number.NEGATIVE_INFINITY);
        // Everything that was put back has been read again and has gone: the key is free.
        if (
          key.heldUntil > Number.NEGATIVE_INFINITY &&
          key.heldUntil <= now &&
          dueReadTo >= key.heldUntil &&
          !deferredHere &&
          !key.busy
        ) {
          released.push({ key: name, until: key.heldUntil });
          key.heldUntil = Number.NEGATIVE_INFINITY;
        }
        rows.push(...next(name, key, now));
        if (key.waiting.length === 0 && key.heldUntil === Number.NEGATIVE_INFINITY) timed.delete(name);
      }
      return { rows, released };
    },
    nextRing(now) {
      let soonest = Number.POSITIVE_INFINITY;
      for (const name of timed) {
        const key = keys.get(name);
        if (!key || key.busy || key.blocked.size > 0) continue;
        const head = key.waiting[0];
        if (key.heldUntil > now) soonest = Math.min(soonest, key.heldUntil - now);
        if (head && pace && key.tokens < 1)
          soonest = Math.min(soonest, Math.max(1, (1 - key.tokens) * pace.everyMs - (now - key.tokensAt)));
        if (head && key.heldUntil <= now && (!pace || key.tokens >= 1)) soonest = Math.min(soonest, 1);
      }
      return soonest;
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
