import type { HotFunction } from "../../db/hot-function.ts";
import type { QueueRow } from "../kind.ts";
import type { ReadRow } from "../queue.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Scheduler } from "../working/scheduler.ts";
import type { DueSchedule } from "./due-schedule.ts";

export type ReadOptions = {
  /** The rows of each lane were asked for because it was passed by, and are its next ones. */
  ofRefill?: boolean;
  /** Asked for each row before it is taken; a row that it refuses stays in the table. */
  filter?: { takes(row: ReadRow): boolean };
};

/** Reads the queue and takes what it returns into memory: each row once, into its lane or past it. */
export class RowReader {
  readonly #state: RunnerState;
  readonly #scheduler: Scheduler;
  readonly #dues: DueSchedule;

  constructor(state: RunnerState, scheduler: Scheduler, dues: DueSchedule) {
    this.#state = state;
    this.#scheduler = scheduler;
    this.#dues = dues;
  }

  /** Calls `fn` with `asks`, takes the rows that are new here, and returns all that were read. */
  async read<Ask extends object>(
    fn: HotFunction<Ask, ReadRow>,
    asks: readonly NoInfer<Ask>[],
    options: ReadOptions = {},
  ): Promise<ReadRow[]> {
    const { filter, ofRefill = false } = options;
    const state = this.#state;
    const { db, clock, registry } = state;
    const read = registry.beginRead();
    try {
      const rows = await db.call(fn, asks, clock.now());
      // Before the read ends, so that no row is taken that was finished meanwhile.
      for (const row of rows) {
        if ((filter && !filter.takes(row)) || !registry.isNew(row.seq, read)) continue;
        const room = state.room();
        const lane = state.laneOf(row.slot, row.lane);
        const taken = lane?.add(rowOf(row), clock.now(), room, ofRefill);
        if (!lane || taken === "passed") continue;
        if (taken === "timed") this.#dues.expect(lane, row.due);
        else {
          registry.keep(row.seq);
          this.#scheduler.schedule(lane);
        }
      }
      return rows;
    } finally {
      registry.endRead(read);
    }
  }
}

const rowOf = (raw: ReadRow): QueueRow => ({
  slot: raw.slot,
  lane: raw.lane,
  due: raw.due,
  seq: raw.seq,
  workspaceId: raw.workspace_id ?? "",
  itemId: raw.item_id,
  eventId: raw.event_id ?? "",
  key: raw.key,
  attempt: raw.attempt,
  state: raw.state,
  startedAt: raw.started_at,
  expiresAt: raw.expires_at,
});
