import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Received,
  type Receiver,
  startReceiver,
} from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";

// The main job, once through: a template goes out and is read, the person replies, a text answers; every step reaches a
// subscriber that believes nothing it has not verified, in both ways.
let gateway: Gateway;
let mine: Sender;
let receiver: Receiver;
let secret: string;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
  receiver = await startReceiver();
  gateway.simulator.setDelays({ statuses: true, sentMs: 20, deliveredMs: 20, readMs: 20 });
  const body = { url: receiver.url, events: ["*"] };
  const endpoint = await mine.call("POST", "/v1/webhook-endpoints", { body });
  expect(endpoint.status).toBe(201);
  secret = endpoint.body.secret;
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const header = (received: Received, name: string): string => String(received.headers[name]);

/** Throws unless both signatures are ours, over exactly these bytes. */
function verify(received: Received): void {
  const trio = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  new Webhook(secret).verify(received.text, Object.fromEntries(trio.map((name) => [name, header(received, name)])));
  const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header(received, "x-service-signature")) ?? [];
  expect(createHmac("sha256", secret).update(`${t}.${received.text}`).digest("hex")).toBe(v1);
  expect(t).toBe(header(received, "webhook-timestamp"));
}

const kinds = (of: (event: ReturnType<typeof JSON.parse>) => boolean = () => true): string[] =>
  receiver.received
    .map(({ body }) => body)
    .filter(of)
    .map((event) => event.kind);
const ofMessage = (id: string) => kinds((event) => event.data.message?.id === id).toSorted();

describe("the main job", () => {
  const to = "+15551230001";

  it("sends an approved template, and reports each status in a signed webhook", async () => {
    const reply = await mine.send(to, { reference: "order-17" }, { "x-idempotency-key": "order-17" });
    expect([reply.status, reply.body.status]).toEqual([202, "queued"]);
    const { id } = reply.body;
    const read = await mine.becomes(id, "read");
    expect(read).toMatchObject({ final: true, provider_message_id: expect.stringMatching(/^wamid\./) });
    await expect.poll(() => ofMessage(id)).toEqual(["accepted", "delivered", "read", "sent"]);
    expect(kinds()).toContain("contact_created");
    for (const { body } of receiver.received.filter(({ body }) => body.data.message)) {
      expect(body).toMatchObject({
        id: expect.stringMatching(/^evt_/),
        category: "message_status",
        workspace_id: mine.id,
        data: {
          status: body.kind,
          occurred_at: expect.any(String),
          error: null,
          message: { id, to, reference: "order-17" },
        },
      });
    }
    const again = await mine.send(to, { reference: "order-17" }, { "x-idempotency-key": "order-17" });
    expect([again.headers["idempotent-replayed"], again.text]).toEqual(["true", reply.text]);
  });

  it("receives the person's reply, reports it, and answers with a text inside the window", async () => {
    const inbound = await mine.inbound(to, "Where is it?");
    await expect.poll(() => ofMessage(inbound.id)).toEqual(["messages"]);
    const event = receiver.received.find(({ body }) => body.data.message?.id === inbound.id)?.body;
    expect(event).toMatchObject({
      category: "inbound_message",
      data: {
        message: { from: to, text: { body: "Where is it?" }, direction: "inbound" },
        contact: { id: inbound.contact_id, phone: to },
      },
    });
    const body = { to, type: "text", text: { body: "On our way." }, reply_to: inbound.id };
    const text = await mine.call("POST", "/v1/messages", { body });
    expect(text.status).toBe(202);
    await mine.becomes(text.body.id, "read");
    await expect.poll(() => ofMessage(text.body.id)).toEqual(["accepted", "delivered", "read", "sent"]);
    const sent = gateway.simulator.sent({ to }).data;
    expect(sent.map(({ type, accepted }) => [type, accepted])).toEqual([
      ["template", true],
      ["text", true],
    ]);
  });

  it("refuses a text to a stranger and a template that is not approved", async () => {
    const text = { to: "+15551239999", type: "text", text: { body: "Hello?" } };
    const stranger = await mine.call("POST", "/v1/messages", { body: text });
    expect([stranger.status, stranger.body.code]).toEqual([422, "window_closed"]);
    const template = { name: "pending_notice", language: { code: "en_US" } };
    const pending = await mine.send(to, { template });
    expect([pending.status, pending.body.code]).toEqual([422, "template_not_approved"]);
    expect(gateway.simulator.sent({ to: "+15551239999" }).data).toEqual([]);
  });

  it("signed every delivery, each under one id of its own; a changed byte is found", async () => {
    await gateway.simulator.idle();
    const ids = receiver.received.map((received) => {
      verify(received);
      expect(received.body.id).toBe(header(received, "webhook-id"));
      expect(received.body.kind).toBe(header(received, "x-service-event"));
      expect(header(received, "x-service-attempt")).toBe("1");
      return received.body.id;
    });
    expect(ids.length).toBe(new Set(ids).size);
    const [first] = receiver.received;
    if (!first) throw new Error("nothing was received");
    expect(() => verify({ ...first, text: first.text.replace("evt_", "evt-") })).toThrow("No matching signature");
  });

  it("is in the audit log and the message's history, and in no other workspace's list", async () => {
    const { body } = await mine.call("GET", "/v1/messages?reference=order-17");
    const id = body.data[0].id;
    const { history } = (await mine.call("GET", `/v1/messages/${id}`)).body;
    expect(history.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      "accepted",
      "delivered",
      "read",
      "sent",
    ]);
    const log = await mine.call("GET", `/v1/audit/activity?resource=${id}&status=202`);
    expect(log.body.data.at(-1)).toMatchObject({ action: "message.create", resource: { type: "message", id } });
    const theirs = await gateway.sender();
    expect((await theirs.call("GET", "/v1/messages")).body.data).toEqual([]);
  });
});
