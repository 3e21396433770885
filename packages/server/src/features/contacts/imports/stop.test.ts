import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { closed as socketClosed } from "../../../testing/closed.ts";
import { startGateway } from "../../../testing/gateway.ts";

it("an upload that is still arriving does not hold up a stop", async () => {
  const gateway = await startGateway();
  const { key } = await gateway.workspace();
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(
    `POST /v1/contacts/imports HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: text/csv\r\ncontent-length: 100000000\r\n\r\nphone\n`,
  );
  // The client goes on sending, so no idle limit ends it.
  const sending = setInterval(() => socket.write("+15552010001\n"), 50);
  const folder = `${gateway.app.config.WAYPOST_DATA_DIR}/files/imports`;
  const parts = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith(".part"));
  await expect.poll(parts).toHaveLength(1);
  const closed = socketClosed(socket);
  const stopped = gateway.stop();
  await closed;
  clearInterval(sending);
  await expect.poll(parts).toEqual([]);
  await stopped;
});
