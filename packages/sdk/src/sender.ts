import { rememberAnswer } from "./answer.ts";
import {
  apiError,
  ConnectionError,
  InvalidCallError,
  MalformedAnswerError,
  TimeoutError,
  type WaypostError,
} from "./errors.ts";
import { EventStream } from "./event-stream.ts";
import { contentOf, type FileBody, type FormFile, formOf } from "./file-body.ts";
import { type ListBody, Listing } from "./listing.ts";
import { problemOf } from "./problem.ts";
import { queryText } from "./query-text.ts";
import { type Chance, type Failure, pauseBeforeRetry, type Repeatable, retryAfterSeconds } from "./retry.ts";
import { Rows } from "./rows.ts";
import { VERSION } from "./version.ts";

/** Where the gateway is and how to talk to it. */
export type SenderOptions = {
  /** Address of the gateway, such as `https://waypost.example.com`; a path before `/v1` is kept. */
  baseUrl: string;
  /** API key, or the operator key; null for the gateway's own console, whose browser sends the cookie of its session. */
  bearer: string | null;
  /** For one request and its complete answer; default 60 s, longer than the longest `waitSeconds`. */
  timeoutMs?: number;
  /** Retries of a request that may be repeated; default 2. */
  maxRetries?: number;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
};

/** Options of one call beside its input. */
export type RequestOptions = {
  /** Of a POST; without one the SDK creates one for the call, so that its own retries are safe. Yours makes later repeats safe too. */
  idempotencyKey?: string;
  /** ETag of the version to change; if the resource has another one, a `ConflictError` (`precondition_failed`). */
  ifMatch?: string;
  /** 1 to 30: wait until the provider has accepted or refused the message. */
  waitSeconds?: number;
  /** Your id of this request, up to 128 visible ASCII characters; by default the gateway creates one. */
  requestId?: string;
  signal?: AbortSignal;
  /** From 2^31 on, as `Infinity`: without a limit. */
  timeoutMs?: number;
  maxRetries?: number;
};

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
type Input = {
  query?: object;
  body?: unknown;
  file?: FileBody;
  form?: FormFile;
  options?: RequestOptions | undefined;
};

const DEFAULT_TIMEOUT_MS = 60_000;
/** Of a request with a file. */
const UPLOAD_TIMEOUT_MS = 3_600_000;
const DEFAULT_MAX_RETRIES = 2;
/** A timer of more ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Sends all requests: headers, timeout, retries, errors. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #base: string;
  readonly #chance: Chance;

  constructor(options: SenderOptions, chance: Chance = CHANCE) {
    if (!/^https?:\/\//.test(options.baseUrl) || !URL.canParse(options.baseUrl))
      throw new TypeError("baseUrl must be the http or https address of the gateway");
    // Visible ASCII: anything else is invalid in a header, and the error of fetch would quote it.
    if (options.bearer !== null && !/^[!-~]+$/.test(options.bearer))
      throw new TypeError("the key is missing or is none");
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/+$/, "");
    this.#chance = chance;
  }

  /** Resolves with the JSON body of a success. */
  async json<T>(method: Method, path: string, input: Input = {}): Promise<T> {
    return (await this.#send(method, path, input)) as T; // by the API document that the types are generated from
  }

  /** For answers without a body. */
  async nothing(method: Method, path: string, input: Input = {}): Promise<void> {
    await this.#send(method, path, input);
  }

  list<T>(path: string, { query = {}, options }: Input): Listing<T> {
    return Listing.of((cursor) =>
      this.json<ListBody<T>>("GET", path, { query: cursor === undefined ? query : { ...query, cursor }, options }),
    );
  }

  /** Rows of any number; nothing is asked for before the first one is. */
  rows<T>(path: string, { query = {}, options }: Input): Rows<T> {
    return new Rows((type) => this.#send("GET", path, { query, options, accept: type }) as Promise<Response>); // as `accept` says
  }

  /** Resolves with the answer, whose body was not read. */
  async content(path: string, { options }: Input = {}): Promise<Response> {
    return (await this.#send("GET", path, { options, accept: "*/*" })) as Response; // as `accept` says
  }

  /** Events as they happen; nothing is asked for before the first one is. */
  stream<T>(path: string, { query = {}, options = {} }: Input): EventStream<T> {
    const { signal, maxRetries = Number.POSITIVE_INFINITY } = options;
    return new EventStream({
      open: (cursor) => {
        const last = cursor === undefined ? {} : { lastEventId: cursor };
        const sent = { query, options: { ...options, maxRetries: 0 }, accept: "text/event-stream", ...last };
        return this.#send("GET", path, sent) as Promise<Response>; // as `accept` says
      },
      signal,
      mostRetries: maxRetries,
      chance: this.#chance,
    });
  }

  /** `accept`: resolves with the `Response` of a success, whose body was not read. */
  async #send(
    method: Method,
    path: string,
    { query, body, file, form, accept, lastEventId, options = {} }: Input & { accept?: string; lastEventId?: string },
  ): Promise<unknown> {
    requireIds(path);
    const url = `${this.#base}${path}${queryText(query)}`;
    const headers = headersOf(method, this.#options.bearer, body, options);
    if (accept !== undefined) headers["accept"] = accept;
    if (lastEventId !== undefined) headers["last-event-id"] = headerValue("the cursor", lastEventId);
    if (file !== undefined) headers["content-type"] = headerValue("the type of the file", file.type);
    const content: RequestInit =
      file !== undefined
        ? contentOf(file)
        : form !== undefined
          ? { body: formOf(form) }
          : body === undefined
            ? {}
            : { body: jsonOf(body) };
    const repeatable: Repeatable = method === "GET" || method === "POST" ? "always" : "undone";
    const isStream = file?.content instanceof ReadableStream;
    const mostRetries = isStream ? 0 : (options.maxRetries ?? this.#options.maxRetries ?? DEFAULT_MAX_RETRIES);
    const timeoutMs =
      options.timeoutMs ??
      (file === undefined && form === undefined ? (this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS) : UPLOAD_TIMEOUT_MS);
    if (!(timeoutMs >= 0)) throw new InvalidCallError("timeoutMs must be a number of milliseconds");
    if (Number.isNaN(mostRetries)) throw new InvalidCallError("maxRetries must be a number");
    const sent = { url, init: { method, headers, ...content }, timeoutMs, isOpen: accept !== undefined };

    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(sent, options.signal, attempt);
      if ("value" in outcome) return outcome.value;
      const pause =
        attempt > mostRetries
          ? null
          : pauseBeforeRetry(outcome.failure, repeatable, attempt - 1, this.#chance.random());
      if (pause === null) throw outcome.error;
      await this.#chance.pause(pause, options.signal);
    }
  }

  async #attempt(
    { url, init, timeoutMs, isOpen }: Sent,
    signal: AbortSignal | undefined,
    attempts: number,
  ): Promise<{ value: unknown } | { failure: Failure; error: WaypostError }> {
    signal?.throwIfAborted();
    const timeout = new AbortController();
    const late = timeout.signal;
    const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(() => timeout.abort(), timeoutMs);
    const request = this.#options.fetch ?? fetch;
    try {
      const response = await request(url, {
        ...init,
        redirect: "error", // the API never redirects, and a key must not follow
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      if (isOpen && response.ok) return { value: response };
      return read(response, await response.text(), attempts);
    } catch (cause) {
      signal?.throwIfAborted();
      const about = { requestId: null, attempts, cause };
      const error = late.aborted
        ? new TimeoutError(`no answer within ${timeoutMs} ms`, about)
        : new ConnectionError("the gateway could not be reached, or the answer broke off", about);
      return { failure: { kind: "no_answer" }, error };
    } finally {
      clearTimeout(timer);
    }
  }
}

type Sent = { url: string; init: RequestInit; timeoutMs: number; isOpen: boolean };

function read(
  response: Response,
  text: string,
  attempts: number,
): { value: unknown } | { failure: Failure; error: WaypostError } {
  const { status } = response;
  const requestId = response.headers.get("x-request-id");
  const body = parsed(text);
  if (response.ok && body !== undefined) {
    rememberAnswer(body, response);
    return { value: body };
  }
  const wait = retryAfterSeconds(response.headers.get("retry-after"), Date.now());
  const problem = response.ok ? null : problemOf(body);
  const error = problem
    ? apiError({ problem, retryAfterSeconds: wait, requestId, attempts })
    : new MalformedAnswerError(`the answer with status ${status} is not Waypost's`, status, { requestId, attempts });
  return { failure: { kind: "answer", status, problem, retryAfterSeconds: wait }, error };
}

/** Null without a body, undefined for invalid JSON. */
function parsed(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headersOf(
  method: Method,
  bearer: string | null,
  body: unknown,
  options: RequestOptions,
): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (bearer === null) headers["waypost-console"] = "1";
  else headers["authorization"] = `Bearer ${bearer}`;
  // Browsers ignore it and send their own.
  headers["user-agent"] = `waypost-sdk/${VERSION}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method === "POST")
    headers["x-idempotency-key"] = headerValue("idempotencyKey", options.idempotencyKey ?? crypto.randomUUID());
  if (options.ifMatch !== undefined) headers["if-match"] = headerValue("ifMatch", options.ifMatch);
  if (options.waitSeconds !== undefined) headers["prefer"] = `wait=${options.waitSeconds}`;
  if (options.requestId !== undefined) headers["x-request-id"] = headerValue("requestId", options.requestId);
  return headers;
}

/** Checked here, as `fetch` refuses others with an error that looks like a lost connection. */
function headerValue(name: string, text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  throw new InvalidCallError(`${name} must be of visible ASCII characters`);
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new InvalidCallError("the body cannot be written as JSON", cause);
  }
}

/** A text as one segment of a path; empty if it has half of a character. Never throws: the call rejects what is no id. */
export function segment(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Refuses texts that would lead to another path. */
function requireIds(path: string): void {
  if (/\/\.{0,2}(?:\/|$)/.test(path)) throw new InvalidCallError("an id is empty, or is none");
}

const CHANCE: Chance = {
  random: () => Math.random(),
  pause: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      if (signal?.aborted === true) return stop();
      signal?.addEventListener("abort", stop, { once: true });
    }),
};
