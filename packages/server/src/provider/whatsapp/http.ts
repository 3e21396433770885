import { type Dispatcher, Pool } from "undici";
import { onStop } from "./stops.ts";

/** One request to the provider. Neither path nor headers may reach a log: both carry secrets. */
export type HttpRequest = {
  method: "GET" | "POST";
  /** Path with query. */
  path: string;
  /** Name, value, name, value, … */
  headers: string[];
  body: string | null;
  /** Asked once, when a connected socket is about to be written; false sends nothing. */
  mayWrite?: (() => boolean) | undefined;
  signal?: AbortSignal | undefined;
};

/** A whole answer, or none and whether any byte may have left. */
export type HttpResult =
  | { kind: "answer"; status: number; body: Buffer }
  | { kind: "broken"; bytesSent: boolean; detail: string };

export type HttpClient = {
  /** Never rejects for what the network or the peer does. */
  request(request: HttpRequest): Promise<HttpResult>;
  /** Refuses new requests, waits for those under way, ends the sockets. */
  close(): Promise<void>;
};

export type HttpTimeouts = {
  /** TCP and TLS. */
  connectMs: number;
  /** From the call to the last byte of the answer, time in the queue for a socket included. */
  totalMs: number;
};

export const DEFAULT_TIMEOUTS: HttpTimeouts = { connectMs: 5_000, totalMs: 30_000 };

/** A process has 500 sends in flight (`features/messages/dispatch/dispatch.ts`); the rest is for management calls. */
const MAX_CONNECTIONS = 512;

/** Below any peer's idle limit (Node.js: 5 s): writing on a socket that is just being closed makes an answer `lost`. */
const KEEP_ALIVE_MS = 4_000;

/** When the peer announces its limit, stay this far below it: the round trip and its timer's slack. */
const KEEP_ALIVE_MARGIN_MS = 2_000;
const KEEP_ALIVE_MAX_MS = 60_000;

/** A page of 50 templates is some 200 KB; more than this is not the provider. */
export const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * The client of one origin. It writes each request at most once on one socket: no retry, no redirect, no pipelining, and
 * undici's own timeouts are off because one deadline covers everything.
 */
export function createHttp(origin: string, timeouts: HttpTimeouts = DEFAULT_TIMEOUTS): HttpClient {
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    connect: { timeout: timeouts.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
  });
  return {
    request(request) {
      return new Promise((resolve, reject) => {
        const exchange = new Exchange(request, timeouts.totalMs, resolve, reject);
        if (exchange.settled) return;
        const { method, path, headers, body } = request;
        pool.dispatch({ method, path, headers, body }, exchange);
      });
    },
    close: () => pool.close(),
  };
}

/**
 * One request on its way. `written` is the proof behind `bytesSent`: undici calls `onRequestStart` synchronously before
 * it writes the head to a connected socket, and writes nothing when the request is aborted there.
 */
class Exchange implements Dispatcher.DispatchHandler {
  settled = false;
  private readonly request: HttpRequest;
  private readonly resolve: (result: HttpResult) => void;
  private readonly reject: (bug: unknown) => void;
  private readonly timer: NodeJS.Timeout;
  private readonly forgetStop: (() => void) | undefined;
  private controller: Dispatcher.DispatchController | null = null;
  private written = false;
  private status = 0;
  private readonly chunks: Buffer[] = [];
  private received = 0;

  constructor(
    request: HttpRequest,
    totalMs: number,
    resolve: (result: HttpResult) => void,
    reject: (bug: unknown) => void,
  ) {
    this.request = request;
    this.resolve = resolve;
    this.reject = reject;
    this.timer = setTimeout(() => this.giveUp(`no whole answer within ${totalMs} ms`), totalMs);
    const { signal } = request;
    this.forgetStop = signal && onStop(signal, () => this.giveUp("stopped by the caller"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while waiting for a socket: there was no handle to take it out of undici's queue.
    if (this.settled) return controller.abort(new Error("given up"));
    // undici re-queues a request only behind a failed head of a pipeline; with pipelining 1 there is none. Should that
    // change, a second write must not follow the first.
    if (this.written) {
      this.settle({ kind: "broken", bytesSent: true, detail: "the connection broke before the answer" });
      return controller.abort(new Error("second write"));
    }
    this.controller = controller;
    try {
      this.written = this.request.mayWrite?.() ?? true;
    } catch (bug) {
      this.finish();
      this.reject(bug);
    }
    if (!this.written) this.giveUp("stopped before the first byte");
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // 1xx come before the answer; the last one wins.
    this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.received += chunk.length;
    if (this.received > MAX_RESPONSE_BYTES) return this.giveUp(`the answer is larger than ${MAX_RESPONSE_BYTES} bytes`);
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const only = this.chunks.length === 1 ? this.chunks[0] : undefined;
    this.settle({ kind: "answer", status: this.status, body: only ?? Buffer.concat(this.chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const when = this.written ? "the connection broke before the whole answer" : "nothing was sent, no connection";
    this.settle({ kind: "broken", bytesSent: this.written, detail: `${when} (${codeOf(error)})` });
  }

  /** Ends the exchange from our side; on a socket already, that socket is destroyed. */
  private giveUp(detail: string): void {
    this.settle({ kind: "broken", bytesSent: this.written, detail });
    this.controller?.abort(new Error("given up"));
  }

  private settle(result: HttpResult): void {
    if (this.settled) return;
    this.finish();
    this.resolve(result);
  }

  private finish(): void {
    this.settled = true;
    clearTimeout(this.timer);
    this.forgetStop?.();
  }
}

/** The machine's word for the trouble (ECONNREFUSED, UND_ERR_SOCKET, …); messages are left out, they may quote input. */
function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
