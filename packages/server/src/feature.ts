import type { Role } from "./config.ts";
import type { HotFunction } from "./db/hot-function.ts";
import type { AnyRoute, RawRoute } from "./http/route.ts";
import type { LaneKind } from "./lanes/kind.ts";

/** What a feature gives the house; `features.ts` lists them all. */
export type Feature = {
  name: string;
  routes?: readonly AnyRoute[];
  rawRoutes?: readonly RawRoute[];
  kinds?: readonly LaneKind[];
  timers?: readonly Timer[];
  /** Ends what the feature holds (batches in the air, sockets); called after the lanes and the listener have stopped. */
  stop?(): Promise<void>;
};

/** Something done now and then by every process that has the role. Must be safe to run in several at once. */
export type Timer = { name: string; role: Role; everyMs: number; run(): Promise<void> };

/** Hot functions are static, so that `migrate` can install them without a running house. */
export type FeatureFunctions = readonly HotFunction[];
