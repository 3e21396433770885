import { setMaxListeners } from "node:events";
import type { Disposition, QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import type { Slots } from "../ownership/slots.ts";
import type { DueSchedule } from "../reading/due-schedule.ts";
import type { NumberedRows } from "../reading/numbered-rows.ts";
import type { Refill } from "../reading/refill.ts";
import { AGAIN_AFTER_MS, type RunnerState } from "../runner-state.ts";
import { Claim } from "./claim.ts";
import type { Defer } from "./defer.ts";

/** Lanes above some hundred starts a second wait for several at once: a timer for each row would cost more than the row. */
const LEAST_WAIT_MS = 4;

export type WorkParts = { dues: DueSchedule; refill: Refill; numbered: NumberedRows; defer: Defer; slots: Slots };

/** Starts rows of lanes, and applies to the lanes what working the rows came to. */
export class Work {
  readonly #state: RunnerState;
  readonly #parts: WorkParts;
  readonly #claims = new WeakMap<Lane, Claim>();
  readonly #abort = new AbortController();
  /** Timers of lanes that wait for their pace, or rest. */
  readonly #timers = new Map<Lane, { at: number; cancel: () => void }>();
  /** Rows in flight, by share. */
  readonly #held = new Map<string, number>();
  #inFlight = 0;
  /** Rows without a place whose outcome is being stored. */
  #answered = 0;
  #starts = 0;

  constructor(state: RunnerState, parts: WorkParts) {
    this.#state = state;
    this.#parts = parts;
    // Every row in flight listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Rows in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Rows in flight, and those that have been answered and are not stored. */
  get unsettled(): number {
    return this.#inFlight + this.#answered;
  }

  /** Rows in flight that were started for this share. */
  heldBy(share: string): number {
    return this.#held.get(share) ?? 0;
  }

  /** Rows started so far. */
  get starts(): number {
    return this.#starts;
  }

  /** Starts the lane's next row, for this share. False: none may start now; the lane is woken where that changes by itself. */
  startNext(lane: Lane, share: string): boolean {
    const claim = this.#state.stopped ? null : this.claimOf(lane);
    if (!claim?.mayStart()) return false;
    const next = lane.take(this.#state.clock.now());
    this.#parts.defer.write(lane);
    if (next === null) return false;
    if ("waitMs" in next) {
      this.#wakeAfter(lane, next.waitMs);
      return false;
    }
    const { row } = next;
    this.#starts += 1;
    this.#inFlight += 1;
    this.#held.set(share, this.heldBy(share) + 1);
    this.#state.kind.work(row, claim).then(
      (disposition) => this.#land(lane, row, share, disposition),
      (error: unknown) => {
        this.#state.report("work", error);
        this.#land(lane, row, share, { kind: "again" });
      },
    );
    return true;
  }

  #wakeAfter(lane: Lane, ms: number): void {
    const { clock, startable } = this.#state;
    const waitMs = Math.max(LEAST_WAIT_MS, Math.ceil(ms));
    const at = clock.monotonic() + waitMs;
    const timer = this.#timers.get(lane);
    // A longer one is of a rest that is over: the lane has another receiver.
    if (timer && timer.at <= at) return;
    timer?.cancel();
    const cancel = clock.after(waitMs, () => {
      this.#timers.delete(lane);
      startable.add(lane);
    });
    this.#timers.set(lane, { at, cancel });
  }

  #land(lane: Lane, row: QueueRow, share: string, disposition: Disposition): void {
    this.#freePlace(share);
    lane.places.landed(disposition.coped);
    if (disposition.kind === "answered") this.#landWhenStored(lane, row, disposition.stored);
    else this.#apply(lane, row, disposition);
  }

  #landWhenStored(lane: Lane, row: QueueRow, stored: Promise<Disposition>): void {
    lane.inFlight.answer(row);
    this.#answered += 1;
    this.#state.startable.add(lane);
    const land = (disposition: Disposition): void => {
      this.#answered -= 1;
      this.#apply(lane, row, disposition);
    };
    stored.then(land, (error: unknown) => {
      this.#state.report("work", error);
      land({ kind: "again" });
    });
  }

  #apply(lane: Lane, row: QueueRow, disposition: Disposition): void {
    const { clock, startable } = this.#state;
    if (disposition.kind === "joined" && lane.join(row, disposition.keys, clock.now())) return this.goOn(lane);
    if (disposition.kind === "unordered") this.#state.unconfigured.add(lane.number);
    // Joined before the row started, or unordered: worked at once, it would be answered the same without end.
    if (disposition.kind === "again" || disposition.kind === "joined" || disposition.kind === "unordered") {
      startable.add(lane);
      clock.after(AGAIN_AFTER_MS, () => {
        lane.putBack(row, clock.now());
        this.goOn(lane);
      });
      return;
    }
    const { defer, dues, refill, numbered, slots } = this.#parts;
    const now = clock.now();
    const current = this.#state.finish(lane, row);
    const holdsKey = disposition.kind === "later" && disposition.holdsKey;
    if (disposition.kind === "later") {
      lane.backOff(row, disposition.due, holdsKey, now);
      if (current) dues.expect(lane, disposition.from ?? disposition.due);
      defer.write(lane);
    } else lane.finish(row, now);
    // A row that was deferred or retried has gone or lets others pass: rows that waited for it may start.
    if (!holdsKey && current && row.key !== null && row.due > Number.NEGATIVE_INFINITY) defer.resume(lane, row.key);
    startable.add(lane);
    if (slots.giveBackWhenEmpty(lane.slot)) return;
    if (lane.passedBy) refill.refill(lane);
    if (row.key !== null) numbered.read(lane, row.key);
  }

  #freePlace(share: string): void {
    this.#inFlight -= 1;
    const left = this.heldBy(share) - 1;
    if (left > 0) this.#held.set(share, left);
    else this.#held.delete(share);
  }

  /** Something held the lane up and is over: it may have more to start, or its slot waits for it to be empty. */
  goOn(lane: Lane): void {
    const { defer, refill, slots } = this.#parts;
    if (this.claimOf(lane)?.mayStart()) defer.write(lane);
    this.#state.startable.add(lane);
    if (!slots.giveBackWhenEmpty(lane.slot) && lane.passedBy) refill.refill(lane);
  }

  /** The right to work rows of the lane; null when its slot is not held here any more. */
  claimOf(lane: Lane): Claim | null {
    const slot = this.#state.slots.get(lane.slot);
    if (!slot || !this.#state.isCurrent(lane)) return null;
    let claim = this.#claims.get(lane);
    if (!claim) {
      claim = new Claim(this.#state, lane, slot, this.#abort.signal);
      this.#claims.set(lane, claim);
    }
    return claim;
  }

  /** No lane is woken by its pace any more. */
  stop(): void {
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  /** Ends what is still in flight. */
  abort(): void {
    this.#abort.abort();
  }
}
