import type { Role } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Clock, SystemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { LaneKind } from "./kind.ts";
import type { LaneKindName } from "./lane-kinds.ts";
import { Membership } from "./ownership/membership.ts";
import type { Notifier } from "./ownership/notifier.ts";
import { createRunner, type Runner } from "./runner.ts";

/** The lanes of this process: its lease, and one runner for each kind its roles serve. */
export type Lanes = {
  readonly membership: Membership;
  /** Settings of these lanes have changed here; other processes notice within seconds. */
  refresh(kind: LaneKindName, lanes: Iterable<number>): void;
  /** Hands over: no new intents, a moment for what is in the air, all slots released at once. */
  stop(): Promise<void>;
  readonly inFlight: number;
  /** Rows held in memory. */
  readonly rows: number;
  /** Slots that are ours and have not been worked for longer than a change of owner takes: a fault that readiness tells. */
  readonly unworked: number;
};

/** What is in the air gets this long before the slots are released; a send still out then finishes as evidence. */
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
  /** Rows in memory over all kinds. */
  buffer?: number;
};

export async function startLanes(options: LanesOptions): Promise<Lanes> {
  const { db, clock, log, notifier } = options;
  const served = options.kinds.filter((kind) => options.roles.includes(kind.role));
  const membership = new Membership({
    sql: db.lease,
    roles: options.roles,
    version: options.version,
    leaseMs: options.leaseMs,
    log,
    onBeat: (earliestMs, latestMs) => {
      // Ids and `now` follow the database's clock, so that processes agree on time. A test's clock corrects nothing.
      if ("correct" in clock) clock.correct(earliestMs, latestMs);
    },
    announceRelease: () => notifier.announceRelease(),
  });
  const runners = new Map<LaneKindName, Runner>();
  for (const kind of served) {
    const runner = createRunner({
      kind,
      db,
      clock,
      log,
      buffer: Math.floor((options.buffer ?? PROCESS_BUFFER) / served.length),
      membership,
      others: () => [...runners.values()].reduce((sum, one) => sum + (one === runner ? 0 : one.starts), 0),
      listening: () => notifier.listening,
    });
    runners.set(kind.name, runner);
    notifier.onHint(kind.name, (slots) => runner.hint(slots));
  }

  await membership.join(
    served.map((kind) => {
      const runner = runners.get(kind.name) as Runner;
      const { gained, gone, lost, surplus } = runner;
      return { kind: kind.name, role: kind.role, gained, gone, lost, surplus };
    }),
  );
  notifier.onRelease(() => membership.takeNow());

  return {
    membership,
    refresh: (kind, lanes) => runners.get(kind)?.refresh(lanes),
    async stop() {
      await Promise.all([...runners.values()].map((runner) => runner.drain(DRAIN_MS)));
      await membership.leave();
    },
    get inFlight() {
      return [...runners.values()].reduce((sum, runner) => sum + runner.inFlight, 0);
    },
    get rows() {
      return [...runners.values()].reduce((sum, runner) => sum + runner.rows, 0);
    },
    get unworked() {
      return [...runners.values()].reduce((sum, runner) => sum + runner.unready, membership.unworked);
    },
  };
}
