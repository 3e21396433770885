import type { Lane } from "../lane/lane.ts";
import { LANE_BUFFER } from "../queue.ts";
import type { Owned } from "../runner-state.ts";
import type { DueRows } from "./due-rows.ts";
import type { Intake } from "./row-reader.ts";

/** Reads lanes by name: those that were passed by, and all that have any row. */
export type FreshRows = {
  /** Reads more of a lane that was passed by, when it has room again. */
  refill(lane: Lane): void;
  /** Skips from lane to lane of these slots and takes the first rows of each, fresh and due: finds what every other way lost. */
  sweep(slots: readonly number[]): Promise<void>;
};

/** Rows of one read over all its lanes; taking them in, some milliseconds, holds up everybody's answers. */
const READ_ROWS = 500;
/** Lanes in one read of the sweep, each with its share of the rows. */
const SWEEP_LANES = 10;
const SWEEP_ROWS = READ_ROWS / SWEEP_LANES;

type Refill = { lane: Lane; lo: number; most: number };

export function createFreshRows(owned: Owned, intake: Intake, due: DueRows): FreshRows {
  const { kind, db, clock, lanes, slots } = owned;
  const asked: Refill[] = [];
  let reading = false;

  function refill(lane: Lane): void {
    if (owned.stopped || lanes.get(lane.lane) !== lane) return;
    const refill = lane.refill(owned.room());
    if (refill === null) return;
    asked.push({ lane, ...refill });
    if (!reading) void readAsked();
  }

  /** One read after the other: lanes that ask meanwhile share the next one. */
  async function readAsked(): Promise<void> {
    reading = true;
    for (let part = nextPart(); part.length > 0; part = nextPart()) await read(part);
    reading = false;
  }

  function nextPart(): Refill[] {
    let rows = 0;
    const over = asked.findIndex(({ most }) => (rows += most) > READ_ROWS);
    return asked.splice(0, over < 0 ? asked.length : Math.max(1, over));
  }

  async function read(part: readonly Refill[]): Promise<void> {
    const counts = new Map<number, number>();
    const asks = part.map(({ lane, lo, most }) => ({ slot: lane.slot, lane: lane.lane, lo, most }));
    let failed = false;
    try {
      await intake.read(kind.queue.fresh, asks, (rows, id) => {
        for (const row of rows) {
          counts.set(row.lane, (counts.get(row.lane) ?? 0) + 1);
          intake.accept(row, id, true);
        }
      });
    } catch (error) {
      owned.report("refill")(error);
      failed = true;
    }
    for (const { lane, most } of part) {
      lane.refilled(!failed && (counts.get(lane.lane) ?? 0) < most);
      if (!failed) refill(lane);
    }
  }

  async function sweep(which: readonly number[]): Promise<void> {
    if (which.length === 0) return;
    const found = await db.call(
      kind.queue.lanes,
      which.map((slot) => ({ slot })),
      clock.now(),
    );
    for (let i = 0; i < found.length && !owned.stopped; i += SWEEP_LANES)
      await sweepLanes(found.slice(i, i + SWEEP_LANES).filter(({ slot }) => slots.has(slot)));
  }

  async function sweepLanes(part: { slot: number; lane: number }[]): Promise<void> {
    const hungry = part.filter(({ lane }) => isHungry(lanes.get(lane)));
    if (hungry.length === 0) return;
    const counts = new Map<number, number>();
    const asks = hungry.map(({ slot, lane }) => ({ slot, lane, lo: -1, most: SWEEP_ROWS }));
    await intake.read(kind.queue.fresh, asks, (rows, read) => {
      for (const row of rows) {
        counts.set(row.lane, (counts.get(row.lane) ?? 0) + 1);
        intake.accept(row, read);
      }
    });
    const full = hungry.flatMap(({ lane }) => ((counts.get(lane) ?? 0) >= SWEEP_ROWS ? (lanes.get(lane) ?? []) : []));
    for (const lane of full) lane.pass();
    await due.read(
      hungry.flatMap(({ slot, lane }) => owned.laneOf(slot, lane) ?? []),
      true,
    );
    // What stands first may be nothing to start (begun by a former owner): the next ones are looked at all the same.
    for (const lane of full) refill(lane);
  }

  return { refill, sweep };
}

// A lane with enough in memory is in no need of being found, a closed one not worked.
const isHungry = (lane: Lane | undefined): boolean =>
  lane === undefined || (!lane.closed && lane.buffered < LANE_BUFFER / 4);
