import type { App } from "./ctx.ts";
import type { HotFunction } from "./db/hot-function.ts";
import type { Question } from "./db/question.ts";
import type { EventGroup } from "./features/events/event-groups.ts";
import type { TaskHandlers } from "./features/tasks/lane.ts";
import type { Forgetting } from "./forgetting.ts";
import type { Call } from "./http/call.ts";
import type { AnyRoute, RawRoute } from "./http/route.ts";
import type { LaneKind } from "./lanes/kind.ts";
import type { IdNouns } from "./lib/log.ts";
import type { Role } from "./process/config/config.ts";
import type { Services } from "./process/services.ts";

/**
 * The declaration of a feature: everything that the rest of the server knows of it. The upper part is static, so that
 * `migrate` and the tests can read it without a database; `build` creates what runs. `features.ts` lists all features.
 */
export type Feature = {
  name: string;
  /** The groups of its operations in the API document, each with a sentence. */
  tags?: Readonly<Record<string, string>>;
  /** Prefixes of its public ids, each with the noun that it stands for: the log shows a uuid in `message_id` with the prefix of `message`. */
  ids?: IdNouns;
  /** Scopes that an API key can have. Part of the public contract. */
  scopes?: readonly string[];
  /** What the two database roles may do with its tables. The migration grants it; a test compares. */
  grants?: Readonly<Record<string, Grants>>;
  /** What its tables hold of people, and how they are forgotten: each table of `grants` is in it. */
  forgets?: Forgetting;
  /**
   * How a workspace's rows move to another database, of tables, or columns as `table.column`, where it does not follow from the keys:
   * every other table has `workspace_id` first in its primary key and in each unique index, and no transaction numbers.
   */
  moves?: Readonly<Record<string, Move>>;
  /** Its database functions, for `migrate`. */
  functions?: readonly HotFunction[];
  /** What its timers ask before they run. */
  questions?: readonly Question[];
  /** The kinds of its events, with the rendering of their `data`. */
  events?: readonly EventGroup[];
  build?(app: App, services: Services): FeatureParts;
};

/** Privileges as PostgreSQL names them, in alphabetical order; single columns in brackets. Empty: none. */
export type Grants = { app: string; engine: string };

/**
 * - `by workspace`: copied with a filter by `workspace_id`, which is behind other columns in its keys.
 * - `by workspace, as whole rows`: the same, but its key has no workspace, so that changes are followed with `replica identity full`.
 * - `by portfolio`: with all workspaces of the portfolio, which is first in its keys.
 * - `stays`: of this database alone; a workspace moves without it.
 * - `written again`: a column that the target fills as for a new row.
 */
export type Move = "by workspace" | "by workspace, as whole rows" | "by portfolio" | "stays" | "written again";

/** What runs of a feature in a process. */
export type FeatureParts = {
  routes?: readonly AnyRoute[];
  rawRoutes?: readonly RawRoute[];
  /** Of the provider's API, which go through routes of any feature. */
  calls?: readonly Call[];
  /** Rows that only calls go through: no path leads to them, and no document has them. */
  rowsOfCalls?: readonly AnyRoute[];
  kinds?: readonly LaneKind[];
  /** Handlers of its tasks by kind, `<feature>.<verb>`. */
  tasks?: TaskHandlers;
  timers?: readonly Timer[];
  /** Waits for what is in flight (batches, sockets); called after the lanes and the listener have stopped. */
  stop?(): Promise<void>;
};

/** Something that every process of the role does regularly. Must be safe to run in several processes at once. */
export type Timer = {
  name: string;
  role: Role;
  /** Whole seconds. */
  everyMs: number;
  /** When the first round comes, for what a process that was killed has left; else as soon as the others, within a minute. */
  firstAfterMs?: number;
  /**
   * One of the feature's `questions`: the timer runs when its answer is yes. What all timers ask at one moment is one statement, so
   * what is asked every second costs next to nothing while there is nothing to do. Without it the timer always runs.
   */
  asks?: Question;
  run(): Promise<void>;
};
