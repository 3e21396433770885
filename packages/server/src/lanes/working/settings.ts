import type { Lane } from "../lane/lane.ts";
import type { DueSchedule } from "../reading/due-schedule.ts";
import type { Refill } from "../reading/refill.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Scheduler } from "./scheduler.ts";

const AGAIN_AFTER_MS = 500;

/** Asks the kind how lanes are worked: when they open, when something has changed, and all of them again regularly. */
export class SettingsLoader {
  readonly #state: RunnerState;
  readonly #scheduler: Scheduler;
  readonly #dues: DueSchedule;
  readonly #refill: Refill;
  readonly #asked = new Set<number>();

  constructor(state: RunnerState, scheduler: Scheduler, dues: DueSchedule, refill: Refill) {
    this.#state = state;
    this.#scheduler = scheduler;
    this.#dues = dues;
    this.#refill = refill;
  }

  /** Loads the settings of a lane; lanes asked for in one turn of the event loop are loaded together. */
  ask(lane: number): void {
    if (this.#asked.size === 0) queueMicrotask(() => void this.#load());
    this.#asked.add(lane);
  }

  /** Loads the settings of all lanes in memory. */
  askAll(): void {
    for (const lane of this.#state.lanes.keys()) this.ask(lane);
  }

  async #load(): Promise<void> {
    const { kind, clock, lanes } = this.#state;
    const asked = [...this.#asked];
    this.#asked.clear();
    try {
      const found = await kind.settings(asked);
      for (const number of asked) {
        const lane = lanes.get(number);
        if (lane) this.#apply(lane, found.get(number) ?? null);
      }
    } catch (error) {
      this.#state.report("lane settings", error);
      clock.after(AGAIN_AFTER_MS, () => {
        for (const number of asked) if (lanes.has(number)) this.ask(number);
      });
    }
  }

  // A lane without settings (its number or endpoint was deleted) is closed: its rows wait to be cleaned up.
  #apply(lane: Lane, settings: Parameters<Lane["configure"]>[0]): void {
    const wasClosed = lane.closed;
    for (const row of lane.configure(settings)) this.#state.registry.finish(row.seq);
    if (lane.closed && !wasClosed) this.#dues.forget(lane);
    if (!lane.closed && wasClosed) this.#dues.expect(lane, this.#state.clock.now());
    this.#scheduler.schedule(lane);
    this.#refill.refill(lane);
  }
}
