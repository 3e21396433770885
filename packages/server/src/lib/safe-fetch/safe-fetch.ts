import { Buffer } from "node:buffer";
import { LRUCache } from "lru-cache";
import type { Dispatcher } from "undici";
import { beginningOf } from "../beginning-of.ts";
import type { Clock } from "../clock.ts";
import { guardedConnector, nameResolver, type Resolve } from "./connect.ts";
import { faultOf, type SafeFault } from "./fetch-fault.ts";
import type { Proxy } from "./proxy.ts";
import { Sockets } from "./sockets.ts";
import { checkUrl, type EgressPolicy } from "./target.ts";

/** Posts to URLs that tenants name: no private target, no redirect, no endless answer. */
export class SafeFetch {
  readonly #options: SafeFetchOptions;
  readonly #limits: SafeLimits;
  readonly #resolve: Resolve;
  /** By owner and URL. */
  readonly #agents: LRUCache<string, Agent>;
  readonly #closing = new Set<Promise<void>>();

  constructor(options: SafeFetchOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#agents = new LRUCache({
      max: this.#limits.agents,
      dispose: ({ sockets }, _key, reason) => {
        if (reason === "evict") this.#close(sockets);
      },
    });
    this.#resolve = options.resolve ?? nameResolver(options.policy.allowed.length > 0);
  }

  /** Never rejects: every failure is a result. */
  post(request: SafePost): Promise<SafeResult> {
    return this.#ask(request);
  }

  /** As `post`, asking for the URL alone. */
  get(request: Omit<SafePost, "body">): Promise<SafeResult> {
    return this.#ask({ ...request, body: null });
  }

  async #ask(request: SafeRequest): Promise<SafeResult> {
    const { clock } = this.#options;
    const started = clock.monotonic();
    let agent: Agent;
    try {
      agent = this.#agentOf(request.owner, request.url);
    } catch (error) {
      return { kind: "error", ...faultOf(error), durationMs: 0 };
    }
    return await exchange(agent, { request, limits: this.#limits, clock, started });
  }

  /** Throws `TargetRefused`. */
  #agentOf(owner: string, text: string): Agent {
    const key = `${owner} ${text}`;
    const known = this.#agents.get(key);
    if (known) return known;
    const { policy, ca, clock, proxy } = this.#options;
    const { connectMs: timeoutMs, sockets: most, idleMs, socketMs: longestMs, headerBytes } = this.#limits;
    const { url, insideOnly } = checkUrl(text, policy);
    // No proxy variable is read here: sockets are opened by our connector only.
    const connect = guardedConnector({ policy, insideOnly, resolve: this.#resolve, timeoutMs, ca, proxy });
    const sockets = new Sockets({ origin: url.origin, connect, clock, most, idleMs, longestMs, headerBytes });
    const agent = { sockets, path: `${url.pathname}${url.search}` };
    this.#agents.set(key, agent);
    return agent;
  }

  /** Waits for the posts in flight, which their own deadline bounds. */
  #close(sockets: Sockets): void {
    const closed = sockets.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  /** Destroys all sockets; posts in flight end with an error. */
  async close(): Promise<void> {
    const destroyed = [...this.#agents.values()].map(({ sockets }) => sockets.destroy());
    this.#agents.clear();
    await Promise.all([...destroyed, ...this.#closing]);
  }
}

export type SafePost = {
  /** Requests with different owners never share a connection. */
  owner: string;
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** The deadline of this one; default: `SafeLimits.totalMs`. */
  totalMs?: number;
  signal?: AbortSignal;
};

/** Without a body it is a GET. */
type SafeRequest = Omit<SafePost, "body"> & { body: Uint8Array | null };

/** What the server answered: untrusted input throughout. */
export type SafeAnswer = {
  kind: "answer";
  status: number;
  retryAfter: string | null;
  location: string | null;
  /** First 4 KiB of the body as text; fewer where it did not end in time or broke off. */
  snippet: string;
  durationMs: number;
};

export type SafeError = { kind: "error"; fault: SafeFault; detail: string; durationMs: number };
export type SafeResult = SafeAnswer | SafeError;

export type SafeFetchOptions = {
  policy: EgressPolicy;
  clock: Clock;
  resolve?: Resolve;
  proxy?: Proxy | undefined;
  ca?: string;
  limits?: Partial<SafeLimits>;
};

export type SafeLimits = {
  /** Name resolution, TCP and TLS: a receiver that needs longer is down. */
  connectMs: number;
  /** Connect, headers and body together: a slow trickle must not occupy a place for longer than silence does. Only the body may be missing then. */
  totalMs: number;
  /** Bytes read of a body; the answer to a webhook needs no more. */
  readBytes: number;
  /** Bytes of the body that are kept for the customer to look at. */
  keepBytes: number;
  headerBytes: number;
  /** An idle socket may be closed by its server while we write into it; the shorter, the rarer. */
  idleMs: number;
  /** Longest life of a socket: a changed address or certificate is noticed within a minute. */
  socketMs: number;
  /** Sockets of one owner; the most deliveries that a lane has in flight. */
  sockets: number;
  /** Pairs of owner and URL whose sockets are kept; the least recently used one is closed. */
  agents: number;
};

const LIMITS: SafeLimits = {
  connectMs: 5_000,
  totalMs: 15_000,
  readBytes: 16 * 1024,
  keepBytes: 4 * 1024,
  headerBytes: 16 * 1024,
  idleMs: 10_000,
  socketMs: 60_000,
  sockets: 128,
  agents: 1_000,
};

type Agent = { sockets: Sockets; path: string };

type Parts = { request: SafeRequest; limits: SafeLimits; clock: Clock; started: number };

function exchange(agent: Agent, parts: Parts): Promise<SafeResult> {
  return new Promise((resolve) => new Exchange(parts, resolve).begin(agent));
}

/**
 * One post, from its deadline to its result. undici reports the request's progress to it. Once the status line and headers have
 * come, they are the result, however the body ends: the server has answered, and a repetition would be taken for a second post.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #parts: Parts;
  readonly #resolve: (result: SafeResult) => void;
  readonly #cancelDeadline: () => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #head: Head | null = null;
  #received = 0;
  #settled = false;

  constructor(parts: Parts, resolve: (result: SafeResult) => void) {
    const { clock, limits, request } = parts;
    const { totalMs = limits.totalMs } = request;
    this.#parts = parts;
    this.#resolve = resolve;
    this.#cancelDeadline = clock.after(totalMs, () =>
      this.#giveUp("timeout", `No complete answer within ${totalMs / 1_000} s.`),
    );
  }

  begin({ sockets, path }: Agent): void {
    const { headers, body, signal } = this.#parts.request;
    if (signal?.aborted) return this.abort();
    if (signal) exchangesOf(signal).add(this);
    const method = body === null ? "GET" : "POST";
    sockets.dispatch({ method, path, headers: { "accept-encoding": "identity", ...headers }, body }, this);
  }

  onRequestStart(own: Dispatcher.DispatchController): void {
    this.#controller = own;
    // The deadline passed while a socket was waited for or opened: not one byte is sent.
    if (this.#settled) own.abort(new Error("too late"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(own: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    this.#chunks.push(chunk);
    if (this.#received < this.#parts.limits.readBytes) return;
    this.onResponseEnd();
    own.abort(new Error("read enough"));
  }

  onResponseEnd(): void {
    if (this.#head !== null) this.#answer(this.#head);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const { fault, detail } = faultOf(error);
    this.#end(fault, detail);
  }

  abort(): void {
    this.#giveUp("aborted", "The gateway stopped waiting.");
  }

  // Settled first, so that what the destroyed socket reports is not taken for the result.
  #giveUp(fault: SafeFault, detail: string): void {
    this.#end(fault, detail);
    this.#controller?.abort(new Error(detail));
  }

  #end(fault: SafeFault, detail: string): void {
    if (this.#head === null) this.#settle({ kind: "error", fault, detail, durationMs: this.#durationMs() });
    else this.#answer(this.#head);
  }

  #answer({ status, headers }: Head): void {
    if (this.#settled) return; // the snippet is not read twice
    const durationMs = this.#durationMs();
    const answer = readAnswer(headers, this.#chunks, this.#parts.limits.keepBytes);
    this.#settle({ kind: "answer", status, ...answer, durationMs });
  }

  #durationMs(): number {
    return Math.round(this.#parts.clock.monotonic() - this.#parts.started);
  }

  #settle(result: SafeResult): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelDeadline();
    const { signal } = this.#parts.request;
    if (signal) exchangesOf(signal).delete(this);
    this.#resolve(result);
  }
}

// One listener for each signal: thousands of posts share a signal, and adding a listener walks all those it has.
const bySignal = new WeakMap<AbortSignal, Set<Exchange>>();

function exchangesOf(signal: AbortSignal): Set<Exchange> {
  const known = bySignal.get(signal);
  if (known) return known;
  const set = new Set<Exchange>();
  bySignal.set(signal, set);
  signal.addEventListener("abort", () => {
    for (const one of set) one.abort();
  });
  return set;
}

type Headers = Record<string, string | string[] | undefined>;
type Head = { status: number; headers: Headers };
const LONGEST_HEADER = 1_024;

function readAnswer(
  headers: Headers,
  chunks: Buffer[],
  keepBytes: number,
): Pick<SafeAnswer, "retryAfter" | "location" | "snippet"> {
  const one = (name: string): string | null => {
    const value = headers[name];
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? null : clean(beginningOf(first, LONGEST_HEADER));
  };
  // The request asks for identity; an answer that is compressed all the same is never unpacked.
  const encoded = (one("content-encoding") ?? "identity").toLowerCase() !== "identity";
  return {
    retryAfter: one("retry-after"),
    location: one("location"),
    snippet: encoded ? "" : textOf(chunks, keepBytes),
  };
}

function textOf(chunks: Buffer[], keepBytes: number): string {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  return clean(bytes.subarray(0, keepBytes).toString("utf8"));
}

/** PostgreSQL stores no U+0000; the decoder has already replaced invalid UTF-8. */
const clean = (text: string): string => text.replaceAll("\u0000", "\uFFFD");
