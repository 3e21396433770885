import type { Lane } from "../lane/lane.ts";
import type { ReadRow } from "../queue.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Defer } from "../working/defer.ts";
import type { RowReader } from "./row-reader.ts";

/** Rows of one read over all its lanes; taking them in, some milliseconds, delays every answer of this process. */
export const READ_ROWS = 500;

type Ask = { lane: Lane; lo: number; most: number };

/** Reads more fresh rows of lanes that were passed by. */
export class Refill {
  readonly #state: RunnerState;
  readonly #reader: RowReader;
  readonly #defer: Defer;
  readonly #asked: Ask[] = [];
  #reading = false;

  constructor(state: RunnerState, reader: RowReader, defer: Defer) {
    this.#state = state;
    this.#reader = reader;
    this.#defer = defer;
  }

  /** Refills the lane where it was passed by and has room again. */
  refill(lane: Lane): void {
    if (this.#state.stopped || !this.#state.isCurrent(lane)) return;
    const range = lane.beginRefill(this.#state.room());
    if (range === null) return;
    this.#asked.push({ lane, ...range });
    if (!this.#reading) void this.#readAsked();
  }

  /** One read after the other: lanes that ask meanwhile share the next one. */
  async #readAsked(): Promise<void> {
    this.#reading = true;
    for (let part = this.#nextPart(); part.length > 0; part = this.#nextPart()) {
      // A lane that was dropped meanwhile may be here again with other rows: these asks are not its own.
      const current = part.filter(({ lane }) => this.#state.isCurrent(lane));
      if (current.length > 0) await this.#read(current);
    }
    this.#reading = false;
  }

  #nextPart(): Ask[] {
    let rows = 0;
    const over = this.#asked.findIndex(({ most }) => (rows += most) > READ_ROWS);
    return this.#asked.splice(0, over < 0 ? this.#asked.length : Math.max(1, over));
  }

  async #read(part: readonly Ask[]): Promise<void> {
    const asks = part.map(({ lane, lo, most }) => ({ slot: lane.slot, lane: lane.number, lo, most }));
    let rows: ReadRow[];
    try {
      const beforeTaking = (): Promise<void> => this.#restoreHolds(part);
      rows = await this.#reader.read(this.#state.kind.queue.fresh, asks, { ofRefill: true, beforeTaking });
    } catch (error) {
      this.#state.report("refill", error);
      for (const { lane } of part) lane.endRefill(null);
      return;
    }
    const counts = countByLane(rows);
    const last = new Map(rows.map(({ lane, seq }) => [lane, seq]));
    for (const { lane, lo, most } of part) {
      const foundEnd = (counts.get(lane.number) ?? 0) < most;
      lane.endRefill({ foundEnd, readTo: last.get(lane.number) ?? lo });
      this.refill(lane);
    }
  }

  /**
   * A take-over reads the first rows of a lane and then the holds. Of the rows that it left, a former owner may have begun
   * some, and it may have stored a retry with its hold before they are read here: they are not among the fresh rows any more,
   * and only their holds keep the next rows of their recipients back.
   */
  #restoreHolds(part: readonly Ask[]): Promise<void> {
    const { slots } = this.#state;
    const left = part.filter(({ lane, lo }) => lo < (slots.get(lane.slot)?.drawnBefore ?? 0));
    const numbers = new Set(left.map(({ lane }) => lane.number));
    return this.#defer.restoreHolds([...new Set(left.map(({ lane }) => lane.slot))], (lane) => numbers.has(lane));
  }
}

/** How many rows there are of each lane. */
export function countByLane(rows: readonly { lane: number }[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { lane } of rows) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  return counts;
}
