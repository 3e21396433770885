import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { httpAnswer } from "./testing/hostile.ts";
import { kept, request, sendingTools, summary } from "./testing/sending.ts";

const { peer, whatsapp } = sendingTools();

describe("nothing left this machine: a definite no", () => {
  const nothing = ["definite_no", "unreachable", false];

  test("connection refused", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    server.close();
    await once(server, "close");
    if (address === null || typeof address === "string") throw new Error("no port");
    const outcome = await whatsapp(`http://127.0.0.1:${address.port}`).send(request);
    expect(summary(outcome)).toEqual(nothing);
    expect(outcome).toMatchObject({ error: { detail: expect.stringContaining("ECONNREFUSED") } });
  });

  test("a name that does not resolve", async () => {
    expect(summary(await whatsapp("http://graph.invalid").send(request))).toEqual(nothing);
  });

  test("TLS against a peer that speaks none: the handshake is no request", async () => {
    const server = await peer(
      () => {},
      (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    );
    const outcome = await whatsapp(server.url.replace("http:", "https:")).send(request);
    expect(summary(outcome)).toEqual(nothing);
    expect(server.requests).toEqual([]);
  });

  test("TLS that never answers the handshake ends by the connect timeout", async () => {
    const server = await peer(() => {});
    expect(summary(await whatsapp(server.url.replace("http:", "https:")).send(request))).toEqual(nothing);
  });

  test("mayWrite says no on a new connection: zero bytes", async () => {
    const server = await peer(() => {});
    let asked = 0;
    const outcome = await whatsapp(server.url).send({ ...request, mayWrite: () => ++asked === 0 });
    expect(summary(outcome)).toEqual(nothing);
    expect([asked, server.connections, server.bytes]).toEqual([1, 1, 0]);
  });

  test("mayWrite says no on a kept connection: zero further bytes, and the next send is whole", async () => {
    const server = await peer((socket) => socket.write(httpAnswer(200, '{"messages":[{"id":"wamid.1"}]}')));
    const provider = whatsapp(server.url);
    expect(summary(await provider.send(request))).toBe("accepted");
    const before = server.bytes;
    await kept();
    expect(summary(await provider.send({ ...request, mayWrite: () => false }))).toEqual(nothing);
    expect([server.connections, server.bytes]).toEqual([1, before]);
    expect(summary(await provider.send(request))).toBe("accepted");
    expect(server.requests).toHaveLength(2);
    expect(server.bytes).toBe(2 * before);
  });

  test("mayWrite is asked after the connection stands, just before the bytes", async () => {
    const seen: string[] = [];
    const server = await peer(
      (socket) => {
        seen.push("request");
        socket.write(httpAnswer(200, '{"messages":[{"id":"wamid.1"}]}'));
      },
      () => seen.push("connection"),
    );
    const mayWrite = (): boolean => {
      seen.push(`asked at ${server.bytes} bytes`);
      return true;
    };
    await whatsapp(server.url).send({ ...request, mayWrite });
    expect(seen.filter((what) => what !== "connection")).toEqual(["asked at 0 bytes", "request"]);
  });

  test("a stop signal before the send", async () => {
    const server = await peer(() => {});
    const outcome = await whatsapp(server.url).send({ ...request, signal: AbortSignal.abort() });
    expect(summary(outcome)).toEqual(nothing);
    expect([server.connections, server.bytes]).toEqual([0, 0]);
  });

  test("a stop signal while every connection is taken: the one that gave up is not written later", async () => {
    const held: Socket[] = [];
    const server = await peer((socket) => held.push(socket));
    const provider = whatsapp(server.url, 3_000);
    const busy = Array.from({ length: 512 }, () => provider.send(request));
    const stop = new AbortController();
    let asked = 0;
    const queued = provider.send({ ...request, signal: stop.signal, mayWrite: () => ++asked > 0 });
    await server.received(512);
    const bytes = server.bytes;
    stop.abort();
    expect(summary(await queued)).toEqual(nothing);
    // The sockets become free: the one that gave up must not be written now.
    for (const socket of held.splice(0)) socket.write(httpAnswer(200, '{"messages":[{"id":"wamid.1"}]}'));
    expect((await Promise.all(busy)).map(summary)).toEqual(Array.from({ length: 512 }, () => "accepted"));
    const last = provider.send(request);
    await server.received(513);
    held[0]?.write(httpAnswer(200, '{"messages":[{"id":"wamid.2"}]}'));
    expect(summary(await last)).toBe("accepted");
    expect([asked, server.requests.length, server.bytes]).toEqual([0, 513, bytes + bytes / 512]);
  });

  test.each(["", "EAA\r\nx: y", "Ünicode", "with space"])("a damaged token %j", async (accessToken) => {
    const server = await peer(() => {});
    expect(summary(await whatsapp(server.url).send({ ...request, accessToken }))).toEqual([
      "definite_no",
      "access",
      false,
    ]);
    expect(server.connections).toBe(0);
  });

  test("after close", async () => {
    const server = await peer(() => {});
    const provider = whatsapp(server.url);
    await provider.close();
    expect(summary(await provider.send(request))).toEqual(nothing);
  });
});

test("a mayWrite that throws is a bug and writes nothing", async () => {
  const server = await peer(() => {});
  const mayWrite = (): boolean => {
    throw new RangeError("bug");
  };
  await expect(whatsapp(server.url).send({ ...request, mayWrite })).rejects.toThrow(RangeError);
  expect(server.bytes).toBe(0);
});

test("one stop signal ends many sends, and Node.js sees one listener", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on("warning", onWarning);
  const server = await peer(() => {});
  const provider = whatsapp(server.url);
  const stop = new AbortController();
  const sends = Array.from({ length: 40 }, () => provider.send({ ...request, signal: stop.signal }));
  await server.received(40);
  stop.abort();
  expect((await Promise.all(sends)).map((outcome) => outcome.kind)).toEqual(Array.from({ length: 40 }, () => "lost"));
  await kept();
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});
