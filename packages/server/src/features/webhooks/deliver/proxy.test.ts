import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { deliveriesOf, startWebhooks } from "../testing/app.ts";

test("while the outgoing proxy fails, deliveries wait without an attempt, and their endpoint is not troubled", async () => {
  let works = false;
  const server = createServer();
  server.on("connect", (request, socket) => {
    const [host, port] = request.url!.split(":");
    if (!works) return socket.end("HTTP/1.1 407 Authenticate\r\n\r\n");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const app = await startWebhooks({ env: { EGRESS_PROXY_URL: `http://ana:secret@127.0.0.1:${port}` } });
  try {
    const { id, call, endpoint, receiver } = await app.subscribed();
    await app.emit(id, [{}]);
    for (let n = 0; n < 20; n++) {
      expect(await app.workAll(id)).toEqual([{ kind: "again" }]);
      app.clock.advance(3_000);
    }
    expect(receiver.received).toEqual([]);
    expect(await app.queue(id)).toMatchObject([{ attempt: 0 }]);
    expect((await call("GET", `/v1/webhook-endpoints/${endpoint.id}`)).body.status).toBe("active");
    works = true;
    expect(await app.workAll(id)).toEqual([{ kind: "done", coped: true }]);
    expect(app.verifies(receiver, endpoint.secret)).toBe(true);
    expect(await deliveriesOf({ call }, endpoint.id)).toMatchObject([{ status: "succeeded", attempt: 1 }]);
  } finally {
    await app.stop();
    server.closeAllConnections();
    server.close();
  }
});
