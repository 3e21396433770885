import type { Clock } from "../../lib/clock.ts";
import type { QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import type { Yielding } from "./yielding.ts";

/** After a start the bound grows from 32 to its full size over 2 s: a restarted process must not hit cold pools with everything. */
const FIRST_IN_FLIGHT = 32;
const GROW_OVER_MS = 2_000;
/**
 * A share may take another place while it holds fewer than this many times those that are free. Alone it comes to four fifths
 * of all, two to four ninths each, n to 4/(4n+1): a newcomer finds places, however long those of the others are held (dynamic
 * thresholds, Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998).
 */
const SHARE_OF_FREE = 4;
/** Lanes above some hundred starts a second wait for several at once: a timer for each row would cost more than the row. */
const LEAST_WAIT_MS = 4;

export type SchedulerOptions = {
  /** Rows in flight at once. */
  inFlight: number;
  clock: Clock;
  yielding: Yielding | null;
  /** Which lanes are worked (RunnerState). */
  lanes: { mayStart(lane: Lane): boolean };
};

/** Starts a row (Work). False: the lane may not start anything now, and the row is back in it. */
export type RowStarter = { start(lane: Lane, row: QueueRow, share: string): boolean };
/** Writes a lane's deferred rows to the table (Defer). */
export type DeferWriter = { write(lane: Lane): void };

/**
 * Which row starts next: round robin over shares (`LaneSettings.fairShareKey`, usually a workspace), then over the lanes of
 * each. Every row costs the same, so this is deficit round robin with a quantum of one and no deficit. Turns alone would let
 * a workspace whose receivers hang gather all places in flight, so the places are shared too: see `SHARE_OF_FREE`.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #startedAt: number;
  #work!: RowStarter;
  #defer!: DeferWriter;
  /** Lanes that may have something to start, by share; the first share and its first lane are next. */
  readonly #ready = new Map<string, Set<Lane>>();
  /** Timers of lanes that wait for their pace. */
  readonly #timers = new Map<Lane, () => void>();
  /** Places that are taken, by share. */
  readonly #held = new Map<string, number>();
  #starts = 0;
  #inFlight = 0;
  #willPump = false;
  #growing = false;
  #stopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
  }

  connect(work: RowStarter, defer: DeferWriter): void {
    this.#work = work;
    this.#defer = defer;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Rows started so far. */
  get starts(): number {
    return this.#starts;
  }

  /** The lane may have something to start: its next row starts when it is the lane's turn, if rows of it may start at all. */
  schedule(lane: Lane): void {
    const share = lane.settings?.fairShareKey;
    if (this.#stopped || share === undefined || !this.#options.lanes.mayStart(lane)) return;
    const ready = this.#ready.get(share);
    if (ready) ready.add(lane);
    else this.#ready.set(share, new Set([lane]));
    this.pumpSoon();
  }

  /** More may start than a moment ago. Starts what may, once in this turn of the event loop. */
  pumpSoon(): void {
    if (this.#willPump || this.#stopped) return;
    this.#willPump = true;
    queueMicrotask(() => {
      this.#willPump = false;
      this.#pump();
    });
  }

  #pump(): void {
    const most = this.#bound();
    const { yielding } = this.#options;
    // Shares in a row that hold their part already; when all do, nothing can start.
    let sated = 0;
    while (this.#inFlight < most && sated < this.#ready.size && !this.#stopped && (yielding?.mayStart() ?? true)) {
      const turn = this.#ready.entries().next();
      if (turn.done) return;
      const [share, lanes] = turn.value;
      // To the back of the queue in any case.
      this.#ready.delete(share);
      if ((this.#held.get(share) ?? 0) >= SHARE_OF_FREE * (most - this.#inFlight)) {
        this.#ready.set(share, lanes);
        sated += 1;
        continue;
      }
      sated = 0;
      const lane = lanes.values().next().value;
      if (!lane) continue;
      lanes.delete(lane);
      if (this.#startNext(lane, share)) lanes.add(lane);
      if (lanes.size > 0) this.#ready.set(share, lanes);
    }
    if (this.#ready.size > 0 && most < this.#options.inFlight) this.#pumpWhenGrown();
  }

  #bound(): number {
    const { inFlight, clock } = this.#options;
    const age = clock.monotonic() - this.#startedAt;
    if (age >= GROW_OVER_MS) return inFlight;
    return Math.min(inFlight, FIRST_IN_FLIGHT + Math.floor(((inFlight - FIRST_IN_FLIGHT) * age) / GROW_OVER_MS));
  }

  /** Starts a row of the lane; true when it did, and the lane may have more. */
  #startNext(lane: Lane, share: string): boolean {
    const next = lane.take(this.#options.clock.now());
    if (lane.hasDeferred) this.#defer.write(lane);
    if (next === null) return false;
    if ("waitMs" in next) {
      this.#scheduleAfter(lane, next.waitMs);
      return false;
    }
    if (!this.#work.start(lane, next.row, share)) return false;
    this.#starts += 1;
    this.#options.yielding?.started();
    this.#inFlight += 1;
    this.#held.set(share, (this.#held.get(share) ?? 0) + 1);
    return true;
  }

  #scheduleAfter(lane: Lane, ms: number): void {
    if (this.#timers.has(lane)) return;
    const cancel = this.#options.clock.after(Math.max(LEAST_WAIT_MS, Math.ceil(ms)), () => {
      this.#timers.delete(lane);
      this.schedule(lane);
    });
    this.#timers.set(lane, cancel);
  }

  /** The bound still grows: lanes that are left over are looked at again when it is higher. */
  #pumpWhenGrown(): void {
    if (this.#growing) return;
    this.#growing = true;
    this.#options.clock.after(LEAST_WAIT_MS, () => {
      this.#growing = false;
      this.pumpSoon();
    });
  }

  /** A row of the lane that was started for this share is in flight no more: its place is free, and the lane may have more. */
  landed(lane: Lane, share: string): void {
    this.#inFlight -= 1;
    const left = (this.#held.get(share) ?? 0) - 1;
    if (left > 0) this.#held.set(share, left);
    else this.#held.delete(share);
    this.schedule(lane);
    if (this.#ready.size > 0) this.pumpSoon();
  }

  /** The lane is dropped, or its slot is given back: nothing of it starts unless it is scheduled again. */
  forget(lane: Lane): void {
    this.#timers.get(lane)?.();
    this.#timers.delete(lane);
    const share = lane.settings?.fairShareKey;
    if (share !== undefined) this.#ready.get(share)?.delete(lane);
  }

  /** Nothing starts any more. */
  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#ready.clear();
  }
}
