import type { Ctx } from "../ctx.ts";
import type { Sql } from "../db/database.ts";

export const EVENT_STREAM_TYPE = "text/event-stream";

/** Events for as long as the reader stays, each with the cursor behind it, from which the next request of the reader goes on. */
export type EventStream<Input> = {
  /** The path of the list whose cursors these are: a cursor of one, with the same filters, is one of the other. */
  cursorsOf: string;
  /**
   * Begins a stream; what it throws is the answer to the request. `cursor` of the query is the position in it, also where the reader gave
   * it as `Last-Event-ID`.
   */
  open(ctx: StreamCtx, input: Input): Promise<OpenedStream>;
};

/** What a stream receives; `now` is the time of its beginning, and `signal` aborts at its end, in whatever way it ends. */
export type StreamCtx = Ctx & {
  /** A read-only transaction of the workspace, in turn with its requests. Nothing is held between two of them. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
};

export type OpenedStream = {
  /**
   * The events, some at a time; none are asked for before the reader has room for them. They end with the signal. What it throws cuts
   * the stream off, so it waits itself for what passes.
   */
  batches: AsyncIterable<readonly StreamedEvent[]>;
  /** Where a reader is who has all that was given. */
  position(): string;
};

export type StreamedEvent = {
  /** Behind the event; null for what has no place among the events. */
  position: string | null;
  /** The name that a browser listens to. */
  event: string;
  /** A text without line ends. */
  data: string;
};

/** The text of an event; `cursor` is the sealed position. */
export const textOfEvent = (cursor: string | null, { event, data }: StreamedEvent): string =>
  `${cursor === null ? "" : `id: ${cursor}\n`}event: ${event}\ndata: ${data}\n\n`;

/**
 * A comment, which keeps proxies from closing the connection, with the cursor of the moment: a reader takes note of it as of that of an
 * event, so that after a long silence it need not go through all that was not for it.
 */
export const textOfComment = (cursor: string): string => `: \nid: ${cursor}\n\n`;
