export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const per = (rate: number): string => `${Math.round(rate).toLocaleString("en-US")}/s`;
export const ms = (values: readonly number[], part: number): string => `${quantile(values, part).toFixed(1)} ms`;
export const ratio = (value: number, bound: number): string => `→ ${value.toFixed(2)} ${atLeast(value, bound)}`;
export const atLeast = (value: number, bound: number): string =>
  `(≥ ${bound.toLocaleString("en-US")} ${value >= bound ? "✓" : "✗"})`;
export const atMost = (value: number, bound: number, unit: string): string =>
  `(≤ ${bound} ${unit} ${value <= bound ? "✓" : "✗"})`;
/** Processor microseconds of the gateway's process and of the database's. */
export const micros = (rounds: readonly { server: number; database: number }[]): string =>
  `gateway ${Math.round(median(rounds.map((round) => round.server)))} µs, PostgreSQL ${Math.round(median(rounds.map((round) => round.database)))} µs`;
