import { ApiError, ConnectionError, MalformedAnswerError, type WaypostError } from "./errors.ts";
import type { Chance } from "./retry.ts";

/** The gateway says something every 15 s: a connection that is silent for longer is lost, whatever the network says. */
const SILENT_MS = 45_000;
/** Doubled with each failure in sequence. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

type Given = {
  /** Opens a connection behind this cursor; undefined: the one of the query, or now. Rejects with what it throws for other calls. */
  open(cursor: string | undefined): Promise<Response>;
  signal: AbortSignal | undefined;
  /** Failures in sequence after which the last one is thrown. */
  mostRetries: number;
  chance: Chance;
};

/**
 * Events as they happen: `for await` over them, until its `signal` aborts, which ends the loop without an error. A connection that ends or is
 * lost is opened again behind the last event, so that none is missed and none comes twice. It throws what cannot pass: a key that is
 * not valid any more, a filter that there is not.
 *
 * The `cursor` is behind the last event that the loop was given: keep it when the event is handled, and begin with it after a restart of
 * the program.
 */
export class EventStream<T> implements AsyncIterable<T> {
  /** Null before the first event; may be set ahead of the loop. */
  cursor: string | null = null;
  /** How often events behind the cursor were no longer kept: read again what you keep a copy of. */
  gaps = 0;
  /** Called with true when a connection is open, and with false each time that one ended, was lost or was refused for now. */
  onConnection: ((isOpen: boolean) => void) | null = null;
  readonly #given: Given;
  #failures = 0;
  #retryMs = FIRST_PAUSE_MS;

  constructor(given: Given) {
    this.#given = given;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { signal, chance } = this.#given;
    const isAborted = (): boolean => signal?.aborted ?? false;
    while (!isAborted()) {
      try {
        yield* this.#connection();
      } catch (error) {
        if (isAborted()) return;
        if (!(error instanceof Passing)) throw error;
        this.#failures += 1;
        if (this.#failures > this.#given.mostRetries) throw error.error;
      }
      if (isAborted()) return;
      this.onConnection?.(false);
      await chance.pause(this.#pauseMs(), signal).catch(() => {}); // aborted: the loop ends
    }
  }

  #pauseMs(): number {
    const grown = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, this.#failures - 1));
    return Math.max(this.#failures === 0 ? this.#retryMs : 0, grown * (0.5 + this.#given.chance.random() / 2));
  }

  /** The events of one connection, until it ends. */
  async *#connection(): AsyncGenerator<T, void, undefined> {
    const response = await this.#given.open(this.cursor ?? undefined).catch((error: unknown) => {
      throw mayPass(error) ? new Passing(error) : error;
    });
    const about = { requestId: response.headers.get("x-request-id"), attempts: this.#failures + 1 };
    if (response.body === null || !response.headers.get("content-type")?.startsWith("text/event-stream"))
      throw new MalformedAnswerError("the answer is no stream of Waypost's", response.status, about);
    this.onConnection?.(true);
    for await (const { id, event, data, retry } of blocksOf(response.body, about, this.#given.signal)) {
      this.#failures = 0;
      if (retry !== undefined && /^\d{1,6}$/.test(retry)) this.#retryMs = Number(retry);
      const body = data === undefined ? undefined : parsed(data);
      if (body === null) throw new MalformedAnswerError("an event is not Waypost's", response.status, about);
      if (id !== undefined) this.cursor = id;
      if (event === "gap") this.gaps += 1;
      else if (body !== undefined) yield body as T; // by the API document that the types are generated from
    }
  }
}

/** What another connection may not meet again. */
class Passing {
  readonly error: WaypostError;
  constructor(error: WaypostError) {
    this.error = error;
  }
}

const mayPass = (error: unknown): error is WaypostError =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.retryable || error.status === 429 || error.status >= 500)) ||
  // A proxy that cannot reach the gateway.
  (error instanceof MalformedAnswerError && error.status >= 500);

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

type Block = { id?: string; event?: string; data?: string; retry?: string };

/** The blocks of a stream, comments too; ends where the gateway ends it, and breaks off where `signal` aborts. */
async function* blocksOf(
  body: ReadableStream<Uint8Array>,
  about: { requestId: string | null; attempts: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<Block, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await soon(reader.read(), signal).catch((cause: unknown) => {
        throw new Passing(new ConnectionError("the stream broke off", { ...about, cause }));
      });
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true }).replaceAll("\r", "")).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield blockOf(block);
    }
  } finally {
    await reader.cancel().catch(() => {}); // it has ended, or the caller does not need the rest
  }
}

function blockOf(text: string): Block {
  const block: Record<string, string> = {};
  for (const line of text.split("\n")) {
    // What people write may have U+2028 and U+2029, which end a line for a pattern alone.
    const [, name = "", value = ""] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name !== "") block[name] = name === "data" && "data" in block ? `${block["data"]}\n${value}` : value;
  }
  return block;
}

/**
 * Rejects when nothing arrives for too long, and when `signal` aborts: that ends a request too, but a runtime may have collected what
 * connects the two once the answer has begun, and the stream would stay open.
 */
async function soon<R>(reading: Promise<R>, signal: AbortSignal | undefined): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    stop = () => reject(new Error("the stream was aborted"));
    timer = setTimeout(() => reject(new Error(`nothing arrived for ${SILENT_MS} ms`)), SILENT_MS);
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
  return await Promise.race([reading, ended]).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  });
}
