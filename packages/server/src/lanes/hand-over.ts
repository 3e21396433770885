import type { LaneKindName } from "./lane-kinds.ts";
import type { HandedRow } from "./queue.ts";

/** When a call began whose rows may be handed over, and the read that it counts as. */
export type HandOverMark = { begunAt: number; read: number };

/** The lanes of a kind in this process, which take rows from the calls that commit them. */
export type RowTaker = {
  begin(): HandOverMark;
  /** Returns the slots of the rows that are not of this process. */
  take(rows: readonly HandedRow[], mark: HandOverMark): number[];
  end(mark: HandOverMark): void;
  /** True while it has slots. */
  readonly takes: boolean;
  /** True while it reads this slot: no other process needs a hint. */
  reads(slot: number): boolean;
};

/** Rows of one call, for the lanes that work them. */
export type HandOver = {
  /** Rows that the call has committed, in the order of `seq`: the lanes of this process take theirs, the owners of the others are hinted. */
  give(kind: LaneKindName, rows: readonly HandedRow[]): void;
  /** The call has ended, whether it committed or not. */
  end(): void;
};
