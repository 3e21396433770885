import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Actor } from "../../ctx.ts";
import { beginningOf } from "../../lib/beginning-of.ts";
import { NIL_WORKSPACE } from "../../lib/ids.ts";
import type { ActivityRow } from "../activity.ts";
import type { Access } from "../call.ts";
import { ANONYMOUS } from "../caller.ts";
import type { Problem } from "../problem.ts";
import type { Surface, Surfaces } from "../surface.ts";

declare module "fastify" {
  interface FastifyRequest {
    state: RequestState;
  }
}

/** What the router found for a request. Built once for each route, so a request only refers to it. */
export type Match = {
  /** Where the route stands; null for an unknown path. */
  surface: Surface | null;
  /** The path's template, such as `/v1/messages/{id}`; null for an unknown path. Log lines are counted by it. */
  route: string | null;
  /** The row of the route table, or the call; null for raw routes and for methods that the path does not take. */
  row: Access | null;
  /** Value of the `Allow` header where the path takes other methods only. */
  allow: string;
  /** Headers that every answer of the route carries; null for none, as for most routes. */
  headers: Readonly<Record<string, string>> | null;
  /** Of a body that is kept in memory; more is 413. 0 where none is read. */
  mostBodyBytes: number;
};
const UNMATCHED: Match = { surface: null, route: null, row: null, allow: "", headers: null, mostBodyBytes: 0 };

/** Whether a request is within a limit, and the header values that describe the limit (IETF draft-ietf-httpapi-ratelimit-headers). */
export type Allowance = {
  ok: boolean;
  /** Value of `RateLimit`. */
  limit: string;
  /** Value of `RateLimit-Policy`. */
  policy: string;
};

/** Longest path kept in log and audit: longer than any of ours. */
const LONGEST_PATH = 512;

/**
 * What the gateway knows of one request. The verb's context, the answer, the log line and the audit row read it. Fields
 * become true in this order, each set by one method:
 *
 * | Stage | Method, and its caller | Fields |
 * | --- | --- | --- |
 * | received | the constructor, in the first hook (server.ts) | requestId traceparent now startedAt method path surface response |
 * | matched | `matched` (admission.ts) | match |
 * | identified | `identified` (admission.ts) | workspaceId actor audited |
 * | limited | `limited` (limits/rate-limit.ts; admission.ts without a valid key) | allowance |
 * | parsed | `refuseItem` (bodies/parse-body.ts), for each item that cannot be stored | refusedItems |
 * | keyed | `keyed` (idempotency/request-key.ts), after the body is parsed | hasKey |
 * | performed | `performed` (handler.ts, write.ts, register.ts), when the verb or raw route has answered | resource |
 *
 * A refused request skips the stages after its refusal, and an unknown path is never matched; the fields then keep the
 * values that they begin with here.
 */
export class RequestState {
  readonly requestId: string;
  readonly traceparent: string | null;
  /** Milliseconds: the one time of this request. */
  readonly now: number;
  /** Monotonic milliseconds, for the duration alone. */
  readonly startedAt: number;
  readonly method: string;
  /** Without the query, which may hold phone numbers. */
  readonly path: string;
  readonly surface: Surface;
  /** What the answer is written to. */
  readonly response: ServerResponse;
  #match = UNMATCHED;
  #passing: Access | null = null;
  #workspaceId = NIL_WORKSPACE;
  #actor = ANONYMOUS;
  #audited = false;
  #allowance: Allowance | null = null;
  #hasKey = false;
  #resource: ActivityRow["resource"] = null;
  #refusedItems: Map<number, Problem> | null = null;

  constructor(
    request: FastifyRequest,
    response: ServerResponse,
    { now, startedAt, surfaces }: { now: number; startedAt: number; surfaces: Surfaces },
  ) {
    const url = request.originalUrl; // the router may have found it by another one
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    this.requestId = requestIdOf(request);
    this.traceparent = traceparentOf(request.raw);
    this.now = now;
    this.startedAt = startedAt;
    this.method = request.raw.method ?? "GET";
    this.path = beginningOf(path, LONGEST_PATH);
    this.surface = surfaces.of(this.method, path);
    this.response = response;
  }

  /** The router found a path of ours. One that stands on another surface than the request is of is unknown there: false. */
  matched(match: Match): boolean {
    if (match.surface !== this.surface) return false;
    this.#match = match;
    return true;
  }

  /** A call goes through a row, whose action its audit row has. */
  passing(row: Access): void {
    this.#passing = row;
  }

  /** The caller is known, or has no valid key and is audited all the same (the nil workspace, `ANONYMOUS`). */
  identified(workspaceId: string, actor: Actor): void {
    this.#workspaceId = workspaceId;
    this.#actor = actor;
    this.#audited = this.surface.audited;
  }

  /** The request was counted against a limit; null: no limit applies. */
  limited(allowance: Allowance | null): void {
    this.#allowance = allowance;
  }

  /** The request has an idempotency key. */
  keyed(): void {
    this.#hasKey = true;
  }

  /** The parser of the body has refused an item of `eachOf`. */
  refuseItem(index: number, problem: Problem): void {
    this.#refusedItems ??= new Map();
    this.#refusedItems.set(index, problem);
  }

  /** The verb has answered. Set before the commit: when its outcome is lost, the error must name the resource. */
  performed(resource: ActivityRow["resource"]): void {
    this.#resource = resource;
  }

  /** The row that decides what was done: of a call, the last that it went through. */
  get row(): Access | null {
    return this.#passing ?? this.#match.row;
  }

  /** True while a row is asked by a call and not by its request. */
  get isPassing(): boolean {
    return this.#passing !== null;
  }

  /** The name of the list in the body whose items are accepted or refused one by one. */
  get eachOf(): string | undefined {
    return this.row?.each;
  }

  /** The items that the parser refused; null for none. */
  get refusedItems(): ReadonlyMap<number, Problem> | null {
    return this.#refusedItems;
  }

  get match(): Match {
    return this.#match;
  }

  /** Uuid; the nil workspace for the operator and for callers without a valid key. */
  get workspaceId(): string {
    return this.#workspaceId;
  }

  get actor(): Actor {
    return this.#actor;
  }

  /** False on surfaces that are not audited, and for calls without a valid key past their limit, which could fill the audit log. */
  get audited(): boolean {
    return this.#audited;
  }

  /** What the `RateLimit` headers say; null without a limit. */
  get allowance(): Allowance | null {
    return this.#allowance;
  }

  get hasKey(): boolean {
    return this.#hasKey;
  }

  /** Type and public id of what the verb created, changed or read. */
  get resource(): ActivityRow["resource"] {
    return this.#resource;
  }
}

/** Visible ASCII, at most 128 characters: safe in a header, a log line and a text column. A key that was put there by mistake is not. */
const REQUEST_ID = /^(?!.*(?:wp_live_|whsec_))[\x21-\x7e]{1,128}$/;

/** The caller's `X-Request-Id` if it is usable, else a new one: a bad one is no reason to refuse the request. */
export function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
}

/** W3C Trace Context, version 00; other versions are not understood and not carried. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's trace context; null when there is none or it is malformed. */
export function traceparentOf(request: Pick<IncomingMessage, "headers">): string | null {
  const given = request.headers["traceparent"];
  return typeof given === "string" && TRACEPARENT.test(given) ? given : null;
}
