import type { HotFunction } from "../../db/hot-function.ts";
import type { QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import type { ReadRow } from "../queue.ts";
import type { Owned } from "../runner-state.ts";

/** Takes what was read into memory: each row once, into its lane or past it. */
export type Intake = {
  /**
   * One read of the queue. `use` runs in the same turn as the answer and before the read is closed, so nothing that was
   * finished meanwhile comes back.
   */
  read<Ask extends object>(
    fn: HotFunction<Ask, ReadRow>,
    asks: readonly NoInfer<Ask>[],
    use: (rows: ReadRow[], read: number) => void,
  ): Promise<void>;
  /** `ofRefill`: read for the one lane that was passed by, in its order. */
  accept(row: ReadRow, read: number, ofRefill?: boolean): void;
};

export type IntakeOptions = {
  /** The lane may have something to start. */
  wake(lane: Lane): void;
  /** Something of the lane lies ahead. */
  watch(lane: Lane): void;
};

export function createIntake(owned: Owned, { wake, watch }: IntakeOptions): Intake {
  const { db, clock, memory } = owned;

  function accept(raw: ReadRow, read: number, ofRefill = false): void {
    const lane = owned.laneOf(raw.slot, raw.lane);
    if (!lane || !memory.isNew(raw.seq, read)) return;
    const fate = lane.add(rowOf(raw), clock.now(), owned.room(), ofRefill);
    if (fate === "kept") {
      memory.keep(raw.seq);
      wake(lane);
    } else if (fate === "timed") watch(lane);
  }

  return {
    accept,
    async read(fn, asks, use) {
      const id = memory.beginRead();
      try {
        use(await db.call(fn, asks, clock.now()), id);
      } finally {
        memory.endRead(id);
      }
    },
  };
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
