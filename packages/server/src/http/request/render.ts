import type { FastifyReply } from "fastify";
import type { Answer, AnyRoute } from "../route.ts";
import { JSON_TYPE, type Outgoing } from "./reply.ts";

/** The body's text by the route's response schema. */
export type Serialize = (body: unknown) => string;

/** A verb's answer as what goes out. */
export function render(row: AnyRoute, answer: Answer<unknown>, serialize: Serialize): Outgoing {
  const status = answer.status ?? row.status;
  const outgoing: Outgoing = { status, type: JSON_TYPE, body: status === 204 ? null : serialize(answer.body) };
  if (answer.headers !== undefined) outgoing.headers = answer.headers;
  if (answer.replayed === true) outgoing.replayed = true;
  return outgoing;
}

/** Fastify compiles the response schema with the route; the same function renders the kept bytes inside a transaction. */
export function serializerOf(row: AnyRoute, reply: FastifyReply): Serialize {
  const serialize = reply.getSerializationFunction(String(row.status));
  if (!serialize) throw new Error(`${row.method} ${row.path} has no compiled response schema`);
  return serialize as Serialize; // Fastify's type takes objects alone; the schema decides what it really takes
}
