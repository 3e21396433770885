import { readConfig } from "../../../config.ts";
import type { House } from "../../../ctx.ts";
import { openDatabase } from "../../../db/database.ts";
import type { HotFunction } from "../../../db/hot-function.ts";
import { migrate } from "../../../db/migrate.ts";
import { startLanes } from "../../../lanes/engine.ts";
import type { Disposition, Grip, LaneKind } from "../../../lanes/kind.ts";
import { openNotifier } from "../../../lanes/notify.ts";
import { type LaneKindName, SLOTS } from "../../../lanes/wake.ts";
import { type SystemClock, systemClock } from "../../../lib/clock.ts";
import { newUuid } from "../../../lib/ids.ts";
import { createLog } from "../../../lib/log.ts";
import { createSecrets } from "../../../lib/secrets.ts";
import { testDatabase } from "../../../testing/database.ts";
import { taskQueue } from "../store.ts";
import { taskLane } from "../task.ts";

/** The real clock, and days on top of it when a test says so. */
export type TestClock = SystemClock & { advance(ms: number): void };

export type TestHouse = {
  house: House;
  clock: TestClock;
  /** What was hinted, in order. */
  hints: { kind: LaneKindName; slots: number[] }[];
  /** A new workspace; its uuid. */
  workspace(): Promise<string>;
  /** Works every row of the workspace's task lane that is due, once, as its owner would; in order. */
  work(kind: LaneKind, workspaceId: string, grip?: Grip): Promise<Disposition[]>;
  /** Works the lanes for real until `stop`. */
  lanes(kinds: readonly LaneKind[]): Promise<void>;
  /** Rows of any table, as the workspace sees them. */
  rows<Row extends object>(workspaceId: string, text: string, values?: (string | number)[]): Promise<Row[]>;
  stop(): Promise<void>;
};

/** The house on a database of its own, without HTTP. */
export async function startHouse(functions: readonly HotFunction[], provider: House["provider"]): Promise<TestHouse> {
  const database = await testDatabase();
  const { appRole } = await migrate(database.url, { functions, slots: SLOTS, now: Date.now() });
  const clock = testClock();
  const log = createLog("silent");
  const hints: TestHouse["hints"] = [];
  const db = openDatabase({ url: database.url, appRole, onError: () => undefined });
  const notifier = await openNotifier(database.url, log);
  const hint = (kind: LaneKindName, slots: Iterable<number>): void => {
    hints.push({ kind, slots: [...slots] });
    notifier.hint(kind, hints.at(-1)?.slots ?? []);
  };
  const secrets = createSecrets([new Uint8Array(32).fill(7)]);
  const house: House = { config: readConfig({}), log, clock, db, secrets, provider, wake: { hint } };
  const stops: (() => Promise<void>)[] = [];

  const rows: TestHouse["rows"] = (workspaceId, text, values = []) =>
    db.read(workspaceId, (sql) => sql.query(text, values));

  return {
    house,
    clock,
    hints,
    rows,
    async workspace() {
      const id = newUuid(clock.now());
      const text =
        "insert into workspace (workspace_id, name, status, created_at, updated_at) values ($1, 'Test', 'active', now(), now())";
      await db.transaction(id, (sql) => sql.run(text, [id]));
      return id;
    },
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
      const options = { kinds, roles: ["maintenance"] as const, version: "0.0.0", leaseMs: 12_000 };
      const lanes = await startLanes({ ...options, db, clock, log, notifier });
      stops.push(() => lanes.stop());
    },
    async stop() {
      for (const stop of stops) await stop();
      await notifier.close();
      await db.close();
      await database.drop();
    },
  };
}

function testClock(): TestClock {
  const real = systemClock();
  let ahead = 0;
  return {
    ...real,
    now: () => real.now() + ahead,
    monotonic: () => real.monotonic() + ahead,
    advance: (ms) => {
      ahead += ms;
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
