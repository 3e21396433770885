import type { House } from "../../../ctx.ts";
import type { HotFunction } from "../../../db/hot-function.ts";
import { startLanes } from "../../../lanes/engine.ts";
import type { Disposition, Grip, LaneKind } from "../../../lanes/kind.ts";
import { SLOTS } from "../../../lanes/lane-kinds.ts";
import { openNotifier } from "../../../lanes/ownership/notifier.ts";
import { systemClock } from "../../../lib/clock.ts";
import { type TestHouse as OpenHouse, openHouse } from "../../../testing/house.ts";
import { taskQueue } from "../store.ts";
import { taskLane } from "../task.ts";

export type TestHouse = OpenHouse & {
  /** Works every row of the workspace's task lane that is due, once, as its owner would; in order. */
  work(kind: LaneKind, workspaceId: string, grip?: Grip): Promise<Disposition[]>;
  /** Works the lanes for real until `stop`, in the machine's time: a new owner waits, and looks for work by itself. */
  lanes(kinds: readonly LaneKind[]): Promise<void>;
};

/** A house whose task lanes the test works by hand. */
export async function startHouse(functions: readonly HotFunction[], provider: House["provider"]): Promise<TestHouse> {
  const open = await openHouse({ functions, provider });
  const { db, clock, log } = open.house;
  const stops: (() => Promise<void>)[] = [];
  return {
    ...open,
    async work(kind, workspaceId, grip = firmGrip()) {
      const lane = taskLane(workspaceId);
      const ask = { slot: lane % SLOTS, lo: 0 };
      const read = await db.call<TailRow>(taskQueue.tail, [JSON.stringify(ask)], clock.now());
      const due = read.filter((row) => row.lane === lane && row.due <= clock.now());
      const done: Disposition[] = [];
      for (const row of due) done.push(await kind.work(queueRow(row), grip));
      return done;
    },
    async lanes(kinds) {
      const notifier = await openNotifier(open.database.url, log);
      stops.push(() => notifier.close());
      const options = { kinds, roles: ["maintenance"] as const, version: "0.0.0", leaseMs: 12_000 };
      const lanes = await startLanes({ ...options, db, clock: systemClock(), log, notifier });
      stops.push(() => lanes.stop());
    },
    async stop() {
      for (const stop of stops.toReversed()) await stop();
      await open.stop();
    },
  };
}

/** The right to work for as long as the test likes. */
export function firmGrip(signal: AbortSignal = new AbortController().signal): Grip {
  return {
    worker: "",
    epoch: 1,
    valid: () => true,
    departure: () => Promise.resolve(),
    report: () => undefined,
    pause: () => undefined,
    signal,
  };
}

type TailRow = {
  slot: number;
  lane: number;
  due: number;
  seq: number;
  workspace_id: string;
  item_id: string;
  attempt: number;
};
const queueRow = (row: TailRow) => ({
  slot: row.slot,
  lane: row.lane,
  due: row.due,
  seq: row.seq,
  workspaceId: row.workspace_id,
  itemId: row.item_id,
  eventId: "",
  key: null,
  attempt: row.attempt,
  state: 0,
  startedAt: null,
  expiresAt: null,
});
