import { afterAll, beforeAll, beforeEach } from "vitest";
import type { App } from "../../ctx.ts";
import type { Database } from "../../db/database.ts";
import { hintsOnly } from "../../lanes/ownership/hints-only.ts";
import { createLog } from "../../lib/log.ts";
import { Metrics } from "../../lib/metrics.ts";
import { Secrets } from "../../lib/secrets.ts";
import { readConfig } from "../../process/config/config.ts";
import type { Activity, ActivityRow } from "../activity.ts";
import { type HttpServer, openServer } from "../server.ts";
import type { ServerParts } from "../server-parts.ts";

export const WORKSPACE = "0193494e-0000-7000-8000-00000000000a";
export const OPERATOR_KEY = "operator-key-0123456789";

/** An `App` for HTTP alone, on a clock of the test and a port that the system chooses. Without `db`, nothing may need one. */
export function testApp(options: {
  now(): number;
  env?: Record<string, string>;
  db?: Database;
  log?: App["log"];
}): App {
  const { now, env = {}, db = {} as Database, log = createLog("silent") } = options;
  return {
    config: readConfig({ WAYPOST_OPERATOR_KEY: OPERATOR_KEY, PORT: "0", ...env }),
    log,
    clock: { now, monotonic: now, after: () => () => undefined },
    secrets: new Secrets([new Uint8Array(32)]),
    db,
    provider: {} as App["provider"], // not reached
    metrics: new Metrics(),
    random: Math.random,
    notifier: hintsOnly(),
  };
}

/** What a test server needs beside its app; the audit rows that follow an answer go to `later` of the bundle. */
export type Built = Pick<ServerParts, "routes" | "authenticate"> &
  Partial<
    Pick<
      ServerParts,
      "rawRoutes" | "ready" | "streamLimits" | "eventStreamLimits" | "bodyLimits" | "uploadLimits" | "surfaces"
    >
  > & {
    app: App;
    record?: Activity["record"];
  };

export type AskOptions = {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The bearer; null for none. */
  key?: string | null;
  /** Address of the caller. */
  from?: string;
};
export type Answer = Awaited<ReturnType<TestServer["ask"]>>;

/** The server of a test file. */
export class TestServer {
  /** Audit rows that follow an answer, since the test began. */
  readonly later: ActivityRow[] = [];
  /** Lines of the log as they are written, since the test began. */
  readonly lines: Record<string, unknown>[] = [];
  /** Writes to `lines`. */
  readonly log = createLog("debug", {
    ids: { ws: "workspace" },
    to: { write: (line) => void this.lines.push(JSON.parse(line)) },
  });
  readonly #key: string;
  #server: HttpServer | null = null;

  /** `key` is the bearer of requests that name none. */
  constructor(key: string) {
    this.#key = key;
  }

  async start({
    app,
    routes,
    authenticate,
    record,
    rawRoutes = [],
    ready,
    streamLimits,
    eventStreamLimits,
    bodyLimits,
    uploadLimits,
    surfaces,
  }: Built): Promise<void> {
    this.#server = await openServer(app, {
      routes,
      rawRoutes,
      authenticate,
      activity: {
        record: record ?? (() => Promise.reject(new Error("not in this test"))),
        later: (row) => void this.later.push(row),
      },
      ready: ready ?? (() => Promise.resolve({ ready: true, checks: [] })),
      version: "0.2.0",
      ...(streamLimits === undefined ? {} : { streamLimits }),
      ...(eventStreamLimits === undefined ? {} : { eventStreamLimits }),
      ...(bodyLimits === undefined ? {} : { bodyLimits }),
      ...(uploadLimits === undefined ? {} : { uploadLimits }),
      ...(surfaces === undefined ? {} : { surfaces }),
    });
  }

  get http(): HttpServer {
    if (this.#server === null) throw new Error("the server is not started");
    return this.#server;
  }

  clear(): void {
    this.later.length = 0;
    this.lines.length = 0;
  }

  /** One request and its answer. */
  async ask(url: string, { method = "GET", headers = {}, body, key = this.#key, from = "127.0.0.1" }: AskOptions = {}) {
    const answer = await this.http.inject({
      method,
      url,
      remoteAddress: from,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    const type = String(answer.headers["content-type"] ?? "");
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.payload,
      body: type.includes("json") && answer.payload !== "" ? answer.json() : null,
    };
  }
}

/** Runs a server for the tests of a file; each test begins with an empty log. */
export function useServer(key: string, build: (server: TestServer) => Built | Promise<Built>): TestServer {
  const server = new TestServer(key);
  beforeAll(async () => await server.start(await build(server)));
  afterAll(() => server.http.close());
  beforeEach(() => server.clear());
  return server;
}
