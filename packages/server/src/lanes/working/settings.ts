import type { DueSchedule } from "../reading/due-schedule.ts";
import type { Refill } from "../reading/refill.ts";
import { AGAIN_AFTER_MS, type RunnerState } from "../runner-state.ts";

/** Asks the kind how lanes are worked: when they open, when something has changed, and all of them again regularly. */
export class SettingsLoader {
  readonly #state: RunnerState;
  readonly #dues: DueSchedule;
  readonly #refill: Refill;

  constructor(state: RunnerState, dues: DueSchedule, refill: Refill) {
    this.#state = state;
    this.#dues = dues;
    this.#refill = refill;
  }

  /** Loads the settings that are asked for, until the runner stops. */
  async run(): Promise<void> {
    while (!this.#state.stopped) void this.#load([...(await this.#state.unconfigured.next())]);
  }

  /** Loads the settings of all lanes in memory. */
  askAll(): void {
    for (const lane of this.#state.lanes.keys()) this.#state.unconfigured.add(lane);
  }

  async #load(asked: readonly number[]): Promise<void> {
    const { kind, clock, lanes, registry, startable, unconfigured } = this.#state;
    try {
      const found = await kind.settings(asked);
      for (const number of asked) {
        const lane = lanes.get(number);
        if (!lane) continue;
        const wasClosed = lane.closed;
        const knewAdvanced = lane.settings?.advancedAt ?? null;
        // A lane without settings (its number or endpoint was deleted) is closed: its rows wait to be cleaned up.
        for (const row of lane.configure(found.get(number) ?? null)) registry.finish(row.seq);
        if (lane.closed && !wasClosed) this.#dues.forget(lane);
        if (!lane.closed && wasClosed) {
          this.#dues.expect(lane, clock.now());
          this.#refill.refill(lane);
        }
        const advancedAt = lane.settings?.advancedAt ?? null;
        if (!lane.closed && advancedAt !== null && advancedAt !== knewAdvanced) this.#dues.expect(lane, advancedAt);
        startable.add(lane);
      }
    } catch (error) {
      this.#state.report("lane settings", error);
      clock.after(AGAIN_AFTER_MS, () => {
        for (const number of asked) if (lanes.has(number)) unconfigured.add(number);
      });
    }
  }
}
