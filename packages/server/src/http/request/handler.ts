import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import type { Activity } from "../activity.ts";
import { fileReply } from "../file-answer.ts";
import { isList } from "../pagination.ts";
import { invalidAt, Problem } from "../problem.ts";
import type { AnyRoute } from "../route.ts";
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
    const { state } = request;
    const input = inputOf(row, request);
    const cursor = this.#listed ? new ListCursor(this.#app.secrets, request) : null;
    cursor?.open(input.query);
    const answer = await this.#turns.run(row, state, () =>
      this.#app.db.read(state.workspaceId, (sql) =>
        row.verb(new TransactionContext(this.#app, request, reply, sql), input),
      ),
    );
    state.performed(answer.resource ?? null);
    return render(row, cursor?.seal(answer) ?? answer, reply);
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
    const input = inputOf(row, request, this.#checkItems);
    const answer = await row.verb(new OwnContext(this.#app, request, reply, key), input);
    request.state.performed(answer.resource ?? null);
    return render(row, answer, reply);
  }
}
