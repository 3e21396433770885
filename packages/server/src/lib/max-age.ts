/** Options of an `LRUCache` whose entries expire `ms` after they were set, or after the `start` given to `set`. */
export const maxAge = (ms: number, monotonic: () => number) => ({
  ttl: ms - 1, // entries expire when older than this, ours at `ms`: whole milliseconds stay exact, and fractions end early
  perf: { now: monotonic },
  // By default the cache reads its clock at most once a millisecond, with a timer for it; ours may jump in a test, and is cheap.
  ttlResolution: 0,
});
