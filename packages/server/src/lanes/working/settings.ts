import type { LaneSettings } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import type { DueSchedule } from "../reading/due-schedule.ts";
import type { Refill } from "../reading/refill.ts";
import { AGAIN_AFTER_MS, type RunnerState } from "../runner-state.ts";
import type { Defer } from "./defer.ts";

/** Longer than any row of such a lane backs off: what waits since an earlier time is due by now. */
const LONGEST_WAIT_MS = 48 * 3_600_000;
/** More than the clocks of two processes differ by. */
const CLOCKS_DIFFER_MS = 60_000;

/** Asks the kind how lanes are worked: when they open, when something has changed, and all of them again regularly. */
export class SettingsLoader {
  readonly #state: RunnerState;
  readonly #dues: DueSchedule;
  readonly #refill: Refill;
  readonly #defer: Defer;

  constructor(state: RunnerState, dues: DueSchedule, refill: Refill, defer: Defer) {
    this.#state = state;
    this.#dues = dues;
    this.#refill = refill;
    this.#defer = defer;
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
        const before = lane.settings;
        // A lane without settings (its number or endpoint was deleted) is closed: its rows wait to be cleaned up.
        for (const row of lane.configure(found.get(number) ?? null)) registry.finish(row.seq);
        if (lane.closed && !wasClosed) this.#dues.forget(lane);
        if (!lane.closed && wasClosed) {
          this.#dues.expect(lane, clock.now());
          this.#refill.refill(lane);
        }
        this.#noteAdvance(lane, before);
        startable.add(lane);
      }
    } catch (error) {
      this.#state.report("lane settings", error);
      clock.after(AGAIN_AFTER_MS, () => {
        for (const number of asked) if (lanes.has(number)) unconfigured.add(number);
      });
    }
  }

  #noteAdvance(lane: Lane, before: LaneSettings | null): void {
    const advancedAt = lane.settings?.advancedAt ?? null;
    if (lane.closed || advancedAt === null) return;
    if (advancedAt !== (before?.advancedAt ?? null)) this.#dues.expect(lane, advancedAt);
    if (this.#state.inherited.has(lane)) this.#advanceLeft(lane, advancedAt);
  }

  // Rows that another process deferred, which had the lane then, may be left behind a time that counts no more: once it is open, and once only.
  #advanceLeft(lane: Lane, advancedAt: number): void {
    const { inherited, clock } = this.#state;
    if (!lane.settings?.ordered || this.#state.hadSlotAt(lane.slot, advancedAt, CLOCKS_DIFFER_MS)) return;
    inherited.delete(lane);
    if (clock.now() - advancedAt < LONGEST_WAIT_MS) this.#defer.advanceLeft(lane);
  }
}
