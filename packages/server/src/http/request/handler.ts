import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import type { Activity } from "../activity.ts";
import { waitSecondsOf } from "../headers.ts";
import { isList } from "../pagination.ts";
import type { AnyRoute, RequestKey } from "../route.ts";
import { inputOf, OwnContext, TransactionContext } from "./context.ts";
import { cursorOfList } from "./cursor.ts";
import { keyOf, requestKey } from "./idempotency.ts";
import { render, type Serialize, serializerOf } from "./render.ts";
import { type Outgoing, send } from "./reply.ts";
import { auditFields, auditLater } from "./state.ts";
import { createWrite } from "./write.ts";

export type Run = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type Perform = (request: FastifyRequest, reply: FastifyReply, serialize: Serialize) => Promise<Outgoing>;

/** The handler of one row: its verb in the manner of its kind, then the answer, then what is audited after it. */
export function createRun(app: App, activity: Activity, row: AnyRoute): Run {
  const perform = performerOf(app, activity, row);
  let serialize: Serialize | null = null;
  return async (request, reply) => {
    serialize ??= serializerOf(row, reply);
    const outgoing = await perform(request, reply, serialize);
    send(app, request, reply, outgoing);
    // What a verb did has its audit row in the verb's transaction; a read or a replay did nothing.
    if (row.kind === "read" || outgoing.replayed === true) auditLater(activity, request, outgoing.status, null);
    return reply;
  };
}

function performerOf(app: App, activity: Activity, row: AnyRoute): Perform {
  if (row.kind === "write") {
    const write = createWrite(app, activity, row);
    return (request, reply, serialize) => write(request, reply, readKey(row, request), serialize);
  }
  if (row.kind === "read") {
    const lists = isList(row.response);
    return async (request, reply, serialize) => {
      const input = inputOf(row, request);
      const cursor = lists ? cursorOfList(app, request) : null;
      cursor?.open(input.query);
      const answer = await app.db.read(request.exchange.workspaceId, (sql) =>
        row.verb(new TransactionContext(app, request, reply, sql), input),
      );
      request.exchange.resource = answer.resource ?? null;
      return render(row, cursor?.seal(answer) ?? answer, serialize);
    };
  }
  return async (request, reply, serialize) => {
    const waitSeconds = waitSecondsOf(request.headers["prefer"]);
    const own = { key: readKey(row, request), waitSeconds, audit: auditFields(request) };
    const answer = await row.verb(new OwnContext(app, request, reply, own), inputOf(row, request));
    request.exchange.resource = answer.resource ?? null;
    return render(row, answer, serialize);
  };
}

function readKey(row: AnyRoute, request: FastifyRequest): RequestKey | null {
  if (row.method !== "POST") return null;
  const text = keyOf(request.headers);
  if (text === null) return null;
  request.exchange.keyed = true;
  return requestKey(text, request.exchange.method, request.raw.url ?? "", request.body);
}
