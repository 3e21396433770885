import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { MAX_RESPONSE_BYTES } from "./http.ts";
import { golden, goldenNames } from "./testing/golden.ts";
import { httpAnswer } from "./testing/hostile.ts";
import { kept, request, sendingTools, summary } from "./testing/sending.ts";

const { peer, whatsapp, sendTo } = sendingTools();

test("the request on the wire", async () => {
  const server = await peer((socket) =>
    socket.write(httpAnswer(200, JSON.stringify(golden("response-accepted").payload))),
  );
  const outcome = await whatsapp(`${server.url}/edge/`).send(request);
  expect(outcome).toEqual({
    kind: "accepted",
    providerMessageId: "wamid.SIM0001",
    waId: "15550001111",
    userId: null,
    parentUserId: null,
    held: false,
  });
  const [head, body] = Buffer.from(server.requests[0]!, "latin1").toString().split("\r\n\r\n");
  expect(head).toMatch(
    `POST /edge/v26.0/1055/messages?appsecret_proof=${golden("vector-appsecret-proof").proof} HTTP/1.1\r\n`,
  );
  expect(head).toMatch(/^authorization: Bearer EAADEMO\r$/m);
  expect(head).toMatch(/^content-type: application\/json/m);
  expect(JSON.parse(body!)).toMatchObject({ to: "+15550001111", text: { body: "Zoë says hi" } });
});

describe("golden answers", () => {
  test.each([
    ["response-accepted", { kind: "accepted", held: false }],
    ["response-accepted-template", { kind: "accepted", held: false }],
    ["response-accepted-held", { kind: "accepted", held: true }],
    ["response-accepted-brazil", { kind: "accepted", waId: "553187654321" }],
    ["response-accepted-user-id", { kind: "accepted", waId: null, userId: "US.13490000000000000001" }],
    ["response-accepted-no-contacts", { kind: "accepted", providerMessageId: "wamid.SIM0005", waId: null }],
    ["response-no-id", { kind: "lost" }],
    ["response-success", { kind: "lost" }],
    ["response-html-502", { kind: "lost", error: { httpStatus: 502, provider: null } }],
    ["response-error-131000", { kind: "lost", error: { class: "transient", provider: { code: 131000 } } }],
    ["response-error-throughput", { kind: "definite_no", error: { class: "throttle_number", bytesSent: true } }],
    ["response-error-token", { kind: "definite_no", error: { class: "token" } }],
    ["response-error-unknown-500", { kind: "definite_no", error: { class: "transient" } }],
    ["response-error-unknown-code", { kind: "definite_no", error: { class: "permanent" } }],
  ])("%s", async (name, expected) => {
    const file = golden(name);
    const outcome = await sendTo((socket) =>
      socket.write(httpAnswer(file.http_status!, file.raw ?? JSON.stringify(file.payload))),
    );
    expect(outcome).toMatchObject(expected);
  });

  test.each(goldenNames("response-error-"))("%s contains nothing of the token", async (name) => {
    const file = golden(name);
    const echo = JSON.stringify(file.payload).replace("(#", "EAADEMO (#");
    const outcome = await sendTo((socket) => socket.write(httpAnswer(file.http_status!, echo)));
    expect(JSON.stringify(outcome)).not.toContain("EAADEMO");
  });
});

describe("bytes left and no clear answer: lost", () => {
  const lost = ["lost", "transient", true];
  const cases: Array<[string, (socket: Socket) => void]> = [
    ["reset after the request was read", (socket) => socket.resetAndDestroy()],
    ["closed after the request was read", (socket) => socket.end()],
    ["HTML 500", (socket) => socket.write(httpAnswer(500, "<html>", "content-type: text/html\r\n"))],
    ["empty 503", (socket) => socket.write(httpAnswer(503, ""))],
    ["a Graph body without a code", (socket) => socket.write(httpAnswer(500, '{"error":{"message":"x"}}'))],
    ["code 1 with HTTP 500", (socket) => socket.write(httpAnswer(500, '{"error":{"code":1}}'))],
    ["code 2 with HTTP 503", (socket) => socket.write(httpAnswer(503, '{"error":{"code":2}}'))],
    [
      "200 cut off by a close",
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"messages":[{"id":"wa'),
    ],
    [
      "400 cut off by a reset",
      (socket) =>
        socket.write('HTTP/1.1 400 X\r\ncontent-length: 99\r\n\r\n{"error":{"co', () => socket.resetAndDestroy()),
    ],
    [
      "200 in chunks cut off",
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"mes'),
    ],
    ["200 with half a JSON", (socket) => socket.write(httpAnswer(200, '{"messages":[{"id":'))],
    ["200 with HTML", (socket) => socket.write(httpAnswer(200, "<html>"))],
    ["200 with an empty id", (socket) => socket.write(httpAnswer(200, '{"messages":[{"id":""}]}'))],
    ["a redirect", (socket) => socket.write(httpAnswer(302, "", "location: http://127.0.0.1:1/\r\n"))],
    ["408", (socket) => socket.write(httpAnswer(408, ""))],
    ["no HTTP at all", (socket) => socket.write("220 mail.example ESMTP\r\n")],
    ["a body without end", (socket) => drip(socket, "x".repeat(MAX_RESPONSE_BYTES / 8))],
    ["a length that is too large", (socket) => socket.write(httpAnswer(200, "x".repeat(MAX_RESPONSE_BYTES + 1)))],
    ["headers without end", (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n`)],
    ["a switch of protocols", (socket) => socket.write("HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")],
  ];

  test.each(cases)("%s", async (_name, answer) => {
    expect(summary(await sendTo(answer))).toEqual(lost);
  });

  test("what is too large is cut off, not collected", async () => {
    const huge = await sendTo((socket) => drip(socket, "x".repeat(MAX_RESPONSE_BYTES / 8)));
    expect(huge).toMatchObject({ error: { detail: `the answer is larger than ${MAX_RESPONSE_BYTES} bytes` } });
  });

  test("no answer within the deadline", async () => {
    const outcome = await sendTo(() => {}, 150);
    expect(summary(outcome)).toEqual(lost);
    expect(outcome).toMatchObject({ error: { detail: "no whole answer within 150 ms" } });
  });

  test("a body that drips past the deadline", async () => {
    expect(summary(await sendTo((socket) => drip(socket, "1\r\n \r\n"), 150))).toEqual(lost);
  });

  test("informational answers do not move the deadline", async () => {
    expect(summary(await sendTo((socket) => socket.write("HTTP/1.1 103 X\r\n\r\n"), 150))).toEqual(lost);
  });

  test("a stop signal after the bytes left", async () => {
    const server = await peer(() => {});
    const stop = new AbortController();
    const outcome = whatsapp(server.url).send({ ...request, signal: stop.signal });
    await server.received(1);
    stop.abort();
    expect(summary(await outcome)).toEqual(lost);
  });

  test("a kept connection that the peer resets under the second request: lost, and not sent again", async () => {
    const server = await peer((socket, _request, index) =>
      index === 0 ? socket.write(httpAnswer(200, '{"messages":[{"id":"wamid.1"}]}')) : socket.resetAndDestroy(),
    );
    const provider = whatsapp(server.url);
    expect(summary(await provider.send(request))).toBe("accepted");
    await kept();
    expect(summary(await provider.send(request))).toEqual(lost);
    expect([server.requests.length, server.connections]).toEqual([2, 1]);
  });

  test("a reset before the request could be read is lost too: the bytes were written", async () => {
    const server = await peer(
      () => {},
      (socket) => socket.once("readable", () => socket.resetAndDestroy()),
    );
    const outcome = await whatsapp(server.url).send(request);
    expect(summary(outcome)).toEqual(lost);
  });
});

test.each(["100 Continue", "103 Early Hints"])("a %s before the answer is no answer", async (interim) => {
  const outcome = await sendTo((socket) =>
    socket.write(`HTTP/1.1 ${interim}\r\n\r\n${httpAnswer(200, '{"messages":[{"id":"wamid.1"}]}')}`),
  );
  expect(summary(outcome)).toBe("accepted");
});

test("4xx without a Graph body is a refusal by its status", async () => {
  const status = async (code: number): Promise<unknown> =>
    summary(await sendTo((socket) => socket.write(httpAnswer(code, "<html>"))));
  expect(await status(404)).toEqual(["definite_no", "permanent", true]);
  expect(await status(429)).toEqual(["definite_no", "throttle_number", true]);
});

test("one bad connection does not touch its neighbours", async () => {
  const server = await peer((socket, _request, index) =>
    index % 3 === 0 ? socket.resetAndDestroy() : socket.write(httpAnswer(200, '{"messages":[{"id":"wamid.1"}]}')),
  );
  const provider = whatsapp(server.url);
  const outcomes = await Promise.all(Array.from({ length: 60 }, () => provider.send(request)));
  expect(outcomes.filter((outcome) => outcome.kind === "lost")).toHaveLength(20);
  expect(outcomes.filter((outcome) => outcome.kind === "accepted")).toHaveLength(40);
  expect(server.requests).toHaveLength(60);
});

/** Writes a head and then the chunk again and again until the peer goes away. */
function drip(socket: Socket, chunk: string): void {
  const encoded = chunk.includes("\r\n") ? chunk : `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
  const timer = setInterval(() => socket.write(encoded), 5);
  socket.on("close", () => clearInterval(timer));
}
