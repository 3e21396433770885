import type { App } from "../../../ctx.ts";
import type { HotFunction } from "../../../db/hot-function.ts";
import { startLanes } from "../../../lanes/engine.ts";
import type { Disposition, LaneClaim, LaneKind } from "../../../lanes/kind.ts";
import { SLOTS } from "../../../lanes/lane-kinds.ts";
import { openNotifier } from "../../../lanes/ownership/notifier.ts";
import type { ReadRow } from "../../../lanes/queue.ts";
import { systemClock } from "../../../lib/clock.ts";
import { type TestApp as OpenApp, openApp } from "../../../testing/app.ts";
import { taskQueue } from "../store.ts";
import { taskLane } from "../task.ts";

export type TestApp = OpenApp & {
  /** Works every row of the workspace's task lane that is due, once, as its owner would; in order. */
  work(kind: LaneKind, workspaceId: string, claim?: LaneClaim): Promise<Disposition[]>;
  /** Works the lanes for real until `stop`, in the machine's time: a new owner waits, and looks for work by itself. */
  lanes(kinds: readonly LaneKind[]): Promise<void>;
};

/** A house whose task lanes the test works by hand. */
export async function startApp(functions: readonly HotFunction[], provider: App["provider"]): Promise<TestApp> {
  const open = await openApp({ functions, provider });
  const { db, clock, log } = open.app;
  const stops: (() => Promise<void>)[] = [];
  return {
    ...open,
    async work(kind, workspaceId, claim = firmClaim()) {
      const lane = taskLane(workspaceId);
      const ask = { slot: lane % SLOTS, lo: 0, most: 1_000, seen: null };
      const read = await db.call(taskQueue.tail, [ask], clock.now());
      const due = read.filter((row) => row.lane === lane && row.due <= clock.now());
      const done: Disposition[] = [];
      for (const row of due) done.push(await kind.work(queueRow(row), claim));
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
export function firmClaim(signal: AbortSignal = new AbortController().signal): LaneClaim {
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

const queueRow = (row: ReadRow) => ({
  slot: row.slot,
  lane: row.lane,
  due: row.due,
  seq: row.seq,
  workspaceId: row.workspace_id ?? "",
  itemId: row.item_id,
  eventId: "",
  key: null,
  attempt: row.attempt,
  state: 0,
  startedAt: null,
  expiresAt: null,
});
