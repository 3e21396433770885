import { LRUCache } from "lru-cache";
import { atMost } from "./at-most.ts";

/**
 * Values read from the database, never older than `maxAgeMs`; many callers share one read. `LRUCache.fetch` is no substitute: it
 * reads again only what has expired, joins reads that began before a refresh, and fails the callers of a read that is forgotten.
 */
export class TtlCache<Key extends string, Value> {
  readonly #options: TtlCacheOptions<Key, Value>;
  readonly #entries: LRUCache<Key, Entry<Value>>;
  /** The read in flight whose value will be stored. */
  readonly #loading = new Map<Key, Promise<Value>>();

  constructor(options: TtlCacheOptions<Key, Value>) {
    this.#options = options;
    this.#entries = new LRUCache(atMost(options.most));
  }

  /** The value, at once when it is fresh. Rejects when it is not fresh and cannot be read. */
  get(key: Key): Promise<Value> {
    const entry = this.#entries.get(key);
    if (!entry || this.#ageOf(entry) >= this.#options.maxAgeMs) return this.#loading.get(key) ?? this.refresh(key);
    this.#refreshAgeing(key, entry);
    return Promise.resolve(entry.value);
  }

  /** The value read last, however old, or null when there is none; once it ages it is read again in the background. */
  latest(key: Key): Value | null {
    const entry = this.#entries.get(key);
    this.#refreshAgeing(key, entry);
    return entry?.value ?? null;
  }

  #ageOf(entry: Entry<Value>): number {
    return this.#options.monotonic() - entry.at;
  }

  // A failure of this read is ignored: the next caller that needs a fresh value reads again and gets the error.
  #refreshAgeing(key: Key, entry: Entry<Value> | undefined): void {
    if (entry && this.#ageOf(entry) < this.#options.maxAgeMs * REFRESH_FROM) return;
    if (!this.#loading.has(key)) this.refresh(key).catch(() => undefined);
  }

  /** Reads again, whatever is stored; joins no read that began before the call. */
  refresh(key: Key): Promise<Value> {
    const at = this.#options.monotonic(); // the age counts from before the read: the value may change during it
    const read = this.#options.load(key).then(
      (value) => {
        if (this.#loading.get(key) === read) {
          this.#loading.delete(key);
          this.#store(key, { value, at });
        }
        return value;
      },
      (error: unknown) => {
        if (this.#loading.get(key) === read) this.#loading.delete(key);
        throw error;
      },
    );
    this.#loading.set(key, read);
    return read;
  }

  #store(key: Key, entry: Entry<Value>): void {
    const { keep } = this.#options;
    if (keep && !keep(entry.value)) this.#entries.delete(key);
    else this.#entries.set(key, entry);
  }

  /** Drops the value, and the result of a read that is in flight. */
  forget(key: Key): void {
    this.#entries.delete(key);
    this.#loading.delete(key);
  }
}

export type TtlCacheOptions<Key extends string, Value> = {
  load(key: Key): Promise<Value>;
  /** False for values that are not stored, so that each call reads again. */
  keep?(value: Value): boolean;
  /** Most entries; beyond it the least recently used one is dropped. */
  most: number;
  maxAgeMs: number;
  /** Milliseconds that never step. */
  monotonic(): number;
};

/** From this part of their age on, values are read again in the background, so that callers of a busy key never wait. */
const REFRESH_FROM = 0.5;

type Entry<Value> = { value: Value; at: number };
