import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { App } from "../ctx.ts";
import type { Activity } from "./activity.ts";
import type { Authenticate } from "./caller.ts";
import { openapiOf } from "./openapi/openapi.ts";
import { consoleRoutes } from "./pages/console.ts";
import { docsRoutes } from "./pages/docs.ts";
import { probeRoutes, type ReadyReport } from "./pages/probes.ts";
import { notFound } from "./problem.ts";
import { type Admit, createAdmit } from "./request/auth.ts";
import { hostFault } from "./request/body.ts";
import { answerClientError, jsonBodies, LARGEST_BODY } from "./request/body-parsers.ts";
import { createDemand, type Peers } from "./request/demand.ts";
import { toProblem } from "./request/errors.ts";
import { createRateLimit } from "./request/rate-limit.ts";
import { addOtherMethods, addRaws, addTable } from "./request/register.ts";
import { sendProblem } from "./request/reply.ts";
import { requestIdOf } from "./request/request-id.ts";
import { auditLater, type Exchange, openExchange } from "./request/state.ts";
import type { AnyRoute, RawRoute } from "./route.ts";

/** What HTTP needs from the features; it knows none of them. */
export type HttpParts = {
  routes: readonly AnyRoute[];
  rawRoutes: readonly RawRoute[];
  authenticate: Authenticate;
  activity: Activity;
  /** The processes that share a workspace's rate limit; default: this one alone. */
  peers?: () => Peers;
  ready: () => Promise<ReadyReport>;
  version: string;
};

export type Http = {
  /** Binds HOST and PORT; rejects with the system's error when the port is taken. */
  listen(): Promise<{ port: number; url: string }>;
  /** Takes no new connection, lets running requests end, and resolves. */
  close(): Promise<void>;
  /** A request without a socket, for tests. */
  inject: FastifyInstance["inject"];
  /** The OpenAPI 3.1 document. */
  openapi(): object;
};

/** Builds the HTTP server from the route table; nothing listens before `listen`. */
export async function createHttp(app: App, parts: HttpParts): Promise<Http> {
  const perSecond = app.config.API_RATE_LIMIT;
  const demand = perSecond === null ? null : createDemand(app, perSecond, parts.peers ?? (() => ALONE));
  const rateLimit = createRateLimit(demand, () => app.clock.monotonic());
  const admit = createAdmit(app, parts.authenticate, rateLimit);
  const instance = openFastify(app, parts.activity, admit);
  const table = { instance, app, activity: parts.activity, admit };
  const raws = [
    ...parts.rawRoutes,
    ...probeRoutes(parts.version, parts.ready),
    ...docsRoutes(() => JSON.stringify(openapi())),
    ...(await consoleRoutes({ version: parts.version, providerBaseUrl: app.config.PROVIDER_BASE_URL })),
  ];

  openEachRequest(instance, app, admit);
  const { rows, definitions } = addTable(table, parts.routes);
  const openapi = (): object =>
    openapiOf({ version: parts.version, publicUrl: app.config.PUBLIC_URL, rows, definitions, raws });
  await addRaws(table, raws);
  addOtherMethods(table, [...parts.routes, ...raws]);
  await instance.ready();

  return {
    async listen() {
      await instance.listen({ host: app.config.HOST, port: app.config.PORT });
      const { address, port, family } = instance.server.address() as AddressInfo; // bound to a TCP port just now
      return { port, url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}` };
    },
    async close() {
      // Closing ends idle connections once; those that were answering then are idle a moment later.
      const timer = setInterval(() => instance.server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
      try {
        await instance.close();
        await demand?.stop();
      } finally {
        clearInterval(timer);
      }
    },
    inject: instance.inject.bind(instance),
    openapi,
  };
}

const ALONE: Peers = { worker: "", live: 1 };

/** Time to receive a whole request: ends slow drips. */
const REQUEST_TIMEOUT_MS = 60_000;
const LOOK_FOR_IDLE_MS = 50;
/** Longest path parameter: ids are 30 characters, a tag may be longer. */
const LONGEST_PARAMETER = 256;

/** No silent drop, no coercion, no defaults written into a body: the fingerprint and the verb see what was sent. */
const AJV = {
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  allErrors: false, // all faults of a hostile body would be as much work as its sender likes
  discriminator: true,
  strictTypes: false,
  strictTuples: false,
} as const;

function openFastify(app: App, activity: Activity, admit: Admit): FastifyInstance {
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error, request.exchange);
    sendProblem(app, request, reply, problem);
    auditLater(activity, request, problem.status, problem);
  };
  // A path that the router cannot decode comes here before any hook.
  const refuseUnrouted = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    request.exchange = openExchange(request, app.clock.now(), app.clock.monotonic());
    const admitted = admit(request, null).then(() => hostFault(request.raw) ?? error);
    admitted.then(
      (fault) => refuse(fault, request, reply),
      (refusal: unknown) => refuse(refusal, request, reply),
    );
  };
  const instance = fastify({
    logger: false, // answer.ts writes the one line of a request
    bodyLimit: LARGEST_BODY,
    genReqId: requestIdOf,
    trustProxy: app.config.TRUST_PROXY ?? false,
    return503OnClosing: false, // a request that reached us is answered; its socket closes after it
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    ajv: { customOptions: AJV },
    frameworkErrors: refuseUnrouted,
    http: { requireHostHeader: false }, // Node would answer without a body or an id; hostFault refuses the same
    clientErrorHandler: answerClientError,
  });
  instance.decorateRequest("exchange", null as unknown as Exchange); // the first hook sets it, before anything reads it
  instance.setErrorHandler(refuse);
  instance.setNotFoundHandler(() => {
    throw notFound();
  });
  jsonBodies(instance);
  return instance;
}

function openEachRequest(instance: FastifyInstance, app: App, admit: Admit): void {
  instance.addHook("onRequest", (request, _reply, done) => {
    request.exchange = openExchange(request, app.clock.now(), app.clock.monotonic());
    const fault = hostFault(request.raw) ?? (request.is404 ? notFound() : null);
    if (fault === null) return done();
    // An unknown path under /v1 asks for a key like a known one: what there is, is for key holders.
    // oxlint-disable-next-line promise/no-callback-in-promise -- an async hook would cost every request
    admit(request, null).then(() => done(fault), done);
  });
}
