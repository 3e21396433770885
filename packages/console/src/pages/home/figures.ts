/** A row of `GET /v1/metrics/messages?group_by=status`. */
export type Counted = { at: string; status?: string; count: number };

export const SHOWN = ["sent", "delivered", "read", "failed", "received"] as const;
export type Shown = (typeof SHOWN)[number];
export type Range = "24h" | "7d" | "30d";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How a range is divided. */
export const SPANS = {
  "24h": { interval: "1h", stepMs: HOUR_MS, steps: 24 },
  "7d": { interval: "1d", stepMs: DAY_MS, steps: 7 },
  "30d": { interval: "1d", stepMs: DAY_MS, steps: 30 },
} as const;

/** A range of whole intervals that ends with the present one, and the same before it; times are RFC 3339. */
export function rangeOf(range: Range, now: number) {
  const { interval, stepMs, steps } = SPANS[range];
  const end = Math.floor(now / stepMs) * stepMs + stepMs;
  const begin = end - steps * stepMs;
  return { interval, stepMs, steps, begin, asked: new Date(begin - steps * stepMs).toISOString() };
}

/** `share`: how many it is of others, 0 to 1; null where there are none, and for what is no part of others. */
export type Figure = { status: Shown; count: number; before: number; bars: number[]; share: number | null };

/** What a figure is a part of. Some failed without having left, so that their whole is both. */
const WHOLES: Readonly<Partial<Record<Shown, readonly Shown[]>>> = {
  delivered: ["sent"],
  read: ["delivered"],
  failed: ["sent", "failed"],
};

/** For each status: how many came to it in the range and in the one before, and how many in each of its intervals. */
export function figuresOf(
  rows: readonly Counted[],
  { begin, stepMs, steps }: Omit<ReturnType<typeof rangeOf>, "asked" | "interval">,
): Figure[] {
  const counted = SHOWN.map((status) => {
    const bars = Array.from({ length: steps }, () => 0);
    let before = 0;
    for (const row of rows) {
      if (row.status !== status) continue;
      const step = Math.floor((Date.parse(row.at) - begin) / stepMs);
      if (step < 0) before += row.count;
      else if (step < steps) bars[step] = (bars[step] ?? 0) + row.count;
    }
    return { status, count: bars.reduce((sum, one) => sum + one, 0), before, bars };
  });
  const countOf = (status: Shown): number => counted.find((one) => one.status === status)?.count ?? 0;
  return counted.map((figure) => {
    const whole = (WHOLES[figure.status] ?? []).reduce((sum, status) => sum + countOf(status), 0);
    // More were delivered than sent where the range begins between the two.
    return { ...figure, share: whole === 0 ? null : Math.min(1, figure.count / whole) };
  });
}
