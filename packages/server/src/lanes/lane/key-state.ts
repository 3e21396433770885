import type { QueueRow } from "../kind.ts";

/** One start each `everyMs`, at most `burst` saved up. */
export type KeyPace = { everyMs: number; burst: number };

/** `due` of a fresh row. */
export const FRESH = Number.NEGATIVE_INFINITY;

/** What is known of one key; only KeyOrder changes it, and its states are described there. */
export type Key = {
  inFlight: boolean;
  /** In order of `seq`. */
  waiting: QueueRow[];
  backingOff: { seq: number; until: number } | null;
  deferred: { from: number; until: number } | null;
  /** FRESH: the table holds nothing. */
  heldUntil: number;
  /** `seq` of rows that a former owner started. */
  orphans: Set<number> | null;
  tokens: number;
  tokensAt: number;
  spentAt: number;
};

export const newKey = (tokens: number, now: number): Key => ({
  inFlight: false,
  waiting: [],
  backingOff: null,
  deferred: null,
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

/** True when nothing of the key depends on time, so that `resume` need not look at it. */
export const isQuiet = (key: Key): boolean =>
  key.waiting.length === 0 && key.backingOff === null && key.deferred === null && key.heldUntil === FRESH;
