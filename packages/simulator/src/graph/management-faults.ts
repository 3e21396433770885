import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusal } from "../protocol/error.ts";
import { later, type Simulation } from "../simulation/simulation.ts";
import { acceptsMessage, type Behaviour } from "../world/behaviour.ts";
import { accountOfFault, operationOf } from "./management-operations.ts";
import type { GraphRequest } from "./request.ts";

const HTML_TYPE = "text/html; charset=utf-8";
export const edgeError = (status: number): string =>
  `<html><head><title>${status} Bad Gateway</title></head><body>Sorry, something went wrong.</body></html>\n`;

/**
 * Faults of management calls, for every route of the Graph API but sends. One that prevents the call acts before anything of it is
 * checked; one that lets it be done (`accept`) acts on the answer, and is used up only by a call that the rules accept.
 */
export function registerManagementFaults(app: FastifyInstance, sim: Simulation): void {
  app.addHook("preHandler", (request, reply, done) => {
    const behaviour = take(sim, request, (one) => !isDone(one));
    if (behaviour === undefined) return done();
    afterDelay(sim, behaviour, () => {
      if (behaviour.kind === "refuse") done(refusalOf(behaviour));
      else if (behaviour.kind === "html")
        void reply
          .code(behaviour.httpStatus ?? 502)
          .type(HTML_TYPE)
          .send(edgeError(behaviour.httpStatus ?? 502));
      else if (behaviour.kind === "no_id") void reply.send({});
      else end(reply, behaviour);
    });
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const behaviour = reply.statusCode === 200 ? take(sim, request, isDone) : undefined;
    if (behaviour === undefined) return done(null, payload);
    afterDelay(sim, behaviour, () => {
      if (behaviour.kind === "hang" || behaviour.kind === "reset") return end(reply, behaviour);
      if (behaviour.kind === "delay") return done(null, payload);
      const html = behaviour.kind === "html" ? edgeError(behaviour.httpStatus ?? 502) : undefined;
      if (html !== undefined) void reply.code(behaviour.httpStatus ?? 502).header("content-type", HTML_TYPE);
      const answer = html ?? "{}";
      void reply.header("content-length", Buffer.byteLength(answer));
      done(null, answer);
    });
  });
}

/** The call is done, whatever the caller learns of it. */
const isDone = (behaviour: Behaviour): boolean => behaviour.kind === "delay" || acceptsMessage(behaviour);

function take(
  sim: Simulation,
  request: FastifyRequest,
  fits: (behaviour: Behaviour) => boolean,
): Behaviour | undefined {
  const graph = request as GraphRequest; // only its path and method are read, and checked
  const operation = operationOf(sim, graph);
  if (operation === undefined) return undefined;
  return sim.faults.takeManagement({ operation, accountId: accountOfFault(sim, graph)?.id }, fits);
}

function refusalOf({ code = 1, subcode, httpStatus }: Behaviour) {
  return refusal(code, "Refused by a fault of the simulator.", {
    ...(subcode === undefined ? {} : { subcode }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
  });
}

function afterDelay(sim: Simulation, { delayMs = 0 }: Behaviour, run: () => void): void {
  if (delayMs > 0) later(sim, delayMs, run);
  else run();
}

/** No answer: the caller's deadline, or the stop of the simulator, ends a call that hangs. */
function end(reply: FastifyReply, { kind }: Behaviour): void {
  reply.hijack();
  if (kind === "reset") reply.raw.socket?.resetAndDestroy();
}
