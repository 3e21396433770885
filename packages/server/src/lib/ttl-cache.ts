/** Values read from the database, never older than `maxAgeMs`; many callers share one read. */
export type FreshCache<Key, Value> = {
  /** Rejects when the value is not fresh and cannot be read. */
  get(key: Key): Promise<Value>;
  /** The value read last, however old it is, and null where there is none; it is read anew in the background once it ages. */
  latest(key: Key): Value | null;
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

  const ageOf = (entry: Entry<Value>): number => options.monotonic() - entry.at;

  // To the end of the row as the one read last; a failure shows to whom asks for a fresh value when this one is too old.
  function loadBehind(key: Key): void {
    if (!loading.has(key)) load(key).catch(() => undefined);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry || ageOf(entry) >= maxAgeMs) return loading.get(key) ?? load(key);
      if (ageOf(entry) >= maxAgeMs * REFRESH_FROM) loadBehind(key);
      return Promise.resolve(entry.value);
    },
    latest(key) {
      const entry = entries.get(key);
      if (!entry || ageOf(entry) >= maxAgeMs * REFRESH_FROM) loadBehind(key);
      return entry?.value ?? null;
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
