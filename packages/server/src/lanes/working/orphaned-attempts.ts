import type { LaneClaim, QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import type { Owned } from "../runner-state.ts";

/**
 * Rows whose attempt was begun by a former owner. Its worker may still bring the outcome, from anywhere; when nobody has
 * until the deadline, the kind settles them. Everything else of the lane goes on meanwhile.
 */
export type Settling = {
  /** Looks at all started rows once. */
  look(): Promise<void>;
};

export type SettlingOptions = {
  claimOf(lane: Lane): LaneClaim | null;
  wake(lane: Lane): void;
  watch(lane: Lane): void;
  /** Reads what the table says about held keys of these slots into their lanes. */
  readHeld(slots: readonly number[], only: (lane: number, key: string) => boolean): Promise<void>;
  settled(slot: number): void;
};

type Started = { lane: Lane; row: QueueRow };

export function createSettling(owned: Owned, options: SettlingOptions): Settling {
  const { kind, db, clock, lanes, memory } = owned;

  async function look(): Promise<void> {
    const fn = kind.queue.started;
    if (!fn || !kind.settle || kind.settleAfterMs === undefined) return;
    const all: Started[] = [];
    for (const lane of lanes.values()) for (const row of lane.started.values()) all.push({ lane, row });
    if (all.length === 0) return;
    const places = all.map(({ row }) => ({ slot: row.slot, seq: row.seq }));
    const answers = await db.call(fn, places, clock.now());
    const still = new Set(answers.map(({ seq }) => seq));
    const mine = all.filter(({ lane, row }) => lanes.get(lane.lane) === lane && lane.started.has(row.seq));
    await forget(mine.filter(({ row }) => !still.has(row.seq)));
    const overdue = clock.now() - kind.settleAfterMs;
    const due = mine.filter(({ row }) => still.has(row.seq) && (row.startedAt ?? 0) <= overdue);
    await Promise.all(due.map((started) => settle(started)));
  }

  // Its former owner brought the outcome after all; what became of the row is read like any other, and its order with it.
  async function forget(gone: Started[]): Promise<void> {
    if (gone.length === 0) return;
    const keys = new Set(gone.map(({ row }) => `${row.lane} ${row.key}`));
    await options.readHeld([...new Set(gone.map(({ lane }) => lane.slot))], (lane, key) => keys.has(`${lane} ${key}`));
    for (const { lane, row } of gone) {
      clear(lane, row);
      lane.expect(row.due > Number.NEGATIVE_INFINITY ? row.due : (row.startedAt ?? clock.now()));
      goOn(lane);
    }
  }

  async function settle({ lane, row }: Started): Promise<void> {
    const claim = options.claimOf(lane);
    if (!claim?.valid() || !kind.settle) return;
    lane.pending += 1;
    try {
      const disposition = await kind.settle(row, claim);
      if (disposition.kind === "again") return;
      clear(lane, row);
      if (disposition.kind === "later") lane.expect(disposition.due);
    } catch (error) {
      owned.report("settling")(error);
    } finally {
      lane.pending -= 1;
      goOn(lane);
    }
  }

  function clear(lane: Lane, row: QueueRow): void {
    if (lanes.get(lane.lane) === lane) memory.finish(row.seq);
    lane.cleared(row, clock.now());
  }

  function goOn(lane: Lane): void {
    if (lanes.get(lane.lane) !== lane) return;
    options.watch(lane);
    options.wake(lane);
    options.settled(lane.slot);
  }

  return { look };
}
