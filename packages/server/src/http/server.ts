import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { App } from "../ctx.ts";
import type { Activity } from "./activity.ts";
import type { Declared } from "./declared.ts";
import { SERVER_TAGS } from "./declared.ts";
import { openapiOf } from "./openapi/openapi.ts";
import { outsideAddress } from "./outside-address.ts";
import { type Console, openConsole } from "./pages/console.ts";
import { docsRoutes } from "./pages/docs.ts";
import { isForBrowser, missingPage } from "./pages/missing.ts";
import { probeRoutes } from "./pages/probes.ts";
import { Admission } from "./request/admission.ts";
import { auditLater } from "./request/audit-row.ts";
import { LARGEST_BODY, takeJsonBodies } from "./request/bodies/body.ts";
import { holdBack } from "./request/bodies/continue.ts";
import { Bodies } from "./request/bodies/receive-body.ts";
import { SlowBodies } from "./request/bodies/slow-bodies.ts";
import { Passages } from "./request/calls/passages.ts";
import { registerCalls, standingOf } from "./request/calls/register-calls.ts";
import { answerClientError } from "./request/client-errors.ts";
import { AJV, type Compilers, compileLate } from "./request/compilers.ts";
import { Connections } from "./request/connections.ts";
import { toProblem } from "./request/errors.ts";
import { hostFault } from "./request/head.ts";
import { DatabaseTurns } from "./request/limits/database-turns.ts";
import { Demand, type Peers } from "./request/limits/demand.ts";
import { RateLimit } from "./request/limits/rate-limit.ts";
import { registerOtherMethods } from "./request/other-methods.ts";
import { fastifyPath, registerRaw, registerRowsOfCalls, registerTable, sendRaw } from "./request/register.ts";
import { countAnswers, dropBody, sendProblem } from "./request/reply.ts";
import { RequestState } from "./request/state.ts";
import { EventStreams } from "./request/streams/event-streams.ts";
import { RowStreams } from "./request/streams/row-streams.ts";
import { Uploads } from "./request/uploads/uploads.ts";
import type { AnyRoute } from "./route.ts";
import type { ServerParts } from "./server-parts.ts";
import { Surfaces, unlistedOn } from "./surface.ts";

/**
 * Builds the HTTP server from the route table; nothing listens before `listen`. A request goes through this file's first hook,
 * which finds its surface, then request/register.ts: admission.ts, bodies/body.ts and the row's schemas, handler.ts with the verb, reply.ts. A
 * refusal of any of them goes to the error handler here.
 */
export async function openServer(app: App, parts: ServerParts): Promise<HttpServer> {
  const perSecond = app.config.API_RATE_LIMIT;
  const demand = perSecond === null ? null : new Demand(app, perSecond, parts.peers ?? (() => ALONE));
  const rateLimit = new RateLimit(demand, () => app.clock.monotonic());
  const admission = new Admission(
    app,
    { authenticate: parts.authenticate, sessions: parts.sessions ?? null, setupLinks: parts.setupLinks ?? null },
    rateLimit,
  );
  countAnswers(app);
  const slowBodies = new SlowBodies(parts.bodyLimits?.ms);
  const bodies = new Bodies(slowBodies, parts.bodyLimits);
  const surfaces = new Surfaces(parts.surfaces);
  const compilers = compileLate(earlyOf(parts.routes));
  const pages = await openConsole(app.config.PUBLIC_URL);
  const instance = openFastify(app, parts.activity, { surfaces, admission, slowBodies, bodies, compilers, pages });
  const raws = [
    ...parts.rawRoutes,
    ...probeRoutes(parts.version, parts.ready),
    ...docsRoutes({
      document: () => JSON.stringify(openapi()),
      baseUrl: () => outsideAddress({ ...app.config, PORT: portOf(instance) ?? app.config.PORT }),
      demoKey: parts.demoKey ?? null,
    }),
    ...pages.routes,
  ];

  const declared = parts.declared ?? NOTHING_DECLARED;
  const streams = new RowStreams(app, parts.streamLimits);
  const turns = new DatabaseTurns(app.db, parts.turnLimits);
  const eventStreams = new EventStreams({ app, admission, turns }, parts.eventStreamLimits);
  const uploads = new Uploads(parts.uploadLimits);
  const passages = new Passages();
  const registration = {
    instance,
    app,
    activity: parts.activity,
    surfaces,
    admission,
    streams,
    eventStreams,
    bodies,
    slowBodies,
    turns,
    uploads,
    passages,
  };
  const { rows, definitions } = registerTable(registration, parts.routes, declared.lists);
  const openapi = (): object =>
    openapiOf({
      version: parts.version,
      publicUrl: app.config.PUBLIC_URL,
      surfaces,
      rows,
      definitions,
      raws,
      declared,
    });
  const calls = parts.calls ?? [];
  await registerRaw(registration, raws);
  registerRowsOfCalls(registration, parts.rowsOfCalls ?? [], declared.lists);
  await registerCalls(registration, calls);
  registerOtherMethods(registration, [...parts.routes, ...raws, ...calls.map(standingOf)]);
  await instance.ready();
  return new HttpServer({ app, instance, demand, streams, eventStreams, slowBodies }, openapi);
}

function earlyOf(rows: readonly AnyRoute[]): (route: { method: string; url: string }) => boolean {
  const routes = rows.filter((row) => row.compiledAtStart === true);
  const names = new Set(routes.map(({ method, path }) => `${method} ${fastifyPath(path)}`));
  return ({ method, url }) => names.has(`${method} ${url}`);
}

/** The port that it listens on; null before that. */
function portOf({ server }: FastifyInstance): number | null {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? null) : null;
}

const NOTHING_DECLARED: Declared = { tags: SERVER_TAGS, lists: { scopes: [], event_kinds: [] }, events: [] };
const ALONE: Peers = { worker: "", live: 1 };

type ServerState = {
  app: App;
  instance: FastifyInstance;
  demand: Demand | null;
  streams: RowStreams;
  eventStreams: EventStreams;
  slowBodies: SlowBodies;
};

/** How often a closing server looks for idle connections. */
const LOOK_FOR_IDLE_MS = 50;
/** A request that arrives while the process stops has so long to be there; as a stream of rows has to end. */
const INCOMPLETE_END_MS = 2_000;
/** A client that has not read its answer by then is cut off: what comes after this in the stop of the process has its time too. */
const ALL_END_MS = 20_000;

/** The HTTP server of a process. */
export class HttpServer {
  /** The OpenAPI 3.1 document. */
  readonly openapi: () => object;
  /** Performs a request without a socket, for tests. */
  readonly inject: FastifyInstance["inject"];
  readonly #app: App;
  readonly #instance: FastifyInstance;
  readonly #demand: Demand | null;
  readonly #streams: RowStreams;
  readonly #eventStreams: EventStreams;
  readonly #slowBodies: SlowBodies;
  readonly #connections: Connections;

  /** Called by `openServer`. */
  constructor({ app, instance, demand, streams, eventStreams, slowBodies }: ServerState, openapi: () => object) {
    this.openapi = openapi;
    this.inject = instance.inject.bind(instance);
    this.#streams = streams;
    this.#eventStreams = eventStreams;
    this.#slowBodies = slowBodies;
    this.#app = app;
    this.#instance = instance;
    this.#demand = demand;
    this.#connections = new Connections(instance.server);
  }

  /** Binds HOST and PORT; rejects with the system's error when the port is taken. */
  async listen(): Promise<{ port: number; url: string }> {
    const { HOST, PORT } = this.#app.config;
    await this.#instance.listen({ host: HOST, port: PORT });
    const { address, port, family } = this.#instance.server.address() as AddressInfo; // bound to a TCP port just now
    return { port, url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}` };
  }

  /** Takes no new connection, lets requests that are here end, and resolves. */
  async close(): Promise<void> {
    const { server } = this.#instance;
    // Fastify closes idle connections once; those that are answering at that moment become idle later.
    const timer = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
    const incomplete = setTimeout(() => this.#connections.endIncomplete(), INCOMPLETE_END_MS);
    const all = setTimeout(() => server.closeAllConnections(), ALL_END_MS);
    const streamed = Promise.all([this.#streams.end(), this.#eventStreams.end()]);
    try {
      await this.#instance.close();
      await streamed;
      await this.#demand?.stop();
    } finally {
      this.#slowBodies.stop();
      clearTimeout(incomplete);
      clearTimeout(all);
      clearInterval(timer);
    }
  }
}

/** Time to receive a whole upload, at 300 kB/s for the largest (a minimum: uploads/uploads.ts); `SlowBodies` gives other bodies a minute, Node headers too. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** A connection on which nothing moves for so long is closed: a client that never reads its answer. No verb takes as long. */
const STILL_MS = 120_000;
/** Longest path parameter: ids are 30 characters, a tag may be longer. */
const LONGEST_PARAMETER = 256;

/** Fastify with the first hook of each request and the only error handler. */
function openFastify(
  app: App,
  activity: Activity,
  {
    surfaces,
    admission,
    slowBodies,
    bodies,
    compilers,
    pages,
  }: {
    surfaces: Surfaces;
    admission: Admission;
    slowBodies: SlowBodies;
    bodies: Bodies;
    compilers: Compilers;
    pages: Console;
  },
): FastifyInstance {
  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    const now = app.clock.now();
    request.state = new RequestState(request, reply.raw, { now, startedAt: app.clock.monotonic(), surfaces });
  };
  const isPage = ({ state: { method, surface }, url, headers: { accept } }: FastifyRequest): boolean =>
    pages.claims({ method, surface, url, accept });
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error, request.state);
    dropBody(request, reply, slowBodies, problem.status);
    if (problem.code === "not_found" && isForBrowser(request.state, request.headers))
      return void sendRaw(app, request, reply, missingPage(request.url));
    sendProblem(app, request, reply, problem);
    auditLater(activity, request, reply.statusCode, problem);
  };
  // Fastify calls this before any hook, for a path that the router cannot decode.
  const refuseUnrouted = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    begin(request, reply);
    const admitted = admission.admit(request, null).then(() => hostFault(request.raw) ?? error);
    admitted.then(
      (fault) => refuse(fault, request, reply),
      (refusal: unknown) => refuse(refusal, request, reply),
    );
  };
  const instance = fastify({
    logger: false, // reply.ts writes the one line of a request
    bodyLimit: LARGEST_BODY,
    trustProxy: app.config.TRUST_PROXY ?? false,
    return503OnClosing: false, // a request that reached us is answered; its socket closes after it
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STILL_MS,
    rewriteUrl: ({ method = "GET", url = "/" }) => surfaces.routedUrl(method, url),
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    ajv: { customOptions: AJV },
    schemaController: { compilersFactory: compilers },
    frameworkErrors: refuseUnrouted,
    http: { requireHostHeader: false }, // Node would answer without a body or an id; hostFault refuses the same
    clientErrorHandler: (error, socket) => answerClientError(error, socket, { surfaces, config: app.config }),
  });
  instance.decorateRequest("state", null as unknown as RequestState); // the first hook sets it, before anything reads it
  instance.addHook("onRequest", (request, reply, done) => {
    begin(request, reply);
    const fault =
      hostFault(request.raw) ?? (request.is404 && !isPage(request) ? unlistedOn(request.state.surface) : null);
    if (fault === null) return done();
    // An unknown path asks for a key like a known one: only callers of its surface learn which paths exist.
    // oxlint-disable-next-line promise/no-callback-in-promise -- an async hook would cost every request
    admission.admit(request, null).then(() => done(fault), done);
  });
  instance.setErrorHandler(refuse);
  instance.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) throw unlistedOn(request.state.surface);
    return sendRaw(app, request, reply, pages.handle(request));
  });
  takeJsonBodies(instance, bodies);
  holdBack(instance.server);
  return instance;
}
