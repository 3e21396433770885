import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor, App, Ctx, TxCtx } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import type { AuditFields } from "../activity.ts";
import type { StreamCtx } from "../event-stream.ts";
import { waitSecondsOf } from "../headers.ts";
import type { RequestKey } from "../idempotency.ts";
import { invalidAt } from "../problem.ts";
import type { AnyRoute, Input, OwnCtx } from "../route.ts";
import { auditFields } from "./audit-row.ts";
import type { ItemCheck } from "./each.ts";

/**
 * The context of a request. A class for its one lazy field: an AbortController costs 2.5 µs and few verbs wait for
 * anything; as a getter in an object literal it gave every context a shape of its own and made garbage collection eight
 * times as expensive. A copy by spread has all but `signal`.
 */
export class RequestContext implements Ctx {
  readonly config: Ctx["config"];
  readonly log: Ctx["log"];
  readonly clock: Ctx["clock"];
  readonly db: Ctx["db"];
  readonly secrets: Ctx["secrets"];
  readonly provider: Ctx["provider"];
  readonly notifier: Ctx["notifier"];
  readonly random: Ctx["random"];
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly traceparent: string | null;
  readonly now: number;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | null = null;

  constructor(app: App, request: FastifyRequest, reply: FastifyReply) {
    this.config = app.config;
    this.log = app.log;
    this.clock = app.clock;
    this.db = app.db;
    this.secrets = app.secrets;
    this.provider = app.provider;
    this.notifier = app.notifier;
    this.random = app.random;
    const { state } = request;
    this.workspaceId = state.workspaceId;
    this.actor = state.actor;
    this.requestId = state.requestId;
    this.traceparent = state.traceparent;
    this.now = state.now;
    this.#reply = reply;
  }

  get signal(): AbortSignal {
    this.#signal ??= goneSignal(this.#reply);
    return this.#signal;
  }
}

/** For verbs inside a transaction. */
export class TransactionContext extends RequestContext implements TxCtx {
  readonly sql: Sql;

  constructor(app: App, request: FastifyRequest, reply: FastifyReply, sql: Sql) {
    super(app, request, reply);
    this.sql = sql;
  }
}

/** For verbs that commit by themselves. */
export class OwnContext extends RequestContext implements OwnCtx {
  readonly key: RequestKey | null;
  readonly waitSeconds: number | null;
  readonly audit: AuditFields;

  /** `waitSeconds`: in place of what the request prefers. */
  constructor(
    app: App,
    request: FastifyRequest,
    reply: FastifyReply,
    { key, waitSeconds }: { key: RequestKey | null; waitSeconds?: number | undefined },
  ) {
    super(app, request, reply);
    this.key = key;
    this.waitSeconds = waitSeconds ?? waitSecondsOf(request.headers["prefer"]);
    this.audit = auditFields(request);
  }
}

/** For streams, which have their own end. */
export class StreamContext extends RequestContext implements StreamCtx {
  readonly read: StreamCtx["read"];
  readonly #end: AbortSignal;

  constructor(
    app: App,
    request: FastifyRequest,
    reply: FastifyReply,
    { signal, read }: Pick<StreamCtx, "signal" | "read">,
  ) {
    super(app, request, reply);
    this.#end = signal;
    this.read = read;
  }

  override get signal(): AbortSignal {
    return this.#end;
  }
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const response = reply.raw;
  if (response.destroyed && !response.writableFinished) controller.abort();
  else response.once("close", () => response.writableFinished || controller.abort());
  return controller.signal;
}

/** The verb's input: path, query and body as the row's schemas have checked them, If-Match, and the items that do not fit. */
export function inputOf(
  row: AnyRoute,
  request: FastifyRequest,
  checkItems: ItemCheck | null = null,
): Input<never, never, never> {
  if (row.body === undefined) requireNoBody(request.body);
  // Each row's own schemas have validated these values; the mixed table has forgotten their types.
  const input = { params: request.params, query: request.query, body: request.body } as Input<never, never, never>;
  const ifMatch = request.headers["if-match"];
  return {
    ...input,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(checkItems === null ? {} : { refused: checkItems(request) }),
  };
}

/** A route without a body schema takes none, or an empty object as some clients send. */
function requireNoBody(body: unknown): void {
  if (body === undefined || body === null) return;
  if (typeof body === "object" && !Array.isArray(body) && Object.keys(body).length === 0) return;
  throw invalidAt("", "This path takes no body.", "unknown_field");
}
