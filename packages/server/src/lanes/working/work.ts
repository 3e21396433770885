import { setMaxListeners } from "node:events";
import type { Disposition, LaneClaim, QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import { PacedQueue } from "../lane/paced-queue.ts";
import type { Slot } from "../ownership/slot.ts";
import type { Slots } from "../ownership/slots.ts";
import type { DueSchedule } from "../reading/due-schedule.ts";
import type { Refill } from "../reading/refill.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Defer } from "./defer.ts";
import type { Scheduler } from "./scheduler.ts";

/** A row whose work failed because the database was away waits this long. */
const AGAIN_AFTER_MS = 500;

export type WorkParts = {
  scheduler: Scheduler;
  dues: DueSchedule;
  refill: Refill;
  defer: Defer;
  slots: Slots;
};

/** Starts rows, and applies to their lanes what working them came to. */
export class Work {
  readonly #state: RunnerState;
  readonly #parts: WorkParts;
  readonly #claims = new WeakMap<Lane, LaneClaim>();
  readonly #abort = new AbortController();
  #stopped = false;

  constructor(state: RunnerState, parts: WorkParts) {
    this.#state = state;
    this.#parts = parts;
    // Every row in flight listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Starts a row. False when the lane may not start anything now; the row is back in it. `share` is given back when it lands. */
  start(lane: Lane, row: QueueRow, share: string): boolean {
    const claim = this.claimOf(lane);
    if (this.#stopped || !claim?.valid() || !this.#state.mayStart(lane)) {
      lane.putBack(row);
      return false;
    }
    this.#state.kind.work(row, claim).then(
      (disposition) => this.#land(lane, row, share, disposition),
      (error: unknown) => {
        this.#state.report("work", error);
        this.#land(lane, row, share, { kind: "again" });
      },
    );
    return true;
  }

  #land(lane: Lane, row: QueueRow, share: string, disposition: Disposition): void {
    const { scheduler, defer, dues, refill, slots } = this.#parts;
    if (disposition.kind === "again") {
      scheduler.landed(lane, share);
      this.#state.clock.after(AGAIN_AFTER_MS, () => {
        lane.putBack(row);
        this.goOn(lane);
      });
      return;
    }
    const now = this.#state.clock.now();
    const current = this.#state.isCurrent(lane);
    if (current) this.#state.registry.finish(row.seq);
    if (disposition.kind === "later") {
      lane.backOff(row, disposition.due, disposition.holdsKey, now);
      if (current) dues.expect(lane, disposition.due);
    } else {
      lane.finish(row, now);
      // A row that was deferred or retried has gone: rows that waited for it may start.
      if (current && row.key !== null && row.due > Number.NEGATIVE_INFINITY) defer.resume(lane, row.key);
    }
    scheduler.landed(lane, share);
    if (!slots.giveBackWhenEmpty(lane.slot)) refill.refill(lane);
  }

  /** Something held the lane up and is over: it may have more to start, or its slot waits for it to be empty. */
  goOn(lane: Lane): void {
    const { scheduler, refill, slots } = this.#parts;
    scheduler.schedule(lane);
    if (!slots.giveBackWhenEmpty(lane.slot)) refill.refill(lane);
  }

  /** The right to work rows of the lane; null when its slot is not held here any more. */
  claimOf(lane: Lane): LaneClaim | null {
    const slot = this.#state.slots.get(lane.slot);
    if (!slot || !this.#state.isCurrent(lane)) return null;
    let claim = this.#claims.get(lane);
    if (!claim) {
      claim = new Claim(this.#state, this, lane, slot, this.#abort.signal);
      this.#claims.set(lane, claim);
    }
    return claim;
  }

  /** Nothing starts any more. */
  stop(): void {
    this.#stopped = true;
  }

  /** Ends what is still in flight. */
  abort(): void {
    this.#abort.abort();
  }
}

/** A lane's claim, valid while this process has the lease and the slot without interruption. */
class Claim implements LaneClaim {
  readonly worker: string;
  readonly epoch: number;
  readonly signal: AbortSignal;
  readonly #state: RunnerState;
  readonly #work: Work;
  readonly #lane: Lane;
  readonly #slot: Slot;
  /** Starts are paced already; this second pace, at the socket, spreads out rows that a slow commit bunched up. */
  readonly #departures: PacedQueue;

  constructor(state: RunnerState, work: Work, lane: Lane, slot: Slot, signal: AbortSignal) {
    this.#state = state;
    this.#work = work;
    this.#lane = lane;
    this.#slot = slot;
    this.#departures = new PacedQueue(state.clock);
    this.worker = state.membership.worker;
    this.epoch = slot.epoch;
    this.signal = signal;
  }

  valid(): boolean {
    const { membership, slots } = this.#state;
    return membership.worker === this.worker && membership.valid() && slots.get(this.#slot.number) === this.#slot;
  }

  async departure(): Promise<void> {
    this.#departures.setRate(this.#lane.settings?.ratePerSecond ?? null);
    this.#lane.beginDeparture();
    await this.#departures.pass();
    if (this.#lane.endDeparture()) this.#work.goOn(this.#lane);
  }

  pause(ms: number): void {
    this.#lane.pause(ms);
  }

  report(good: boolean): void {
    this.#lane.report(good);
  }
}
