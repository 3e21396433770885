import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { parseId } from "../../../lib/ids.ts";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import type { Sender } from "../../../testing/gateway.ts";
import { person, startSenders } from "../testing/senders.ts";
import { holdMarketing } from "./marketing.store.ts";

const { gateway, theirs, sentTo } = await startSenders();
const { simulator, clock } = gateway;

const PROMO = { template: { name: "promo_spring", language: { code: "en_US" } } };

const numberOf = async (sender: Sender) => (await sender.call("GET", `/v1/phone-numbers/${sender.phoneNumberId}`)).body;
const lookAt = async (sender: Sender, id: string) => (await sender.call("GET", `/v1/messages/${id}`)).body;
/** Kinds and states of the events of the number. */
const eventsOf = (sender: Sender) =>
  sender.rows<{ kind: string; until: string | null }>(
    "select kind, state->'phone_number'->>'marketing_stopped_until' as until from event where kind = 'phone_number_changed' order by sequence",
  );
const refuse = (sender: Sender, count: number | null) =>
  simulator.addFault({ kind: "refuse", code: 131048, phone_number_id: sender.account.providerPhoneNumberId, count });

/** A sender whose marketing was just stopped by a message to a person. */
async function stopped() {
  const mine = await gateway.sender();
  refuse(mine, 1);
  const to = person();
  const { body } = await mine.send(to, PROMO);
  await expect.poll(async () => (await numberOf(mine)).marketing_stopped_until).not.toBeNull();
  return { mine, to, id: body.id as string };
}
/**
 * Marketing was just stopped, and the one message that waits for the try is to a stranger, in a minute, for whom the messaging limit
 * has no room: what is sent later is counted when it is sent.
 */
async function stoppedWithoutRoom() {
  const mine = await gateway.sender({ messaging_limit: "TIER_1" });
  const [counted, stranger] = [person(), person()];
  await mine.becomes((await mine.send(counted)).body.id, "accepted");
  refuse(mine, 1);
  const later = { ...PROMO, send_at: new Date(clock.now() + 60_000).toISOString() };
  const waiting: string = (await mine.send(stranger, later)).body.id;
  const stopping: string = (await mine.send(counted, PROMO)).body.id;
  await expect.poll(async () => (await numberOf(mine)).marketing_stopped_until).not.toBeNull();
  await mine.call("POST", `/v1/messages/${stopping}/cancel`);
  return { mine, counted, stranger, waiting };
}
/** The messages that are due in more than some minutes, and in others at most. */
const dueIn = (sender: Sender, more: number, most: number) =>
  sender.rows("select 1 from dispatch where due > $1 and due <= $2", [
    new Date(clock.now() + more * 60_000),
    new Date(clock.now() + most * 60_000),
  ]);
/** A message that waits for the end of the stop: the lane knows of it within some seconds. */
async function waiting(sender: Sender): Promise<{ to: string; id: string }> {
  for (;;) {
    const to = person();
    const { id } = (await sender.send(to, PROMO)).body;
    const waits = async () => (await dueIn(sender, 10, 25 * 60)).length > 0;
    await expect.poll(async () => sentTo(to).length > 0 || (await waits())).toBe(true);
    if (await waits()) return { to, id };
    clock.advance(5_000);
  }
}
/** Hours until the next try. */
async function pauseOf(sender: Sender): Promise<number> {
  const { marketing_stopped_until } = await numberOf(sender);
  return Math.round((Date.parse(marketing_stopped_until) - clock.now()) / HOUR_MS);
}

describe("131048", () => {
  it("stops the marketing of its number alone; everything else goes on", async () => {
    const { mine, to, id } = await stopped();
    const other = person();
    const waiting = await mine.send(other, PROMO);
    const utility = await mine.send(person());
    await mine.becomes(utility.body.id, "accepted");
    await theirs.becomes((await theirs.send(person(), PROMO)).body.id, "accepted");
    // Committed to wait, and not only held in memory.
    await expect
      .poll(() => mine.rows("select 1 from dispatch where state = 0 and due > $1", [new Date(clock.now() + 3_000_000)]))
      .toHaveLength(2);
    expect((await lookAt(mine, id)).status).toBe("queued");
    expect((await lookAt(mine, waiting.body.id)).status).toBe("queued");
    expect([sentTo(to).length, sentTo(other).length]).toEqual([1, 0]);
    expect(await eventsOf(mine)).toMatchObject([{ until: expect.any(String) }]);
    expect(await eventsOf(theirs)).toEqual([]);
  });

  it("holds a text whose fallback is marketing, if the fallback is what would go", async () => {
    const { mine } = await stopped();
    const text = { type: "text", text: { body: "On our way." }, fallback: PROMO };
    const [inside, outside] = [person(), person()];
    await mine.inbound(inside);
    const send = (to: string) => mine.call("POST", "/v1/messages", { body: { to, ...text } });
    const waiting = (await send(outside)).body.id;
    await mine.becomes((await send(inside)).body.id, "accepted");
    await expect
      .poll(() => mine.rows("select 1 from dispatch where state = 0 and due > $1", [new Date(clock.now() + 3_000_000)]))
      .toHaveLength(2);
    expect((await lookAt(mine, waiting)).status).toBe("queued");
    expect(sentTo(outside)).toEqual([]);
  });

  it("is tried with one message after an hour, and with an accepted one all go on, each once", async () => {
    const { mine, to, id } = await stopped();
    const others = [person(), person(), person()];
    const ids = await Promise.all(others.map(async (one) => (await mine.send(one, PROMO)).body.id));
    await expect
      .poll(() => mine.rows("select 1 from dispatch where state = 0 and due > $1", [new Date(clock.now() + 3_000_000)]))
      .toHaveLength(4);
    clock.advance(HOUR_MS - 120_000);
    await mine.becomes((await mine.send(person())).body.id, "accepted");
    expect([...others, to].flatMap(sentTo)).toHaveLength(1);
    clock.advance(120_000);
    await expect.poll(async () => (await numberOf(mine)).marketing_stopped_until).toBeNull();
    clock.advance(130_000);
    for (const one of [id, ...ids]) await mine.becomes(one, "accepted");
    expect(others.flatMap(sentTo)).toHaveLength(3);
    expect(sentTo(to)).toHaveLength(2);
    expect(await eventsOf(mine)).toMatchObject([{ until: expect.any(String) }, { until: null }]);
  });

  it("holds back no other message of the person, and their marketing keeps its order", async () => {
    const { mine, to, id } = await stopped();
    const second = (await mine.send(to, PROMO)).body.id;
    const utility = (await mine.send(to)).body.id;
    await mine.becomes(utility, "accepted");
    await expect.poll(() => dueIn(mine, 50, 61)).toHaveLength(2);
    await mine.becomes((await mine.send(to)).body.id, "accepted");
    clock.advance(HOUR_MS);
    const [one, two] = [await mine.becomes(id, "accepted"), await mine.becomes(second, "accepted")];
    const order = sentTo(to).flatMap((sent) => (sent.accepted ? [sent.id] : []));
    expect(order.slice(2)).toEqual([one.provider_message_id, two.provider_message_id]);
  });

  it("doubles the pause with each refused try, up to 24 h, with no further event", async () => {
    const { mine } = await stopped();
    refuse(mine, null);
    const pauses = [await pauseOf(mine)];
    for (let tried = 1; tried <= 6; tried++) {
      const { marketing_stopped_until: before } = await numberOf(mine);
      clock.advance((pauses.at(-1) ?? 0) * HOUR_MS + 5_000);
      const refusals = async () =>
        (await mine.rows<{ n: number }>("select marketing_refusals as n from phone_number"))[0]?.n;
      await expect.poll(refusals).toBe(tried + 1);
      expect((await numberOf(mine)).marketing_stopped_until).not.toBe(before);
      pauses.push(await pauseOf(mine));
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 24, 24]);
    expect(await eventsOf(mine)).toHaveLength(1);
    simulator.clearFaults();
  });

  it("doubles the pause too when the refusal of a try comes as a status after it was accepted, until one has arrived", async () => {
    const { mine, id } = await stopped();
    const report = (to: string, status: string, more: object = {}) =>
      postCallback(gateway, callbackOf(mine.account, statusOf(sentTo(to).at(-1)?.id ?? "", status, clock.now(), more)));
    await mine.call("POST", `/v1/messages/${id}/cancel`);
    const pauses = [await pauseOf(mine)];
    for (const arrives of [false, false, true]) {
      const { to, id: tried } = await waiting(mine);
      clock.advance((pauses.at(-1) ?? 0) * HOUR_MS);
      await mine.becomes(tried, "accepted");
      await expect.poll(async () => (await numberOf(mine)).marketing_stopped_until).toBeNull();
      if (arrives) {
        await report(to, "sent");
        await mine.becomes(tried, "sent");
      }
      await report(to, "failed", { errors: [{ code: 131048, title: "Spam" }] });
      await expect.poll(async () => (await numberOf(mine)).marketing_stopped_until).not.toBeNull();
      pauses.push(await pauseOf(mine));
    }
    expect(pauses).toEqual([1, 2, 4, 1]);
  });

  it("is tried with one message, however many processes ask at once", async () => {
    const { mine } = await stopped();
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await mine.send(person(), PROMO)).body.id));
    const ask = (id: string) => {
      const [message_id, phone_number_id] = [parseId("msg", id) ?? "", parseId("num", mine.phoneNumberId) ?? ""];
      const row = { workspace_id: mine.uuid, phone_number_id, message_id };
      return gateway.app.db.call(holdMarketing, [row], clock.now() + HOUR_MS + 1_000);
    };
    const verdicts = (await Promise.all(ids.map(ask))).flatMap((answers) => answers.map(({ verdict }) => verdict));
    expect(verdicts.toSorted()).toEqual(["probe", ...Array.from({ length: 7 }, () => "wait")]);
  });

  it("is tried with another message, or again, when the one that is tried has to wait for the messaging limit", async () => {
    const { mine, counted, stranger, waiting } = await stoppedWithoutRoom();
    clock.advance(60_000);
    await expect.poll(() => dueIn(mine, 50, 60)).toHaveLength(1);

    // The hour is over: it is the one to be tried, and there is no room for its person.
    clock.advance(HOUR_MS);
    await expect.poll(() => dueIn(mine, 5, 20)).toHaveLength(1);
    expect([sentTo(stranger), (await lookAt(mine, waiting)).status]).toEqual([[], "queued"]);
    // The next one is tried in its place once that has taken too long.
    const other: string = (await mine.send(counted, PROMO)).body.id;
    await expect.poll(() => dueIn(mine, 0, 2)).toHaveLength(1);
    clock.advance(2 * 60_000 + 1_000);
    await mine.becomes(other, "accepted");
    await expect.poll(async () => (await numberOf(mine)).marketing_stopped_until).toBeNull();
    expect(await eventsOf(mine)).toMatchObject([{ until: expect.any(String) }, { until: null }]);
    // And the first goes once there is room.
    for (let quarter = 0; quarter < 4 * 24; quarter += 1) clock.advance(15 * 60_000);
    clock.advance(20 * 60_000);
    await mine.becomes(waiting, "accepted");
    expect(sentTo(stranger)).toHaveLength(1);
  });

  it("is tried with the same message again when no other is there", async () => {
    const { mine, waiting } = await stoppedWithoutRoom();
    clock.advance(HOUR_MS + 60_000);
    await expect.poll(() => dueIn(mine, 5, 20)).toHaveLength(1);
    simulator.setMessagingLimit(mine.account.wabaId, "TIER_2");
    await expect.poll(async () => (await numberOf(mine)).messaging_limit.limit).toBe(2);
    clock.advance(20 * 60_000);
    await mine.becomes(waiting, "accepted");
    await expect.poll(async () => (await numberOf(mine)).marketing_stopped_until).toBeNull();
  });

  it("is told with the phone number", async () => {
    const { mine } = await stopped();
    const { body } = await mine.call("GET", "/v1/phone-numbers");
    expect(body.data[0].marketing_stopped_until).toMatch(/Z$/);
  });

  it("of another message stops marketing too, and that message fails", async () => {
    const mine = await gateway.sender();
    refuse(mine, 1);
    const { body } = await mine.send(person());
    const failed = await mine.becomes(body.id, "failed");
    expect(failed.error).toMatchObject({ code: "spam_limited", provider: { code: 131048 } });
    expect((await numberOf(mine)).marketing_stopped_until).not.toBeNull();
  });
});
