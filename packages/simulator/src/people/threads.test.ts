import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { golden, shapeOf } from "../testing/golden.ts";
import { type Pair, startPair } from "../testing/provider.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const ANA = { phone_number_id: "1055", person: "+15550001111" };
const emitted = async () => {
  await pair.simulator.idle();
  return pair.receiver.posts.flatMap((post) => post.payload.entry.flatMap((entry) => entry.changes));
};
const text = { messaging_product: "whatsapp", to: "+15550001111", type: "text", text: { body: "Hi" } };
const wrote = () => pair.simulator.inbound({ phone_number_id: "1055", from: "+15550001111", text: "Hi" });

test("what another responder does comes as the documentation has it", async () => {
  wrote();
  pair.simulator.thread({
    ...ANA,
    action: "write",
    text: { preview_url: false, body: "How can I help?" },
    context: { message_id: "wamid.IN9" },
  });
  wrote();
  pair.simulator.thread({ ...ANA, action: "status", id: "wamid.OTHER1", status: "delivered" });
  pair.simulator.thread({
    ...ANA,
    action: "pass",
    metadata: "asks for a person",
    conversation_context: { type: "summary", summary: { text: "Parcel" } },
  });
  pair.simulator.thread({ ...ANA, action: "release" });
  wrote();
  pair.simulator.thread({ ...ANA, action: "take", metadata: "steps in" });
  const sent = await emitted();
  expect(sent.map((change) => change?.field)).toEqual([
    "messages",
    "standby",
    "standby",
    "standby",
    "messaging_handovers",
    "messages",
    "messaging_handovers",
  ]);
  const valueOf = (name: string) => golden(name).payload.entry[0].changes[0].value;
  expect(shapeOf(sent[1]?.value)).toEqual(shapeOf(valueOf("callback-standby-echo")));
  expect(shapeOf(sent[2]?.value)).toEqual(shapeOf(valueOf("callback-standby")));
});

test("a conversation is taken, passed and released by its owner", async () => {
  const control = (body: object) =>
    pair.call("POST", "/v26.0/1055/thread_control", { messaging_product: "whatsapp", to: "+15550001111", ...body });
  wrote();
  pair.simulator.thread({ ...ANA, action: "take" });
  expect((await control({ action: "release" })).body.error.code).toBe(131070);
  pair.simulator.setSettings({ mayTakeThreads: false, standbySends: "refused" });
  expect((await control({ action: "take" })).body.error.code).toBe(2494191);
  expect((await pair.send(text)).body.error.code).toBe(131070);
  pair.simulator.setSettings({ mayTakeThreads: true });
  expect((await control({ action: "take" })).status).toBe(200);
  expect((await pair.send(text)).status).toBe(200);
  expect((await control({ action: "pass", control_pass: { target_role: "ai_agent" } })).status).toBe(200);
  for (const wrong of [
    { action: "keep" },
    { action: "take", metadata: "x".repeat(2001) },
    { action: "take", to: undefined },
  ])
    expect((await control(wrong)).body.error.code).toBe(100);
});
