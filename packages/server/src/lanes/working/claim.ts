import type { LaneClaim, QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import { PacedQueue } from "../lane/paced-queue.ts";
import type { Slot } from "../ownership/slot.ts";
import type { RunnerState } from "../runner-state.ts";

/** A lane's claim, valid while this process has the lease and the slot without interruption. */
export class Claim implements LaneClaim {
  readonly worker: string;
  readonly epoch: number;
  readonly signal: AbortSignal;
  readonly #state: RunnerState;
  readonly #lane: Lane;
  readonly #slot: Slot;
  /** Starts are paced already; this second pace, at the socket, spreads out rows that a slow commit bunched up. */
  readonly #departures: PacedQueue;

  constructor(state: RunnerState, lane: Lane, slot: Slot, signal: AbortSignal) {
    this.#state = state;
    this.#lane = lane;
    this.#slot = slot;
    this.#departures = new PacedQueue(state.clock);
    this.worker = state.membership.worker;
    this.epoch = slot.epoch;
    this.signal = signal;
  }

  /** True while rows of the lane may start too: its slot was taken over and is not being given back. */
  mayStart(): boolean {
    return this.#slot.ready && this.valid();
  }

  valid(): boolean {
    const { membership, slots } = this.#state;
    return membership.worker === this.worker && membership.valid() && slots.get(this.#slot.number) === this.#slot;
  }

  async departure(): Promise<void> {
    this.#departures.setRate(this.#lane.pace.rate);
    this.#lane.places.beginDeparture();
    await this.#departures.pass();
    if (this.#lane.places.endDeparture()) this.#state.startable.add(this.#lane);
  }

  joinedWith(row: QueueRow): number {
    return this.#lane.joinedWith(row);
  }

  pause(ms: number): void {
    this.#lane.pace.pause(ms);
  }

  slow(): void {
    this.#lane.pace.slow();
  }
}
