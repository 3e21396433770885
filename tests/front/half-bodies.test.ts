import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { type ApiDocument, operationsOf } from "./operations.ts";

// A body that never comes whole is held only where its sender can be known by nothing else: all of them would be a lot of memory.
let gateway: Gateway;
const sockets: Socket[] = [];
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway.stop();
});

/** Paths that do not exist, or that take another method. */
const NOWHERE = [
  "/",
  "/nothing",
  "/v1/nothing",
  "/admin/v1/nothing",
  "/webhooks/receive/",
  "/docs",
  "/healthz",
  "/%zz",
];
const SIGNED = `X-Hub-Signature-256: sha256=${"0".repeat(64)}`;

/** Sends all of a request but the last byte of its body; what comes back. */
function halfSend(method: string, path: string, type: string, ...headers: string[]): { sent: string; text: string } {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const half = { sent: `${method} ${path} ${type}`, text: "" };
  socket.on("data", (data) => (half.text += data.toString()));
  socket.on("error", () => undefined);
  const lines = [`${method} ${path} HTTP/1.1`, "Host: a", `Content-Type: ${type}`, "Content-Length: 50001", ...headers];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${" ".repeat(50_000)}`);
  return half;
}

it("the body of a caller without a key is waited for on no path but that of callbacks, and there only with a signature", async () => {
  const { body: document } = await gateway.as(null)("GET", "/openapi.json");
  const taking = operationsOf(document as ApiDocument).flatMap(({ method, path, requestBody }) =>
    Object.keys(requestBody?.content ?? {}).map(
      (type) => [method, path.replaceAll(/\{\w+\}/g, "con_01jd0000000000000000000000"), type] as const,
    ),
  );
  expect(taking.length).toBeGreaterThan(30);
  const signed = halfSend("POST", "/webhooks/receive", "application/json", SIGNED);
  const halves = [
    ...taking.map(([method, path, type]) => halfSend(method, path, type)),
    ...NOWHERE.flatMap((path) =>
      ["POST", "DELETE"].map((method) => halfSend(method, path, "application/json", SIGNED)),
    ),
  ];
  const waiting = () => halves.flatMap(({ sent, text }) => (text === "" ? [sent] : []));
  await expect.poll(waiting).toEqual([]);
  expect(halves.filter(({ text }) => !/^HTTP\/1\.1 4\d\d /.test(text))).toEqual([]);
  expect(signed.text).toBe("");
});
