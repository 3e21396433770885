import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import { once } from "../../lib/once.ts";
import type { Activity } from "../activity.ts";
import type { Declared } from "../declared.ts";
import { deprecationHeaders } from "../headers.ts";
import { prepareSchemas, queryReader, type RouteSchemas, type TableSchemas } from "../openapi/schemas.ts";
import { invalidAt, type Problem } from "../problem.ts";
import type { AnyRoute, RawAnswer, RawHead, RawRequest, RawRoute, Schema } from "../route.ts";
import type { Surfaces } from "../surface.ts";
import type { Admission } from "./admission.ts";
import { addressOf, auditFields } from "./audit-row.ts";
import { LARGEST_BODY, leaveBodies, takeRawBodies } from "./bodies/body.ts";
import type { Bodies } from "./bodies/receive-body.ts";
import type { SlowBodies } from "./bodies/slow-bodies.ts";
import type { Passages } from "./calls/passages.ts";
import type { Validator } from "./compilers.ts";
import { anyItems, itemCheck } from "./each.ts";
import { RouteHandler } from "./handler.ts";
import type { DatabaseTurns } from "./limits/database-turns.ts";
import { dropBody, send } from "./reply.ts";
import type { Match } from "./state.ts";
import type { EventStreams } from "./streams/event-streams.ts";
import type { RowStreams } from "./streams/row-streams.ts";
import type { Uploads } from "./uploads/uploads.ts";

export type Parts = {
  instance: FastifyInstance;
  app: App;
  activity: Activity;
  surfaces: Surfaces;
  admission: Admission;
  streams: RowStreams;
  eventStreams: EventStreams;
  bodies: Bodies;
  slowBodies: SlowBodies;
  turns: DatabaseTurns;
  uploads: Uploads;
  passages: Passages;
};

/** Turns the features' rows into Fastify routes: admission, compiled schemas, handler. Returns the schemas for the OpenAPI document. */
export function registerTable(parts: Parts, routes: readonly AnyRoute[], lists: Declared["lists"]): TableSchemas {
  const schemas = prepareSchemas(routes, lists);
  for (const definition of schemas.definitions) parts.instance.addSchema(definition);
  const of = (rowSchemas: RouteSchemas) => ({ schemas: rowSchemas, definitions: schemas.definitions });
  for (const [row, rowSchemas] of schemas.rows) if (!isUpload(row)) registerRow(parts, row, of(rowSchemas));
  // In a scope of their own, which Fastify opens when all is registered.
  void parts.instance.register((scope, _options, done) => {
    leaveBodies(scope);
    for (const [row, rowSchemas] of schemas.rows)
      if (isUpload(row)) registerRow({ ...parts, instance: scope }, row, of(rowSchemas));
    done();
  });
  return schemas;
}

/** The rows that only calls go through. */
export function registerRowsOfCalls(
  { passages, ...parts }: Parts,
  rows: readonly AnyRoute[],
  lists: Declared["lists"],
): void {
  const { rows: prepared, definitions } = prepareSchemas(rows, lists);
  for (const [row, schemas] of prepared) {
    const handler = new RouteHandler(parts, row, null);
    passages.add(row, { handler, schemas, definitions, prepare: preparerOf(row, schemas) });
  }
}

export const isUpload = (row: AnyRoute): boolean => row.kind === "write" && row.upload !== undefined;

function registerRow(
  { instance, surfaces, admission, slowBodies, passages, ...parts }: Parts,
  row: AnyRoute,
  { schemas, definitions }: { schemas: RouteSchemas } & Pick<TableSchemas, "definitions">,
): void {
  const headers = row.deprecated === undefined ? null : deprecationHeaders(row.deprecated);
  const mostBodyBytes = row.maxBytes ?? LARGEST_BODY;
  const surface = surfaces.ofRoute(row);
  const match: Match = { surface, route: row.path, row, allow: "", headers, mostBodyBytes };
  const prepare = preparerOf(row, schemas);
  const upload = isUpload(row);
  const url = fastifyPath(row.path);
  const compiled = (schema: Schema): (() => Validator) => {
    const validator = once(() => compileBody(instance, row, schema));
    if (row.compiledAtStart === true) instance.addHook("onReady", async () => void validator());
    return validator;
  };
  const handler = new RouteHandler(parts, row, itemCheck(row, schemas, compiled));
  const { response, ...inputs } = anyItems(row, schemas);
  passages.add(row, { handler, schemas, definitions, prepare });
  const { check } = row;
  if (check !== undefined) delete inputs.body;
  if (row.compiledAtStart === true) check?.compile();
  instance.route({
    method: row.method,
    url,
    bodyLimit: mostBodyBytes,
    schema: { ...inputs, response: { [row.status]: response } },
    onRequest: async (request) => {
      await admission.admit(request, match);
      checkRequestUrl(request.raw.url ?? "");
      // An upload has its own pace.
      if (!upload) watchBody(request, slowBodies);
    },
    ...(prepare === null
      ? {}
      : {
          preValidation: (request, _reply, done) => {
            prepare(request);
            done(check?.refusalOf(request.body ?? null) ?? undefined); // as Fastify checks a body that is not there
          },
        }),
    handler: (request, reply) => handler.handle(request, reply),
  });
}

function compileBody(instance: FastifyInstance, { method, path }: AnyRoute, schema: Schema): Validator {
  const compile = instance.validatorCompiler;
  if (compile === undefined) throw new Error("the server is not ready");
  return compile({ schema, method, url: fastifyPath(path), httpPart: "body" }) as Validator; // Fastify's type is that of any compiler
}

/** Also where no body is read: the request ends with its answer, but its connection is busy until the body has arrived. */
export function watchBody({ raw }: FastifyRequest, slowBodies: SlowBodies): void {
  if (!raw.complete) slowBodies.watch(raw, () => raw.destroy());
}

/**
 * Refuses a URL whose decoded text cannot be stored: 400, whether the fault is in the path or in the query. Only NUL is left
 * to find here, because percent-encoded UTF-8 cannot carry a surrogate past the router's decoder.
 */
export function checkRequestUrl(url: string): void {
  if (!url.includes("%00")) return;
  const query = url.indexOf("?");
  const inPath = url.indexOf("%00") < query || query < 0;
  throw invalidAt(inPath ? "" : "?", `The ${inPath ? "path" : "query"} has a NUL character.`, "invalid_text");
}

/** What is done to a request before its schemas check it; null for nothing, as for most rows. */
function preparerOf(row: AnyRoute, schemas: RouteSchemas): ((request: FastifyRequest) => void) | null {
  const readQuery = queryReader(schemas.querystring);
  const { bodyOptional, spell, check } = row;
  if (readQuery === null && bodyOptional !== true && spell === undefined && check === undefined) return null;
  return (request) => {
    readQuery?.(request.query as Record<string, unknown>); // the query parser returns an object of texts
    if (bodyOptional === true && request.body === undefined) request.body = {};
    spell?.(request.body);
  };
}

/** Adds raw routes in a Fastify scope of their own, where a body is bytes of any type. */
export async function registerRaw(
  { instance, app, surfaces, admission, bodies, slowBodies, turns }: Parts,
  routes: readonly RawRoute[],
): Promise<void> {
  await instance.register(async (scope) => {
    takeRawBodies(scope, bodies);
    for (const route of routes) {
      const surface = surfaces.ofRoute(route);
      const { path, action, maxBytes: mostBodyBytes } = route;
      const auth = surface.callers?.auth;
      const row = action === undefined || auth === undefined ? null : { action, auth };
      const match: Match = { surface, route: path, row, allow: "", headers: null, mostBodyBytes };
      scope.route({
        method: route.method,
        url: fastifyPath(route.path),
        bodyLimit: route.maxBytes,
        onRequest: async (request, reply) => {
          await admission.admit(request, match); // the bytes that came with the headers are read by then
          const refusal = route.refuse?.(new RawCall(request, admission)) ?? null;
          if (refusal === null) return watchBody(request, slowBodies);
          dropBody(request, reply, slowBodies);
          return sendRaw(app, request, reply, refusal);
        },
        handler: async (request, reply) => {
          const handle = (): Promise<RawAnswer> => route.handle(new RawCall(request, admission));
          // Of a caller of a workspace it is a call as that of a row is, and waits for the database as that does.
          const isCall = auth === "workspace";
          return sendRaw(app, request, reply, await (isCall ? turns.run({}, request.state, handle) : handle()));
        },
      });
    }
  });
}

const NO_BODY = Buffer.alloc(0);

/** A request as a raw route sees it. What a callback does not ask for, such as the address, is not worked out for it. */
class RawCall implements RawRequest {
  readonly #request: FastifyRequest;
  readonly #admission: Admission;

  constructor(request: FastifyRequest, admission: Admission) {
    this.#request = request;
    this.#admission = admission;
  }

  refused(): Problem | null {
    return this.#admission.countRefused(this.#request);
  }

  get actor(): RawRequest["actor"] {
    return this.#request.state.actor;
  }

  get workspaceId(): string {
    return this.#request.state.workspaceId;
  }

  get audit(): RawRequest["audit"] {
    return auditFields(this.#request);
  }

  get socket(): RawHead["socket"] {
    return this.#request.raw.socket;
  }

  get headers(): RawHead["headers"] {
    return this.#request.headers;
  }

  get ip(): string {
    return addressOf(this.#request) ?? "";
  }

  get requestId(): string {
    return this.#request.state.requestId;
  }

  get method(): string {
    return this.#request.state.method;
  }

  get params(): RawRequest["params"] {
    return this.#request.params as Record<string, string>; // the router gives an object of texts
  }

  get query(): RawRequest["query"] {
    return firstOfEach(this.#request.query as Record<string, string | string[]>); // no schema: as the query parser returns it
  }

  get body(): Buffer {
    const { body } = this.#request;
    return Buffer.isBuffer(body) ? body : NO_BODY;
  }
}

/** Sends the answer of a raw route. */
export function sendRaw(app: App, request: FastifyRequest, reply: FastifyReply, answer: RawAnswer): FastifyReply {
  request.state.performed(answer.resource ?? null);
  const { status, body, headers = {} } = answer;
  return send(app, request, reply, { status, type: "text/plain; charset=utf-8", body, headers });
}

function firstOfEach(query: Record<string, string | string[]>): Record<string, string | undefined> {
  const first: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(query)) first[name] = typeof value === "string" ? value : value[0];
  return first;
}

/** `/v1/messages/{id}` → `/v1/messages/:id`. */
export const fastifyPath = (path: string): string => path.replaceAll(":", "::").replaceAll(/\{(\w+)\}/g, ":$1");
