import type { Lane } from "../lane/lane.ts";
import { LANE_BUFFER } from "../queue.ts";
import type { RunnerState } from "../runner-state.ts";
import type { DueRows } from "./due-rows.ts";
import { countByLane, READ_ROWS, type Refill } from "./refill.ts";
import type { RowReader } from "./row-reader.ts";

/** Lanes in one read of the sweep, each with its share of the rows. */
const SWEEP_LANES = 10;
const SWEEP_ROWS = READ_ROWS / SWEEP_LANES;

type FoundLane = { slot: number; lane: number };

/**
 * Goes through all lanes that have any row: at a take-over, because nothing of the slots is known yet, and slowly all the
 * time, because it finds what every other reader lost.
 */
export class Sweep {
  readonly #state: RunnerState;
  readonly #reader: RowReader;
  readonly #dueRows: DueRows;
  readonly #refill: Refill;

  constructor(state: RunnerState, reader: RowReader, dueRows: DueRows, refill: Refill) {
    this.#state = state;
    this.#reader = reader;
    this.#dueRows = dueRows;
    this.#refill = refill;
  }

  /** Skips from lane to lane of these slots and takes the first rows of each, fresh and due. Resolves with the number of lanes. */
  async sweep(slots: readonly number[]): Promise<number> {
    if (slots.length === 0) return 0;
    const { kind, db, clock } = this.#state;
    const begunAt = clock.monotonic();
    const asks = slots.map((slot) => ({ slot }));
    const found = await db.call(kind.queue.lanes, asks, clock.now());
    for (let i = 0; i < found.length && !this.#state.stopped; i += SWEEP_LANES)
      await this.#sweepLanes(found.slice(i, i + SWEEP_LANES), begunAt);
    return found.length;
  }

  /** A slot that was lost and gained again since `begunAt` is left to its own take-over. */
  async #sweepLanes(part: readonly FoundLane[], begunAt: number): Promise<void> {
    const { kind, lanes } = this.#state;
    const held = ({ slot }: FoundLane): boolean => this.#state.heldSince(slot, begunAt);
    const takingOver = (slot: number): boolean => this.#state.slots.get(slot)?.takingOver ?? false;
    const hungry = part.filter(held).filter(({ slot, lane }) => takingOver(slot) || isHungry(lanes.get(lane)));
    if (hungry.length === 0) return;
    const asks = hungry.map(({ slot, lane }) => ({ slot, lane, lo: -1, most: SWEEP_ROWS }));
    const counts = countByLane(await this.#reader.read(kind.queue.fresh, asks));
    const full = hungry.flatMap(({ lane }) => ((counts.get(lane) ?? 0) >= SWEEP_ROWS ? (lanes.get(lane) ?? []) : []));
    for (const lane of full) lane.markPassedBy();
    const current = hungry.filter(held).flatMap(({ slot, lane }) => this.#state.laneOf(slot, lane) ?? []);
    let more = await this.#dueRows.read(current, true);
    // At a take-over also the next ones, as many as a former owner had room for: a row that it began keeps its recipient only
    // when it is known here.
    while ((more = more.filter((lane) => takingOver(lane.slot))).length > 0)
      more = await this.#dueRows.read(more, false);
    // The rows read may not be startable (a former owner began them): the next ones are looked at all the same.
    for (const lane of full) this.#refill.refill(lane);
  }
}

// A lane with enough to start need not be found, a closed one is not worked. Rows that wait here may wait for one that was lost.
const isHungry = (lane: Lane | undefined): boolean =>
  lane === undefined || (!lane.closed && lane.startable < LANE_BUFFER / 4);
