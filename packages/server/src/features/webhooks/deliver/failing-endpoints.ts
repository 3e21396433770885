import { LRUCache } from "lru-cache";
import type { App } from "../../../ctx.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { hintCommitted } from "../../events/event.ts";
import { type EndpointLane, warnEndpoints } from "./endpoint-lanes.store.ts";

/** Lanes that are remembered; of another one its next settings say it again. */
const MOST = 100_000;

/**
 * Which endpoints of this process's lanes have failed since their last success: only a success of those writes the endpoint's row. The
 * settings of a lane say it, which are read before it starts anything and every few seconds, and each failure that is stored here.
 */
export class FailingEndpoints {
  readonly #app: Pick<App, "db" | "clock" | "notifier">;
  readonly #log: QuietLog;
  /** When it was learnt, on the monotonic clock, by lane. */
  readonly #learntAt = new LRUCache<number, number>({ max: MOST });

  constructor({ db, clock, notifier, log }: App) {
    this.#app = { db, clock, notifier };
    this.#log = new QuietLog(log, clock);
  }

  has(lane: number): boolean {
    return this.#learntAt.has(lane);
  }

  failed(lane: number): void {
    this.#learntAt.set(lane, this.#app.clock.monotonic());
  }

  recovered(lane: number): void {
    this.#learntAt.delete(lane);
  }

  /** The settings of lanes were read, which was begun at `askedAt`: what was learnt since is newer. Warns of those that have failed for long. */
  read(lanes: readonly EndpointLane[], askedAt: number): void {
    for (const { lane, failing } of lanes)
      if (failing) this.#learntAt.set(lane, askedAt);
      else if ((this.#learntAt.peek(lane) ?? askedAt) < askedAt) this.#learntAt.delete(lane);
    const overdue = lanes.filter(({ warns }) => warns);
    if (overdue.length > 0) void this.#warn(overdue);
  }

  // An attempt warns too, where it fails; this is for those whose next attempt lies hours ahead.
  async #warn(lanes: readonly EndpointLane[]): Promise<void> {
    const { db, clock, notifier } = this.#app;
    const rows = lanes.map(({ workspace_id, endpoint_id }) => ({ workspace_id, endpoint_id }));
    try {
      hintCommitted(notifier, await db.call(warnEndpoints, rows, clock.now()));
    } catch (error) {
      this.#log.warn(
        "warning",
        { err: error },
        "a failing endpoint's workspace could not be warned; it will be tried again",
      );
    }
  }
}
