import type { HotFunction } from "../../db/hot-function.ts";
import type { ReadRow } from "../queue.ts";
import type { RunnerState } from "../runner-state.ts";
import type { DueSchedule } from "./due-schedule.ts";

export type ReadOptions = {
  /** The rows of each lane were asked for because it was passed by, and are its next ones. */
  ofRefill?: boolean;
  /** Asked for each row before it is taken; a row that it refuses stays in the table. */
  filter?: { takes(row: ReadRow): boolean };
  /** Called between the read and the taking of its rows. */
  beforeTaking?: () => Promise<void>;
};

/** Reads the queue and takes what it returns into memory: each row once, into its lane or past it. */
export class RowReader {
  readonly #state: RunnerState;
  readonly #dues: DueSchedule;

  constructor(state: RunnerState, dues: DueSchedule) {
    this.#state = state;
    this.#dues = dues;
  }

  /** Calls `fn` with `asks`, takes the rows that are new here, and returns all that were read. */
  async read<Ask extends object>(
    fn: HotFunction<Ask, ReadRow>,
    asks: readonly NoInfer<Ask>[],
    options: ReadOptions = {},
  ): Promise<ReadRow[]> {
    const { filter, ofRefill = false, beforeTaking } = options;
    const state = this.#state;
    const { db, clock, registry } = state;
    const begunAt = clock.monotonic();
    const read = registry.beginRead();
    try {
      const rows = await db.call(fn, asks, clock.now());
      if (beforeTaking) await beforeTaking();
      // Before the read ends, so that no row is taken that was finished meanwhile.
      for (const row of rows) {
        // Lost and gained again since: another owner may have finished the row, or moved it to a later time.
        if (!state.heldSince(row.slot, begunAt)) continue;
        if (filter && !filter.takes(row)) continue;
        const timed = state.take(row, read, ofRefill);
        if (timed) this.#dues.expect(timed, row.due);
      }
      return rows;
    } finally {
      registry.endRead(read);
    }
  }
}
