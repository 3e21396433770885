import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { converse } from "../../testing/socket.ts";
import { SlowBodies } from "./slow-bodies.ts";

const slowBodies = new SlowBodies(50);
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    slowBodies.watch(request, ({ status, message }) => response.writeHead(status).end(message));
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => response.end(`${bytes} bytes`));
    request.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  slowBodies.stop();
  server.closeAllConnections();
  server.close();
});

const HEAD = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\n";

test("a body that drips is too slow", async () => {
  const answer = await converse(port, `${HEAD}a`);
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(answer).toContain("The request took too long to arrive.");
});

test("a body that is here in time is not disturbed, nor is its sender gone", async () => {
  expect(await converse(port, `${HEAD}abc`)).toContain("3 bytes");
  const gone = createConnection(port, "127.0.0.1", () => gone.write(`${HEAD}a`, () => gone.destroy()));
  await once(gone, "close");
  expect(await converse(port, `${HEAD}abc`)).toContain("3 bytes");
});
