import type { Lane } from "../lane/lane.ts";
import type { RunnerState } from "../runner-state.ts";
import { Share } from "./share.ts";
import type { Work } from "./work.ts";

/** After a start the bound grows from 32 to its full size over 2 s: a restarted process must not hit cold pools with everything. */
const FIRST_IN_FLIGHT = 32;
const GROW_OVER_MS = 2_000;
/** How often lanes that were left over are looked at while the bound grows. */
const GROW_LOOK_MS = 4;
/**
 * A share may hold up to this many times the places that are free. Alone it could come to four fifths of all, two to four ninths
 * each, n to 4/(4n+1): a newcomer finds places, however long those of the others are held (dynamic thresholds, Choudhury and
 * Hahne, IEEE/ACM Transactions on Networking 6, 1998). Its lanes divide what it may hold in the same way (`Share`).
 */
const SHARE_OF_FREE = 4;

/**
 * Which row starts next: round robin over shares (`LaneSettings.fairShareKey`, usually a workspace), then over the lanes of
 * each. Every row costs the same, so this is deficit round robin with a quantum of one and no deficit. Turns alone would let
 * receivers that hang gather all places in flight, so the places are shared too, between workspaces and between the lanes of one: see
 * `SHARE_OF_FREE`.
 */
export class Scheduler {
  readonly #state: RunnerState;
  readonly #work: Work;
  readonly #startedAt: number;
  /** Shares with lanes that may have something to start; the first is next. */
  readonly #ready = new Map<string, Share>();
  #growing = false;

  constructor(state: RunnerState, work: Work) {
    this.#state = state;
    this.#work = work;
    this.#startedAt = state.clock.monotonic();
  }

  /** Starts rows of the lanes that are named startable, until the runner stops. */
  async run(): Promise<void> {
    while (!this.#state.stopped) {
      for (const lane of await this.#state.startable.next()) this.#schedule(lane);
      this.startMore();
    }
  }

  #schedule(lane: Lane): void {
    const share = lane.settings?.fairShareKey;
    if (share === undefined || lane.buffered === 0) return;
    let ready = this.#ready.get(share);
    if (!ready) this.#ready.set(share, (ready = new Share()));
    ready.add(lane);
  }

  /** Starts what may start now: places have become free, or work that yields has been granted more. */
  startMore(): void {
    const { kind, stopped } = this.#state;
    const work = this.#work;
    if (stopped) return;
    const places = this.#bound();
    const granted = kind.yields?.granted ?? Number.POSITIVE_INFINITY;
    let starts = 0;
    // Shares in a row of which none may start; when that is all of them, nothing can.
    let sated = 0;
    while (work.inFlight < places && sated < this.#ready.size && starts < granted) {
      const turn = this.#ready.entries().next();
      if (turn.done) break;
      const [name, share] = turn.value;
      // To the back of the queue in any case.
      if (this.#ready.size > 1) {
        this.#ready.delete(name);
        this.#ready.set(name, share);
      }
      const lane = share.next(SHARE_OF_FREE * (places - work.inFlight) - work.heldBy(name));
      if (lane === null) {
        sated += 1;
        continue;
      }
      sated = 0;
      const started = work.startNext(lane, name);
      if (started) starts += 1;
      share.turned(lane, started && lane.buffered > 0);
      if (share.isEmpty) this.#ready.delete(name);
    }
    const heldBack = starts >= granted && work.inFlight < places && sated < this.#ready.size;
    kind.yields?.started(starts, heldBack);
    if (this.#ready.size > 0 && places < kind.inFlight) this.#startMoreWhenGrown();
  }

  /** Rows that may be in flight now. */
  #bound(): number {
    const { clock, kind } = this.#state;
    const age = clock.monotonic() - this.#startedAt;
    if (age >= GROW_OVER_MS) return kind.inFlight;
    const grown = FIRST_IN_FLIGHT + Math.floor(((kind.inFlight - FIRST_IN_FLIGHT) * age) / GROW_OVER_MS);
    return Math.min(kind.inFlight, grown);
  }

  #startMoreWhenGrown(): void {
    if (this.#growing) return;
    this.#growing = true;
    this.#state.clock.after(GROW_LOOK_MS, () => {
      this.#growing = false;
      this.startMore();
    });
  }
}
