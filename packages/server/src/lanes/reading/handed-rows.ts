import type { HandOverMark, RowTaker } from "../hand-over.ts";
import type { HandedRow } from "../queue.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Tail } from "./tail.ts";

/**
 * Takes rows without a read, from the call that committed them. The same rules hold as for rows that were read: each is taken once, into a
 * slot that was held all the time, and a row with an order not before an earlier one that may be unread. What cannot be taken is
 * left to the tail.
 */
export class HandedRows implements RowTaker {
  readonly #state: RunnerState;
  readonly #tail: Tail;

  constructor(state: RunnerState, tail: Tail) {
    this.#state = state;
    this.#tail = tail;
  }

  /** Before the call: rows that are read and finished before its answer is here are not taken again. */
  begin(): HandOverMark {
    return { begunAt: this.#state.clock.monotonic(), read: this.#state.registry.beginRead() };
  }

  get takes(): boolean {
    return !this.#state.stopped && this.#state.slots.size > 0;
  }

  reads(slot: number): boolean {
    return !this.#state.stopped && this.#state.slots.get(slot)?.ready === true;
  }

  end({ read }: HandOverMark): void {
    this.#state.registry.endRead(read);
  }

  /** Takes rows in the order of `seq`. Returns the slots of those that other processes may have to read; its own are read soon. */
  take(rows: readonly HandedRow[], { begunAt, read }: HandOverMark): number[] {
    const state = this.#state;
    const others: number[] = [];
    const own: number[] = [];
    for (const row of rows) {
      if (state.stopped || !state.slots.get(row.slot)?.ready || !state.heldSince(row.slot, begunAt))
        others.push(row.slot);
      else if (row.key !== null && !this.#tail.isNext(row.slot, row.seq)) own.push(row.slot);
      else {
        this.#tail.markSeen(row.seq);
        state.kind.handed?.(row, begunAt);
        state.takeHanded(row, read);
      }
    }
    this.#tail.hint(own);
    return others;
  }
}
