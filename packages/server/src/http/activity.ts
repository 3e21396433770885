import type { Actor } from "../ctx.ts";
import type { Sql } from "../db/database.ts";
import type { ProblemCode } from "./problem.ts";

/** What a call changed: an object, as the audit log shows nothing else. */
export type Changes = { readonly [field: string]: unknown } | null;

/** What every audit row says of the request itself. */
export type AuditFields = { method: string; path: string; ip: string | null; userAgent: string | null };

/** One API call as the audit log stores it. */
export type ActivityRow = {
  /** Uuid; the nil workspace for the operator and for unknown callers. */
  workspaceId: string;
  /** Milliseconds: when the request arrived. */
  at: number;
  actor: Actor;
  /** `<noun>.<verb>` of the route; `unknown` for an unknown path. */
  action: string;
  /** Type and public id; null where the call has no single resource. */
  resource: { type: string; id: string } | null;
  request: { method: string; path: string; request_id: string; ip: string | null; user_agent: string | null };
  response: { status: number; code: ProblemCode | null };
  changes: Changes;
};

/** The audit log as HTTP uses it; the feature `audit` implements it. */
export type Activity = {
  /** Writes the row in the transaction of the change that it describes. */
  record(sql: Sql, row: ActivityRow): Promise<void>;
  /** Takes a row of a read, a replay or a refusal, to be written within a second after the answer. Never throws. */
  later(row: ActivityRow): void;
};
