import type { Database } from "../db/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { LaneKind } from "./kind.ts";
import type { Lane } from "./lane/lane.ts";
import type { Membership } from "./ownership/membership.ts";
import { createSlots } from "./ownership/slots.ts";
import { createDueRows } from "./reading/due-rows.ts";
import { createFreshRows } from "./reading/refill.ts";
import { createIntake } from "./reading/row-reader.ts";
import { createTail } from "./reading/tail.ts";
import { createOwned } from "./runner-state.ts";
import { createAside } from "./working/defer.ts";
import { createSettling } from "./working/orphaned-attempts.ts";
import { createScheduler } from "./working/scheduler.ts";
import { createSettings } from "./working/settings.ts";
import { createWork } from "./working/work.ts";

/**
 * Works the lanes of one kind whose slots this process owns: reads what was committed, starts what may go, and forgets
 * what is done. Reading claims nothing; the table is the truth and memory only a window on it.
 *
 * Here its parts are put together: `slots` own, `tail`, `fresh` and `due` read, `intake` keeps, `scheduler` chooses, `work`
 * starts and lands, `settling` ends what former owners began.
 */
export type Runner = {
  /** Slots, each with its epoch. */
  gained(slots: ReadonlyMap<number, number>): void;
  /** Slots that were taken from us. */
  gone(slots: readonly number[]): void;
  lost(): void;
  surplus(count: number): void;
  /** Rows of these slots were committed; null: anything may have been. */
  hint(slots: readonly number[] | null): void;
  /** Settings of these lanes have changed. */
  refresh(lanes: Iterable<number>): void;
  /** No new starts; resolves when nothing is in the air or after `ms`. */
  drain(ms: number): Promise<void>;
  readonly inFlight: number;
  /** Rows started so far. */
  readonly starts: number;
  readonly lanes: number;
  /** Rows held in memory. */
  readonly rows: number;
  /** Slots whose take-over takes longer than any should. */
  readonly unready: number;
};

const NEAR_SWEEP_EVERY_MS = 1_000;
/**
 * The slow sweep finds what every other way lost. It walks dead rows, hundreds of thousands while an old snapshot keeps them,
 * so it sleeps at least sixty times as long as it took: a twentieth of the database's time for the three kinds.
 */
const SLOW_SWEEP_LEAST_MS = 5_000;
const SLOW_SWEEP_REST = 60;
/** Settings are asked again after this, so that another process's change holds here soon. */
const SETTINGS_EVERY_MS = 4_000;
const STARTED_CHECK_EVERY_MS = 1_000;
/** Keys are rung, idle lanes dropped at this interval. */
const TIDY_EVERY_MS = 1_000;
/** How often a stop looks whether the air is empty. */
const DRAIN_LOOK_MS = 5;

export type RunnerOptions = {
  kind: LaneKind;
  db: Database;
  clock: Clock;
  log: Log;
  /** Rows in memory over all lanes. */
  buffer: number;
  membership: Membership;
  /** Rows that the runners of the other kinds have started so far. */
  others: () => number;
  listening: () => boolean;
};

export function createRunner(options: RunnerOptions): Runner {
  const { kind, clock } = options;
  const owned = createOwned({
    ...options,
    opened: (lane) => settings.ask(lane.lane),
    dropped: (lane) => scheduler.forget(lane),
  });
  const { lanes } = owned;
  const wake = (lane: Lane): void => {
    if (owned.slots.get(lane.slot)?.ready) scheduler.ready(lane);
  };
  const watch = (lane: Lane): void => due.watch(lane);
  const settled = (slot: number): void => slots.settled(slot);
  // Keys that wait for their pace, or for rows in the table.
  const ring = (lane: Lane, only?: string): void => {
    if (lanes.get(lane.lane) !== lane) return;
    aside.release(lane, lane.ring(clock.now(), only));
    if (lane.buffered > 0) wake(lane);
  };

  const intake = createIntake(owned, { wake, watch });
  const due = createDueRows(owned, intake, ring);
  const fresh = createFreshRows(owned, intake, due);
  const tail = createTail(owned, intake, options.listening);
  const aside = createAside(owned, (lane) => {
    watch(lane);
    settled(lane.slot);
  });
  const work = createWork(owned, {
    wake,
    watch,
    ring,
    settled,
    refill: fresh.refill,
  });
  const scheduler = createScheduler({
    inFlight: kind.inFlight,
    clock,
    yielding: kind.yields ?? null,
    start: work.start,
    deferred: aside.put,
  });
  kind.yields?.attach({ startMore: scheduler.again, others: options.others });
  const settings = createSettings(owned, (lane) => {
    wake(lane);
    watch(lane);
    fresh.refill(lane);
  });
  const slots = createSlots(owned, {
    sweep: fresh.sweep,
    watch,
    wake,
    ready: tail.wake,
    forget: scheduler.forget,
  });
  const settling = createSettling(owned, { claimOf: work.claimOf, wake, watch, readHeld: slots.readHeld, settled });

  const tidy = (): void => {
    for (const lane of lanes.values()) {
      ring(lane);
      // Passed by while nothing of it was in the air, nobody else would read it.
      fresh.refill(lane);
      if (lane.idle()) owned.drop(lane);
    }
    due.tidy();
    // Something may have kept a slot that is being given back for a moment without landing in it: a read, for instance.
    for (const [number, slot] of owned.slots) if (slot.draining) settled(number);
  };

  // Rests `ms`, or `share` times as long as the last round took when that is longer.
  async function every(ms: number, name: string, fn: () => Promise<void> | void, share = 0): Promise<void> {
    for (let rest = ms; !owned.stopped; ) {
      await new Promise<void>((resolve) => void clock.after(rest, resolve));
      if (owned.stopped) return;
      const before = clock.monotonic();
      try {
        await fn();
      } catch (error) {
        owned.report(name)(error);
      }
      rest = Math.max(ms, (clock.monotonic() - before) * share);
    }
  }

  const readySlots = (): number[] => [...owned.slots].filter(([, slot]) => slot.ready).map(([number]) => number);

  void tail.run();
  void every(SLOW_SWEEP_LEAST_MS, "slow sweep", () => fresh.sweep(readySlots()), SLOW_SWEEP_REST);
  void every(NEAR_SWEEP_EVERY_MS, "near sweep", tail.nearSweep);
  void every(STARTED_CHECK_EVERY_MS, "looking at started rows", settling.look);
  void every(TIDY_EVERY_MS, "tidying", tidy);
  void every(SETTINGS_EVERY_MS, "lane settings", settings.askAll);

  return {
    gained: slots.gained,
    gone: slots.gone,
    lost: owned.clear,
    surplus: slots.surplus,
    hint: tail.hint,
    refresh(numbers) {
      for (const number of numbers) if (lanes.has(number)) settings.ask(number);
    },
    async drain(ms) {
      owned.stopped = true;
      work.stop();
      due.stop();
      tail.wake();
      scheduler.stop();
      kind.yields?.stop();
      const deadline = performance.now() + ms;
      while (scheduler.inFlight > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
      work.abort();
    },
    get inFlight() {
      return scheduler.inFlight;
    },
    get starts() {
      return scheduler.starts;
    },
    get lanes() {
      return lanes.size;
    },
    get rows() {
      return owned.memory.size;
    },
    get unready() {
      return slots.unready;
    },
  };
}
