import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";

let gateway: Gateway;
let mine: Sender;
const sockets: Socket[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway.stop();
});

const LARGEST = 3 * 1024 * 1024;
const MANY = 12;

/** A callback without its last byte, and what comes back. */
function halfSend(bytes: Buffer, ...headers: string[]): { text: string } {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const got = { text: "" };
  socket.on("data", (data) => (got.text += data.toString()));
  socket.on("error", () => undefined);
  const head = ["POST /webhooks/receive HTTP/1.1", "Host: a", `Content-Length: ${bytes.length + 1}`, ...headers];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(bytes);
  return got;
}
const WRONG = `X-Hub-Signature-256: sha256=${"0".repeat(64)}`;
const inbound = (id: string) =>
  postCallback(gateway, callbackOf(mine.account, textFrom("15551230001", id, "Hi", gateway.clock.now())));

it.each([
  ["no signature", []],
  ["a signature of another kind", ["X-Hub-Signature: sha1=0000"]],
  ["a signature that is too short", [`X-Hub-Signature-256: sha256=${"0".repeat(63)}`]],
  ["two signatures", [WRONG, WRONG]],
])("a callback with %s is refused although its body is not here", async (_what, headers) => {
  const got = halfSend(Buffer.from("{"), ...headers);
  await expect.poll(() => got.text).toMatch(/^HTTP\/1\.1 401 [^]*the signature is missing or wrong/);
});

it("half-sent callbacks push each other out, and true ones are taken meanwhile", async () => {
  const bytes = Buffer.alloc(LARGEST - 1, " ");
  const halves = Array.from({ length: MANY }, () => halfSend(bytes, WRONG));
  const cut = () => halves.filter(({ text }) => /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/i.test(text));
  // Five of this size are within the bound.
  await expect.poll(() => cut().length).toBe(MANY - 5);
  expect((await inbound("wamid.a")).status).toBe(200);
  const more = halfSend(bytes, WRONG);
  await expect.poll(() => cut().length).toBe(MANY - 4);
  expect(more.text).toBe("");
  // One that does not come whole with its headers too.
  const large = callbackOf(mine.account, textFrom("15551230002", "wamid.b", "x".repeat(900_000), gateway.clock.now()));
  expect((await postCallback(gateway, large)).status).toBe(200);
  const received = async () => (await mine.call("GET", "/v1/messages?direction=inbound")).body.data;
  await expect.poll(received).toHaveLength(2);
});
