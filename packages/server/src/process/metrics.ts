import type { Database } from "../db/database.ts";
import { POOL_NAMES } from "../db/pools.ts";
import type { Lanes } from "../lanes/engine.ts";
import type { LaneFigures } from "../lanes/figures.ts";
import { LANE_KINDS, type LaneKindName } from "../lanes/lane-kinds.ts";
import { selectQueueSizes } from "../lanes/queue.store.ts";
import type { EndedBatch } from "../lib/batch/options.ts";
import type { Clock } from "../lib/clock.ts";
import { askOnce, type Metrics } from "../lib/metrics.ts";

const KINDS = Object.keys(LANE_KINDS) as LaneKindName[];
/** Rows of a batch: one is a lone caller, 200 the most. */
const ROWS = [1, 2, 5, 10, 20, 50, 100, 200];

/** Counts the batches of hot functions; `functions` are their names. The callback goes into the options of the database. */
export function countBatches(metrics: Metrics, functions: readonly string[]): (batch: EndedBatch) => void {
  const labels = { function: functions };
  const rows = metrics.histogram(
    {
      name: "waypost_database_batch_rows",
      help: "Rows in a batched call of a database function; of accept_messages: messages accepted or refused together.",
      labels,
    },
    ROWS,
  );
  const time = metrics.histogram({
    name: "waypost_database_batch_seconds",
    help: "Time of a batched call of a database function, its wait for a connection included.",
    labels,
  });
  const failed = metrics.counter({
    name: "waypost_database_batches_failed_total",
    help: "Batched calls of a database function that failed as a whole; their rows are tried again or refused.",
    labels,
  });
  return ({ name, rows: count, ms, ok }) => {
    rows({ function: name }, count);
    time({ function: name }, ms / 1_000);
    if (!ok) failed({ function: name });
  };
}

/** The figures of this process's connections, and what the database says of the queues. */
export function showDatabase(metrics: Metrics, db: Database): void {
  metrics.gauge(
    {
      name: "waypost_database_connections",
      help: "Connections of a pool: in use, or open and idle.",
      labels: { pool: POOL_NAMES, state: ["used", "idle"] },
    },
    () =>
      db
        .connections()
        .flatMap(({ name, used, idle }) => [
          [{ pool: name, state: "used" }, used] as const,
          [{ pool: name, state: "idle" }, idle] as const,
        ]),
  );
  metrics.gauge(
    {
      name: "waypost_database_waiting",
      help: "Callers that wait for a connection of a pool.",
      labels: { pool: POOL_NAMES },
    },
    () => db.connections().map(({ name, waiting }) => [{ pool: name }, waiting]),
  );
  const ask = askOnce(() => selectQueueSizes(db.sql, KINDS));
  metrics.gauge(
    {
      name: "waypost_database_up",
      help: "1 when the database answered this scrape within a second, else 0.",
      labels: {},
    },
    async () => [[{}, (await ask()) === null ? 0 : 1]],
  );
  metrics.gauge(
    {
      name: "waypost_queue_rows",
      help: "Rows of a queue in the database, scheduled ones included, as its statistics estimate them. Of all processes: take the maximum, not the sum.",
      labels: { kind: KINDS },
    },
    async () => {
      const sizes = await ask();
      return KINDS.map((kind) => [{ kind }, sizes?.get(kind) ?? null]);
    },
  );
}

/** The figures of the lanes that this process works; none before they have started. */
export function showLanes(metrics: Metrics, lanes: () => Lanes | null, clock: Clock): void {
  const gauge = (name: string, help: string, of: (figures: LaneFigures) => number): void =>
    metrics.gauge({ name, help, labels: { kind: KINDS } }, () =>
      (lanes()?.figures() ?? []).map((figures) => [{ kind: figures.kind }, of(figures)]),
    );
  metrics.gauge(
    {
      name: "waypost_lane_rows",
      help: "Queue rows in this process's memory: waiting for their turn, or being worked.",
      labels: { kind: KINDS, state: ["waiting", "in_flight"] },
    },
    () =>
      (lanes()?.figures() ?? []).flatMap(({ kind, waiting, inFlight }) => [
        [{ kind, state: "waiting" }, waiting] as const,
        [{ kind, state: "in_flight" }, inFlight] as const,
      ]),
  );
  gauge(
    "waypost_lane_oldest_row_seconds",
    "How long the oldest row in this process's memory could have been started; 0 without rows.",
    ({ oldest }) => (oldest === null ? 0 : Math.max(0, clock.now() - oldest) / 1_000),
  );
  gauge(
    "waypost_lanes",
    "Lanes that this process has work of, or had a moment ago: phone numbers, endpoints, and so on.",
    (figures) => figures.lanes,
  );
  gauge(
    "waypost_lanes_overflowing",
    "Lanes with more rows in the database than this process keeps in memory.",
    ({ passedBy }) => passedBy,
  );
  gauge(
    "waypost_lanes_resting",
    "Lanes that leave their receiver alone because it is in trouble, or probe whether it has recovered: endpoints of webhooks.",
    ({ resting }) => resting,
  );
  gauge("waypost_slots_owned", "Slots that this process works; 64 over all processes.", ({ slots }) => slots);
  metrics.gauge(
    {
      name: "waypost_lease_valid",
      help: "1 while this process holds its lease and may begin work, else 0.",
      labels: {},
    },
    () => [[{}, lanes()?.membership.valid() ? 1 : 0]],
  );
}
