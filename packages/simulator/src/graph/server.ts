import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { traceId } from "../lib/ids.ts";
import { registerBodies } from "../protocol/body.ts";
import { GraphError, graphRefusal } from "../protocol/error.ts";
import { isGraphPath, servedVersion } from "../protocol/version.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import { unknownPath } from "./request.ts";

/** Number of the build that answered; the same for all, as within one release of the provider. */
const REVISION = "1031000000";
const DEBUG_MARK = "sim-debug";

/** What every answer of the Graph has: its headers (provider reference 1.2), its bodies, and errors in its envelope. */
export function registerGraphLayer(app: FastifyInstance, sim: Simulation): void {
  registerBodies(app);
  app.addHook("onRequest", (request, reply, done) => {
    if (isGraphPath(request.url)) setHeaders(sim, request, reply);
    done();
  });
  app.setErrorHandler<FastifyError>(sendError);
  app.setNotFoundHandler((request, reply) => {
    const { method } = request;
    if (method === "GET" || method === "POST" || method === "DELETE") {
      return sendGraphError(reply, unknownPath(request.url));
    }
    const message = `Unsupported ${method.toLowerCase()} request.`;
    return sendGraphError(reply, graphRefusal(100, message, { type: "GraphMethodException" }));
  });
}

/** Answers a path that the router itself refuses, with a broken escape or too long a part: no hook or handler sees it. */
export function refusePath(sim: Simulation, error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (isGraphPath(request.url)) setHeaders(sim, request, reply);
  void sendError(error, request, reply);
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ControlError || !isGraphPath(request.url)) {
    const status = error instanceof ControlError ? error.httpStatus : (error.statusCode ?? 500);
    if (!(error instanceof GraphError)) return reply.code(status).send({ error: { message: error.message } });
  }
  return sendGraphError(reply, error instanceof GraphError ? error : frameworkError(error));
}

function setHeaders(sim: Simulation, request: FastifyRequest, reply: FastifyReply): void {
  const version = servedVersion(request.url.split(/[/?]/, 2)[1] ?? "", sim.clock.nowMs());
  if (version !== null) reply.header("facebook-api-version", version);
  const trace = traceId();
  reply.header("x-fb-request-id", trace);
  reply.header("x-fb-trace-id", trace);
  reply.header("x-fb-rev", REVISION);
  reply.header("x-fb-debug", DEBUG_MARK);
}

/** An error carries one trace id, in its header and in its body. */
function sendGraphError(reply: FastifyReply, error: GraphError): FastifyReply {
  return reply.code(error.httpStatus).header("x-fb-trace-id", error.body.error.fbtrace_id).send(error.body);
}

/** What the HTTP layer refuses keeps its status: the documentation names no code for it but 1, an unknown failure. */
function frameworkError(error: FastifyError): GraphError {
  const status = error.statusCode ?? 500;
  if (status >= 500) return new GraphError(1, status, { message: "An unknown error occurred", type: "OAuthException" });
  return new GraphError(100, status, { message: `(#100) ${error.message}`, type: "OAuthException" });
}
