import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import type { RawRoute } from "../route.ts";
import { send } from "./reply.ts";
import { addressOf } from "./state.ts";

const NO_BODY = Buffer.alloc(0);

/** The handler of a raw route: bytes in, its own answer out, the same log line and headers as all. */
export function runRaw(app: App, route: RawRoute) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const answer = await route.handle({
      headers: request.headers,
      query: firstOfEach(request.query as Record<string, string | string[]>), // no schema: as the parser gives it
      body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
      ip: addressOf(request) ?? "",
      requestId: request.id,
    });
    return send(app, request, reply, {
      status: answer.status,
      type: "text/plain; charset=utf-8",
      body: answer.body,
      headers: answer.headers ?? {},
    });
  };
}

function firstOfEach(query: Record<string, string | string[]>): Record<string, string | undefined> {
  const first: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(query)) first[name] = typeof value === "string" ? value : value[0];
  return first;
}
