import type { QueueRow } from "../kind.ts";

/**
 * Rows of these keys are to be due at `since`, as `first` is, which backed off: those with a `seq` from `from` to `to` that lie ahead and
 * were never attempted.
 */
export type Advance = { keys: readonly string[]; first: number; from: number; to: number; since: number };

/** One start each `everyMs`, at most `burst` saved up. */
export type KeyPace = { everyMs: number; burst: number };

/** `due` of a fresh row. */
export const FRESH = Number.NEGATIVE_INFINITY;

/** What is known of one key, or of keys that were joined; only KeyOrder changes it, and its states are described there. */
export type Key = {
  /** All keys of a group; null for a key that is on its own. */
  readonly joined: readonly string[] | null;
  /** One row at most. At a join each of the keys may have had one. */
  inFlight: number;
  /** In order of `seq`. */
  waiting: QueueRow[];
  /** Rarely more than one: at a join each of the keys may have had one. */
  backingOff: BackingOff[];
  /** Numbers of due rows that were let go, in their order; see passed-rows.ts. */
  passed: number[];
  deferred: Deferred | null;
  gathering: Gathering | null;
  /** Rarely any; see advances.ts. */
  advancing: Advance[];
  /** FRESH: the table holds nothing. */
  heldUntil: number;
  /** `seq` of rows that a former owner started. */
  orphans: Set<number> | null;
  tokens: number;
  tokensAt: number;
  spentAt: number;
};

export type BackingOff = { seq: number; until: number };

/** Rows with a `seq` from `from` to `to` are in the table, all of them due at `until`. */
export type Deferred = { from: number; to: number; until: number };

/** See gathering.ts. */
export type Gathering = {
  /** The common `due`. */
  at: number;
  /** The highest `seq` that has it. */
  to: number;
  /** How far the common `due` is moved where it came too soon. */
  stepMs: number;
  /** Every row that was in the table at the join has come back once. */
  allSeen: boolean;
};

export const newKey = (tokens: number, now: number, joined: readonly string[] | null = null): Key => ({
  joined,
  inFlight: 0,
  waiting: [],
  backingOff: [],
  passed: [],
  deferred: null,
  gathering: null,
  advancing: [],
  heldUntil: FRESH,
  orphans: null,
  tokens,
  tokensAt: now,
  spentAt: FRESH,
});

export function addTokens(key: Key, pace: KeyPace, now: number): void {
  key.tokens = Math.min(pace.burst, key.tokens + (now - key.tokensAt) / pace.everyMs);
  key.tokensAt = now;
}

/** True when the pace of keys lets this one start a row. */
export function hasToken(key: Key, pace: KeyPace | null, now: number): boolean {
  if (!pace) return true;
  addTokens(key, pace, now);
  return key.tokens >= 1;
}

/** True when nothing of the key depends on time, so that `resume` need not look at it. */
export const isQuiet = (key: Key): boolean =>
  key.waiting.length + key.backingOff.length + key.passed.length === 0 &&
  key.deferred === null &&
  key.heldUntil === FRESH;

/** The row is in the table until then, and no later row of the key starts before it. Of the same row the later time counts. */
export function addBackingOff(key: Key, seq: number, until: number): void {
  const known = key.backingOff.find((one) => one.seq === seq);
  if (known) known.until = Math.max(known.until, until);
  else key.backingOff.push({ seq, until });
  key.heldUntil = Math.max(key.heldUntil, until);
}

export function removeBackingOff(key: Key, seq: number): void {
  if (key.backingOff.length > 0) key.backingOff = key.backingOff.filter((one) => one.seq !== seq);
}

/** Rows from `from` to `to` are in the table until then. */
export function addDeferred(key: Key, { from, to, until }: Deferred): void {
  const { deferred } = key;
  key.deferred = {
    from: Math.min(from, deferred?.from ?? from),
    to: Math.max(to, deferred?.to ?? to),
    until: Math.max(until, deferred?.until ?? until),
  };
  key.heldUntil = Math.max(key.heldUntil, until);
}

/** Those that are deferred are in the table until then. */
export function extendDeferred(key: Key, until: number): void {
  if (key.deferred) addDeferred(key, { ...key.deferred, until });
}

/** Until when rows of the key are in the table; FRESH: none is known. A hold may last longer. */
export function tableUntil({ backingOff, deferred }: Key): number {
  let until = deferred?.until ?? FRESH;
  for (const one of backingOff) until = Math.max(until, one.until);
  return until;
}

/**
 * Ends the states that are over once every row that was due until `readTo` was read and offered: a row that should be among
 * the waiting ones and is not has gone. Returns until when the table held the key, where it need not any more; else FRESH.
 *
 * It must not be called while a row is in flight or an orphan: a hold may stand for an orphan whose outcome was stored after
 * it was read as started.
 */
export function endStates(key: Key, readTo: number): number {
  const waits = (seq: number): boolean => key.waiting.some((row) => row.seq === seq);
  if (key.backingOff.length > 0)
    key.backingOff = key.backingOff.filter(({ seq, until }) => until > readTo || waits(seq));
  if (key.backingOff.length + key.passed.length > 0 || key.waiting.some((row) => row.due > FRESH)) return FRESH;
  if (key.deferred !== null && (key.deferred.until > readTo || key.advancing.length > 0)) return FRESH;
  key.deferred = null;
  key.gathering = null;
  const until = key.heldUntil;
  key.heldUntil = FRESH;
  return until;
}

/** Adds all that is known of `from` to `key`, except its tokens. */
export function mergeKey(key: Key, from: Key): void {
  key.inFlight += from.inFlight;
  key.waiting = [...key.waiting, ...from.waiting].toSorted((a, b) => a.seq - b.seq);
  for (const { seq, until } of from.backingOff) addBackingOff(key, seq, until);
  key.passed = [...key.passed, ...from.passed].toSorted((a, b) => a - b);
  if (from.deferred) addDeferred(key, from.deferred);
  key.advancing.push(...from.advancing);
  key.heldUntil = Math.max(key.heldUntil, from.heldUntil);
  if (from.orphans) key.orphans = new Set([...(key.orphans ?? []), ...from.orphans]);
  key.spentAt = Math.max(key.spentAt, from.spentAt);
}
