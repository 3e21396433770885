import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../lib/duration.ts";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import { type Receiver, startReceiver } from "../../webhooks/testing/receiver.ts";
import { person, startSenders } from "../testing/senders.ts";
import { giveUpMessages } from "./expiry.ts";

const TEN_MINUTES_MS = 600_000;

const { attempts, gateway, kindsOf, mine, sentTo, theirs } = await startSenders();

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  const body = { url: receiver.url, events: ["unknown"] };
  expect((await mine.call("POST", "/v1/webhook-endpoints", { body })).status).toBe(201);
});
afterAll(() => receiver.close());

const queued = (to: string) =>
  mine.rows("select 1 from dispatch where message_id = (select id from message where recipient = $1)", [to]);
const tell = (id: string, status: string, opaque: string | null) =>
  postCallback(
    gateway,
    callbackOf(
      mine.account,
      statusOf(id, status, gateway.clock.now(), opaque ? { biz_opaque_callback_data: opaque } : {}),
    ),
  );

/** A message whose answer is lost in the way `kind` names; the provider has accepted it. */
async function lose(kind: "reset" | "html" | "no_id", more: object = {}) {
  const to = person();
  gateway.simulator.addFault({ kind, accept: true, recipient: to });
  const reply = await mine.send(to, more);
  const body = await mine.becomes(reply.body.id, "unknown");
  const [sent] = sentTo(to);
  return { to, body, wamid: sent?.id ?? "", opaque: sent?.opaque ?? "" };
}

describe("a lost answer", () => {
  it.each(["reset", "html", "no_id"] as const)("(%s) is unknown, reported at once and not sent again", async (kind) => {
    const { to, body } = await lose(kind);
    expect(body).toMatchObject({
      status: "unknown",
      final: false,
      provider_message_id: null,
      possible_duplicate: false,
    });
    expect(await kindsOf(to)).toEqual(["unknown"]);
    // The next message of the same person is not held back by it.
    const next = await mine.send(to);
    await mine.becomes(next.body.id, "accepted");
    expect(sentTo(to)).toHaveLength(2);
  });

  it("never advises to send it again: not in the message, the list, the history or the events, before or after it is final", async () => {
    const { to, body } = await lose("reset");
    const held = { code: "provider_error", retryable: false, remedy: expect.stringContaining("Do not send it again") };
    const look = async () => (await mine.call("GET", `/v1/messages/${body.id}`)).body;
    expect(body.error).toMatchObject(held);
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(async () => (await look()).final).toBe(true);
    const { error, history } = await look();
    expect(error).toMatchObject(held);
    // The second report adds nothing.
    expect(history).toMatchObject([
      { status: "unknown", error: held },
      { status: "unknown", error: null },
    ]);
    const [listed] = (await mine.call("GET", `/v1/messages?to=${encodeURIComponent(to)}`)).body.data;
    expect(listed.error).toMatchObject(held);
    const events = () => receiver.received.filter((one) => one.body.data.message.id === body.id);
    await expect.poll(() => events().length).toBe(2);
    expect(
      events()
        .map(({ body: event }) => event.data.settled)
        .toSorted(),
    ).toEqual([false, undefined]);
    for (const { body: event } of events())
      expect(event.data).toMatchObject({ status: "unknown", error: held, message: { error: held } });
  });

  it("that turns out to have arrived keeps its error, and still does not advise to send it again", async () => {
    const { body, wamid, opaque } = await lose("html");
    await tell(wamid, "delivered", opaque);
    const arrived = await mine.becomes(body.id, "delivered");
    expect(arrived.error).toMatchObject({ code: "provider_error", retryable: false });
    expect(arrived.error.remedy).not.toBe(body.error.remedy);
  });

  it("that turns out to have failed has that failure", async () => {
    const { body, wamid, opaque } = await lose("html");
    const errors = [{ code: 131049, title: "Held back" }];
    const failed = statusOf(wamid, "failed", gateway.clock.now(), { biz_opaque_callback_data: opaque, errors });
    await postCallback(gateway, callbackOf(mine.account, failed));
    expect((await mine.becomes(body.id, "failed")).error).toMatchObject({ code: "marketing_capped", retryable: true });
  });

  it("is settled by a later status that carries our value", async () => {
    const { to, body, wamid, opaque } = await lose("reset");
    expect((await tell(wamid, "delivered", opaque)).status).toBe(200);
    const settled = await mine.becomes(body.id, "delivered");
    expect(settled).toMatchObject({ provider_message_id: wamid, possible_duplicate: false, accepted_at: null });
    gateway.clock.advance(TEN_MINUTES_MS);
    await tell(wamid, "read", null); // its id is known by now
    await mine.becomes(body.id, "read");
    // It was settled: no report follows after ten minutes.
    await expect.poll(() => queued(to)).toEqual([]);
    expect(await kindsOf(to)).toEqual(["unknown", "delivered", "read"]);
    expect(sentTo(to)).toHaveLength(1);
  });

  it("is final after ten minutes of silence, reported once more, and still raised by late evidence", async () => {
    const { to, body, wamid, opaque } = await lose("html");
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(() => kindsOf(to)).toEqual(["unknown", "unknown"]);
    expect((await mine.call("GET", `/v1/messages/${body.id}`)).body).toMatchObject({ status: "unknown", final: true });
    gateway.clock.advance(6 * DAY_MS);
    await tell(wamid, "read", opaque);
    expect(await mine.becomes(body.id, "read")).toMatchObject({ final: true, provider_message_id: wamid });
    expect(sentTo(to)).toHaveLength(1);
  });

  it("is not settled by a forged or foreign value", async () => {
    const { body, wamid, opaque } = await lose("reset");
    const forged = opaque.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    await tell(`${wamid}x`, "read", forged);
    await postCallback(
      gateway,
      callbackOf(theirs.account, statusOf(wamid, "read", gateway.clock.now(), { biz_opaque_callback_data: opaque })),
    );
    // Callbacks of a number are taken in order: once a later one is, so are both.
    await tell(wamid, "sent", opaque);
    await theirs.inbound(person());
    await mine.becomes(body.id, "sent");
    expect((await mine.call("GET", `/v1/messages/${body.id}`)).body.read_at).toBeNull();
  });

  it("with resend_once is sent once more after ten minutes, and marked", async () => {
    const { to, body } = await lose("reset", { on_unknown: "resend_once" });
    gateway.clock.advance(TEN_MINUTES_MS);
    const again = await mine.becomes(body.id, "accepted");
    expect(again).toMatchObject({ possible_duplicate: true, provider_message_id: expect.stringMatching(/^wamid\./) });
    expect(sentTo(to)).toHaveLength(2);
    expect(await kindsOf(to)).toEqual(["unknown", "accepted"]);
  });

  it("with resend_once that is settled meanwhile is not sent again", async () => {
    const { to, body, wamid, opaque } = await lose("no_id", { on_unknown: "resend_once" });
    await tell(wamid, "sent", opaque);
    await mine.becomes(body.id, "sent");
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(() => queued(to)).toEqual([]);
    expect(sentTo(to)).toHaveLength(1);
    expect((await mine.call("GET", `/v1/messages/${body.id}`)).body.possible_duplicate).toBe(false);
  });

  it("with resend_once that is settled while the second attempt waits after a refusal is not sent again", async () => {
    const { to, body, wamid, opaque } = await lose("no_id", { on_unknown: "resend_once" });
    for (const code of [131056, 131056]) gateway.simulator.addFault({ kind: "refuse", code, recipient: to });
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(() => attempts(to)).toHaveLength(2);
    await tell(wamid, "delivered", opaque);
    await mine.becomes(body.id, "delivered");
    gateway.clock.advance(10_000);
    await expect.poll(() => queued(to)).toEqual([]);
    expect(sentTo(to)).toHaveLength(2);
    expect((await mine.call("GET", `/v1/messages/${body.id}`)).body.provider_message_id).toBe(wamid);
  });

  it("with resend_once that is settled before the second attempt's time comes is not sent again, and is no duplicate", async () => {
    const sender = await gateway.sender();
    const promo = { template: { name: "promo_spring", language: { code: "en_US" } } };
    const to = person();
    gateway.simulator.addFault({ kind: "no_id", accept: true, recipient: to });
    const { id } = (await sender.send(to, { ...promo, on_unknown: "resend_once" })).body;
    await sender.becomes(id, "unknown");
    // The second attempt has to wait: the number's marketing is stopped.
    const { providerPhoneNumberId: phone_number_id } = sender.account;
    gateway.simulator.addFault({ kind: "refuse", code: 131048, phone_number_id });
    const stopping = (await sender.send(person(), promo)).body.id;
    const waiting = (atLeastMs: number) =>
      sender.rows("select 1 from dispatch where state = 0 and due > $1", [new Date(gateway.clock.now() + atLeastMs)]);
    await expect.poll(() => waiting(3_000_000)).toHaveLength(1);
    await sender.call("POST", `/v1/messages/${stopping}/cancel`);
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(() => waiting(2_000_000)).toHaveLength(1);
    const [sent] = sentTo(to);
    const evidence = { biz_opaque_callback_data: sent?.opaque };
    const delivered = statusOf(sent?.id ?? "", "delivered", gateway.clock.now(), evidence);
    await postCallback(gateway, callbackOf(sender.account, delivered));
    await sender.becomes(id, "delivered");
    gateway.clock.advance(HOUR_MS);
    await expect.poll(() => sender.rows("select 1 from dispatch")).toEqual([]);
    expect(sentTo(to)).toHaveLength(1);
    expect((await sender.call("GET", `/v1/messages/${id}`)).body.possible_duplicate).toBe(false);
  });

  it("with resend_once that has come to its expires_at is given up, not sent again and not expired", async () => {
    const expires_at = new Date(gateway.clock.now() + TEN_MINUTES_MS / 2).toISOString();
    const { to, body, wamid, opaque } = await lose("reset", { on_unknown: "resend_once", expires_at });
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(() => kindsOf(to)).toEqual(["unknown", "unknown"]);
    await expect.poll(() => queued(to)).toEqual([]);
    const given = (await mine.call("GET", `/v1/messages/${body.id}`)).body;
    expect(given).toMatchObject({ status: "unknown", final: true, possible_duplicate: false });
    expect(given.error).toMatchObject({ code: "provider_error", retryable: false });
    await tell(wamid, "delivered", opaque);
    await mine.becomes(body.id, "delivered");
    expect(sentTo(to)).toHaveLength(1);
  });

  it.each(["open", "closed"])(
    "with resend_once whose second attempt waits until its expires_at (lane %s) is given up",
    async (lane) => {
      const sender = await gateway.sender();
      const to = person();
      const expires_at = new Date(gateway.clock.now() + 2 * TEN_MINUTES_MS).toISOString();
      gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
      const { id } = (await sender.send(to, { on_unknown: "resend_once", expires_at })).body;
      await sender.becomes(id, "unknown");
      if (lane === "open") gateway.simulator.addFault({ kind: "refuse", code: 130429, recipient: to, count: 100 });
      else gateway.simulator.setAccountLock(sender.account.wabaId, 368);
      gateway.clock.advance(TEN_MINUTES_MS);
      await expect.poll(() => sentTo(to).length).toBe(2);
      gateway.clock.advance(TEN_MINUTES_MS + 20_000);
      const look = async () => (await sender.call("GET", `/v1/messages/${id}`)).body;
      await expect.poll(async () => (await look()).final).toBe(true);
      expect(await look()).toMatchObject({ status: "unknown", error: { code: "provider_error" } });
      await expect.poll(() => sender.rows("select 1 from dispatch")).toEqual([]);
      const kinds = await sender.rows<{ kind: string }>("select kind from event where message_id is not null");
      expect(kinds.map(({ kind }) => kind)).toEqual(["unknown", "unknown"]);
    },
  );

  it.each([
    ["restricted", {}],
    ["restricted", { on_unknown: "resend_once" }],
    ["disconnected", {}],
  ])("is given up although its account is %s by then (%o)", async (change, more) => {
    // Its lane may not know yet that it is closed when its time comes, and lets it be sent once more then: another one is tried.
    let kinds = await eventsOfGivenUp(change, more);
    while (kinds === null) kinds = await eventsOfGivenUp(change, more);
    expect(kinds).toEqual(["unknown", "unknown"]);
  });

  /** The kinds of its events; null: it is to be sent once more. */
  async function eventsOfGivenUp(change: string, more: object): Promise<string[] | null> {
    const sender = await gateway.sender();
    const to = person();
    gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
    const { id } = (await sender.send(to, more)).body;
    await sender.becomes(id, "unknown");
    const account = (await sender.call("GET", "/v1/business-accounts")).body.data[0].id;
    if (change === "disconnected") await sender.call("DELETE", `/v1/business-accounts/${account}`);
    else {
      gateway.simulator.setAccountLock(sender.account.wabaId, 368);
      await sender.send(person());
    }
    const statusNow = async () => (await sender.call("GET", `/v1/business-accounts/${account}`)).body.status;
    await expect.poll(statusNow).toBe(change);
    gateway.clock.advance(TEN_MINUTES_MS + 61_000);
    // As the timer does: a lane that is still about to learn that it is closed has the row for a moment.
    const lost = async () => {
      await giveUpMessages(gateway.app);
      return await sender.rows("select 1 from dispatch where state = 2");
    };
    await expect.poll(lost).toEqual([]);
    const { status, final } = (await sender.call("GET", `/v1/messages/${id}`)).body;
    expect(status).toBe("unknown");
    if (!final) return null;
    expect(sentTo(to)).toHaveLength(1);
    const kinds = await sender.rows<{ kind: string }>("select kind from event where message_id is not null");
    return kinds.map(({ kind }) => kind);
  }

  it("with resend_once that is lost twice is not sent a third time", async () => {
    const { to, body } = await lose("reset", { on_unknown: "resend_once" });
    gateway.simulator.addFault({ kind: "reset", accept: false, recipient: to });
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(() => sentTo(to).length).toBe(2);
    await expect.poll(() => attempts(to)).toHaveLength(2);
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(async () => (await mine.call("GET", `/v1/messages/${body.id}`)).body.final).toBe(true);
    expect(sentTo(to)).toHaveLength(2);
  });
});

describe("a status before our own commit", () => {
  it("(the answer after sent, delivered and read) ends as read with all of them", async () => {
    const to = "+12025550131";
    const { body } = await mine.send(to);
    gateway.simulator.setDelays({ statuses: true });
    const history = async () =>
      (await mine.call("GET", `/v1/messages/${body.id}`)).body.history.map(({ status }: { status: string }) => status);
    await expect.poll(async () => (await history()).toSorted()).toEqual(["accepted", "delivered", "read", "sent"]);
    gateway.simulator.setDelays({ statuses: false });
    expect(await mine.becomes(body.id, "read")).toMatchObject({ accepted_at: expect.any(String), final: true });
  });
});
