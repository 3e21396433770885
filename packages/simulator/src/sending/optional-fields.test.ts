import { afterEach, beforeEach, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

let nowMs = 0;
let pair: Pair;
beforeEach(async () => {
  nowMs = 1_790_000_000_000;
  // One at a time, so that they arrive in their order.
  pair = await startPair({ clock: { nowMs: () => nowMs }, settings: { callbacksInFlight: 1 } });
});
afterEach(() => pair.close());

const ANA = "+15550001111";
const HOUR_MS = 3_600_000;
const statuses = async () => {
  await pair.simulator.idle();
  return pair.receiver.statuses();
};

test("up to version 23, sent and one of delivered and read name their conversation", async () => {
  pair.simulator.setSettings({ callbackVersion: 23 });
  await pair.send(template(ANA));
  const [sent, delivered, read] = await statuses();
  const origin = { type: "utility" };
  expect(sent?.["conversation"]).toEqual({ id: expect.any(String), expiration_timestamp: "1790086400", origin });
  expect(delivered?.["conversation"]).toEqual({ id: sent?.["conversation"].id, origin });
  expect(read).not.toHaveProperty("conversation");
  pair.receiver.posts.length = 0;
  pair.simulator.setDelays({ deliveredMs: null });
  await pair.send(template(ANA));
  expect((await statuses()).map(({ status, conversation }) => [status, conversation?.id])).toEqual([
    ["sent", sent?.["conversation"].id],
    ["read", sent?.["conversation"].id],
  ]);
});

test("the first of delivered and read has the price, also when the other one is late or repeated", async () => {
  pair.simulator.addFault({ kind: "statuses", statuses: ["read", "delivered", "read", "sent"] });
  await pair.send(template(ANA));
  const priced = (await statuses()).map(({ status, pricing }) => [status, pricing !== undefined]);
  expect(priced).toEqual([
    ["read", true],
    ["delivered", false],
    ["read", true],
    ["sent", true],
  ]);
});

test("from version 24 on, only inside a free entry point: seven days from the answer to an advertisement", async () => {
  await pair.send(template(ANA));
  expect((await statuses())[0]).not.toHaveProperty("conversation");
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, sample: "referral" });
  const priceOf = async () => {
    pair.receiver.posts.length = 0;
    await pair.send(template(ANA));
    const [{ pricing, conversation }] = (await statuses()) as [Record<string, { type: string; category: string }>];
    return [pricing?.type, pricing?.category, conversation !== undefined];
  };
  nowMs += 23 * HOUR_MS;
  expect(await priceOf()).toEqual(["free_entry_point", "referral_conversion", true]);
  nowMs += 167 * HOUR_MS;
  expect(await priceOf()).toEqual(["free_entry_point", "referral_conversion", true]);
  nowMs += HOUR_MS;
  expect(await priceOf()).toEqual(["regular", "utility", false]);
});

test("an advertisement that is answered after a day gives nothing", async () => {
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, sample: "referral" });
  nowMs += 24 * HOUR_MS;
  await pair.send(template(ANA));
  expect((await statuses())[0]?.["pricing"].type).toBe("regular");
});

test("optional fields come and go by a seed, the same way each time; what is needed is always there", async () => {
  const seen = async (optionalFieldsSeed: number) => {
    pair.simulator.reset();
    pair.receiver.posts.length = 0;
    expect((await pair.call("PUT", "/sim/settings", { optionalFieldsSeed })).status).toBe(200);
    pair.simulator.setSettings({ updatesPerCallback: 1 });
    const shown: unknown[] = [];
    for (let n = 0; n < 12; n += 1) {
      if (n % 3 === 0) pair.simulator.addFault({ kind: "fail", code: 131026 });
      const { body } = await pair.send({ ...template(`+155500040${10 + n}`), biz_opaque_callback_data: `m_${n}` });
      await pair.simulator.idle();
      expect(body.messages[0].id).toBeTypeOf("string");
      shown.push(["message_status", "message_status" in body.messages[0]]);
    }
    for (const { value } of pair.receiver.changes()) {
      const [status] = value["statuses"];
      expect(status).toMatchObject({
        id: expect.any(String),
        timestamp: "1790000000",
        recipient_id: expect.any(String),
      });
      const failed = status.status === "failed";
      expect("recipient_user_id" in status).toBe("contacts" in value);
      const hasOpaque = "biz_opaque_callback_data" in status;
      expect(hasOpaque || failed).toBe(true);
      shown.push(failed ? ["opaque", hasOpaque] : ["contacts", "contacts" in value]);
      if (status.status === "sent") shown.push(["pricing", "pricing" in status]);
    }
    return shown;
  };
  const first = await seen(5);
  for (const field of ["message_status", "contacts", "pricing", "opaque"]) {
    expect(first).toEqual(
      expect.arrayContaining([
        [field, true],
        [field, false],
      ]),
    );
  }
  expect(await seen(5)).toEqual(first);
  expect(await seen(6)).not.toEqual(first);
});

test("a version before the first is a 400", async () => {
  expect((await pair.call("PUT", "/sim/settings", { callbackVersion: 3 })).status).toBe(400);
});
