/** What was measured, by its name. Of names that end in `/s` higher is better, of all others lower. */
export type Figures = Record<string, number>;

export const isRate = (name: string): boolean => name.endsWith("/s");

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** Spent so far: processor milliseconds, null where they cannot be read, and bytes. */
export type Spent = { gateway: number; database: number | null; load: number; wal: number };

/**
 * For one of `items`: microseconds, and calibrated: for each microsecond that load generator and stub needed for the same
 * items in the same seconds. That work never changes, so a machine that is slower for a while cancels out.
 */
export function costs(before: Spent, after: Spent, items: number): Figures {
  const gateway = after.gateway - before.gateway;
  const load = after.load - before.load;
  const database = after.database === null || before.database === null ? null : after.database - before.database;
  const micros = (ms: number): number => (ms * 1_000) / items;
  const known = database !== null;
  return {
    "gateway µs": micros(gateway),
    ...(known && { "PostgreSQL µs": micros(database) }),
    "load and stub µs": micros(load),
    "gateway calibrated": gateway / load,
    ...(known && { "PostgreSQL calibrated": database / load, "both calibrated": (gateway + database) / load }),
    "WAL bytes": (after.wal - before.wal) / items,
  };
}

/** One figure of two builds: their medians, and the ratios now ÷ before of the slices that stood beside each other. */
export type Comparison = { before: number; now: number; ratio: number; pairs: number; lowest: number; highest: number };

export function compare(before: readonly number[], now: readonly number[]): Comparison {
  const pairs = before.map((value, index) => (now[index] ?? Number.NaN) / value);
  return {
    before: median(before),
    now: median(now),
    ratio: median(now) / median(before),
    pairs: median(pairs),
    lowest: Math.min(...pairs),
    highest: Math.max(...pairs),
  };
}

export type Bound = { atLeast: number } | { atMost: number };

/** The bound, and whether the value keeps it. */
export function mark(value: number, bound: Bound | undefined): string {
  if (bound === undefined) return "";
  if ("atLeast" in bound) return `≥ ${written(bound.atLeast)} ${value >= bound.atLeast ? "✓" : "✗"}`;
  return `≤ ${written(bound.atMost)} ${value <= bound.atMost ? "✓" : "✗"}`;
}

/** With about four digits. */
export function written(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 3;
  return value.toLocaleString("en-US", {
    minimumFractionDigits: digits === 3 && Number.isInteger(value) ? 0 : digits,
    maximumFractionDigits: digits,
  });
}
