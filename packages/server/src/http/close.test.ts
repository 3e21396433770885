import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { expect, it, vi } from "vitest";
import { closed as socketClosed } from "../testing/closed.ts";
import { PATIENCE } from "../testing/patience.ts";
import { type HttpServer, openServer } from "./server.ts";
import { testApp } from "./testing/server.ts";

const openHttp = (handle: () => Promise<{ status: number; body: string }>): Promise<HttpServer> =>
  openServer(testApp({ now: () => performance.now() }), {
    routes: [],
    rawRoutes: ["GET" as const, "POST" as const].map((method) => ({
      method,
      path: "/slow",
      summary: "slow",
      maxBytes: 1_000,
      handle,
    })),
    authenticate: () => Promise.resolve(null),
    activity: { record: () => Promise.resolve(), later: () => undefined },
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.0.0",
  });

it("answers the running request, then closes although the caller keeps its connection open", async () => {
  let arrived = (): void => {};
  let release = (): void => {};
  const reached = new Promise<void>((resolve) => (arrived = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const http = await openHttp(async () => {
    arrived();
    await held;
    return { status: 200, body: "done" };
  });
  const { url } = await http.listen();
  const agent = new Agent({ keepAlive: true });
  const outgoing = request(`${url}/slow`, { agent }).end();
  const answered = once(outgoing, "response");
  await reached;
  const closed = http.close();
  // From here on it takes no new connection, and has looked for idle ones.
  await vi.waitFor(() => expect(fetch(`${url}/slow`)).rejects.toThrow("fetch failed"), PATIENCE);
  release();
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(200);
  // An idle connection would be kept for over a minute, past the test's time.
  await closed;
  agent.destroy();
});

// Node has a minute for the headers, and a body has as long: past the test's time.
it.concurrent.for([
  ["nothing", ""],
  ["half the headers", "GET /slow HTTP/1.1\r\nHost: a\r\n"],
  ["half a body", "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n{"],
  ["half a body that is refused already", "POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n{"],
  ["a request, and half of the next", "GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /slow"],
] as const)("closes soon although a caller has sent %s", async ([, sent]) => {
  const http = await openHttp(() => Promise.resolve({ status: 200, body: "done" }));
  const { port } = await http.listen();
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {}); // cut off
  const ended = socketClosed(socket);
  await once(socket, "connect");
  socket.resume().write(sent);
  await fetch(`http://127.0.0.1:${port}/slow`); // the server has met the connection before this one
  await http.close();
  await ended;
  expect(socket.destroyed).toBe(true);
});
