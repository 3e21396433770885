import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openReach, type Reach } from "./reach.ts";

// A server that takes connections and says nothing.
let server: Server;
let reach: Reach;
const sockets = new Set<Socket>();
beforeEach(async () => {
  server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  reach = openReach(`postgres://nobody@127.0.0.1:${port}/nothing`);
});
afterEach(() => {
  vi.restoreAllMocks();
  reach.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

it("does not take silence for an answer when a timer rings a moment before the clock shows its time", async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() * 0.99);
  reach.silent(performance.now());
  await expect(reach.open()).rejects.toThrow("the database does not answer");
  expect(reach.inDoubt).toBe(true);
});

it("takes a refusal for an answer", async () => {
  server.on("connection", (socket) => void socket.destroy());
  reach.silent(performance.now());
  await reach.open();
  expect(reach.inDoubt).toBe(false);
});
