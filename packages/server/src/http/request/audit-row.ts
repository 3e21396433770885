import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { beginningOf } from "../../lib/beginning-of.ts";
import type { Activity, ActivityRow, AuditFields, Changes } from "../activity.ts";
import type { Problem, ProblemCode } from "../problem.ts";
import type { RequestState } from "./state.ts";

/** Address of the caller; an address forwarded by a trusted proxy counts only if it is one. */
export function addressOf(request: FastifyRequest): string | null {
  const address = request.ip;
  if (isIP(address) !== 0) return address;
  return request.socket.remoteAddress ?? null;
}

/** Longest user agent kept: real ones are under 300. */
const LONGEST_USER_AGENT = 300;

/** What every audit row says of the request itself. */
export function auditFields(request: FastifyRequest): AuditFields {
  const { method } = request.state;
  const path = keptPath(request.state);
  const userAgent = request.headers["user-agent"];
  return {
    method,
    path,
    ip: addressOf(request),
    userAgent: userAgent === undefined ? null : beginningOf(userAgent, LONGEST_USER_AGENT),
  };
}

/**
 * The path without what is no id of ours: the log outlives an erasure, and clients put numbers, names and tags into paths, also into
 * those that there are not. The name of its parameter stands in the place of what is left out.
 */
function keptPath({ path, match: { route } }: Pick<RequestState, "path" | "match">): string {
  if (route === null) return path.split("/").map(keptSegment).join("/");
  if (!route.includes("{")) return route;
  const given = path.split("/");
  return route
    .split("/")
    .map((part, index) => (part.startsWith("{") && isId(given[index] ?? "") ? given[index] : part))
    .join("/");
}

const isId = (text: string): boolean => /^[a-z]{2,4}_[0-9a-z]{26}$/.test(text);
/** Of a path that there is not: words, as paths are made of them. */
const keptSegment = (text: string): string =>
  isId(text) || /^(?:[a-z][a-z_.-]{0,30}\d?)?$/.test(text) ? text : LEFT_OUT;
const LEFT_OUT = "{}";

/** The audit row of a request with this answer. */
export function activityRow(
  request: FastifyRequest,
  status: number,
  code: ProblemCode | null,
  changes: Changes | undefined,
): ActivityRow {
  const { workspaceId, now, actor, row, resource, requestId } = request.state;
  const { method, path, ip, userAgent } = auditFields(request);
  return {
    workspaceId,
    at: now,
    actor,
    action: row?.action ?? "unknown",
    resource,
    request: { method, path, request_id: requestId, ip, user_agent: userAgent },
    response: { status, code },
    changes: changes ?? null,
  };
}

/** Passes the audit row of a read, a replay or a refusal on to be written after the answer. */
export function auditLater(activity: Activity, request: FastifyRequest, status: number, problem: Problem | null): void {
  if (request.state.audited) activity.later(activityRow(request, status, problem?.code ?? null, null));
}
