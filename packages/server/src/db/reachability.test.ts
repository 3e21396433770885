import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Reachability } from "./reachability.ts";

// A server that accepts connections and sends nothing.
let server: Server;
let reachability: Reachability;
const sockets = new Set<Socket>();
beforeEach(async () => {
  server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  reachability = new Reachability(`postgres://user@127.0.0.1:${port}/nothing`);
});
afterEach(() => {
  vi.restoreAllMocks();
  reachability.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

it("treats silence as silence when a timer fires a moment before the clock shows its time", async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() * 0.99);
  reachability.silent(performance.now());
  await expect(reachability.confirmed()).rejects.toThrow("the database does not answer");
  expect(reachability.inDoubt).toBe(true);
});

it("treats a refusal as an answer", async () => {
  server.on("connection", (socket) => void socket.destroy());
  reachability.silent(performance.now());
  await reachability.confirmed();
  expect(reachability.inDoubt).toBe(false);
});
