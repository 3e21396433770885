import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import { causeFields } from "../../lib/error-fields.ts";
import { formatId, NIL_WORKSPACE } from "../../lib/ids.ts";
import type { Problem } from "../problem.ts";
import { problemBody } from "./errors.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

/** What goes out: a body that is text or bytes already, null for none. */
export type Outgoing = {
  status: number;
  type: string;
  body: string | Buffer | null;
  headers?: Record<string, string>;
  replayed?: boolean;
};

/** Sends an answer with the headers that all answers have, and writes the one line of the request. */
export function send(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  outgoing: Outgoing,
  problem: Problem | null = null,
): FastifyReply {
  const { requestId, allowance } = request.exchange;
  reply.code(outgoing.status);
  if (outgoing.body !== null) reply.header("content-type", outgoing.type);
  reply.header("x-request-id", requestId);
  reply.header("x-content-type-options", "nosniff");
  // Answers hold personal data and differ by key; a page may say otherwise below.
  reply.header("cache-control", "no-store");
  if (allowance !== null) {
    reply.header("ratelimit", allowance.limit);
    reply.header("ratelimit-policy", allowance.policy);
  }
  if (outgoing.replayed === true) reply.header("idempotent-replayed", "true");
  if (outgoing.headers !== undefined) reply.headers(outgoing.headers);
  reply.send(outgoing.body ?? undefined);
  writeLine(app, request, outgoing, problem);
  return reply;
}

/** Sends a refusal as problem+json. */
export function sendProblem(app: App, request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const headers: Record<string, string> = {};
  const wait = problem.extras.retryAfterSeconds;
  if (wait !== undefined) headers["retry-after"] = String(wait);
  if (problem.code === "unauthorized") headers["www-authenticate"] = 'Bearer realm="waypost"';
  if (problem.code === "method_not_allowed") headers["allow"] = request.exchange.allow;
  const body = problemBody(problem, request.exchange.requestId);
  return send(app, request, reply, { status: problem.status, type: PROBLEM_TYPE, body, headers }, problem);
}

function writeLine(app: App, request: FastifyRequest, outgoing: Outgoing, problem: Problem | null): void {
  const { exchange } = request;
  const fields: Record<string, unknown> = {
    method: exchange.method,
    route: exchange.route,
    status: outgoing.status,
    ms: Math.round((app.clock.monotonic() - exchange.started) * 100) / 100,
    request_id: exchange.requestId,
  };
  if (exchange.workspaceId !== NIL_WORKSPACE) fields["workspace"] = formatId("ws", exchange.workspaceId);
  if (exchange.actor.id !== null) fields["actor"] = exchange.actor.id;
  if (exchange.traceparent !== null) fields["traceparent"] = exchange.traceparent;
  if (outgoing.replayed === true) fields["replayed"] = true;
  if (problem === null) return app.log.info(fields, "request");
  fields["code"] = problem.code;
  // The caller's own faults need no cause; ours do.
  if (problem.status < 500) return app.log.info(fields, "request");
  if (problem.cause !== undefined) fields["cause"] = causeOf(app, problem);
  return problem.code === "internal" ? app.log.error(fields, "request") : app.log.warn(fields, "request");
}

/** The absent database refuses everybody for the same reason: told in full at this interval, and by its name alone in between. */
const SAME_CAUSE_EVERY_MS = 1_000;
const toldAt = new WeakMap<App, number>();

function causeOf(app: App, { code, cause }: Problem): object {
  if (code !== "unavailable" || !(cause instanceof Error)) return causeFields(cause);
  const now = app.clock.monotonic();
  if (now - (toldAt.get(app) ?? Number.NEGATIVE_INFINITY) < SAME_CAUSE_EVERY_MS) return { name: cause.name };
  toldAt.set(app, now);
  return causeFields(cause);
}
