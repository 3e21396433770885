import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../ctx.ts";
import type { Activity, AuditFields } from "../../activity.ts";
import type { Access, Call, CallAnswer, CallCtx, Given, Make, Passage, Passed } from "../../call.ts";
import { GRAPH_ROOT } from "../../graph/path.ts";
import type { Surfaces } from "../../surface.ts";
import { type Admission, requireRights } from "../admission.ts";
import { auditFields, auditLater } from "../audit-row.ts";
import { LARGEST_BODY, leaveBodies } from "../bodies/body.ts";
import type { Bodies } from "../bodies/receive-body.ts";
import type { SlowBodies } from "../bodies/slow-bodies.ts";
import { RequestContext } from "../context.ts";
import { checkRequestUrl, fastifyPath, watchBody } from "../register.ts";
import { JSON_TYPE, send } from "../reply.ts";
import type { Match } from "../state.ts";
import { changeElsewhere } from "./change.ts";
import { parametersOf } from "./parameters.ts";
import type { Passages } from "./passages.ts";

type Parts = {
  instance: FastifyInstance;
  app: App;
  activity: Activity;
  surfaces: Surfaces;
  admission: Admission;
  bodies: Bodies;
  slowBodies: SlowBodies;
  passages: Passages;
};

/** Where the calls of the provider's API stand. */
export const GRAPH_SURFACE = "graph";

/** A call as the table of paths knows it. */
export const standingOf = ({ method, path }: Call) =>
  ({ method, path: GRAPH_ROOT + path, auth: "workspace", surface: GRAPH_SURFACE }) as const;

/** Turns calls into Fastify routes, in scopes of their own: their bodies come as JSON, forms and parts. */
export async function registerCalls(parts: Parts, calls: readonly Call[]): Promise<void> {
  await parts.instance.register(async (scope) => {
    takeParameters(scope, parts.bodies);
    for (const call of calls) if (call.upload !== true) registerCall({ ...parts, instance: scope }, call);
  });
  await parts.instance.register(async (scope) => {
    leaveBodies(scope);
    for (const call of calls) if (call.upload === true) registerCall({ ...parts, instance: scope }, call);
  });
}

const contentTypes = new WeakMap<FastifyRequest, string>();

/** Takes a body of any type as its bytes; Fastify would refuse a type that it cannot parse. */
function takeParameters(scope: FastifyInstance, bodies: Bodies): void {
  scope.removeAllContentTypeParsers();
  scope.addHook("onRequest", (request, _reply, done) => {
    contentTypes.set(request, request.raw.headers["content-type"] ?? "");
    delete request.raw.headers["content-type"];
    done();
  });
  scope.addContentTypeParser("*", (request, _payload, done) => bodies.receive(request, done));
}

function registerCall({ instance, app, activity, surfaces, admission, slowBodies, passages }: Parts, call: Call): void {
  const surface = surfaces.ofRoute(standingOf(call));
  const mostBodyBytes = call.maxBytes ?? LARGEST_BODY;
  const access = accessOf(call, passages);
  const match: Match = { surface, route: call.path, row: access, allow: "", headers: null, mostBodyBytes };
  instance.route({
    method: call.method,
    url: fastifyPath(GRAPH_ROOT + call.path),
    bodyLimit: mostBodyBytes,
    onRequest: async (request) => {
      await admission.admit(request, match);
      checkRequestUrl(request.raw.url ?? "");
      if (call.upload !== true) watchBody(request, slowBodies);
    },
    handler: async (request, reply) => {
      const given = {
        params: request.params as Record<string, string>, // the router gives an object of texts
        ...parametersOf(
          request.query as Record<string, unknown>,
          request.body as Buffer | undefined, // of an upload, nothing
          { contentType: contentTypes.get(request) ?? "", mostFiles: call.files ?? 0 },
        ),
      };
      const context = new CallContext({ app, activity, passages }, request, reply, given);
      const { body, status = 200, replayed } = await call.answer(context, given);
      const outgoing = {
        status,
        type: JSON_TYPE,
        body: JSON.stringify(body),
        ...(replayed === true ? { replayed } : {}),
      };
      send(app, request, reply, outgoing);
      // What was changed has its audit row in the transaction of the change.
      if (!context.isAudited) auditLater(activity, request, status, null);
      return reply;
    },
  });
}

/** What admission asks of a call, ahead of everything else. */
function accessOf(call: Call, passages: Passages): Access {
  if ("row" in call) return passages.rowOf(call.row);
  const { scope, limitedKeys, action } = call;
  return { auth: "workspace", scope, action, ...(limitedKeys === undefined ? {} : { limitedKeys }) };
}

class CallContext extends RequestContext implements CallCtx {
  readonly #parts: Pick<Parts, "app" | "activity" | "passages">;
  readonly #request: FastifyRequest;
  readonly #answer: FastifyReply;
  readonly #given: Given;
  #isAudited = false;

  constructor(
    parts: Pick<Parts, "app" | "activity" | "passages">,
    request: FastifyRequest,
    reply: FastifyReply,
    given: Given,
  ) {
    super(parts.app, request, reply);
    this.#parts = parts;
    this.#request = request;
    this.#answer = reply;
    this.#given = given;
  }

  async pass(row: string, passage: Passage): Promise<Passed> {
    const { isAudited, ...passed } = await this.#parts.passages.pass(row, passage, this.#request, this.#answer);
    this.#isAudited = isAudited;
    return passed;
  }

  require(row: string): void {
    requireRights(this.actor, this.#parts.passages.rowOf(row));
  }

  async change(about: Parameters<CallCtx["change"]>[0], make: Make): Promise<CallAnswer> {
    const { values, files } = this.#given;
    const digests = files.map(({ name, file }) => [name, file.name, file.type, sha256(file.bytes)]);
    return await changeElsewhere(this.#parts, this.#request, { about, make, given: [values, digests] });
  }

  get audit(): AuditFields {
    return auditFields(this.#request);
  }

  get headers(): CallCtx["headers"] {
    return this.#request.headers;
  }

  /** Whether the transaction of a change has written the audit row. */
  get isAudited(): boolean {
    return this.#isAudited;
  }
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("base64");
