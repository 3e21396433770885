import { Buffer } from "node:buffer";
import { LRUCache } from "lru-cache";
import type { Dispatcher } from "undici";
import type { Clock } from "./clock.ts";
import { guardedConnector, nameResolver, type Resolve } from "./safe-fetch-connect.ts";
import { faultOf, type SafeFault } from "./safe-fetch-fault.ts";
import { Sockets } from "./safe-fetch-sockets.ts";
import { checkUrl, type EgressPolicy } from "./safe-fetch-target.ts";

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
  async post(request: SafePost): Promise<SafeResult> {
    const { clock } = this.#options;
    const started = clock.monotonic();
    let agent: Agent;
    try {
      agent = this.#agentOf(request.owner, request.url);
    } catch (error) {
      return { kind: "error", ...faultOf(error), durationMs: 0 };
    }
    return await exchange(agent, request, this.#limits, clock, started);
  }

  /** Throws `TargetRefused`. */
  #agentOf(owner: string, text: string): Agent {
    const key = `${owner} ${text}`;
    const known = this.#agents.get(key);
    if (known) return known;
    const { policy, ca, clock } = this.#options;
    const { connectMs: timeoutMs, sockets: most, idleMs, socketMs: longestMs, headerBytes } = this.#limits;
    const { url, insideOnly } = checkUrl(text, policy);
    // No proxy variable is read here: sockets are opened by our connector only.
    const connect = guardedConnector({ policy, insideOnly, resolve: this.#resolve, timeoutMs, ca });
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
  signal?: AbortSignal;
};

/** What the server answered: untrusted input throughout. */
export type SafeAnswer = {
  kind: "answer";
  status: number;
  retryAfter: string | null;
  location: string | null;
  /** First 4 KiB of the body as text. */
  snippet: string;
  durationMs: number;
};

export type SafeError = { kind: "error"; fault: SafeFault; detail: string; durationMs: number };
export type SafeResult = SafeAnswer | SafeError;

export type SafeFetchOptions = {
  policy: EgressPolicy;
  clock: Clock;
  resolve?: Resolve;
  ca?: string;
  limits?: Partial<SafeLimits>;
};

export type SafeLimits = {
  /** Name resolution, TCP and TLS: a receiver that needs longer is down. */
  connectMs: number;
  /** Connect, headers and body together: a slow trickle must not occupy a place for longer than silence does. */
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

function exchange(
  agent: Agent,
  request: SafePost,
  limits: SafeLimits,
  clock: Clock,
  started: number,
): Promise<SafeResult> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let head: { status: number; headers: Headers } | null = null;
    const chunks: Buffer[] = [];
    let received = 0;
    let settled = false;

    const settle = (result: SafeResult): void => {
      if (settled) return;
      settled = true;
      cancelDeadline();
      if (request.signal) abortsOf(request.signal).delete(onAbort);
      resolve(result);
    };
    const durationMs = (): number => Math.round(clock.monotonic() - started);
    const fail = (fault: SafeFault, detail: string): void =>
      settle({ kind: "error", fault, detail, durationMs: durationMs() });
    const answer = (): void => {
      if (head)
        settle({
          kind: "answer",
          status: head.status,
          ...readAnswer(head.headers, chunks, limits.keepBytes),
          durationMs: durationMs(),
        });
    };
    // Settled first, so that what the destroyed socket reports is not taken for the result.
    const giveUp = (fault: SafeFault, detail: string): void => {
      fail(fault, detail);
      controller?.abort(new Error(detail));
    };
    const onAbort = (): void => giveUp("aborted", "The gateway stopped waiting.");
    const cancelDeadline = clock.after(limits.totalMs, () =>
      giveUp("timeout", `No complete answer within ${limits.totalMs / 1_000} s.`),
    );

    if (request.signal?.aborted) return onAbort();
    if (request.signal) abortsOf(request.signal).add(onAbort);
    agent.sockets.dispatch(
      {
        method: "POST",
        path: agent.path,
        headers: { ...request.headers, "accept-encoding": "identity" },
        body: request.body,
      },
      {
        onRequestStart(own) {
          controller = own;
          // The deadline passed while a socket was waited for or opened: not one byte is sent.
          if (settled) own.abort(new Error("too late"));
        },
        onResponseStart(_, status, headers) {
          if (status >= 200) head = { status, headers };
        },
        onResponseData(own, chunk) {
          received += chunk.length;
          chunks.push(chunk);
          if (received < limits.readBytes) return;
          answer();
          own.abort(new Error("read enough"));
        },
        onResponseEnd: answer,
        onResponseError(_, error) {
          const { fault, detail } = faultOf(error);
          fail(fault, detail);
        },
      },
    );
  });
}

// One listener for each signal: thousands of posts share a signal, and adding a listener walks all those it has.
const abortSets = new WeakMap<AbortSignal, Set<() => void>>();

function abortsOf(signal: AbortSignal): Set<() => void> {
  const known = abortSets.get(signal);
  if (known) return known;
  const set = new Set<() => void>();
  abortSets.set(signal, set);
  signal.addEventListener("abort", () => {
    for (const abort of set) abort();
  });
  return set;
}

type Headers = Record<string, string | string[] | undefined>;
const LONGEST_HEADER = 1_024;

function readAnswer(
  headers: Headers,
  chunks: Buffer[],
  keepBytes: number,
): Pick<SafeAnswer, "retryAfter" | "location" | "snippet"> {
  const one = (name: string): string | null => {
    const value = headers[name];
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? null : clean(first.slice(0, LONGEST_HEADER));
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
