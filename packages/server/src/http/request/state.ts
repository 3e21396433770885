import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Actor } from "../../ctx.ts";
import { NIL_WORKSPACE } from "../../lib/ids.ts";
import type { Activity, ActivityRow } from "../activity.ts";
import type { Problem, ProblemCode } from "../problem.ts";
import type { AnyRoute, AuditFields } from "../route.ts";
import type { Allowance } from "./rate-limit.ts";
import { traceparentOf } from "./request-id.ts";

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

export const ANONYMOUS: Actor = { type: "anonymous", id: null, name: null, scopes: [] };
export const OPERATOR: Actor = { type: "operator", id: null, name: "operator", scopes: [] };

/** Which door a path belongs to: it decides who may call, what is limited and what is audited. */
export type Area = "workspace" | "operator" | "open";
export const areaOf = (path: string): Area =>
  path.startsWith("/v1/") ? "workspace" : path.startsWith("/admin/v1/") ? "operator" : "open";

/** What is known of one request while it runs; made first, read by the answer, the log line and the audit row. */
export type Exchange = {
  requestId: string;
  traceparent: string | null;
  /** Monotonic milliseconds, for the duration alone. */
  started: number;
  /** Milliseconds: the one time of this request. */
  now: number;
  method: string;
  /** Without the query, which may hold phone numbers. */
  path: string;
  /** The path's template, null for a path that is none: what log lines are counted by. */
  route: string | null;
  /** Value of `Allow` for a path that has other methods. */
  allow: string;
  area: Area;
  row: AnyRoute | null;
  workspaceId: string;
  actor: Actor;
  allowance: Allowance | null;
  /** False for what would let a stranger fill the audit log. */
  audited: boolean;
  /** Set by a verb's answer, also when the commit is then lost: the error must name it. */
  resource: ActivityRow["resource"];
  keyed: boolean;
};

/** Longest path kept in log and audit: longer than any of ours. */
const LONGEST_PATH = 512;
/** Longest user agent kept: real ones are under 300. */
const LONGEST_USER_AGENT = 300;

/** Opens the exchange of a request. */
export function openExchange(request: FastifyRequest, now: number, started: number): Exchange {
  const url = request.raw.url ?? "/";
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  return {
    requestId: request.id,
    traceparent: traceparentOf(request.raw),
    started,
    now,
    method: request.raw.method ?? "GET",
    path: path.length > LONGEST_PATH ? path.slice(0, LONGEST_PATH) : path,
    route: null,
    allow: "",
    area: areaOf(path),
    row: null,
    workspaceId: NIL_WORKSPACE,
    actor: ANONYMOUS,
    allowance: null,
    audited: false,
    resource: null,
    keyed: false,
  };
}

/** Address of the caller; what a trusted proxy forwards is believed only if it is an address. */
export function addressOf(request: FastifyRequest): string | null {
  const address = request.ip;
  if (isIP(address) !== 0) return address;
  return request.socket.remoteAddress ?? null;
}

/** The request as every audit row tells it. */
export function auditFields(request: FastifyRequest): AuditFields {
  const { method, path } = request.exchange;
  const userAgent = request.headers["user-agent"];
  return {
    method,
    path,
    ip: addressOf(request),
    userAgent: userAgent === undefined ? null : userAgent.slice(0, LONGEST_USER_AGENT),
  };
}

/** The audit row of a request with this answer. */
export function activityRow(
  request: FastifyRequest,
  status: number,
  code: ProblemCode | null,
  changes: unknown,
): ActivityRow {
  const { exchange } = request;
  const { method, path, ip, userAgent } = auditFields(request);
  return {
    workspaceId: exchange.workspaceId,
    at: exchange.now,
    actor: exchange.actor,
    action: exchange.row?.action ?? "unknown",
    resource: exchange.resource,
    request: { method, path, request_id: exchange.requestId, ip, user_agent: userAgent },
    response: { status, code },
    changes: changes ?? null,
  };
}

/** Takes the audit row of a read, a replay or a refusal, which follows the answer. */
export function auditLater(activity: Activity, request: FastifyRequest, status: number, problem: Problem | null): void {
  if (request.exchange.audited) activity.later(activityRow(request, status, problem?.code ?? null, null));
}
