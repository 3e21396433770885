import { once } from "node:events";
import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcp, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import { SafeFetch, type SafeFetchOptions, type SafeLimits, type SafeResult } from "./safe-fetch.ts";
import { egressPolicy } from "./target.ts";

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

const local = egressPolicy(["127.0.0.0/8", "::1/128"], []);

function safeFetch(limits: Partial<SafeLimits> = {}, options: Partial<SafeFetchOptions> = {}): SafeFetch {
  const fetch = new SafeFetch({
    policy: local,
    clock: systemClock(),
    limits: { totalMs: 2_000, connectMs: 1_000, ...limits },
    ...options,
  });
  ending.push(() => fetch.close());
  return fetch;
}

async function listen(server: Server | ReturnType<typeof createTcp>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ending.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const receiver = (answer: RequestListener): Promise<number> => listen(createHttp(answer));
/** Calls `then` with the socket as soon as a request has arrived. */
const raw = (then: (socket: Socket) => void): Promise<number> =>
  listen(createTcp((socket) => socket.once("data", () => then(socket))));

const post = (
  fetch: SafeFetch,
  port: number,
  more: Partial<Parameters<SafeFetch["post"]>[0]> = {},
): Promise<SafeResult> =>
  fetch.post({
    owner: "o",
    url: `http://127.0.0.1:${port}/hook?x=1`,
    headers: { "content-type": "application/json" },
    body: Buffer.from('{"a":1}'),
    ...more,
  });

test("posts the bytes and returns the answer", async () => {
  let seen: {
    method: string | undefined;
    url: string | undefined;
    headers: IncomingMessage["headers"];
    body: string;
  } | null = null;
  const port = await receiver((request, response) => {
    let body = "";
    request
      .on("data", (chunk) => (body += chunk))
      .on("end", () => {
        seen = { method: request.method, url: request.url, headers: request.headers, body };
        response.writeHead(201, { "retry-after": "7", location: "/else" }).end("thanks");
      });
  });
  const result = await post(safeFetch(), port);
  expect(result).toMatchObject({ kind: "answer", status: 201, snippet: "thanks", retryAfter: "7", location: "/else" });
  expect(seen).toMatchObject({
    method: "POST",
    url: "/hook?x=1",
    body: '{"a":1}',
    headers: { "accept-encoding": "identity", "content-length": "7", host: `127.0.0.1:${port}` },
  });
});

test("redirects are an answer and never followed", async () => {
  let elsewhere = 0;
  const target = await receiver((_, response) => {
    elsewhere += 1;
    response.end();
  });
  const port = await receiver((_, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end(),
  );
  expect(await post(safeFetch(), port)).toMatchObject({
    kind: "answer",
    status: 307,
    location: `http://127.0.0.1:${target}/`,
  });
  expect(elsewhere).toBe(0);
});

test("an endless body is read to 16 KiB, 4 KiB are kept, the socket is destroyed", async () => {
  let closed: () => void = () => {};
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const port = await receiver((_, response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write("x".repeat(1_000)));
    };
    response.on("drain", write).on("close", closed);
    write();
  });
  const result = await post(safeFetch(), port);
  expect(result).toMatchObject({ kind: "answer", status: 200, snippet: "x".repeat(4_096) });
  await gone;
});

test("a drip of headers and silence end at the one deadline; of a body, as the answer that has begun", async () => {
  const drip = (head: string): Promise<number> =>
    raw((socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
  const ports = [
    await drip("HTTP/1.1 200 OK\r\nX: "),
    await drip("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nX: "),
    await raw(() => {}),
  ];
  const body = await drip("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 9999\r\n\r\nabc");
  // Long enough for a head to come on a busy machine.
  const fetch = safeFetch({ totalMs: 1_000 });
  const [answered, ...results] = await Promise.all([body, ...ports].map((port) => post(fetch, port)));
  for (const result of results) expect(result).toMatchObject({ kind: "error", fault: "timeout" });
  expect(answered).toMatchObject({ kind: "answer", status: 503, retryAfter: "7" });
  expect(answered).toHaveProperty("snippet", expect.stringMatching(/^abcx*$/));
});

test("a compressed answer is not unpacked", async () => {
  const port = await receiver((_, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1_000_000))),
  );
  expect(await post(safeFetch(), port)).toMatchObject({ kind: "answer", status: 200, snippet: "" });
});

test("characters that PostgreSQL refuses are replaced", async () => {
  const port = await receiver((_, response) => response.end(Buffer.from([0x61, 0x00, 0xff, 0xed, 0xa0, 0x80, 0x62])));
  const result = await post(safeFetch(), port);
  expect(result).toMatchObject({ kind: "answer", status: 200 });
  // In place of U+0000, 0xff and the bytes of a lone surrogate.
  expect(result).toHaveProperty("snippet", expect.stringMatching(/^a\uFFFD+b$/));
});

test("broken answers are errors", async () => {
  const fetch = safeFetch();
  const reset = await raw((socket) => socket.resetAndDestroy());
  const half = await raw((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n"));
  const garbage = await raw((socket) => socket.end("\u0016\u0003 what is this\r\n\r\n"));
  const wide = await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${"h".repeat(40_000)}\r\n\r\n`));
  expect(await post(fetch, reset)).toMatchObject({ kind: "error", fault: "reset" });
  expect(await post(fetch, half)).toMatchObject({ kind: "error", fault: "reset" });
  expect(await post(fetch, garbage)).toMatchObject({ kind: "error", fault: "protocol" });
  expect(await post(fetch, wide)).toMatchObject({ kind: "error", fault: "protocol" });
});

test("an answer whose body breaks off is an answer", async () => {
  const head = "HTTP/1.1 200 OK\r\n";
  const short = await raw((socket) => socket.end(`${head}Content-Length: 50\r\n\r\nhalf`));
  const chunked = await raw((socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`));
  const reset = await raw((socket) => socket.write(`${head}Content-Length: 50\r\n\r\nhalf`, () => socket.destroy()));
  for (const port of [short, chunked, reset])
    expect(await post(safeFetch(), port)).toMatchObject({ kind: "answer", status: 200, snippet: "half" });
});

test("a closed port, a server without TLS and a TLS handshake that stalls are errors", async () => {
  const closed = createTcp();
  const free = await listen(closed);
  closed.close();
  const fetch = safeFetch({ connectMs: 200 });
  expect(await post(fetch, free)).toMatchObject({ kind: "error", fault: "connect" });
  const plain = await raw((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  expect(await post(fetch, plain, { url: `https://127.0.0.1:${plain}/` })).toMatchObject({
    kind: "error",
    fault: "tls",
  });
  const silent = await raw(() => {});
  expect(await post(fetch, silent, { url: `https://127.0.0.1:${silent}/` })).toMatchObject({
    kind: "error",
    fault: "timeout",
  });
});

test("an abort ends the wait at once; before the first byte, nothing is sent", async () => {
  let requests = 0;
  const port = await raw(() => {
    requests += 1;
    abort.abort();
  });
  const abort = new AbortController();
  const fetch = safeFetch();
  expect(await post(fetch, port, { signal: abort.signal })).toMatchObject({ kind: "error", fault: "aborted" });
  expect(await post(fetch, port, { signal: abort.signal })).toMatchObject({ kind: "error", fault: "aborted" });
  expect(requests).toBe(1);
});

test("every address of a name is checked, at each connection", async () => {
  const port = await receiver((_, response) => response.end("inside"));
  const strict = { policy: egressPolicy([], [port]) };
  const resolvedTo = (addresses: string[]) => safeFetch({}, { ...strict, resolve: () => Promise.resolve(addresses) });
  const url = `https://receiver.example:${port}/`;
  for (const addresses of [
    ["127.0.0.1"],
    ["8.8.8.8", "127.0.0.1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["169.254.169.254"],
    [],
  ])
    expect(await post(resolvedTo(addresses), port, { url })).toMatchObject({ kind: "error", fault: "refused" });
  // The name server changes its answer: the second connection is checked like the first.
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  const fetch = safeFetch({ idleMs: 1 }, { resolve: () => Promise.resolve(answers.shift() ?? []) });
  const http = `http://receiver.internal:${port}/`;
  expect(await post(fetch, port, { url: http })).toMatchObject({ kind: "answer", status: 200 });
  expect(await post(fetch, port, { url: http, owner: "another" })).toMatchObject({ kind: "error", fault: "refused" });
});

test("an address instead of a name is refused", async () => {
  const port = await receiver((_, response) => response.end("inside"));
  const fetch = safeFetch({}, { policy: egressPolicy([], [port]) });
  for (const host of [
    "127.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "localhost",
    "a.localhost",
  ])
    expect(await post(fetch, port, { url: `https://${host}:${port}/` })).toMatchObject({
      kind: "error",
      fault: "refused",
    });
});

test("a name that does not resolve is an error", async () => {
  const fetch = safeFetch(
    {},
    {
      policy: egressPolicy([], []),
      resolve: () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })),
    },
  );
  expect(
    await fetch.post({ owner: "o", url: "https://host.invalid/", headers: {}, body: Buffer.alloc(0) }),
  ).toMatchObject({ kind: "error", fault: "name" });
});

test("proxy variables are ignored", async () => {
  let proxied = 0;
  const proxy = await receiver((_, response) => {
    proxied += 1;
    response.end();
  });
  const port = await receiver((_, response) => response.end("direct"));
  for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY"]) {
    process.env[name] = `http://127.0.0.1:${proxy}`;
    ending.push(() => delete process.env[name]);
  }
  expect(await post(safeFetch(), port)).toMatchObject({ snippet: "direct" });
  expect(proxied).toBe(0);
});

test("the posts of one owner share sockets, those of two owners never; owners with open sockets are bounded", async () => {
  const owners = new Map<Socket, Set<string>>();
  const port = await receiver((request, response) => {
    owners.set(request.socket, (owners.get(request.socket) ?? new Set()).add(String(request.headers["x-owner"])));
    response.end();
  });
  const fetch = safeFetch({ agents: 3 });
  for (let i = 0; i < 20; i++) {
    for (const owner of ["o", "p"])
      expect(await post(fetch, port, { owner, headers: { "x-owner": owner } })).toMatchObject({ status: 200 });
  }
  // A socket is unavailable for one turn of the event loop after each answer, so a second one may be opened.
  expect(owners.size).toBeLessThanOrEqual(4);
  for (const seen of owners.values()) expect(seen.size).toBe(1);
  for (let i = 0; i < 10; i++) expect(await post(fetch, port, { owner: `q${i}` })).toMatchObject({ status: 200 });
  await expect.poll(() => [...owners.keys()].filter((socket) => !socket.destroyed).length).toBe(3);
});

test("an idle socket closed by its server costs at most that attempt", async () => {
  const port = await receiver((_, response) => {
    response.end();
    setImmediate(() => response.socket?.destroy());
  });
  const fetch = safeFetch();
  const results = [];
  for (let i = 0; i < 5; i++) results.push(await post(fetch, port));
  for (const result of results) expect(result.kind === "answer" || result.fault === "reset").toBe(true);
  expect(results[0]).toMatchObject({ kind: "answer" });
});
