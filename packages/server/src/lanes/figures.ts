import { timeOfUuid } from "../lib/ids.ts";
import type { QueueRow } from "./kind.ts";
import type { Lane } from "./lane/lane.ts";
import type { LaneKindName } from "./lane-kinds.ts";
import type { RunnerState } from "./runner-state.ts";

/** How the work of one kind stands in this process. */
export type LaneFigures = {
  kind: LaneKindName;
  /** Rows in memory that wait for their turn, and rows that are being worked. */
  waiting: number;
  inFlight: number;
  /** Lanes that have work, and those of them of which the table has more rows than fit into memory. */
  lanes: number;
  passedBy: number;
  /** Lanes that leave their receiver alone, or probe whether it has recovered. */
  resting: number;
  slots: number;
  /** Milliseconds since the epoch: since when the row in memory that has waited longest could have started; null without rows. */
  oldest: number | null;
};

/** Walks the rows in memory: some milliseconds for the most there may be, and only when an operator asks. */
export function figuresOf({ kind, lanes, registry, slots }: RunnerState, inFlight: number): LaneFigures {
  const all = [...lanes.values()];
  return {
    kind: kind.name,
    waiting: Math.max(0, registry.size - inFlight),
    inFlight,
    lanes: all.length,
    passedBy: all.filter((lane) => lane.passedBy && !lane.closed).length,
    resting: all.filter((lane) => lane.places.breaker?.isOpen).length,
    slots: slots.size,
    oldest: oldestOf(all),
  };
}

function oldestOf(lanes: readonly Lane[]): number | null {
  let soonest = Number.POSITIVE_INFINITY;
  // Ids sort by their time, so only that of the smallest is read.
  let first: QueueRow | null = null;
  for (const lane of lanes) {
    for (const row of lane.rows()) {
      if (Number.isFinite(row.due)) soonest = Math.min(soonest, row.due);
      else if (first === null || row.itemId < first.itemId) first = row;
    }
  }
  if (first !== null) soonest = Math.min(soonest, timeOfUuid(first.itemId));
  return Number.isFinite(soonest) ? soonest : null;
}
