import type { Activity } from "./activity.ts";
import type { Call } from "./call.ts";
import type { Authenticate } from "./caller.ts";
import type { SessionKeys, SetupLinkKeys } from "./credentials.ts";
import type { Declared } from "./declared.ts";
import type { ReadyReport } from "./pages/probes.ts";
import type { DemoKey } from "./pages/try.ts";
import type { BodyLimits } from "./request/bodies/receive-body.ts";
import type { TurnLimits } from "./request/limits/database-turns.ts";
import type { Peers } from "./request/limits/demand.ts";
import type { EventStreamLimits } from "./request/streams/event-streams.ts";
import type { StreamLimits } from "./request/streams/row-streams.ts";
import type { UploadLimits } from "./request/uploads/uploads.ts";
import type { AnyRoute, RawRoute } from "./route.ts";
import type { Surface } from "./surface.ts";

/** What HTTP needs from the features; it knows none of them. */
export type ServerParts = {
  routes: readonly AnyRoute[];
  rawRoutes: readonly RawRoute[];
  authenticate: Authenticate;
  /** Of the console; default: there are none. */
  sessions?: SessionKeys;
  /** Default: there are none. */
  setupLinks?: SetupLinkKeys;
  activity: Activity;
  /** What the features declare for schemas and document; default: nothing. */
  declared?: Declared;
  /** Of the provider's API; default: none. */
  calls?: readonly Call[];
  /** Rows that only calls go through; default: none. */
  rowsOfCalls?: readonly AnyRoute[];
  /** The processes that share a workspace's rate limit; default: this one alone. */
  peers?: () => Peers;
  ready: () => Promise<ReadyReport>;
  version: string;
  /** Reads the API key of the demo workspace, where pages of this machine may have it; default: there is none. */
  demoKey?: DemoKey;
  /** Of answers that are streamed; default: those of `RowStreams`. */
  streamLimits?: StreamLimits;
  /** Of streams of events; default: those of `EventStreams`. */
  eventStreamLimits?: EventStreamLimits;
  /** Of files that arrive; default: those of `Uploads`. */
  uploadLimits?: UploadLimits;
  /** Of requests at the database; default: those of `DatabaseTurns`. */
  turnLimits?: TurnLimits;
  /** Of bodies in memory. */
  bodyLimits?: BodyLimits;
  /** Default: `SURFACES`. */
  surfaces?: readonly Surface[];
};
