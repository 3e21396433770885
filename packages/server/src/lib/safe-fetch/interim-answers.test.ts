import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import { SafeFetch, type SafeResult } from "./safe-fetch.ts";
import { egressPolicy } from "./target.ts";

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** A server of raw bytes: `answer` is called once for each request. */
async function answering(answer: (socket: Socket) => void): Promise<{ url: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {}).on("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ending.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
}

function poster(url: string): () => Promise<SafeResult> {
  const fetch = new SafeFetch({
    policy: egressPolicy(["127.0.0.0/8"], []),
    clock: systemClock(),
    limits: { totalMs: 2_000 },
  });
  ending.push(() => fetch.close());
  return () => fetch.post({ owner: "o", url, headers: {}, body: Buffer.from("{}") });
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone";
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nX-Empty:\r\n\r\n";
const TAKEN = { kind: "answer", status: 200, snippet: "done" };

test.each([
  ["100", CONTINUE],
  ["103", HINTS],
  ["102, of HTTP/1.0 and with bare line feeds", "HTTP/1.0 102 Processing\nX: 1\n\n"],
  ["many", (CONTINUE + HINTS).repeat(50)],
])("an interim answer that was not asked for is left out: %s", async (_, interim) => {
  const { url, sockets } = await answering((socket) => socket.write(interim + OK));
  const post = poster(url);
  expect([await post(), await post()]).toMatchObject([TAKEN, TAKEN]);
  // The connection is kept for the next post, unless that one came within the turn of the event loop in which it ended.
  expect(sockets.size).toBeLessThanOrEqual(2);
});

test("it may come in pieces of any length, with the beginning of the answer behind it", async () => {
  const { url } = await answering((socket) => {
    const write = (text: string): void => {
      if (text !== "") socket.write(text.slice(0, 1), () => setImmediate(write, text.slice(1)));
    };
    write(CONTINUE + HINTS + OK);
  });
  expect(await poster(url)()).toMatchObject(TAKEN);
});

test("a status line in the body of an answer is the body's", async () => {
  const body = `${CONTINUE}${HINTS}`;
  const { url } = await answering((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`, () =>
      setImmediate(() => socket.write(body)),
    );
  });
  expect(await poster(url)()).toMatchObject({ kind: "answer", status: 200, snippet: body });
});

test("a protocol that was not asked for, interim answers without an answer and too many of them are no success", async () => {
  const results = [];
  for (const bytes of ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", CONTINUE]) {
    const { url } = await answering((socket) => socket.end(bytes));
    results.push(await poster(url)());
  }
  const { url } = await answering((socket) => {
    const write = (): void => {
      while (!socket.destroyed && socket.write(CONTINUE.repeat(100)));
    };
    socket.on("drain", write);
    write();
  });
  results.push(await poster(url)());
  for (const result of results) expect(result).toMatchObject({ kind: "error", fault: "reset" });
});
