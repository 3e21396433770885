import type { Readable } from "node:stream";
import { buildConnector, type Dispatcher, Pool } from "undici";
import { takingInterimAnswers } from "../../lib/interim-answers.ts";
import { onStop } from "./stops.ts";

/** One request to the provider. Neither path nor headers may reach a log: both carry secrets. */
export type HttpRequest = {
  method: "GET" | "POST" | "DELETE";
  /** Path with query. */
  path: string;
  /** Name, value, name, value, … */
  headers: string[];
  /** A stream needs a `content-length` among the headers. */
  body: string | Readable | null;
  /** Called once, when a connected socket is about to be written to; false sends nothing. */
  mayWrite?: (() => boolean) | undefined;
  signal?: AbortSignal | undefined;
  /** In place of the client's `totalMs`, for a body that takes longer than that to send. */
  withinMs?: number | undefined;
};

/** By lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A complete answer; or none, and whether any byte may have been sent. */
export type HttpResult =
  | { kind: "answer"; status: number; headers: AnswerHeaders; body: Buffer }
  | { kind: "broken"; bytesSent: boolean; detail: string };

export type HttpTimeouts = {
  /** TCP and TLS. */
  connectMs: number;
  /** From the call to the last byte of the answer, including the time in the queue for a socket. */
  totalMs: number;
};

export const DEFAULT_TIMEOUTS: HttpTimeouts = { connectMs: 5_000, totalMs: 30_000 };

/** A process has 500 sends in flight (`features/messages/dispatch/dispatch.ts`). */
const SEND_CONNECTIONS = 512;
/** For all other calls, apart: however many of them wait for a provider that is slow with them, no send waits for a socket. */
const OTHER_CONNECTIONS = 256;

/** Below any server's idle limit (Node.js: 5 s): the answer is lost when a request is written to a socket that is being closed. */
const KEEP_ALIVE_MS = 4_000;

/** When the server announces its limit, stay this far below it, for the round trip and the slack of its timer. */
const KEEP_ALIVE_MARGIN_MS = 2_000;
const KEEP_ALIVE_MAX_MS = 60_000;

/**
 * A page of 50 templates is usually some 200 KB. Carousels of ten cards in another script than Latin, of which each character is escaped
 * with six bytes, have some 25 KB each, the largest 80 KB. What is larger than that is not the provider's.
 */
export const MAX_RESPONSE_BYTES = 4_194_304;

/**
 * The HTTP client of one origin. It writes each request at most once on one socket: no retry, no redirect, no pipelining, and
 * undici's own timeouts are off because one deadline covers everything.
 */
export class ProviderHttp {
  readonly #sends: Pool;
  readonly #others: Pool;
  readonly #timeouts: HttpTimeouts;

  constructor(origin: string, timeouts: HttpTimeouts = DEFAULT_TIMEOUTS) {
    this.#timeouts = timeouts;
    const options: Pool.Options = {
      pipelining: 1,
      connect: takingInterimAnswers(buildConnector({ timeout: timeouts.connectMs })),
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    };
    this.#sends = new Pool(origin, { ...options, connections: SEND_CONNECTIONS });
    this.#others = new Pool(origin, { ...options, connections: OTHER_CONNECTIONS });
  }

  /** Never rejects for what the network or the provider does; rejects when `mayWrite` throws. */
  request(request: HttpRequest): Promise<HttpResult> {
    return new Promise((resolve, reject) => {
      const pending = new PendingRequest(request, request.withinMs ?? this.#timeouts.totalMs, resolve, reject);
      if (pending.settled) return;
      const { method, path, headers, body } = request;
      // Only sends ask whether they may be written.
      const pool = request.mayWrite === undefined ? this.#others : this.#sends;
      pool.dispatch({ method, path, headers, body }, pending);
    });
  }

  /** Refuses new requests, waits for those in flight, ends the sockets. */
  async close(): Promise<void> {
    await Promise.all([this.#sends.close(), this.#others.close()]);
  }
}

/**
 * One request until it is settled. `written` is the proof behind `bytesSent`: undici calls `onRequestStart` synchronously before
 * it writes the head to a connected socket, and writes nothing when the request is aborted there.
 */
class PendingRequest implements Dispatcher.DispatchHandler {
  settled = false;
  readonly #request: HttpRequest;
  readonly #resolve: (result: HttpResult) => void;
  readonly #reject: (bug: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #forgetStop: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #written = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  readonly #chunks: Buffer[] = [];
  #received = 0;

  constructor(
    request: HttpRequest,
    totalMs: number,
    resolve: (result: HttpResult) => void,
    reject: (bug: unknown) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#giveUp(`no whole answer within ${totalMs} ms`), totalMs);
    const { signal } = request;
    this.#forgetStop =
      signal && onStop(signal, () => this.#giveUp("no whole answer in the time that there was for it"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it waited for a socket: there was no controller yet to remove it from undici's queue.
    if (this.settled) return controller.abort(new Error("given up"));
    // undici re-queues a request only behind a failed head of a pipeline; with pipelining 1 there is none. Should that
    // change, a second write must not follow the first.
    if (this.#written) {
      this.#settle({ kind: "broken", bytesSent: true, detail: "the connection broke before the answer" });
      return controller.abort(new Error("second write"));
    }
    this.#controller = controller;
    try {
      this.#written = this.#request.mayWrite?.() ?? true;
    } catch (bug) {
      this.#finish();
      this.#reject(bug);
    }
    if (!this.#written) this.#giveUp("stopped before the first byte");
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // 1xx answers come first; the last status counts.
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > MAX_RESPONSE_BYTES)
      return this.#giveUp(`the answer is larger than ${MAX_RESPONSE_BYTES} bytes`);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const body = only ?? Buffer.concat(this.#chunks);
    this.#settle({ kind: "answer", status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const when = this.#written ? "the connection broke before the whole answer" : "nothing was sent, no connection";
    this.#settle({ kind: "broken", bytesSent: this.#written, detail: `${when} (${codeOf(error)})` });
  }

  /** Settles the request from our side; if it is on a socket already, the socket is destroyed. */
  #giveUp(detail: string): void {
    this.#settle({ kind: "broken", bytesSent: this.#written, detail });
    this.#controller?.abort(new Error("given up"));
  }

  #settle(result: HttpResult): void {
    if (this.settled) return;
    this.#finish();
    this.#resolve(result);
  }

  #finish(): void {
    this.settled = true;
    clearTimeout(this.#timer);
    this.#forgetStop?.();
  }
}

/** The code of the error (ECONNREFUSED, UND_ERR_SOCKET, …). Never its message, which may quote input. */
function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
