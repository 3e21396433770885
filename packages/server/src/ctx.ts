import type { Database, Sql } from "./db/database.ts";
import type { Announcer } from "./lanes/ownership/notifier.ts";
import type { Clock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import type { Metrics } from "./lib/metrics.ts";
import type { Secrets } from "./lib/secrets.ts";
import type { Config } from "./process/config/config.ts";
import type { Provider } from "./provider/provider.ts";

/** What the process has one of; built by `process/runtime.ts`, handed to features. */
export type App = {
  config: Config;
  log: Log;
  clock: Clock;
  db: Database;
  secrets: Secrets;
  provider: Provider;
  /** Notifies the owners of lanes, here and in other processes, that rows were committed. */
  notifier: Announcer;
  /** What the process counts of itself; a feature adds its own when it is built. */
  metrics: Metrics;
  /** 0 to below 1: spreads retries and pauses. Not for secrets. */
  random: () => number;
};

/** Fields that an API key may take for the idempotency key of a request. */
export const DEDUPE_FIELDS = ["biz_opaque_callback_data"] as const;
export type DedupeBy = (typeof DEDUPE_FIELDS)[number];

/** Who asks: an API key, the operator, the holder of a setup link, or the gateway itself. `id` is a uuid, null for the operator and the gateway. */
export type Actor = {
  type: "api_key" | "operator" | "setup_link" | "system" | "anonymous";
  id: string | null;
  name: string | null;
  scopes: readonly string[];
  /** Uuids of the phone numbers to which the key is limited; null: all of the workspace. Never changes while the key lives. */
  phoneNumberIds: readonly string[] | null;
  /** The field of a request whose value is its idempotency key where it has none in its headers. */
  dedupeBy?: DedupeBy;
  /** Uuid of the console's session by which the key, or the operator, calls. */
  session?: string;
};

/** What a verb receives with its input: `verb(ctx, input)`. */
export type Ctx = Omit<App, "metrics"> & {
  /** Uuid; the nil workspace for operator calls. */
  workspaceId: string;
  actor: Actor;
  requestId: string;
  traceparent: string | null;
  /** Milliseconds: the one time of this request, given to every statement as `now`. */
  now: number;
  /** Aborted when the caller has gone. */
  signal: AbortSignal;
};

/** A verb inside the one transaction that also holds its idempotency key, answer and audit row. */
export type TxCtx = Ctx & { sql: Sql };
