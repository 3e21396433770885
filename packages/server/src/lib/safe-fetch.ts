import { Buffer } from "node:buffer";
import { type Dispatcher, Pool } from "undici";
import type { Clock } from "./clock.ts";
import { guardedConnector, nameResolver, type Resolve } from "./safe-fetch-connect.ts";
import { faultOf, type SafeFault } from "./safe-fetch-fault.ts";
import { checkUrl, type EgressPolicy } from "./safe-fetch-target.ts";

/** Posts to URLs that tenants name: no private target, no redirect, no endless answer. */
export type SafeFetch = {
  /** Never throws: whatever happens is a result. */
  post(request: SafePost): Promise<SafeResult>;
  /** Connections are shared under this many keys now. */
  readonly agents: number;
  close(): Promise<void>;
};

export type SafePost = {
  /** Whose sockets these are: requests with different owners never share a connection. */
  owner: string;
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  signal?: AbortSignal;
};

/** What came back. Everything in it was written by a stranger. */
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
  /** Name, TCP and TLS: a receiver that needs longer is down. */
  connectMs: number;
  /** Connect, headers and body together: a trickle must not hold a place for longer than silence does. */
  totalMs: number;
  /** Read of a body; an answer to a webhook says nothing that needs more. */
  readBytes: number;
  /** Kept for the customer to look at. */
  keepBytes: number;
  headerBytes: number;
  /** An idle socket may be closed by its server while we write into it; the shorter, the rarer. */
  idleMs: number;
  /** Longest life of a socket: a changed address or certificate is noticed within a minute. */
  socketMs: number;
  /** Sockets of one owner; the most that a delivery lane has in the air. */
  sockets: number;
  /** Owners with sockets kept; the least recently used one gives way. */
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

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { policy, clock } = options;
  const limits = { ...LIMITS, ...options.limits };
  const resolve = options.resolve ?? nameResolver(policy.allowed.length > 0);
  // In order of last use: the first is the one to let go.
  const agents = new Map<string, Agent>();
  const closing = new Set<Promise<void>>();

  function agentOf(owner: string, text: string): Agent {
    const key = `${owner} ${text}`;
    const known = agents.get(key);
    if (known) {
      agents.delete(key);
      agents.set(key, known);
      return known;
    }
    const { url, insideOnly } = checkUrl(text, policy);
    const connect = guardedConnector({ policy, insideOnly, resolve, timeoutMs: limits.connectMs, ca: options.ca });
    const agent = { pool: openPool(url.origin, connect, limits), path: `${url.pathname}${url.search}` };
    agents.set(key, agent);
    if (agents.size > limits.agents) letGoOldest();
    return agent;
  }

  function letGoOldest(): void {
    const oldest = agents.entries().next();
    if (oldest.done) return;
    const [key, { pool }] = oldest.value;
    agents.delete(key);
    // Waits for what is in the air, which its own deadline bounds.
    const closed = pool.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    async post(request) {
      const started = clock.monotonic();
      let agent: Agent;
      try {
        agent = agentOf(request.owner, request.url);
      } catch (error) {
        return { kind: "error", ...faultOf(error), durationMs: 0 };
      }
      return await exchange(agent, request, limits, clock, started);
    },
    get agents() {
      return agents.size;
    },
    async close() {
      const pools = [...agents.values()].map(({ pool }) => pool.destroy());
      agents.clear();
      await Promise.all([...pools, ...closing]);
    },
  };
}

type Agent = { pool: Pool; path: string };

// No proxy variable is read here: a pool dials what it is told, through our connector alone.
function openPool(origin: string, connect: ReturnType<typeof guardedConnector>, limits: SafeLimits): Pool {
  return new Pool(origin, {
    connect,
    connections: limits.sockets,
    pipelining: 1,
    keepAliveTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
    clientTtl: limits.socketMs,
    maxHeaderSize: limits.headerBytes,
    // One deadline over all of it, ours: per-phase timers restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

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
          ...shown(head.headers, chunks, limits.keepBytes),
          durationMs: durationMs(),
        });
    };
    // Settled first, so that what the destroyed socket still says is not taken for the result.
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
    agent.pool.dispatch(
      {
        method: "POST",
        path: agent.path,
        headers: { ...request.headers, "accept-encoding": "identity" },
        body: request.body,
      },
      {
        onRequestStart(own) {
          controller = own;
          // The deadline passed while the connection was made: not one byte leaves.
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

// One listener a signal: thousands of posts share one, and an event target walks all its listeners for each that is added.
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

function shown(
  headers: Headers,
  chunks: Buffer[],
  keepBytes: number,
): Pick<SafeAnswer, "retryAfter" | "location" | "snippet"> {
  const one = (name: string): string | null => {
    const value = headers[name];
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? null : clean(first.slice(0, LONGEST_HEADER));
  };
  // Asked for identity; what comes compressed all the same is never unpacked.
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

/** PostgreSQL stores no U+0000; the decoder has already replaced what is no UTF-8. */
const clean = (text: string): string => text.replaceAll("\u0000", "\uFFFD");
