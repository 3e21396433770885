import { isStandstill } from "../db/batched.ts";
import { pause, untilBeat } from "../lib/clock.ts";
import type { Role } from "../process/config/config.ts";
import { figuresOf, type LaneFigures } from "./figures.ts";
import type { LaneKind } from "./kind.ts";
import type { LaneKindName } from "./lane-kinds.ts";
import type { SlotOwner } from "./ownership/membership.ts";
import { Slots } from "./ownership/slots.ts";
import { TakeOver } from "./ownership/take-over.ts";
import { DueRows } from "./reading/due-rows.ts";
import { DueSchedule } from "./reading/due-schedule.ts";
import { HandedRows } from "./reading/handed-rows.ts";
import type { LastDrawn } from "./reading/last-drawn.ts";
import { NumberedRows } from "./reading/numbered-rows.ts";
import { Refill } from "./reading/refill.ts";
import { RowReader } from "./reading/row-reader.ts";
import { Sweep } from "./reading/sweep.ts";
import { Tail } from "./reading/tail.ts";
import { type RunnerOptions, RunnerState } from "./runner-state.ts";
import { Defer } from "./working/defer.ts";
import { OrphanedAttempts } from "./working/orphaned-attempts.ts";
import { Scheduler } from "./working/scheduler.ts";
import { SettingsLoader } from "./working/settings.ts";
import { Work } from "./working/work.ts";

const NEAR_SWEEP_EVERY_MS = 1_000;
/**
 * The slow sweep finds what every other reader lost. It walks dead rows, hundreds of thousands while an old snapshot keeps
 * them, so it sleeps at least sixty times as long as it took: a twentieth of the database's time for the three kinds. No longer than
 * a minute, because a round may also have waited for an answer, and what was lost by then must not wait for hours.
 */
const SLOW_SWEEP = { leastMs: 5_000, share: 60, mostMs: 60_000 };
/** Settings are asked again after this, so that another process's change takes effect here soon. */
const SETTINGS_EVERY_MS = 4_000;
const ORPHANS_EVERY_MS = 1_000;
const TIDY_EVERY_MS = 1_000;
/** How often a stop looks whether rows are still in flight. */
const DRAIN_LOOK_MS = 5;

/** The rest after a round: until the next moment of `leastMs`, or with a `share` so many times as long as the round took, within these bounds. */
type Pauses = { leastMs: number; share?: number; mostMs?: number };

/**
 * Works the lanes of one kind whose slots this process holds: reads what was committed, starts what may start, and forgets
 * what is done. Reading claims nothing; the table is the truth and memory only a window on it.
 */
export class Runner implements SlotOwner {
  readonly kind: LaneKindName;
  readonly role: Role;
  readonly #yielding: LaneKind["yields"];
  readonly #beside: LaneKind["beside"];
  readonly #state: RunnerState;
  readonly #scheduler: Scheduler;
  readonly #dues: DueSchedule;
  readonly #slots: Slots;
  readonly #defer: Defer;
  readonly #dueRows: DueRows;
  readonly #refill: Refill;
  readonly #numbered: NumberedRows;
  readonly #sweep: Sweep;
  readonly #tail: Tail;
  readonly handedRows: HandedRows;
  readonly #settings: SettingsLoader;
  readonly #takeOver: TakeOver;
  readonly #work: Work;
  readonly #orphans: OrphanedAttempts;
  /** When the last slow sweep began, if it found no row. */
  #emptyAt: number | null = null;

  constructor(options: RunnerOptions & { listening: () => boolean; lastDrawn: LastDrawn }) {
    const { kind, clock } = options;
    this.kind = kind.name;
    this.role = kind.role;
    this.#yielding = kind.yields;
    this.#beside = kind.beside;
    const state = new RunnerState(options);
    const dues = new DueSchedule(clock);
    const slots = new Slots(state);
    const defer = new Defer(state, dues, slots);
    const reader = new RowReader(state, dues);
    const dueRows = new DueRows(state, dues, reader, defer);
    const refill = new Refill(state, reader, defer);
    const numbered = new NumberedRows(state, reader, defer);
    const sweep = new Sweep(state, reader, dueRows, refill);
    const tail = new Tail(state, reader, options);
    const handedRows = new HandedRows(state, tail);
    const settings = new SettingsLoader(state, dues, refill, defer);
    const takeOver = new TakeOver(state, { tail, sweep, defer });
    const work = new Work(state, { dues, refill, numbered, defer, slots });
    const scheduler = new Scheduler(state, work);
    const orphans = new OrphanedAttempts(state, work, dues, defer);

    this.#state = state;
    this.#scheduler = scheduler;
    this.#dues = dues;
    this.#slots = slots;
    this.#defer = defer;
    this.#dueRows = dueRows;
    this.#refill = refill;
    this.#numbered = numbered;
    this.#sweep = sweep;
    this.#tail = tail;
    this.handedRows = handedRows;
    this.#settings = settings;
    this.#takeOver = takeOver;
    this.#work = work;
    this.#orphans = orphans;
  }

  /** Begins to read; there is nothing to read before slots are gained. */
  run(): void {
    void this.#tail.run();
    void this.#dueRows.run();
    void this.#settings.run();
    void this.#scheduler.run();
    void this.#every(SLOW_SWEEP, "slow sweep", () => this.#slowSweep());
    void this.#every({ leastMs: NEAR_SWEEP_EVERY_MS }, "near sweep", () => this.#tail.nearSweep());
    void this.#every({ leastMs: ORPHANS_EVERY_MS }, "looking at started rows", () => this.#orphans.look());
    void this.#every({ leastMs: TIDY_EVERY_MS }, "tidying", () => this.#tidy());
    void this.#every({ leastMs: SETTINGS_EVERY_MS }, "lane settings", () => this.#settings.askAll());
  }

  /** Rests before each round, until the runner stops. A round that the database has not answered has cost it nothing. */
  async #every(
    { leastMs, share, mostMs = leastMs }: Pauses,
    name: string,
    round: () => Promise<void> | void,
  ): Promise<void> {
    const { clock } = this.#state;
    for (let rest = leastMs; !this.#state.stopped; ) {
      await pause(clock, share === undefined ? untilBeat(clock.monotonic(), leastMs, leastMs / 2) : rest);
      if (this.#state.stopped) return;
      const before = clock.monotonic();
      let wasSilent = false;
      try {
        await round();
      } catch (error) {
        wasSilent = isStandstill(error);
        this.#state.report(name, error);
      }
      const took = wasSilent ? 0 : clock.monotonic() - before;
      rest = Math.min(mostMs, Math.max(leastMs, took * (share ?? 0)));
    }
  }

  async #slowSweep(): Promise<void> {
    const now = this.#state.clock.monotonic();
    const empty = this.#emptyAt;
    // There was no row, and none was committed since. Once in a while it is not believed.
    if (empty !== null && now - empty < SLOW_SWEEP.mostMs && this.#tail.wasQuietAt(empty)) return;
    this.#emptyAt = null;
    const ready = [...this.#state.slots.values()].filter((slot) => slot.ready);
    const lanes = await this.#sweep.sweep(ready.map(({ number }) => number));
    if (lanes === 0) this.#emptyAt = now;
  }

  #tidy(): void {
    for (const lane of this.#state.lanes.values()) {
      this.#defer.resume(lane);
      // Passed by while nothing of it was in flight: no row that lands would refill it.
      this.#refill.refill(lane);
      this.#numbered.read(lane);
      if (lane.idle && !this.#dues.expects(lane)) this.#state.forget(lane);
    }
    this.#dues.tidy(this.#state.lanes);
    // A slot that is given back may have been kept by a read, which does not end with a landing.
    for (const number of this.#state.slots.keys()) this.#slots.giveBackWhenEmpty(number);
  }

  /** Slots that this process was given, each with its epoch. */
  gained(slots: ReadonlyMap<number, number>): void {
    this.#emptyAt = null;
    this.#takeOver.gained(slots);
  }

  /** Slots that belong to another process now. */
  gone(slots: readonly number[]): void {
    this.#slots.gone(slots);
  }

  /** The lease has lapsed. */
  lost(): void {
    this.#slots.lost();
    this.#tail.clear();
  }

  /** So many slots must be given back. */
  surplus(count: number): void {
    this.#slots.surplus(count);
  }

  /** Rows of these slots were committed; null: of any. */
  hint(slots: readonly number[] | null): void {
    this.#tail.hint(slots);
  }

  /** Settings of these lanes have changed. */
  refresh(lanes: Iterable<number>): void {
    for (const lane of lanes) if (this.#state.lanes.has(lane)) this.#state.unconfigured.add(lane);
  }

  /** Where the kind yields, the work of these runners goes first. */
  yieldTo(others: readonly Runner[]): void {
    this.#yielding?.attach(this.#scheduler, others);
  }

  /** Starts nothing more; resolves when nothing is in flight and all outcomes are stored, or after `ms`, and then aborts what is left. */
  async drain(ms: number): Promise<void> {
    this.#state.stop();
    this.#work.stop();
    this.#dues.stop();
    this.#tail.readSoon();
    this.#yielding?.stop();
    const deadline = performance.now() + ms;
    while (this.#work.unsettled > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
    this.#work.abort();
  }

  get inFlight(): number {
    return this.#work.inFlight;
  }

  /** Rows started so far, those beside the queue included. */
  get starts(): number {
    return this.#work.starts + (this.#beside?.starts ?? 0);
  }

  figures(): LaneFigures {
    return figuresOf(this.#state, this.#work.inFlight);
  }

  /** Rows in memory. */
  get rows(): number {
    return this.#state.registry.size;
  }

  /** Slots whose take-over takes longer than any should. */
  get unready(): number {
    return this.#takeOver.overdue;
  }
}
