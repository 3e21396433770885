import type { Actor } from "../ctx.ts";
import type { Sql } from "../db/database.ts";
import type { ProblemCode } from "./problem.ts";

/** One API call as the audit log keeps it. */
export type ActivityRow = {
  /** Uuid; the nil workspace for the operator and for callers who are not known. */
  workspaceId: string;
  /** Milliseconds: when the request came. */
  at: number;
  actor: Actor;
  /** `<noun>.<verb>` of the route; `unknown` for a path that is none. */
  action: string;
  /** Public id, null where the call has no one resource. */
  resource: { type: string; id: string } | null;
  request: { method: string; path: string; request_id: string; ip: string | null; user_agent: string | null };
  response: { status: number; code: ProblemCode | null };
  changes: unknown;
};

/** The audit log as HTTP sees it; the feature `audit` is behind it. */
export type Activity = {
  /** Writes the row in the transaction of the change that it tells of. */
  record(sql: Sql, row: ActivityRow): Promise<void>;
  /** Takes a row of a read, a replay or a refusal, to be written within a second after the answer. Never throws. */
  later(row: ActivityRow): void;
};
