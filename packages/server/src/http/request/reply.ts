import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import { causeFields } from "../../lib/error-fields.ts";
import { formatId, NIL_WORKSPACE } from "../../lib/ids.ts";
import { actorId } from "../caller.ts";
import type { Problem } from "../problem.ts";
import type { Answer, AnyRoute } from "../route.ts";
import { isHeldBack } from "./bodies/continue.ts";
import type { SlowBodies } from "./bodies/slow-bodies.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** A response ready to be sent: the body is text, bytes or a stream of them, null for none. */
export type SerializedAnswer = {
  status: number;
  type: string;
  body: string | Buffer | Readable | null;
  headers?: Record<string, string>;
  replayed?: boolean;
  unaudited?: boolean;
};

/** Renders a verb's answer by the response schema of its row. */
export function render(
  row: AnyRoute,
  answer: Answer<unknown>,
  reply: FastifyReply,
): SerializedAnswer & { body: string | null } {
  const status = answer.status ?? row.status;
  const outgoing: SerializedAnswer & { body: string | null } = {
    status,
    type: JSON_TYPE,
    body: status === 204 ? null : textOf(row, answer.body, reply),
  };
  if (answer.headers !== undefined) outgoing.headers = answer.headers;
  if (answer.replayed === true) outgoing.replayed = true;
  if (answer.unaudited === true) outgoing.unaudited = true;
  return outgoing;
}

// Fastify compiled the schema with the route, and would call this itself; a kept answer is rendered inside a transaction.
function textOf(row: AnyRoute, body: unknown, reply: FastifyReply): string {
  // What a call goes through is written by the call.
  if (reply.request.state.isPassing) return JSON.stringify(body);
  const serialize = reply.getSerializationFunction(String(row.status));
  if (!serialize) throw new Error(`${row.method} ${row.path} has no compiled response schema`);
  // A terminal's prompt stands on a line of its own behind it. Kept with the answer, so that a repeated one has the same bytes.
  return `${serialize(body as Record<string, unknown>)}\n`; // Fastify's type takes objects alone; the schema decides what it really takes
}

/** Sends a refusal in the format of the request's surface. */
export function sendProblem(app: App, request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { surface, match, requestId } = request.state;
  const headers: Record<string, string> = {};
  const wait = problem.extras.retryAfterSeconds;
  if (wait !== undefined) headers["retry-after"] = String(wait);
  const challenge = surface.callers?.challenge;
  if (problem.code === "unauthorized" && challenge) headers["www-authenticate"] = challenge;
  if (problem.code === "method_not_allowed") headers["allow"] = match.allow;
  const { status, mediaType, body } = surface.errors;
  const type = `${mediaType}; charset=utf-8`;
  const outgoing = { status: status(problem), type, body: body(problem, { requestId, config: app.config }), headers };
  return send(app, request, reply, outgoing, problem);
}

/** Sends an answer with the headers that all answers have, and writes the one log line of the request. */
export function send(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  outgoing: SerializedAnswer,
  problem: Problem | null = null,
): FastifyReply {
  const { requestId, allowance, match, actor } = request.state;
  reply.code(outgoing.status);
  if (outgoing.body !== null) reply.header("content-type", outgoing.type);
  reply.header("x-request-id", requestId);
  reply.header("x-content-type-options", "nosniff");
  // Answers hold personal data and differ by key; a page may override this below.
  reply.header("cache-control", "no-store");
  if (allowance !== null) {
    reply.header("ratelimit", allowance.limit);
    reply.header("ratelimit-policy", allowance.policy);
  }
  if (match.headers !== null) reply.headers(match.headers);
  if (outgoing.replayed === true) reply.header("idempotent-replayed", "true");
  if (outgoing.headers !== undefined) reply.headers(outgoing.headers);
  if (actor.session !== undefined) {
    // A page that sees the answer of another session empties what it has kept.
    reply.header("waypost-session", formatId("ses", actor.session));
    reply.header("cache-control", "no-store");
  }
  reply.send(outgoing.body ?? undefined);
  counts.get(app)?.({ status: statusLabel(outgoing.status) });
  writeLine(app, request, outgoing, problem);
  return reply;
}

/**
 * What is left of the body is dropped, for as long as a body may take: on a connection that is closed while its client still sends, the
 * answer may be lost. Not of a client that was too slow, nor of one that waits to be asked for the body.
 */
export function dropBody({ raw }: FastifyRequest, reply: FastifyReply, slowBodies: SlowBodies, status = 0): void {
  if (raw.complete) return;
  if (status === TOO_SLOW || isHeldBack(reply.raw)) return void reply.header("connection", "close");
  reply.removeHeader("connection"); // Fastify closes after a body that was not read
  slowBodies.watch(raw, () => raw.destroy());
}

const TOO_SLOW = 408;

type Count = (of: { status: (typeof STATUSES)[number] }) => void;
/** 429 apart: it is about the caller's pace, not about its requests. */
const STATUSES = ["2xx", "3xx", "4xx", "429", "5xx"] as const;
const counts = new WeakMap<App, Count>();

/** Counts the answers of this process from now on; called once, before the first request. */
export function countAnswers(app: App): void {
  const count = app.metrics.counter({
    name: "waypost_http_answers_total",
    help: "Answers on the gateway's port by status.",
    labels: { status: STATUSES },
  });
  counts.set(app, count);
}

const statusLabel = (status: number): (typeof STATUSES)[number] =>
  status === 429 ? "429" : status < 300 ? "2xx" : status < 400 ? "3xx" : status < 500 ? "4xx" : "5xx";

function writeLine(app: App, request: FastifyRequest, outgoing: SerializedAnswer, problem: Problem | null): void {
  const { state } = request;
  const fields: Record<string, unknown> = {
    method: state.method,
    route: state.match.route,
    status: outgoing.status,
    ms: Math.round((app.clock.monotonic() - state.startedAt) * 100) / 100,
    request_id: state.requestId,
  };
  if (state.workspaceId !== NIL_WORKSPACE) fields["workspace_id"] = state.workspaceId;
  if (state.actor.session !== undefined) fields["session_id"] = state.actor.session;
  const actor = actorId(state.actor);
  if (actor !== null) fields["actor"] = actor;
  if (state.resource !== null) fields["resource_id"] = state.resource.id;
  if (state.traceparent !== null) fields["traceparent"] = state.traceparent;
  if (outgoing.replayed === true) fields["replayed"] = true;
  if (problem === null) return app.log.info(fields, "request");
  fields["code"] = problem.code;
  // A fault of the caller needs no cause; a fault of the gateway does.
  if (problem.status < 500) return app.log.info(fields, "request");
  if (problem.cause !== undefined) fields["cause"] = causeOf(app, problem);
  return problem.code === "internal" ? app.log.error(fields, "request") : app.log.warn(fields, "request");
}

/** While the database is away every request fails for the same reason: its cause is logged in full at this interval, and by name between. */
const SAME_CAUSE_EVERY_MS = 1_000;
const loggedAt = new WeakMap<App, number>();

function causeOf(app: App, { code, cause }: Problem): object {
  if (code !== "unavailable" || !(cause instanceof Error)) return causeFields(cause);
  const now = app.clock.monotonic();
  if (now - (loggedAt.get(app) ?? Number.NEGATIVE_INFINITY) < SAME_CAUSE_EVERY_MS) return { name: cause.name };
  loggedAt.set(app, now);
  return causeFields(cause);
}
