import type { RunnerState } from "../runner-state.ts";

/**
 * A slot that is given back starts nothing new and waits this long for its rows in flight, so that a number that hangs does
 * not stop its neighbours. A row that is in flight longer ends as at the stop of a process: its outcome is accepted all the
 * same, and only its recipient waits for it.
 */
const DRAIN_MS = 1_000;

/** Gives slots back and drops them. How a slot is taken over is in TakeOver, its states are in Slot. */
export class Slots {
  readonly #state: RunnerState;

  constructor(state: RunnerState) {
    this.#state = state;
  }

  /** This process has `count` slots more than its fair share: begins to give so many back. */
  surplus(count: number): void {
    const { slots, lanes, clock, random } = this.#state;
    let more = count - [...slots.values()].filter(({ draining }) => draining).length;
    // Slots without lanes first, then those with nothing in flight: moving them delays nothing. Among equals in random
    // order: lanes are numbered in turn, and the lanes of a small installation would all move together.
    const rank = new Map([...slots.keys()].map((number) => [number, random()]));
    for (const lane of lanes.values()) {
      const busy = lane.busy ? 2 : 1;
      rank.set(lane.slot, Math.max(rank.get(lane.slot) ?? 0, busy + random()));
    }
    for (const [number, slot] of [...slots].sort(([a], [b]) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))) {
      if (more <= 0) break;
      if (slot.draining) continue;
      slot.drain();
      more -= 1;
      this.giveBackWhenEmpty(number);
      clock.after(DRAIN_MS, () => {
        if (slots.get(number) === slot) this.#giveBack(number);
      });
    }
  }

  /** Gives a draining slot back where nothing of it is in flight any more. False: the slot is not draining. */
  giveBackWhenEmpty(number: number): boolean {
    if (!this.#state.slots.get(number)?.draining) return false;
    if (!this.#state.lanesOf(number).some((lane) => lane.busy)) this.#giveBack(number);
    return true;
  }

  #giveBack(number: number): void {
    this.gone([number]);
    this.#state.membership.release(this.#state.kind.name, number);
  }

  /** The slots belong to another process: they are dropped at once. */
  gone(numbers: readonly number[]): void {
    for (const number of numbers) {
      for (const lane of this.#state.lanesOf(number)) this.#state.forget(lane);
      this.#state.slots.delete(number);
    }
  }

  /** The lease has lapsed: everything is dropped at once. */
  lost(): void {
    this.#state.clear();
  }
}
