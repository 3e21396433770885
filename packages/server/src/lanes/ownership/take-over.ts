import { pause } from "../../lib/clock.ts";
import { selectWriters } from "../queue.store.ts";
import type { Sweep } from "../reading/sweep.ts";
import type { Tail } from "../reading/tail.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Defer } from "../working/defer.ts";
import { Slot } from "./slot.ts";

/** After a take-over the slot is swept once more for rows that committed late (`statement_timeout` 8 s bounds how late). */
const SECOND_SWEEP_MS = 9_000;
const TAKE_AGAIN_AFTER_MS = 1_000;
/** Slots swept by one read at a take-over: the first begin to work while the others are looked at. */
const SWEEP_SLOTS = 8;
/** A million rows over 100,000 lanes are swept in one second, and writers are waited for 8 s; this much longer is a fault. */
const LONGEST_TAKE_OVER_MS = 15_000;
/** A statement that writes queue rows takes no longer (`statement_timeout`). */
const LONGEST_WRITE_MS = 8_000;
const LOOK_AGAIN_MS = 5;

export type TakeOverParts = { tail: Tail; sweep: Sweep; defer: Defer };

/** Brings slots that were gained to the point where their lanes are worked. */
export class TakeOver {
  readonly #state: RunnerState;
  readonly #parts: TakeOverParts;

  constructor(state: RunnerState, parts: TakeOverParts) {
    this.#state = state;
    this.#parts = parts;
  }

  /** Takes over slots, each given with its epoch. */
  gained(taken: ReadonlyMap<number, number>): void {
    const { slots, clock } = this.#state;
    const gained = [...taken].map(([number, epoch]) => new Slot(number, epoch, clock.monotonic()));
    for (const slot of gained) slots.set(slot.number, slot);
    void this.#takeOver(gained);
  }

  /**
   * The order matters. 1: the watermark, above which the tail reads. 2: wait for open writers, because one transaction may
   * have drawn numbers on both sides of the watermark, and the tail would bring its later rows long before a sweep brings its
   * first; and because a former owner's last call may still begin attempts. 3: the rows below the watermark, of a long lane
   * the first. 4: holds, so that no row overtakes one that a former owner began. Nothing of a slot starts before all four.
   * The other rows of long lanes are left to refills, which read the holds again.
   *
   * A former owner may store an outcome meanwhile, a retry and its hold in one transaction. Stored before the rows are read,
   * its hold is read after them; stored later, its row was read as started, and the key waits for it as an orphan. Holds that
   * are read before the rows miss what is stored in between, and the recipient's next row starts first.
   */
  async #takeOver(taken: readonly Slot[]): Promise<void> {
    try {
      await this.#parts.tail.open(taken);
      await this.#writersGone();
      for (let left = this.#left(taken); left.length > 0; left = this.#left(taken))
        await this.#open(left.slice(0, SWEEP_SLOTS));
    } catch (error) {
      this.#state.report("taking over slots", error);
      this.#state.clock.after(TAKE_AGAIN_AFTER_MS, () => {
        const left = this.#left(taken);
        if (left.length > 0) void this.#takeOver(left);
      });
    }
  }

  #left(taken: readonly Slot[]): Slot[] {
    return this.#held(taken).filter(({ takingOver }) => takingOver);
  }

  #held(taken: readonly Slot[]): Slot[] {
    return this.#state.stopped ? [] : taken.filter((slot) => this.#state.slots.get(slot.number) === slot);
  }

  /** Waits for the transactions that are writing to the queue now. */
  async #writersGone(): Promise<void> {
    const { clock, db, kind } = this.#state;
    const until = clock.monotonic() + LONGEST_WRITE_MS;
    let left = await selectWriters(db.sql, kind.queue.table);
    while (left.length > 0 && clock.monotonic() < until && !this.#state.stopped) {
      await pause(this.#state.clock, LOOK_AGAIN_MS);
      const now = await selectWriters(db.sql, kind.queue.table);
      left = left.filter((writer) => now.includes(writer));
    }
  }

  async #open(slots: readonly Slot[]): Promise<void> {
    const { sweep, defer, tail } = this.#parts;
    await sweep.sweep(slots.map(({ number }) => number));
    await defer.restoreHolds(this.#held(slots).map(({ number }) => number));
    for (const slot of this.#held(slots)) {
      slot.open();
      for (const lane of this.#state.lanesOf(slot.number)) this.#state.startable.add(lane);
    }
    tail.readSoon();
    this.#state.clock.after(SECOND_SWEEP_MS, () => {
      const held = this.#held(slots).map(({ number }) => number);
      sweep.sweep(held).catch((error) => this.#state.report("second sweep", error));
    });
  }

  /** Slots whose take-over takes longer than any should. */
  get overdue(): number {
    const before = this.#state.clock.monotonic() - LONGEST_TAKE_OVER_MS;
    return [...this.#state.slots.values()].filter(({ takingOver, since }) => takingOver && since < before).length;
  }
}
