import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Receiver, startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { FEATURES, idsOf } from "../../packages/server/src/features.ts";
import { createLog } from "../../packages/server/src/lib/log.ts";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";

// What an operator does with a message id from a support request: follow it through the log.
type Line = Record<string, unknown> & { msg: string };
const lines: Line[] = [];

let gateway: Gateway;
let mine: Sender;
let receiver: Receiver;
let endpointId: string;
beforeAll(async () => {
  const to = { write: (line: string) => void lines.push(JSON.parse(line)) };
  gateway = await startGateway({}, { log: createLog("info", { ids: idsOf(FEATURES), to }) });
  mine = await gateway.sender();
  receiver = await startReceiver();
  gateway.simulator.setDelays({ statuses: true, sentMs: 20, deliveredMs: 20, readMs: 20 });
  const endpoint = await mine.call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["*"] } });
  endpointId = endpoint.body.id;
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const linesOf = (msg: string, where: (line: Line) => boolean): Line[] =>
  lines.filter((line) => line.msg === msg && where(line));
const sendsOf = (messageId: string) => linesOf("dispatch", (line) => line["message_id"] === messageId);
const callbacksOf = (messageId: string) =>
  linesOf("callback parsed", (line) => (line["message_ids"] as string[]).includes(messageId));
const deliveriesOf = (messageId: string) => linesOf("delivery", (line) => line["message_id"] === messageId);

/** Far longer than it takes on a busy machine: it only bounds a failing test. */
const PATIENCE = { timeout: 30_000, interval: 15 };

describe("the log of one message", () => {
  let messageId: string;
  beforeAll(async () => {
    const reply = await mine.send("+15551230001", {}, { "x-request-id": "support-1" });
    messageId = reply.body.id;
    await mine.becomes(messageId, "read");
    // Each line follows its work, so the last delivery may be logged before its callback.
    await vi.waitFor(() => {
      expect(deliveriesOf(messageId)).toHaveLength(4);
      expect(sendsOf(messageId)).toHaveLength(1);
      expect(callbacksOf(messageId).flatMap((line) => line["message_ids"])).toHaveLength(3);
    }, PATIENCE);
  });

  it("begins with the request, which names what it created", () => {
    expect(linesOf("request", (line) => line["request_id"] === "support-1")).toEqual([
      expect.objectContaining({
        route: "/v1/messages",
        status: 202,
        workspace_id: mine.id,
        actor: mine.keyId,
        resource_id: messageId,
      }),
    ]);
  });

  it("goes on with the send", () => {
    expect(sendsOf(messageId)).toEqual([
      expect.objectContaining({
        outcome: "accepted",
        workspace_id: mine.id,
        phone_number_id: mine.phoneNumberId,
      }),
    ]);
  });

  it("has each callback that reported on it, and the request that brought the callback", () => {
    for (const { workspace_id, callback_id } of callbacksOf(messageId)) {
      expect(workspace_id).toBe(mine.id);
      expect(linesOf("request", (line) => line["resource_id"] === callback_id)).toEqual([
        expect.objectContaining({ route: "/webhooks/receive", status: 200 }),
      ]);
    }
  });

  it("ends with its deliveries, by the ids that the receiver has", () => {
    const received = receiver.received.filter(({ body }) => body.data.message?.id === messageId);
    const logged = deliveriesOf(messageId).map((line) => [line["event"], line["event_id"], line["delivery_id"]]);
    expect(logged.toSorted()).toEqual(
      received.map(({ body, headers }) => [body.kind, body.id, headers["x-service-delivery"]]).toSorted(),
    );
    expect(new Set(logged.map(([event]) => event))).toEqual(new Set(["accepted", "sent", "delivered", "read"]));
    for (const line of deliveriesOf(messageId))
      expect(line).toMatchObject({ workspace_id: mine.id, webhook_endpoint_id: endpointId });
  });
});

it("no line names a resource by its uuid", () => {
  const internal = new Set(["request_id", "callback_id", "job_id", "resource_id"]); // the callback's own id is no public one
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
  const raw = lines.flatMap((line) =>
    Object.entries(line).filter(([name, value]) => !internal.has(name) && uuid.test(String(value))),
  );
  expect(raw).toEqual([]);
});
