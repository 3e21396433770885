import { KeyGroups } from "./key-groups.ts";
import { addTokens, isQuiet, type Key, type KeyPace, mergeKey, newKey } from "./key-state.ts";

const PRUNE_EVERY_MS = 5_000;
/**
 * Tokens of a key when this process becomes the owner. A former owner may have spent the recipient's whole burst. With ten
 * tokens the worst case is a few throttled answers, tried again in order; without any, all recipients wait after a restart.
 */
const FIRST_TOKENS = 10;

/** The keys of a lane that something is known of, each under the name of its group, and their tokens. */
export class KnownKeys {
  readonly #pace: KeyPace | null;
  readonly #since: number;
  readonly #keys = new Map<string, Key>();
  readonly #groups = new KeyGroups();
  #prunedAt: number;

  /** `since`: when this process became the owner. */
  constructor(pace: KeyPace | null, since: number) {
    this.#pace = pace;
    this.#since = since;
    this.#prunedAt = since;
  }

  nameOf(key: string): string {
    return this.#groups.nameOf(key);
  }

  /** How many keys are one with this one, itself included. */
  joinedWith(key: string): number {
    return this.#groups.sizeOf(key);
  }

  get(name: string): Key | undefined {
    return this.#keys.get(name);
  }

  /** Created where nothing is known of it. */
  of(name: string, now: number): Key {
    let key = this.#keys.get(name);
    if (!key) {
      key = newKey(this.#firstTokens(now), now);
      this.#keys.set(name, key);
    }
    return key;
  }

  /**
   * Joins keys: what is known of them is known of their group, and what each has spent was spent by all. Their tokens may fall
   * below zero. Returns the group's name; null: they were one already.
   */
  join(keys: readonly string[], now: number): string | null {
    const group = this.#groups.join(keys);
    const name = group?.keys[0];
    if (!group || name === undefined) return null;
    const unspent = this.#firstTokens(now);
    const all = newKey(unspent, now, group.keys);
    for (const before of group.before) {
      const key = this.#keys.get(before);
      if (!key) continue;
      this.#keys.delete(before);
      mergeKey(all, key);
      if (!this.#pace) continue;
      addTokens(key, this.#pace, now);
      all.tokens -= unspent - key.tokens;
    }
    this.#keys.set(name, all);
    return name;
  }

  /**
   * Forgets idle keys from time to time. A key that would start again with at most one token more than it has may be forgotten
   * after one interval: one token each interval is its due anyway.
   */
  prune(now: number): void {
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    const pace = this.#pace;
    for (const [name, key] of this.#keys) {
      if (key.inFlight > 0 || key.orphans !== null || !isQuiet(key)) continue;
      if (pace) {
        addTokens(key, pace, now);
        if (key.tokens < this.#firstTokens(now) - 1 || now - key.spentAt < pace.everyMs) continue;
      }
      this.#keys.delete(name);
      this.#groups.forget(name);
    }
  }

  /** What a key has that has spent nothing here. */
  #firstTokens(now: number): number {
    const pace = this.#pace;
    return pace ? Math.min(pace.burst, FIRST_TOKENS + (now - this.#since) / pace.everyMs) : 1;
  }

  values(): Key[] {
    return [...this.#keys.values()];
  }

  get size(): number {
    return this.#keys.size;
  }
}
