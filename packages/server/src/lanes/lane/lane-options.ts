import type { Clock } from "../../lib/clock.ts";

export type LaneOptions = {
  number: number;
  slot: number;
  clock: Clock;
  /** Rows of a crowded key can be written back to the table. */
  defers: boolean;
  /** Rows of the table may get an earlier `due` by others (`Queue.advance`). */
  advances?: boolean;
  /** Rows of the table can be read by their numbers (`Queue.numbered`): so due rows need not wait here. */
  passes?: boolean;
  /** See `LaneKind`. */
  hasBreaker?: boolean;
};
