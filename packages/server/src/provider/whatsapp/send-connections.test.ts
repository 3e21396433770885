import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { httpAnswer } from "./testing/hostile.ts";
import { request, sendingTools, summary } from "./testing/sending.ts";

const { peer, whatsapp } = sendingTools();
const ACCEPTED = httpAnswer(200, '{"messages":[{"id":"wamid.1"}]}');
const signal = new AbortController().signal;

test("a reserved connection is open before its send, which uses it", async () => {
  const server = await peer((socket) => socket.write(ACCEPTED));
  const provider = whatsapp(server.url);
  const reserved = await provider.reserveSend(signal);
  await expect.poll(() => [server.connections, server.bytes]).toEqual([1, 0]);
  reserved.end();
  expect(summary(await provider.send(request))).toBe("accepted");
  expect(server.connections).toBe(1);
  // The same connection again, also when two reserve at once.
  const both = await Promise.all([provider.reserveSend(signal), provider.reserveSend(signal)]);
  await expect.poll(() => server.connections).toBe(2);
  for (const one of both) one.end();
  const sends = await Promise.all([provider.send(request), provider.send(request)]);
  expect(sends.map(summary)).toEqual(["accepted", "accepted"]);
  await expect.poll(() => server.connections).toBe(2);
});

test("many at once have one each, and what was not used serves the next", async () => {
  const held: Socket[] = [];
  const server = await peer((socket) => held.push(socket));
  const provider = whatsapp(server.url);
  const reserved = await Promise.all(Array.from({ length: 50 }, () => provider.reserveSend(signal)));
  await expect.poll(() => server.connections).toBe(50);
  for (const one of reserved) {
    one.end();
    one.end();
  }
  const sends = Array.from({ length: 50 }, () => provider.send(request));
  await server.received(50);
  await expect.poll(() => server.connections).toBe(50);
  // All are busy: the next one opens its own.
  (await provider.reserveSend(signal)).end();
  await expect.poll(() => server.connections).toBe(51);
  for (const socket of held.splice(0)) socket.write(ACCEPTED);
  expect(new Set((await Promise.all(sends)).map(summary))).toEqual(new Set(["accepted"]));
});

test("one that the provider closes is replaced", async () => {
  const sockets: Socket[] = [];
  const server = await peer(
    (socket) => socket.write(ACCEPTED),
    (socket) => sockets.push(socket),
  );
  const provider = whatsapp(server.url);
  const reserved = await provider.reserveSend(signal);
  await expect.poll(() => sockets.length).toBe(1);
  sockets[0]?.destroy();
  await expect
    .poll(async () => {
      (await provider.reserveSend(signal)).end();
      return server.connections;
    })
    .toBe(2);
  reserved.end();
  expect(summary(await provider.send(request))).toBe("accepted");
});

test("nothing waits for a connection that cannot be opened, or for one after the stop", async () => {
  const server = await peer(() => {});
  const silent = server.url.replace("http:", "https:");
  const stop = new AbortController();
  const waiting = whatsapp(silent).reserveSend(stop.signal);
  stop.abort();
  (await waiting).end();
  // By the connect timeout.
  (await whatsapp(silent).reserveSend(signal)).end();
  const refusing = whatsapp("http://127.0.0.1:1");
  (await refusing.reserveSend(signal)).end();
  expect(summary(await refusing.send(request))).toEqual(["definite_no", "unreachable", false]);
});
