import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { PATIENCE } from "../../testing/patience.ts";
import { systemClock } from "../clock.ts";
import { SafeFetch, type SafeLimits, type SafeResult } from "./safe-fetch.ts";
import { egressPolicy } from "./target.ts";

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** A receiver that answers when it is told to, and posts to it. */
async function receiver(limits: Partial<SafeLimits>) {
  let ahead = 0;
  const clock = { ...systemClock(), monotonic: () => performance.now() + ahead };
  const sockets: Socket[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => waiting.push(response));
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const fetch = new SafeFetch({ policy: egressPolicy(["127.0.0.0/8"], []), clock, limits });
  ending.push(
    () => server.close(),
    () => fetch.close(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = (): Promise<SafeResult> => fetch.post({ owner: "o", url, headers: {}, body: Buffer.from("{}") });
  const arrived = (count: number) =>
    vi.waitFor(() => expect(waiting).toHaveLength(count), { ...PATIENCE, interval: 1 });
  const answer = (): void => {
    for (const response of waiting.splice(0)) response.end();
  };
  return {
    sockets,
    post,
    arrived,
    answer,
    async answered(): Promise<SafeResult> {
      const result = post();
      await arrived(1);
      answer();
      return await result;
    },
    advance: (ms: number) => (ahead += ms),
    close: () => fetch.close(),
  };
}

const OK = { kind: "answer", status: 200 };
const open = (sockets: readonly Socket[]): Socket[] => sockets.filter((socket) => !socket.destroyed);

test("posts at once have a socket each; past the most they wait behind others", async () => {
  const { sockets, post, arrived, answer } = await receiver({ sockets: 2 });
  const results = Array.from({ length: 5 }, post);
  for (const count of [2, 2, 1]) {
    await arrived(count);
    answer();
  }
  for (const result of await Promise.all(results)) expect(result).toMatchObject(OK);
  expect(sockets).toHaveLength(2);
});

test("closing ends the posts under way and those that wait for a socket", async () => {
  const { post, arrived, close } = await receiver({ sockets: 1 });
  const results = Promise.all([post(), post(), post()]);
  await arrived(1);
  await close();
  for (const result of await results) expect(result).toMatchObject({ kind: "error", fault: "reset" });
});

test("the socket used last is used first, and those that fall idle are closed; a later crowd opens others", async () => {
  const { sockets, post, arrived, answer, answered } = await receiver({ idleMs: 200 });
  const crowd = async (): Promise<void> => {
    const results = Array.from({ length: 4 }, post);
    await arrived(4);
    answer();
    for (const result of await Promise.all(results)) expect(result).toMatchObject(OK);
  };
  await crowd();
  await vi.waitFor(async () => {
    expect(await answered()).toMatchObject(OK);
    expect(open(sockets)).toHaveLength(1);
  }, PATIENCE);
  expect(sockets).toHaveLength(4);
  await crowd();
  expect(sockets).toHaveLength(7);
});

test("a socket is used no longer than its time", async () => {
  const { sockets, answered, advance } = await receiver({ socketMs: 60_000 });
  expect(await answered()).toMatchObject(OK);
  advance(59_000);
  expect(await answered()).toMatchObject(OK);
  expect(sockets).toHaveLength(1);
  advance(2_000);
  expect(await answered()).toMatchObject(OK);
  expect(sockets).toHaveLength(2);
  await vi.waitFor(() => expect(open(sockets)).toHaveLength(1), PATIENCE);
});
