import type { Database } from "../db/database.ts";
import type { Clock, SystemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Role } from "../process/config/config.ts";
import type { LaneFigures } from "./figures.ts";
import type { LaneKind } from "./kind.ts";
import type { LaneKindName } from "./lane-kinds.ts";
import { Membership } from "./ownership/membership.ts";
import type { Notifier } from "./ownership/notifier.ts";
import { LastDrawn } from "./reading/last-drawn.ts";
import { Runner } from "./runner.ts";

/** Rows in flight get this long before the slots are released; a send that takes longer ends as evidence. */
const DRAIN_MS = 700;

/** Rows in this process's memory, shared out evenly: one kind's flood leaves the others their part. */
const PROCESS_BUFFER = 100_000;

export type LanesOptions = {
  kinds: readonly LaneKind[];
  roles: readonly Role[];
  version: string;
  leaseMs: number;
  db: Database;
  clock: Clock | SystemClock;
  log: Log;
  notifier: Notifier;
  random: () => number;
  /** Rows in memory over all kinds. */
  buffer?: number;
};

/** Starts the lanes of this process: takes a lease and works the slots that fall to it. */
export async function startLanes(options: LanesOptions): Promise<Lanes> {
  const lanes = new Lanes(options);
  await lanes.join();
  return lanes;
}

/** The lanes of this process: its lease, and one runner for each kind that its roles serve. */
export class Lanes {
  readonly membership: Membership;
  readonly #runners = new Map<LaneKindName, Runner>();
  readonly #notifier: Notifier;

  constructor(options: LanesOptions) {
    const { db, clock, log, notifier, random, roles, version, leaseMs } = options;
    this.membership = new Membership({
      sql: db.lease,
      roles,
      version,
      leaseMs,
      log,
      onBeat: (earliestMs, latestMs) => {
        // Ids and `now` follow the database's clock, so that processes agree on time. A test's clock corrects nothing.
        if ("correct" in clock) clock.correct(earliestMs, latestMs);
      },
      announceRelease: () => notifier.announceRelease(),
    });
    this.#notifier = notifier;
    const { membership } = this;
    const served = options.kinds.filter((kind) => roles.includes(kind.role));
    const buffer = Math.floor((options.buffer ?? PROCESS_BUFFER) / served.length);
    const listening = (): boolean => notifier.listening;
    const lastDrawn = new LastDrawn(db.sql);
    for (const kind of served) {
      const runner = new Runner({ kind, db, clock, log, membership, random, buffer, listening, lastDrawn });
      this.#runners.set(kind.name, runner);
      notifier.onHint(kind.name, (slots) => runner.hint(slots));
      notifier.onHandOver(kind.name, runner.handedRows);
    }
    const runners = [...this.#runners.values()];
    for (const runner of runners) runner.yieldTo(runners.filter((other) => other !== runner));
  }

  #sum(of: (runner: Runner) => number): number {
    let sum = 0;
    for (const runner of this.#runners.values()) sum += of(runner);
    return sum;
  }

  /** Takes the lease; slots follow with the next beats. */
  async join(): Promise<void> {
    for (const runner of this.#runners.values()) runner.run();
    await this.membership.join([...this.#runners.values()]);
    this.#notifier.onRelease(() => this.membership.takeNow());
  }

  /** Settings of these lanes have changed here; other processes notice within seconds. */
  refresh(kind: LaneKindName, lanes: Iterable<number>): void {
    this.#runners.get(kind)?.refresh(lanes);
  }

  /** Leaves: no new intents, a moment for rows in flight, then all slots are released at once. */
  async stop(): Promise<void> {
    await Promise.all([...this.#runners.values()].map((runner) => runner.drain(DRAIN_MS)));
    await this.membership.leave();
  }

  get inFlight(): number {
    return this.#sum((runner) => runner.inFlight);
  }

  /** How the work of each kind stands. */
  figures(): LaneFigures[] {
    return [...this.#runners.values()].map((runner) => runner.figures());
  }

  /** Rows in memory. */
  get rows(): number {
    return this.#sum((runner) => runner.rows);
  }

  /** Slots of this process that have not been worked for longer than a change of owner takes: a fault, and it is not ready. */
  get unworked(): number {
    return this.membership.unworked + this.#sum((runner) => runner.unready);
  }
}
