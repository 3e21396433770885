import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/duration.ts";

/** Milliseconds of each part of the pattern. */
const PARTS_MS = [7 * DAY_MS, DAY_MS, HOUR_MS, MINUTE_MS, 1_000];
/** Years and months have no length of their own. */
const PATTERN = /^P(?=.)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/** Milliseconds of an ISO 8601 duration such as `P7D` or `PT36H`; null: it is none. */
export function durationOf(text: string): number | null {
  const parts = PATTERN.exec(text)?.slice(1);
  return parts ? parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (PARTS_MS[index] ?? 0), 0) : null;
}
