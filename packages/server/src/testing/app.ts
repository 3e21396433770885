import type { App } from "../ctx.ts";
import { openDatabase, type SqlValue } from "../db/database.ts";
import type { HotFunction } from "../db/hot-function.ts";
import { migrate } from "../db/migrate.ts";
import { type LaneKindName, SLOTS } from "../lanes/lane-kinds.ts";
import { hintsOnly } from "../lanes/ownership/hints-only.ts";
import { newUuid } from "../lib/ids.ts";
import { createLog } from "../lib/log.ts";
import { Metrics } from "../lib/metrics.ts";
import { Secrets } from "../lib/secrets.ts";
import { readConfig } from "../process/config/config.ts";
import { type ManualClock, manualClock } from "./clock.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

/** The parts that features are built from, on a database of its own; without HTTP and lanes, which the test replaces. */
export type TestApp = {
  app: App;
  database: TestDatabase;
  clock: ManualClock;
  /** The hints to lane owners, in order. */
  hints: { kind: LaneKindName; slots: number[] }[];
  /** Creates a workspace and returns its uuid. */
  workspace(): Promise<string>;
  /** Rows that a statement returns in the workspace, as the role `app`. */
  rows<Row extends object>(workspaceId: string, text: string, values?: readonly SqlValue[]): Promise<Row[]>;
  stop(): Promise<void>;
};

/**
 * For tests of the inside of one feature that HTTP cannot reach: a killed worker, a lost lease, a hot function of the test's
 * own (`functions`). Everything else is tested through `startGateway`.
 */
export async function openApp(
  options: { functions?: readonly HotFunction[]; provider?: App["provider"]; env?: Record<string, string> } = {},
): Promise<TestApp> {
  const database = await testDatabase();
  const { appRole } = await migrate(database.url, {
    functions: options.functions ?? [],
    slots: SLOTS,
    now: Date.now(),
  });
  const clock = manualClock();
  const hints: TestApp["hints"] = [];
  const app: App = {
    config: readConfig(options.env ?? {}),
    log: createLog("silent"),
    clock,
    db: openDatabase({ url: database.url, appRole, onError: () => undefined }),
    secrets: new Secrets([new Uint8Array(32).fill(7)]),
    provider: options.provider ?? ({} as App["provider"]), // not reached without one
    notifier: hintsOnly((kind, slots) => void hints.push({ kind, slots: [...slots] })),
    metrics: new Metrics(),
    random: Math.random,
  };
  return {
    app,
    database,
    clock,
    hints,
    async workspace() {
      const id = newUuid(clock.now());
      const text =
        "insert into workspace (workspace_id, name, created_at, updated_at) values ($1, 'Acme', now(), now())";
      await app.db.transaction(id, (sql) => sql.run(text, [id]));
      return id;
    },
    rows: (workspaceId, text, values = []) => app.db.read(workspaceId, (sql) => sql.query(text, values)),
    async stop() {
      await app.db.close();
      await database.drop();
    },
  };
}
