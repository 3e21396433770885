import type { DeliveryMetric } from "@waypost/sdk";

/** A half hour of an endpoint: how many attempts succeeded and failed. `at`: milliseconds. */
export type Cell = { at: number; succeeded: number; failed: number };

const STEP_MS = 1_800_000;
const CELLS = 48;

/** The 48 half hours from `begin`, oldest first. */
export function cellsOf(rows: readonly DeliveryMetric[], begin: number): Cell[] {
  const cells = Array.from({ length: CELLS }, (_, index) => ({ at: begin + index * STEP_MS, succeeded: 0, failed: 0 }));
  for (const { at, status, count } of rows) {
    const cell = cells[Math.floor((Date.parse(at) - begin) / STEP_MS)];
    if (cell !== undefined && status !== undefined) cell[status] += count;
  }
  return cells;
}

/** How a half hour went, which tells without colour by its height: `some` of what was tried failed, or `all`. */
export const stateOf = ({ succeeded, failed }: Cell): "none" | "good" | "some" | "all" =>
  failed === 0 ? (succeeded === 0 ? "none" : "good") : succeeded === 0 ? "all" : "some";

/** When the first begins; the last is the present one, so that a day is the same for half an hour. */
export const halfHoursBegin = (now: number): number => (Math.floor(now / STEP_MS) - CELLS + 1) * STEP_MS;
