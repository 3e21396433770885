/** Values read from the database, never older than `maxAgeMs`; many callers share one read. */
export type FreshCache<Key, Value> = {
  /** Rejects when the value is not fresh and cannot be read. */
  get(key: Key): Promise<Value>;
  /** Reads again, whatever is kept; joins no read that began before the call. */
  refresh(key: Key): Promise<Value>;
  forget(key: Key): void;
  readonly size: number;
};

export type FreshCacheOptions<Key, Value> = {
  load(key: Key): Promise<Value>;
  /** Values that are worth keeping; others are read each time. */
  keep?(value: Value): boolean;
  /** Entries; the one unread longest goes first. */
  most: number;
  maxAgeMs: number;
  monotonic(): number;
};

/** Kept values are read anew in the background from this part of their age on, so that a busy key never waits. */
const REFRESH_FROM = 0.5;

type Entry<Value> = { value: Value; at: number };

export function createFreshCache<Key, Value>(options: FreshCacheOptions<Key, Value>): FreshCache<Key, Value> {
  const { maxAgeMs, most } = options;
  const entries = new Map<Key, Entry<Value>>();
  const loading = new Map<Key, Promise<Value>>();

  function load(key: Key): Promise<Value> {
    const at = options.monotonic(); // the age counts from before the read: what is read may change during it
    const read = options.load(key).then(
      (value) => {
        if (loading.get(key) === read) {
          loading.delete(key);
          store(key, { value, at });
        }
        return value;
      },
      (error: unknown) => {
        if (loading.get(key) === read) loading.delete(key);
        throw error;
      },
    );
    loading.set(key, read);
    return read;
  }

  function store(key: Key, entry: Entry<Value>): void {
    entries.delete(key);
    if (options.keep && !options.keep(entry.value)) return;
    entries.set(key, entry);
    if (entries.size <= most) return;
    const oldest = entries.keys().next();
    if (!oldest.done) entries.delete(oldest.value);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      const age = entry ? options.monotonic() - entry.at : Number.POSITIVE_INFINITY;
      if (!entry || age >= maxAgeMs) return loading.get(key) ?? load(key);
      if (age >= maxAgeMs * REFRESH_FROM && !loading.has(key)) {
        // To the end of the row as the one read last; a failure shows when the value has become too old.
        load(key).catch(() => undefined);
      }
      return Promise.resolve(entry.value);
    },
    refresh: load,
    forget(key) {
      entries.delete(key);
      loading.delete(key);
    },
    get size() {
      return entries.size;
    },
  };
}
