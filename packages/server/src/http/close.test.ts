import { once } from "node:events";
import { Agent, request } from "node:http";
import { expect, it, vi } from "vitest";
import { readConfig } from "../config.ts";
import type { App } from "../ctx.ts";
import type { Database } from "../db/database.ts";
import { systemClock } from "../lib/clock.ts";
import { createLog } from "../lib/log.ts";
import { createSecrets } from "../lib/secrets.ts";
import { openServer } from "./server.ts";

const app: App = {
  config: readConfig({ PORT: "0" }),
  log: createLog("silent"),
  clock: systemClock(),
  secrets: createSecrets([new Uint8Array(32)]),
  db: {} as Database, // nothing here reaches it
  provider: {} as App["provider"],
  notifier: { hint: () => undefined },
};

it("answers what is under way, then closes although the caller would keep the connection", async () => {
  let arrived = (): void => {};
  let release = (): void => {};
  const reached = new Promise<void>((resolve) => (arrived = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const http = await openServer(app, {
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
  // It takes no new connection any more, and has looked for idle ones.
  await vi.waitFor(() => expect(fetch(`${url}/slow`)).rejects.toThrow("fetch failed"));
  release();
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(200);
  // Idle connections are kept for over a minute: the test would run out of time.
  await closed;
  agent.destroy();
});
