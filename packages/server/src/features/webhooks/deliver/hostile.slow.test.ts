import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../lib/clock.ts";
import { SafeFetch } from "../../../lib/safe-fetch/safe-fetch.ts";
import { egressPolicy } from "../../../lib/safe-fetch/target.ts";
import { testClaim } from "../../../testing/queue.ts";
import { deliveriesOf, PATH, startWebhooks, type WebhooksApp } from "../testing/app.ts";

/** The shortest deadline that an endpoint may have. */
const DEADLINE_MS = 5_000;
/** Names that the receivers of a test are reached by, and their answers, one after the other; the last one stays. */
const names = new Map<string, string[]>();

let app: WebhooksApp;
beforeAll(async () => {
  const fetch = new SafeFetch({
    policy: egressPolicy(["127.0.0.0/8"], []),
    clock: systemClock(),
    limits: { connectMs: 1_000, idleMs: 1 },
    resolve: (name) => {
      const answers = names.get(name) ?? [];
      return Promise.resolve([(answers.length > 1 ? answers.shift() : answers[0]) ?? "127.0.0.1"]);
    },
  });
  app = await startWebhooks({ fetch });
});
afterAll(() => app.stop());

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

/** A server of raw bytes; `answer` gets the socket when a request has come. `connected` gets it at once. */
async function server(answer: (socket: Socket) => void, connected?: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const listening: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    if (connected) connected(socket);
    else socket.on("data", () => answer(socket));
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  ending.push(() => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  return (listening.address() as AddressInfo).port;
}

/** Writes such pieces as fast as they are taken, or one each `everyMs`, until the socket is closed. */
function endless(socket: Socket, piece: string, everyMs?: number): void {
  if (everyMs !== undefined) {
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.on("close", () => clearInterval(timer));
    return;
  }
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", write);
  write();
}

type Attempted = {
  status: string;
  next: number | null;
  n: number;
  code: number | null;
  error: string | null;
  response: string | null;
};

/** The outcome of one attempt at this URL; meanwhile another endpoint of another workspace gets its event at once. */
async function attemptAt(
  url: string,
): Promise<{ attempted: Attempted; endpoint: ReturnType<typeof JSON.parse>; tookMs: number }> {
  const [hostile, healthy] = [await app.workspace(), await app.subscribed({ events: ["delivered"] })];
  const { body: endpoint } = await hostile.call("POST", PATH, {
    body: { url, events: ["delivered"], timeout_seconds: DEADLINE_MS / 1_000 },
  });
  await app.emit(hostile.id, [{}]);
  await app.emit(healthy.id, [{}]);
  const [row] = await app.queue(hostile.id);
  const [other] = await app.queue(healthy.id);
  const started = performance.now();
  const working = app.deliver.work(row!, testClaim());
  expect(await app.deliver.work(other!, testClaim())).toMatchObject({ kind: "done" });
  expect(performance.now() - started).toBeLessThan(DEADLINE_MS);
  await working;
  const tookMs = performance.now() - started;
  const [listed] = await deliveriesOf(hostile, endpoint.id);
  const { body } = await hostile.call("GET", `/v1/deliveries/${listed.id}`);
  const [attempt] = body.attempts;
  const attempted = {
    status: body.status,
    next: body.next_attempt_at === null ? null : (Date.parse(body.next_attempt_at) - app.clock.now()) / 1_000,
    n: body.attempt,
    code: attempt.status_code,
    error: attempt.error,
    response: attempt.response,
  };
  return { attempted, endpoint: (await hostile.call("GET", `${PATH}/${endpoint.id}`)).body, tookMs };
}

/** Seconds with their jitter; null: no further attempt. */
const isAbout = (seconds: number | null) => (next: number | null) =>
  seconds === null || next === null ? next === seconds : next >= seconds * 0.8 && next <= seconds * 1.2;

const at = (port: number, scheme = "http"): string => `${scheme}://127.0.0.1:${port}/hook`;
const OK = "HTTP/1.1 200 OK\r\n";
const BOMB = gzipSync(Buffer.alloc(50_000_000));
/** A minute at least after no answer in time. */
const AFTER_SILENCE = 60;

test.each<[string, (socket: Socket) => void, Partial<Attempted>]>([
  [
    "a byte of the head every second",
    (socket) => {
      const bytes = `${OK}Content-Length: 0\r\n\r\n`[Symbol.iterator]();
      const timer = setInterval(() => socket.write(bytes.next().value ?? ""), 1_000);
      socket.on("close", () => clearInterval(timer));
    },
    { status: "pending", code: null, next: AFTER_SILENCE },
  ],
  [
    "a header that never ends, slowly",
    (socket) => {
      socket.write(`${OK}X-Long: `);
      endless(socket, "x", 50);
    },
    { status: "pending", code: null, next: AFTER_SILENCE },
  ],
  [
    "headers without end",
    (socket) => {
      socket.write(OK);
      endless(socket, `X-One: ${"y".repeat(1_000)}\r\n`);
    },
    { status: "pending", code: null, next: 5 },
  ],
  [
    "a body without end",
    (socket) => {
      socket.write(`${OK}\r\n`);
      endless(socket, "z".repeat(10_000));
    },
    { status: "succeeded", code: 200, response: "z".repeat(4_096) },
  ],
  [
    "a body that drips past the deadline",
    (socket) => {
      socket.write(`${OK}Content-Length: 9999\r\n\r\n`);
      endless(socket, "z", 200);
    },
    { status: "succeeded", code: 200 },
  ],
  [
    "a compressed body that unpacks to 50 MB",
    (socket) => {
      socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`);
      socket.write(BOMB);
    },
    { status: "succeeded", code: 200, response: "" },
  ],
  [
    "a reset after the headers",
    (socket) => {
      socket.write(`${OK}Content-Length: 50\r\n\r\n`, () => setTimeout(() => socket.resetAndDestroy(), 50));
    },
    { status: "succeeded", code: 200 },
  ],
  ["a reset before any answer", (socket) => socket.resetAndDestroy(), { status: "pending", code: null, next: 5 }],
  [
    "an unasked 100",
    (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 0\r\n\r\n`),
    { status: "succeeded", code: 200 },
  ],
  [
    "an unasked 103",
    (socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 0\r\n\r\n`),
    { status: "succeeded", code: 200 },
  ],
  [
    "interim answers without end",
    (socket) => endless(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)),
    { status: "pending", code: null, next: 5 },
  ],
  [
    "an absurd Retry-After",
    (socket) => socket.write("HTTP/1.1 503 Busy\r\nRetry-After: 99999999999\r\nContent-Length: 0\r\n\r\n"),
    { status: "pending", code: 503, next: 15 * 60 },
  ],
  [
    "a Retry-After of the past",
    (socket) =>
      socket.write("HTTP/1.1 503 Busy\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n"),
    { status: "pending", code: 503, next: 60 },
  ],
  [
    "a redirect to a private address",
    (socket) => socket.write("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"),
    {
      status: "pending",
      code: 302,
      next: 5,
      error: "HTTP 302, redirects are not followed (Location: http://169.254.169.254/)",
    },
  ],
])("%s", async (_, answer, expected) => {
  const before = process.memoryUsage().rss;
  const { attempted, endpoint, tookMs } = await attemptAt(at(await server(answer)));
  const { next, ...rest } = expected;
  expect(attempted).toMatchObject({ n: 1, ...rest });
  expect(attempted.next).toSatisfy(isAbout(next ?? null));
  expect(endpoint).toMatchObject({ status: "active", enabled: true });
  expect(tookMs).toBeLessThan(DEADLINE_MS + 3_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_024 * 1_024);
});

test("a TLS handshake that stalls ends with the time to connect", async () => {
  const { attempted } = await attemptAt(
    at(
      await server(
        () => {},
        () => {},
      ),
      "https",
    ),
  );
  expect(attempted).toMatchObject({ status: "pending", code: null, n: 1, error: "No connection in time." });
  expect(attempted.next).toBeGreaterThanOrEqual(AFTER_SILENCE);
});

test("a name that resolves to a public address and then to a private one is not connected to", async () => {
  let requests = 0;
  const port = await server((socket) => {
    requests += 1;
    socket.write(`${OK}Content-Length: 0\r\nConnection: close\r\n\r\n`);
  });
  names.set("moving.internal", ["127.0.0.1", "10.0.0.1"]);
  const { id, call } = await app.workspace();
  const url = `http://moving.internal:${port}/hook`;
  const { body: endpoint } = await call("POST", PATH, { body: { url, events: ["delivered"] } });
  for (let n = 0; n < 2; n++) {
    await app.emit(id, [{}]);
    await app.workAll(id);
    app.clock.advance(1); // ids sort by their time
  }
  expect(requests).toBe(1);
  const listed = await deliveriesOf({ call }, endpoint.id);
  expect(listed.map(({ status }: { status: string }) => status)).toEqual(["pending", "succeeded"]);
  const { body } = await call("GET", `/v1/deliveries/${listed[0].id}`);
  expect(body.attempts[0].error).toBe("The host is not a public address.");
});

test("410 disables the endpoint at once, and keeps its events", async () => {
  const port = await server((socket) => socket.write("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"));
  const { attempted, endpoint } = await attemptAt(at(port));
  expect(attempted).toMatchObject({ status: "parked", n: 1, code: 410 });
  expect(endpoint).toMatchObject({ status: "disabled", enabled: false, disabled_reason: "gone" });
});
