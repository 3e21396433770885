import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { setPin } from "../accounts/registration.ts";
import { isRecord, textOf } from "../lib/shape.ts";
import { unknownObject } from "../protocol/error.ts";
import { handleSend, type SendAnswer } from "../sending/send.ts";
import { later, type Simulation } from "../simulation/simulation.ts";
import { editTemplate } from "../templates/life.ts";
import { readAccount, readOwner, registerEdges } from "./edges.ts";
import { type Flows, readFlow, updateFlow } from "./flows.ts";
import { edgeError } from "./management-faults.ts";
import { mediaIn, readMedia } from "./media-routes.ts";
import { phoneNumberNode, templateNode, USUAL_NUMBER_FIELDS, USUAL_TEMPLATE_FIELDS } from "./nodes.ts";
import {
  authenticate,
  type GraphPath,
  type GraphRequest,
  parameter,
  phoneNumberIn,
  selectFields,
  verbOf,
} from "./request.ts";
import { componentsOf, extrasOf } from "./template-routes.ts";

const JSON_TYPE = "application/json; charset=UTF-8";

/** Sends, and the nodes of the graph: accounts, numbers, templates by id. */
export function registerGraphRoutes(app: FastifyInstance, sim: Simulation, flows: Flows): void {
  const arrivals = new WeakMap<FastifyRequest["raw"], number>();

  app.post<GraphPath>(
    "/:version/:id/messages",
    {
      // Before the body is read: this is when the provider would have seen the request.
      onRequest: (request, _reply, done) => {
        arrivals.set(request.raw, performance.timeOrigin + performance.now());
        done();
      },
    },
    (request, reply) => {
      const number = phoneNumberIn(sim, authenticate(sim, request), request);
      const arrivedAt = arrivals.get(request.raw) ?? performance.timeOrigin + performance.now();
      answer(sim, reply, handleSend(sim, number, request.body, arrivedAt));
    },
  );

  registerEdges(app, sim);

  app.get<GraphPath>("/:version/:id", (request) => readNode(sim, request, flows));

  app.post<GraphPath>("/:version/:id", (request) => {
    const accounts = authenticate(sim, request);
    const number = sim.world.phoneNumbers.get(request.params.id);
    if (number !== undefined && accounts.includes(number.account) && parameter(request, "pin") !== undefined) {
      setPin(number, parameter(request, "pin"));
      return { success: true };
    }
    const flow = updateFlow(flows, request, accounts, sim.clock.nowMs());
    if (flow !== undefined) return flow;
    const found = sim.world.templates.get(request.params.id);
    if (found === undefined || !accounts.includes(found.account)) throw unknownObject(request.params.id, "post");
    const category = parameter(request, "category");
    const body: unknown = request.body;
    editTemplate(sim, found.account, found.template, {
      ...(category === undefined ? {} : { category }),
      ...(isRecord(body) && body["components"] !== undefined ? { components: componentsOf(body["components"]) } : {}),
      ...ttlOf(request),
    });
    return { success: true, id: found.template.id, name: found.template.name, category: found.template.category };
  });
}

/** Of the fields beside the content, an edit changes this one. */
function ttlOf(request: GraphRequest): { message_send_ttl_seconds?: number } {
  const { message_send_ttl_seconds: ttl } = extrasOf(request);
  return ttl === undefined ? {} : { message_send_ttl_seconds: ttl };
}

function readNode(sim: Simulation, request: GraphRequest, flows: Flows): Record<string, unknown> {
  const accounts = authenticate(sim, request);
  const { id } = request.params;
  const account = accounts.find((one) => one.id === id);
  if (account !== undefined) return readAccount(sim, request, account);
  const number = sim.world.phoneNumbers.get(id);
  if (number !== undefined && accounts.includes(number.account)) {
    return selectFields(request, phoneNumberNode(sim, number), USUAL_NUMBER_FIELDS, "WhatsAppBusinessPhoneNumber");
  }
  const found = sim.world.templates.get(id);
  if (found !== undefined && accounts.includes(found.account)) {
    return selectFields(request, templateNode(found.template), USUAL_TEMPLATE_FIELDS, "WhatsAppMessageTemplate");
  }
  const media = mediaIn(sim, accounts, request);
  if (media !== undefined) return readMedia(sim, request, media);
  const flow = readFlow(flows, request, accounts);
  if (flow !== undefined) return flow;
  const owner = readOwner(sim, request, accounts);
  if (owner !== undefined) return owner;
  throw unknownObject(id, verbOf(request));
}

function answer(sim: Simulation, reply: FastifyReply, end: SendAnswer): void {
  if (end.kind === "hang") {
    // Never answered; the sender's deadline, or the stop of the simulator, ends it.
    reply.hijack();
    return;
  }
  if (end.delayMs > 0) {
    later(sim, end.delayMs, () => answer(sim, reply, { ...end, delayMs: 0 }));
    return;
  }
  if (end.kind === "reset") {
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
    return;
  }
  const sent = reply.code(end.httpStatus);
  if (end.kind === "html") void sent.type("text/html; charset=utf-8").send(edgeError(end.httpStatus));
  else void sent.headers(traceOf(end.body)).type(JSON_TYPE).send(JSON.stringify(end.body));
}

/** An error carries one trace id, in its header and in its body. */
function traceOf(body: unknown): Record<string, string> {
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  const trace = textOf(error["fbtrace_id"]);
  return trace === undefined ? {} : { "x-fb-trace-id": trace };
}
