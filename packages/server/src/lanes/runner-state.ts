import type { Database } from "../db/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { QuietLog } from "../lib/quiet-log.ts";
import type { LaneKind } from "./kind.ts";
import { Lane } from "./lane/lane.ts";
import type { Membership } from "./ownership/membership.ts";
import type { Slot } from "./ownership/slot.ts";
import { RowRegistry } from "./reading/row-registry.ts";

/**
 * A lane may hold another row while this many times its rows are free: n lanes with endless backlogs come to 1/(n + 8) of the
 * buffer each, and a lane that gets work finds room. The scheduler shares its places by the same idea.
 */
const FREE_A_LANE = 8;

export type RunnerOptions = {
  kind: LaneKind;
  db: Database;
  clock: Clock;
  log: Log;
  membership: Membership;
  /** Rows in memory over all lanes. A row is ids and numbers of fixed width, below half a KiB, so this bounds the bytes too. */
  buffer: number;
};

/** What the parts of a runner share: the slots it holds, their lanes that have work, and which rows are in memory. */
export class RunnerState {
  readonly kind: LaneKind;
  readonly db: Database;
  readonly clock: Clock;
  readonly membership: Membership;
  readonly slots = new Map<number, Slot>();
  readonly lanes = new Map<number, Lane>();
  readonly registry = new RowRegistry();
  readonly #buffer: number;
  readonly #log: QuietLog;
  #settings!: { ask(lane: number): void };
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.kind = options.kind;
    this.db = options.db;
    this.clock = options.clock;
    this.membership = options.membership;
    this.#buffer = options.buffer;
    this.#log = new QuietLog(options.log, options.clock);
  }

  /** `settings` is asked for each new lane. */
  connect(settings: { ask(lane: number): void }): void {
    this.#settings = settings;
  }

  /** From now on nothing is begun and no failure is logged. */
  stop(): void {
    this.#stopped = true;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** False for a lane that was dropped, also when its number was opened again since. */
  isCurrent(lane: Lane): boolean {
    return this.lanes.get(lane.number) === lane;
  }

  /** True when rows of the lane may start: its slot was taken over and is not being given back. */
  mayStart(lane: Lane): boolean {
    return this.isCurrent(lane) && (this.slots.get(lane.slot)?.ready ?? false);
  }

  /** Rows that a lane may hold now, at least one. The others stay in the table, and the lane is read again later. */
  room(): number {
    return Math.max(1, Math.floor((this.#buffer - this.registry.size) / FREE_A_LANE));
  }

  /** The lane of a row that was read, created where it is new; null when its slot is not held here. */
  laneOf(slot: number, number: number): Lane | null {
    const known = this.lanes.get(number);
    if (known) return known;
    if (!this.slots.has(slot)) return null;
    const lane = new Lane({ number, slot, clock: this.clock, defers: this.kind.queue.defer !== null });
    this.lanes.set(number, lane);
    this.#settings.ask(number);
    return lane;
  }

  lanesOf(slot: number): Lane[] {
    return [...this.lanes.values()].filter((lane) => lane.slot === slot);
  }

  /** Forgets a lane and the rows it holds. */
  forget(lane: Lane): void {
    this.lanes.delete(lane.number);
    for (const row of lane.rows()) this.registry.finish(row.seq);
  }

  /** Forgets all slots, lanes and rows. */
  clear(): void {
    this.slots.clear();
    this.lanes.clear();
    this.registry.clear();
  }

  /** Logs a failure of something that is tried again, a line a second at most: with the database away everything fails. */
  report(what: string, error: unknown): void {
    if (this.#stopped) return;
    this.#log.warn(what, { err: error, kind: this.kind.name }, `${what} failed; it will be tried again`);
  }

  /** Resolves after `ms`. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.after(ms, resolve));
  }
}
