import type { Slot } from "../ownership/slot.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Drawn, Mark } from "./drawn.ts";

/**
 * Numbers are drawn before the commit, so a row may become visible below others that were read already. Each read goes back
 * to what was drawn this long before the read before it. A transaction that commits sooner after its number is read before
 * everything that was written after its commit, such as the next message that a client sends after the 202.
 */
const OVERLAP_MS = 100;
/**
 * Numbers that were drawn and that no row has shown: of other slots, or of rows that were never committed. The watermark
 * passes so many of them, because their dead rows are walked by each read until they are vacuumed.
 */
const MANY_UNSEEN = 1_000;
/** Rows that committed later than that (bounded by `statement_timeout` 8 s) are found by reading again from this far back. */
export const NEAR_SWEEP_BACK_MS = 15_000;

/** How far a slot was read. Only the tail changes it. */
export type Position = {
  /** New rows are above it. */
  watermark: number;
  /** Where it stood at the take-over: everything up to there was read then. */
  readonly opened: Mark;
  /** When the last read began that found the end of the new rows. */
  readAt: number;
  /** Where the watermark stood lately, the oldest first: seconds back for the near sweep. */
  readonly marks: Mark[];
  /** How far the near sweep has come; null: it starts again. */
  sweptTo: number | null;
};

/** How far each slot was read, and from where on the next read is to go back. */
export class Positions {
  readonly #state: RunnerState;
  readonly #drawn: Drawn;
  readonly #positions = new WeakMap<Slot, Position>();

  constructor(state: RunnerState, drawn: Drawn) {
    this.#state = state;
    this.#drawn = drawn;
  }

  /** Slots that are being taken over, at the last number drawn; their rows below it are for a sweep. */
  open(slots: readonly Slot[], opened: Mark): void {
    for (const slot of slots) {
      slot.drawnBefore = opened.watermark;
      this.#positions.set(slot, { ...opened, opened, readAt: opened.at, marks: [opened], sweptTo: null });
    }
  }

  /** Only slots that are ready are read. */
  of(number: number): Position | undefined {
    const slot = this.#state.slots.get(number);
    return slot?.ready ? this.#positions.get(slot) : undefined;
  }

  /** The highest watermark of all slots. */
  get highest(): number {
    let highest = 0;
    for (const slot of this.#state.slots.values())
      highest = Math.max(highest, this.#positions.get(slot)?.watermark ?? 0);
    return highest;
  }

  /** The last number that the last read of the slot was sure to see, if there was a row of it in the slot. */
  sureTo({ watermark, opened, readAt }: Position): number {
    const sure = readAt - OVERLAP_MS;
    if (sure <= opened.at) return opened.watermark;
    // Without a number from then (the database was away for long) the oldest that is known.
    return Math.max(opened.watermark, this.#drawn.by(sure) ?? this.#drawn.oldest ?? watermark);
  }

  /** Above which number the next read begins. */
  overlap(position: Position): number {
    return Math.max(position.opened.watermark, Math.min(position.watermark, this.sureTo(position)));
  }

  /** A read that began at `since` found the end of the new rows. */
  endReached(position: Position, since: number): void {
    position.readAt = since;
    const drawn = this.#drawn.by(since - OVERLAP_MS);
    if (drawn !== null && drawn - position.watermark > MANY_UNSEEN) position.watermark = drawn;
  }

  /** Where the watermark stood 15 s ago; null when it has not moved since, so that nothing can have committed below it late. */
  moveMarks(position: Position): number | null {
    const now = this.#state.clock.monotonic();
    position.marks.push({ at: now, watermark: position.watermark });
    while ((position.marks[1]?.at ?? now) < now - NEAR_SWEEP_BACK_MS) position.marks.shift();
    const lo = position.marks[0]?.watermark ?? position.watermark;
    return lo < position.watermark ? lo : null;
  }
}
