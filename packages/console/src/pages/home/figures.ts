import type { Asked } from "./range.ts";

/** A row of `GET /v1/metrics/messages?group_by=status`. */
export type Counted = { at: string; status?: string; count: number };

export const SHOWN = ["sent", "delivered", "read", "failed", "received"] as const;
export type Shown = (typeof SHOWN)[number];

/**
 * `before`: null where it is no longer kept. `share`: how many it is of others, 0 to 1; null where there are none, and for what is no part
 * of others.
 */
export type Figure = { status: Shown; count: number; before: number | null; bars: number[]; share: number | null };

/** What a figure is a part of. Some failed without having left, so that their whole is both. */
const WHOLES: Readonly<Partial<Record<Shown, readonly Shown[]>>> = {
  delivered: ["sent"],
  read: ["delivered"],
  failed: ["sent", "failed"],
};

/** For each status: how many came to it in the range and in the one before, and how many in each of its steps. */
export function figuresOf(
  rows: readonly Counted[],
  { begin, stepMs, steps, hasBefore }: Pick<Asked, "begin" | "stepMs" | "steps" | "hasBefore">,
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
    const count = bars.reduce((sum, one) => sum + one, 0);
    return { status, count, before: hasBefore ? before : null, bars };
  });
  const countOf = (status: Shown): number => counted.find((one) => one.status === status)?.count ?? 0;
  return counted.map((figure) => {
    const whole = (WHOLES[figure.status] ?? []).reduce((sum, status) => sum + countOf(status), 0);
    // More were delivered than sent where the range begins between the two.
    return { ...figure, share: whole === 0 ? null : Math.min(1, figure.count / whole) };
  });
}
