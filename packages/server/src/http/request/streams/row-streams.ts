import type { ServerResponse } from "node:http";
import { finished, Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../ctx.ts";
import { csvLine } from "../../../lib/csv.ts";
import { causeFields } from "../../../lib/error-fields.ts";
import { Problem } from "../../problem.ts";
import { ROW_TYPES, type RowFormat, type RowStream, type StreamedRow } from "../../stream-rows.ts";
import { RequestContext } from "../context.ts";
import { send } from "../reply.ts";
import { type Pace, watchPace } from "./pace.ts";

export type StreamLimits = {
  /** At once in this process: each reads one page at a time, beside the requests. */
  places: number;
  /** Of one workspace, so that it leaves others a place. */
  placesOfOne: number;
  /** A reader that takes nothing for so long is cut off. */
  idleMs: number;
  slowest: Pace;
  /** What is running when the process stops has so long to end. */
  endMs: number;
};
const LIMITS: StreamLimits = {
  places: 4,
  placesOfOne: 2,
  idleMs: 30_000,
  slowest: { bytes: 256 * 1024, withinMs: 60_000 },
  endMs: 2_000,
};
/** Bytes given away at once: what the pace is measured in. */
const PIECE_BYTES = 64 * 1024;
/** A place may be free again by then. */
const AGAIN_SECONDS = 5;

type Ask = { rows: RowStream<unknown>; input: unknown; format: RowFormat };
/** `complete`, `gone`: the reader left, `stalled`: it was cut off, `failed`, `stopped`: the process was stopped. */
type End = "complete" | "gone" | "stalled" | "failed" | "stopped";

/**
 * The answers that this process streams. A stream that cannot go on is cut: the connection ends without the last chunk, which every
 * HTTP client reports, so that half of it is never taken for the whole.
 */
export class RowStreams {
  readonly #app: App;
  readonly #limits: StreamLimits;
  /** By response. */
  readonly #running = new Map<ServerResponse, Stream>();
  /** Workspaces of the places that are taken, of streams that have not begun too. */
  readonly #taken: string[] = [];

  constructor(app: App, limits = LIMITS) {
    this.#app = app;
    this.#limits = limits;
  }

  /** Sends the rows; resolves once the answer has begun. Rejects with the refusal of a request for which nothing was sent. */
  async start(request: FastifyRequest, reply: FastifyReply, { rows, input, format }: Ask): Promise<void> {
    const release = this.#take(request.state.workspaceId);
    let begun = false;
    try {
      const context = new RequestContext(this.#app, request, reply);
      const pages = rows.pages(context, input)[Symbol.asyncIterator]();
      const first = await pages.next();
      const stream = new Stream(this.#app, request, reply.raw, this.#limits);
      this.#running.set(reply.raw, stream);
      begun = true;
      stream.whenOver(() => {
        this.#running.delete(reply.raw);
        release();
      });
      const head = request.state.method === "HEAD";
      if (head) await pages.return?.();
      const body = head ? "" : stream.body(textsOf(rows, format, first, pages));
      send(this.#app, request, reply, { status: 200, type: `${ROW_TYPES[format]}; charset=utf-8`, body });
    } finally {
      if (!begun) release();
    }
  }

  /** Waits a moment for the streams that are running, and cuts the others. */
  async end(): Promise<void> {
    if (this.#running.size === 0) return;
    const timer = setTimeout(() => {
      for (const stream of this.#running.values()) stream.cut("stopped");
    }, this.#limits.endMs);
    await Promise.all([...this.#running.values()].map(({ over }) => over));
    clearTimeout(timer);
  }

  #take(workspaceId: string): () => void {
    const retry = { retryAfterSeconds: AGAIN_SECONDS };
    const own = this.#taken.filter((one) => one === workspaceId).length;
    if (own >= this.#limits.placesOfOne)
      throw new Problem("rate_limited", `${own} streams of this workspace are running: wait for one to end.`, retry);
    if (this.#taken.length >= this.#limits.places)
      throw new Problem("unavailable", "Too many streams are running; nothing was read.", retry);
    this.#taken.push(workspaceId);
    return () => void this.#taken.splice(this.#taken.indexOf(workspaceId), 1);
  }
}

/** One answer while it is written. */
class Stream {
  /** Resolves when the response has ended, in whatever way. */
  readonly over: Promise<void>;
  readonly #app: App;
  readonly #request: FastifyRequest;
  readonly #response: ServerResponse;
  readonly #whenOver: (() => void)[] = [];
  readonly #startedAt: number;
  #end: End | null = null;
  #rows = 0;
  #bytes = 0;
  #fault: unknown = null;

  constructor(app: App, request: FastifyRequest, response: ServerResponse, { idleMs, slowest }: StreamLimits) {
    this.#app = app;
    this.#request = request;
    this.#response = response;
    this.#startedAt = app.clock.monotonic();
    const endWatch = watchPace(slowest, { waiting: () => response.writableLength, taken: () => this.#bytes }, () =>
      this.cut("stalled"),
    );
    this.over = new Promise((resolve) => {
      finished(response, (error) => {
        endWatch();
        this.#end ??= error ? "gone" : "complete";
        for (const step of this.#whenOver) step();
        this.#writeLine(this.#end);
        resolve();
      });
    });
    // Node counts a reader that takes the bytes of a long write slowly as active.
    response.setTimeout(idleMs, () => {
      if (response.writableLength > 0) this.cut("stalled");
      else response.socket?.setTimeout(idleMs); // nothing was written meanwhile: the reader waits for us
    });
  }

  whenOver(step: () => void): void {
    this.#whenOver.push(step);
  }

  body(texts: AsyncIterable<{ text: string; rows: number }>): Readable {
    return Readable.from(this.#counted(texts), { objectMode: false });
  }

  async *#counted(texts: AsyncIterable<{ text: string; rows: number }>): AsyncGenerator<Buffer> {
    try {
      for await (const { text, rows } of texts) {
        const bytes = Buffer.from(text);
        this.#rows += rows;
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          const piece = bytes.subarray(at, at + PIECE_BYTES);
          this.#bytes += piece.length;
          yield piece;
        }
      }
    } catch (error) {
      this.#fault = error;
      this.#end ??= "failed";
      throw error; // Fastify destroys the response
    }
  }

  cut(end: End): void {
    this.#end ??= end;
    this.#response.destroy();
  }

  #writeLine(ended: End): void {
    const { requestId, workspaceId, match } = this.#request.state;
    const line = {
      route: match.route,
      request_id: requestId,
      workspace_id: workspaceId,
      ended,
      rows: this.#rows,
      bytes: this.#bytes,
      ms: Math.round(this.#app.clock.monotonic() - this.#startedAt),
      ...(this.#fault === null ? {} : { cause: causeFields(this.#fault) }),
    };
    this.#app.log[ended === "failed" ? "error" : "info"](line, "rows streamed");
  }
}

type Pages = AsyncIterator<readonly StreamedRow[]>;

async function* textsOf(
  { columns, cells = (row) => row }: RowStream<unknown>,
  format: RowFormat,
  first: IteratorResult<readonly StreamedRow[]>,
  pages: Pages,
): AsyncGenerator<{ text: string; rows: number }> {
  const lineOf =
    format === "csv"
      ? (row: StreamedRow): string => {
          const values = cells(row);
          return csvLine(columns.map((column) => values[column]));
        }
      : (row: StreamedRow): string => `${JSON.stringify(row)}\n`;
  try {
    // One text with the first page, so that a small answer is one write.
    let text = format === "csv" ? csvLine(columns) : "";
    for (let page = first; page.done !== true; page = await pages.next()) {
      for (const row of page.value) text += lineOf(row);
      if (text !== "") yield { text, rows: page.value.length };
      text = "";
    }
    if (text !== "") yield { text, rows: 0 };
  } finally {
    await pages.return?.();
  }
}
