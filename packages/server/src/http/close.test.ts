import { once } from "node:events";
import { Agent, request } from "node:http";
import { expect, it, vi } from "vitest";
import { openServer } from "./server.ts";
import { testApp } from "./testing/server.ts";

it("answers the running request, then closes although the caller keeps its connection open", async () => {
  let arrived = (): void => {};
  let release = (): void => {};
  const reached = new Promise<void>((resolve) => (arrived = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const http = await openServer(testApp({ now: () => performance.now() }), {
    routes: [],
    rawRoutes: [
      {
        method: "GET",
        path: "/slow",
        summary: "slow",
        maxBytes: 1_000,
        async handle() {
          arrived();
          await held;
          return { status: 200, body: "done" };
        },
      },
    ],
    authenticate: () => Promise.resolve(null),
    activity: { record: () => Promise.resolve(), later: () => undefined },
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.0.0",
  });
  const { url } = await http.listen();
  const agent = new Agent({ keepAlive: true });
  const outgoing = request(`${url}/slow`, { agent }).end();
  const answered = once(outgoing, "response");
  await reached;
  const closed = http.close();
  // From here on it takes no new connection, and has looked for idle ones.
  await vi.waitFor(() => expect(fetch(`${url}/slow`)).rejects.toThrow("fetch failed"));
  release();
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(200);
  // An idle connection would be kept for over a minute, past the test's time.
  await closed;
  agent.destroy();
});
