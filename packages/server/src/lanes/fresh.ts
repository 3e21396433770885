import type { DueRows } from "./due.ts";
import type { Intake } from "./intake.ts";
import type { Lane } from "./lane.ts";
import type { Owned } from "./owned.ts";
import { LANE_BUFFER } from "./queue.ts";

/** Reads lanes by name: those that were passed by, and all that have any row. */
export type FreshRows = {
  /** Reads more of a lane that was passed by, when it has room again. */
  refill(lane: Lane): void;
  /** Skips from lane to lane of these slots and takes the first rows of each, fresh and due: finds what every other way lost. */
  sweep(slots: readonly number[]): Promise<void>;
};

/** Lanes a read of the sweep; with full lanes 20,000 rows, most of which are only passed by. */
const SWEEP_LANES = 100;

export function createFreshRows(owned: Owned, intake: Intake, due: DueRows): FreshRows {
  const { kind, db, clock, lanes, slots } = owned;

  function refill(lane: Lane): void {
    // With memory full every row would be passed by again, at once.
    if (owned.stopped || !owned.hasRoom() || lanes.get(lane.lane) !== lane) return;
    const lo = lane.refillFrom();
    if (lo === null) return;
    let found = 0;
    intake
      .read(kind.queue.fresh, [{ slot: lane.slot, lane: lane.lane, lo }], (rows, read) => {
        found = rows.length;
        for (const row of rows) intake.accept(row, read, true);
      })
      .then(
        () => {
          lane.refilled(found < LANE_BUFFER);
          refill(lane);
        },
        (error: unknown) => {
          owned.report("refill")(error);
          lane.refilled(false);
        },
      );
  }

  async function sweep(which: readonly number[]): Promise<void> {
    if (which.length === 0) return;
    const found = await db.call<{ slot: number; lane: number }>(
      kind.queue.lanes,
      which.map((slot) => JSON.stringify({ slot })),
      clock.now(),
    );
    for (let i = 0; i < found.length && !owned.stopped; i += SWEEP_LANES)
      await sweepLanes(found.slice(i, i + SWEEP_LANES).filter(({ slot }) => slots.has(slot)));
  }

  async function sweepLanes(part: { slot: number; lane: number }[]): Promise<void> {
    const hungry = part.filter(({ lane }) => isHungry(lanes.get(lane)));
    if (hungry.length === 0) return;
    const counts = new Map<number, number>();
    const asks = hungry.map(({ slot, lane }) => ({ slot, lane, lo: -1 }));
    await intake.read(kind.queue.fresh, asks, (rows, read) => {
      for (const row of rows) {
        counts.set(row.lane, (counts.get(row.lane) ?? 0) + 1);
        intake.accept(row, read);
      }
    });
    const full = hungry.flatMap(({ lane }) => ((counts.get(lane) ?? 0) >= LANE_BUFFER ? (lanes.get(lane) ?? []) : []));
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
