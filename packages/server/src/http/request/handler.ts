import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import type { Activity } from "../activity.ts";
import type { Passage, Passed } from "../call.ts";
import { fileReply } from "../file-answer.ts";
import { isList } from "../pagination.ts";
import { invalidAt, Problem } from "../problem.ts";
import type { Answer, AnyRoute } from "../route.ts";
import { ROW_TYPES, type RowFormat, type RowStream, rowFormatOf } from "../stream-rows.ts";
import { auditLater } from "./audit-row.ts";
import { inputOf, OwnContext, TransactionContext } from "./context.ts";
import { ListCursor } from "./cursor.ts";
import type { ItemCheck } from "./each.ts";
import { readKey } from "./idempotency/request-key.ts";
import type { DatabaseTurns } from "./limits/database-turns.ts";
import { render, type SerializedAnswer, send } from "./reply.ts";
import type { EventStreams } from "./streams/event-streams.ts";
import type { RowStreams } from "./streams/row-streams.ts";
import type { Uploads } from "./uploads/uploads.ts";
import { WriteTransaction } from "./write.ts";

/** What a row answers to a call that goes through it; `isAudited`: its audit row is committed. */
export type Answered = Passed & { isAudited: boolean };

type ReadRow = Extract<AnyRoute, { kind: "read" }>;
type StreamRow = Extract<AnyRoute, { kind: "stream" }>;
type OwnRow = Extract<AnyRoute, { kind: "own" }>;
type FileRow = Extract<AnyRoute, { kind: "file" }>;

const ROWS_ONLY = `This path returns rows: send \`Accept: ${ROW_TYPES.csv}\` or \`${ROW_TYPES.ndjson}\`.`;

/** Answers the requests of one row that were admitted and whose input has passed its schemas. */
export class RouteHandler {
  readonly #app: App;
  readonly #activity: Activity;
  readonly #row: AnyRoute;
  readonly #listed: boolean;
  readonly #write: WriteTransaction | null;
  readonly #checkItems: ItemCheck | null;
  readonly #streams: RowStreams;
  readonly #eventStreams: EventStreams;
  readonly #turns: DatabaseTurns;

  constructor(
    parts: {
      app: App;
      activity: Activity;
      streams: RowStreams;
      eventStreams: EventStreams;
      turns: DatabaseTurns;
      uploads: Uploads;
    },
    row: AnyRoute,
    checkItems: ItemCheck | null,
  ) {
    this.#app = parts.app;
    this.#streams = parts.streams;
    this.#eventStreams = parts.eventStreams;
    this.#turns = parts.turns;
    this.#activity = parts.activity;
    this.#row = row;
    this.#checkItems = checkItems;
    this.#listed = isList(row.response);
    this.#write = row.kind === "write" ? new WriteTransaction(parts, row, checkItems) : null;
  }

  /** Runs the verb in the way of its kind and sends the answer. Throws what the verb throws. */
  async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const row = this.#row;
    if (row.kind === "stream") return this.#follow(request, reply, row);
    if (row.kind === "rows" || (row.kind === "read" && row.rows !== undefined)) {
      const format = rowFormatOf(request.headers.accept, row.kind === "rows" ? "csv" : null);
      if (format !== null) return await this.#stream(request, reply, row.rows as RowStream<unknown>, format);
      if (row.kind === "rows") throw new Problem("unsupported_media_type", ROWS_ONLY);
    }
    const outgoing = await this.#perform(request, reply);
    send(this.#app, request, reply, outgoing);
    // The audit row of a change is in the change's transaction; a read or a replay changed nothing.
    if (row.kind === "read" || row.kind === "file" || outgoing.replayed === true || outgoing.unaudited === true)
      auditLater(this.#activity, request, outgoing.status, null);
    return reply;
  }

  /** Runs the verb for a call that goes through the row: with its answer as it is, and not as the text of one. */
  async pass(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, waitSeconds, file, fingerprint, verb }: Omit<Passage, "params" | "query" | "body">,
  ): Promise<Answered> {
    const row = this.#row;
    if (row.kind === "own") {
      if (key) request.state.keyed();
      const context = new OwnContext(this.#app, request, reply, { key: key ?? readKey(request), waitSeconds });
      const { body, status = row.status, replayed, unaudited } = await this.#ask(row, request, context, verb);
      return { status, body, replayed: replayed === true, isAudited: replayed !== true && unaudited !== true };
    }
    if (row.kind === "read") {
      const { body, status = row.status } = await this.#look(row, request, reply);
      return { status, body, replayed: false, isAudited: false };
    }
    if (this.#write === null) throw new Error(`${row.method} ${row.path} cannot stand behind a call`);
    const { status, body, replayed } = await this.#write.perform(request, reply, { file, fingerprint });
    const parsed = body === null ? null : JSON.parse(String(body as string | Buffer));
    return { status, body: parsed, replayed: replayed === true, isAudited: replayed !== true };
  }

  async #stream(
    request: FastifyRequest,
    reply: FastifyReply,
    rows: RowStream<unknown>,
    format: RowFormat,
  ): Promise<FastifyReply> {
    const input = inputOf(this.#row, request);
    if (this.#listed && "cursor" in (request.query as object))
      throw invalidAt("?cursor", "A stream has the whole range: leave out the cursor.", "invalid_cursor");
    await this.#streams.start(request, reply, { rows, input, format });
    auditLater(this.#activity, request, reply.statusCode, null);
    return reply;
  }

  async #follow(request: FastifyRequest, reply: FastifyReply, row: StreamRow): Promise<FastifyReply> {
    await this.#eventStreams.start(request, reply, row);
    auditLater(this.#activity, request, reply.statusCode, null);
    return reply;
  }

  #perform(request: FastifyRequest, reply: FastifyReply): Promise<SerializedAnswer> {
    const row = this.#row;
    if (this.#write !== null) return this.#write.perform(request, reply);
    if (row.kind === "read") return this.#read(row, request, reply);
    if (row.kind === "file") return this.#file(row, request, reply);
    return this.#own(row as OwnRow, request, reply); // the last of the kinds
  }

  async #read(row: ReadRow, request: FastifyRequest, reply: FastifyReply): Promise<SerializedAnswer> {
    return render(row, await this.#look(row, request, reply), reply);
  }

  async #look(row: ReadRow, request: FastifyRequest, reply: FastifyReply): Promise<Answer<unknown>> {
    const { state } = request;
    const input = inputOf(row, request);
    const cursor = this.#listed ? new ListCursor(this.#app.secrets, request, row.path) : null;
    cursor?.open(input.query);
    const answer = await this.#turns.run(row, state, () =>
      this.#app.db.read(state.workspaceId, (sql) =>
        row.verb(new TransactionContext(this.#app, request, reply, sql), input),
      ),
    );
    state.performed(answer.resource ?? null);
    return cursor?.seal(answer) ?? answer;
  }

  async #file(row: FileRow, request: FastifyRequest, reply: FastifyReply): Promise<SerializedAnswer> {
    const { state, headers } = request;
    const input = inputOf(row, request);
    const file = await this.#turns.run(row, state, () =>
      this.#app.db.read(state.workspaceId, (sql) =>
        row.verb(new TransactionContext(this.#app, request, reply, sql), input),
      ),
    );
    state.performed(file.resource);
    return { ...(await fileReply(file, { method: state.method, headers })), type: file.type };
  }

  async #own(row: OwnRow, request: FastifyRequest, reply: FastifyReply): Promise<SerializedAnswer> {
    const key = readKey(request, { shortSecret: row.shortSecret });
    return render(row, await this.#ask(row, request, new OwnContext(this.#app, request, reply, { key })), reply);
  }

  async #ask(
    row: OwnRow,
    request: FastifyRequest,
    context: OwnContext,
    verb: Passage["verb"] = row.verb,
  ): Promise<Answer<unknown>> {
    const answer = await verb(context, inputOf(row, request, this.#checkItems));
    request.state.performed(answer.resource ?? null);
    return answer;
  }
}
