import { describe, expect, it } from "vitest";
import { parseId } from "../../lib/ids.ts";
import { callbackOf, postCallback, preferencesOf, statusOf } from "../../testing/callback.ts";
import type { Sender } from "../../testing/gateway.ts";
import { person, startSenders } from "./testing/senders.ts";

// Marketing does not reach somebody who opted out, wherever the message was when they did.

const { gateway, mine, theirs, sentTo, attempts, countOf } = await startSenders({ API_RATE_LIMIT: "off" });

const PATIENCE = { timeout: 30_000, interval: 15 };
const PROMO = { template: { name: "promo_spring", language: { code: "en_US" } } };
const promote = (to: string, more: object = {}, of: Sender = mine) => of.send(to, { ...PROMO, ...more });

const seconds = (): number => Math.floor(gateway.clock.now() / 1_000);
/** The person's setting, in the workspace `mine`. */
async function set(to: string, value: "stop" | "resume", timestamp = seconds()): Promise<void> {
  const callback = preferencesOf(mine.account, { wa_id: to.slice(1), value, timestamp });
  expect((await postCallback(gateway, callback)).status).toBe(200);
}

const contactOf = async (to: string) =>
  (await mine.call("GET", `/v1/contacts?phone=${encodeURIComponent(to)}`)).body.data[0];

const attemptsOf = (messageId: string) =>
  mine.rows("select attempt from attempt where message_id = $1", [parseId("msg", messageId)]);

const codeOf = (reply: { status: number; body: { code?: string } }) => [reply.status, reply.body.code];
const OPTED_OUT = [422, "recipient_opted_out"];

describe("accepting", () => {
  it("refuses marketing alone, in this workspace alone, until the person allows it again", async () => {
    const to = person();
    await mine.inbound(to.slice(1), "STOP");
    const { id } = await contactOf(to);
    expect([codeOf(await promote(to)), codeOf(await promote(id))]).toEqual([OPTED_OUT, OPTED_OUT]);
    expect(await countOf(to)).toBe(0);
    expect((await mine.send(to)).status).toBe(202);
    expect((await promote(to, {}, theirs)).status).toBe(202);
    gateway.clock.advance(2_000);
    await mine.inbound(to.slice(1), "START");
    expect((await promote(to)).status).toBe(202);
  });
});

describe("dispatch", () => {
  const failed = { status: "failed", final: true, error: { code: "recipient_opted_out", retryable: false } };

  it("refuses a message that was scheduled before the person opted out, before any byte", async () => {
    const to = person();
    const send_at = new Date(gateway.clock.now() + 600_000).toISOString();
    const [promo, other] = [await promote(to, { send_at }), await mine.send(to, { send_at })];
    const foreign = await promote(to, { send_at }, theirs);
    await set(to, "stop");
    gateway.clock.advance(600_000);
    const message = await mine.becomes(promo.body.id, "failed");
    expect(message).toMatchObject(failed);
    expect(message.error.provider).toBeUndefined();
    await mine.becomes(other.body.id, "accepted");
    await theirs.becomes(foreign.body.id, "accepted");
    expect(
      sentTo(to).filter(({ phone_number_id }) => phone_number_id === mine.account.providerPhoneNumberId),
    ).toHaveLength(1);
    expect(await attempts(to)).toHaveLength(1);
    expect(
      await mine.rows(
        "select 1 from event where kind = 'failed' and message_id in (select id from message where recipient = $1)",
        [to],
      ),
    ).toHaveLength(1);
  });

  it("refuses one that waits in the queue, and sends one whose person allowed it again meanwhile", async () => {
    const to = person();
    // The provider allows 45 messages at once to one person.
    await Promise.all(Array.from({ length: 45 }, () => mine.send(to)));
    const first = await promote(to);
    const second = await promote(to);
    await expect.poll(() => sentTo(to).length, PATIENCE).toBe(45);
    await set(to, "stop");
    gateway.clock.advance(6_000);
    await mine.becomes(first.body.id, "failed");
    await set(to, "resume");
    gateway.clock.advance(6_000);
    await mine.becomes(second.body.id, "accepted");
    expect(await attemptsOf(first.body.id)).toEqual([]);
  });
});

describe("the provider's own refusal", () => {
  it("of a status is the person's setting from then on; nothing is sent again", async () => {
    const to = person();
    await mine.send(to);
    const promo = await promote(to);
    const { provider_message_id } = await mine.becomes(promo.body.id, "accepted");
    const errors = [{ code: 131_050, title: "User has stopped marketing messages" }];
    const more = { recipient_id: to.slice(1), errors };
    const status = callbackOf(mine.account, statusOf(provider_message_id, "failed", gateway.clock.now(), more));
    await postCallback(gateway, status);
    await mine.becomes(promo.body.id, "failed");
    expect(await contactOf(to)).toMatchObject({ marketing_consent: "opted_out", consent_source: "preference" });
    await postCallback(gateway, status);
    expect(codeOf(await promote(to))).toEqual(OPTED_OUT);
    expect(sentTo(to)).toHaveLength(2);
    const events =
      "select kind from event where kind like 'opted%' and contact_id = (select id from contact where phone = $1)";
    expect(await mine.rows(events, [to])).toEqual([{ kind: "opted_out" }]);
    gateway.clock.advance(2_000);
    await set(to, "resume");
    expect((await promote(to)).status).toBe(202);
  });

  it("of a status that came before its message is known, and one from before the person allowed it again", async () => {
    const to = person();
    const promo = await promote(to);
    const { provider_message_id } = await mine.becomes(promo.body.id, "accepted");
    await set(to, "resume");
    const errors = [{ code: 131_050, title: "User has stopped marketing messages" }];
    const status = statusOf(provider_message_id, "failed", gateway.clock.now() - 60_000, { errors });
    await postCallback(gateway, callbackOf(mine.account, status));
    await mine.becomes(promo.body.id, "failed");
    expect(await contactOf(to)).toMatchObject({ marketing_consent: "opted_in" });
  });

  it("in the answer to a send", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 131_050 });
    const promo = await promote(to);
    await mine.becomes(promo.body.id, "failed");
    expect(await contactOf(to)).toMatchObject({ marketing_consent: "opted_out", consent_source: "preference" });
    expect(codeOf(await promote(to))).toEqual(OPTED_OUT);
    gateway.clock.advance(600_000);
    expect((await mine.send(to)).status).toBe(202);
    await expect.poll(() => sentTo(to).length, PATIENCE).toBe(2);
  });
});

describe("other forms of a number", () => {
  it("that are one person's are one contact", async () => {
    await set("+553181239001", "stop");
    expect(codeOf(await promote("+5531981239001"))).toEqual(OPTED_OUT);
  });

  it.each([
    ["+541112349001", "+5491112349001"],
    ["+5491112349002", "+541112349002"],
    ["+22577129003", "+2250777129003"],
  ])(
    "that only evidence can join hold marketing back and join nothing: %s stopped, %s is written to",
    async (stopped, to) => {
      const send_at = new Date(gateway.clock.now() + 600_000).toISOString();
      const scheduled = await promote(to, { send_at });
      expect(scheduled.status).toBe(202);
      await set(stopped, "stop");
      expect(codeOf(await promote(to))).toEqual(OPTED_OUT);
      expect(codeOf(await promote(scheduled.body.contact_id))).toEqual(OPTED_OUT);
      const [one, other] = [await contactOf(stopped), await contactOf(to)];
      expect([one.marketing_consent, other.marketing_consent]).toEqual(["opted_out", "unknown"]);
      expect((await promote(to, {}, theirs)).status).toBe(202);
      gateway.clock.advance(600_000);
      await mine.becomes(scheduled.body.id, "failed");
      await set(stopped, "resume");
      expect((await promote(to)).status).toBe(202);
    },
  );

  it("of which nobody is a contact yet leave none behind", async () => {
    await set("+541112349004", "stop");
    expect(codeOf(await promote("+5491112349004"))).toEqual(OPTED_OUT);
    expect(await contactOf("+5491112349004")).toBeUndefined();
    expect((await mine.send("+5491112349004")).status).toBe(202);
  });

  it.each([
    ["+525512349007", "+5215512349007"],
    ["+553181239008", "+5531981239008"],
  ])(
    "that an earlier version made two contacts hold marketing back, whichever stopped: %s and %s",
    async (one, other) => {
      await gateway.app.db.transaction(mine.uuid, async (sql) => {
        for (const phone of [one, other])
          await sql.run(
            "insert into contact (workspace_id, id, phone, created_at, updated_at) values ($1, gen_random_uuid(), $2, now(), now())",
            [mine.uuid, phone],
          );
      });
      await set(one, "stop");
      expect([codeOf(await promote(one)), codeOf(await promote(other))]).toEqual([OPTED_OUT, OPTED_OUT]);
    },
  );

  it("that are two lines do not", async () => {
    await set("+2250577129005", "stop");
    await set("+12025559005", "stop");
    expect((await promote("+2250777129005")).status).toBe(202);
    expect((await promote("+12025559006")).status).toBe(202);
  });
});

describe("two records that turn out to be one person", () => {
  it.each([
    ["the newer evidence counts", -50, -100, "opted_in"],
    ["the newer evidence counts, whichever record survives", -100, -50, "opted_out"],
    ["of one time the opt-out counts", -100, -100, "opted_out"],
  ])("%s", async (_what, resumed, stopped, expected) => {
    const digits = `111234${7_000 + resumed + 2 * stopped + 500}`;
    const [one, other] = [`+54${digits}`, `+549${digits}`];
    await set(one, "resume", seconds() + resumed);
    await set(other, "stop", seconds() + stopped);
    const ids = [(await contactOf(one)).id, (await contactOf(other)).id];
    expect(new Set(ids).size).toBe(2);
    const { body } = await mine.send(one);
    const { provider_message_id } = await mine.becomes(body.id, "accepted");
    const proof = statusOf(provider_message_id, "delivered", gateway.clock.now(), { recipient_id: other.slice(1) });
    await postCallback(gateway, callbackOf(mine.account, proof));
    await expect.poll(async () => (await contactOf(other)).id, PATIENCE).toBe(ids[0]);
    expect(await contactOf(one)).toMatchObject({ marketing_consent: expected, consent_source: "preference" });
    expect((await promote(other)).status).toBe(expected === "opted_in" ? 202 : 422);
    expect((await promote(ids[1])).status).toBe(expected === "opted_in" ? 202 : 422);
    gateway.clock.advance(2_000);
    await set(other, expected === "opted_in" ? "stop" : "resume");
    expect((await promote(one)).status).toBe(expected === "opted_in" ? 422 : 202);
  });
});
