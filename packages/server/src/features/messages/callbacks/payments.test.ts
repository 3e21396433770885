import { afterAll, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/duration.ts";
import { parseId } from "../../../lib/ids.ts";
import { statusOf } from "../../../testing/callback.ts";
import { withClient } from "../../../testing/client.ts";
import { testEngine } from "../../../testing/engine.ts";
import { sealCorrelationToken } from "../correlation-token.ts";
import { REPORTED_PATIENCE, reportingOf } from "../testing/reported.ts";
import { person, startSenders } from "../testing/senders.ts";
import { joinParkedPayments } from "./payments.ts";

// Statuses that are about something else than how far a message came: payments, and what the provider invents.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { tell, text, shown, history, setAside, events, close } = reportingOf(gateway);
const engine = testEngine(gateway.database.url);
afterAll(close);

type Json = ReturnType<typeof JSON.parse>;

const now = () => gateway.clock.now();
const payment = (id: string, status: string, reference: unknown = "order-17", more: object = {}) =>
  statusOf(id, status, now(), { type: "payment", payment: { reference_id: reference }, ...more });
const parked = () => engine.rows<{ provider_message_id: string }>("select provider_message_id from parked_payment");

/** A message that the provider has taken. */
async function accepted(): Promise<{ id: string; wamid: string; contactId: string }> {
  const { body } = await mine.send(person());
  const { provider_message_id: wamid } = await mine.becomes(body.id, "accepted");
  return { id: body.id, wamid, contactId: body.contact_id };
}

const seen = await events(mine);
const theirsSeen = await events(theirs);

/** The payments reported of a message: reference, status, and how far the message had come; in any order. */
const payments = (id: string): string[] =>
  seen().flatMap(({ kind, category, data: { message, payment: paid, ...rest } }) => {
    if (kind !== "payment_updated" || message.id !== id) return [];
    expect([category, rest]).toEqual(["message_status", {}]);
    return [[paid.reference, paid.status, message.status].join(" ")];
  });
async function become(id: string, ...expected: string[]): Promise<void> {
  await expect.poll(() => payments(id).toSorted(), REPORTED_PATIENCE).toEqual(expected.toSorted());
}

describe("a payment", () => {
  it("is an event of its own, once, and never moves its message, in whatever order and however often it comes", async () => {
    const { id, wamid } = await accepted();
    const before = await history(mine, wamid);
    for (const status of ["failed", "pending", "failed", "captured", "pending"])
      await tell(mine, payment(wamid, status));
    const all = ["failed", "pending", "captured"].map((status) => `order-17 ${status} accepted`);
    await become(id, ...all);
    expect(await history(mine, wamid)).toEqual(before);
    // Another payment for the same message, and one that nothing names.
    await tell(mine, payment(wamid, "captured", "order-18"), payment(wamid, "captured", null));
    // Beside the message's own, in one callback.
    await tell(mine, payment(wamid, "captured"), statusOf(wamid, "delivered", now()), payment(wamid, "failed", "late"));
    await mine.becomes(id, "delivered");
    await expect.poll(() => payments(id).length, REPORTED_PATIENCE).toBe(6);
    const { status, error, final } = (await mine.call("GET", `/v1/messages/${id}`)).body;
    expect({ status, error, final }).toEqual({ status: "delivered", error: null, final: false });
    const kinds = () => seen().flatMap(({ kind, data }) => (data.message?.id === id ? [kind] : []));
    await expect
      .poll(() => kinds().toSorted(), REPORTED_PATIENCE)
      .toEqual(["accepted", "delivered", ...Array.from({ length: 6 }, () => "payment_updated")]);
    expect(theirsSeen()).toEqual([]);
  });

  it("may come before the provider's id of the message is known", async () => {
    const { id, wamid } = await accepted();
    const opaque = sealCorrelationToken(gateway.app.secrets, parseId("msg", id) ?? "", 1);
    // Two ids that no status named yet: one is named by our own value, the other by a status that comes later.
    await tell(mine, payment(`${wamid}.lost`, "captured", "a", { biz_opaque_callback_data: opaque }));
    await become(id, "a captured accepted");
    await tell(mine, payment(`${wamid}.late`, "pending", "b"), payment(`${wamid}.late`, "pending", "b"));
    await expect.poll(parked, REPORTED_PATIENCE).toHaveLength(1);
    await tell(mine, payment(`${wamid}.late`, "captured", "b"));
    await expect.poll(parked, REPORTED_PATIENCE).toHaveLength(2);
    gateway.clock.advance(MINUTE_MS);
    await joinParkedPayments(gateway.app);
    expect(await parked()).toHaveLength(2);
    await tell(mine, statusOf(`${wamid}.late`, "sent", now(), { biz_opaque_callback_data: opaque }));
    await mine.becomes(id, "sent");
    gateway.clock.advance(MINUTE_MS);
    await joinParkedPayments(gateway.app);
    await become(id, "a captured accepted", "b pending sent", "b captured sent");
    expect(await parked()).toEqual([]);
    await tell(mine, payment(`${wamid}.late`, "captured", "b"), payment(wamid, "captured", "c"));
    await become(id, "a captured accepted", "b pending sent", "b captured sent", "c captured sent");
  });

  it("of a message that is not ours is not set aside, waits a week at most, and is bounded", async () => {
    const before = await setAside();
    await tell(theirs, payment("wamid.foreign.old", "captured"));
    await expect.poll(parked, REPORTED_PATIENCE).toHaveLength(1);
    gateway.clock.advance(7 * DAY_MS + HOUR_MS);
    await joinParkedPayments(gateway.app);
    expect(await parked()).toEqual([]);
    const many = Array.from({ length: 1_300 }, (_, at) => `wamid.foreign.${at}`);
    for (let at = 0; at < many.length; at += 325) {
      await tell(theirs, ...many.slice(at, at + 325).map((id) => payment(id, "failed")));
      gateway.clock.advance(1);
    }
    const kept = async () => (await parked()).map(({ provider_message_id: id }) => id);
    await expect.poll(async () => (await kept()).includes(many.at(-1) ?? ""), REPORTED_PATIENCE).toBe(true);
    await expect.poll(async () => (await kept()).length, REPORTED_PATIENCE).toBeLessThanOrEqual(1_000);
    expect(await setAside()).toEqual(before);
    expect(theirsSeen()).toEqual([]);
  });

  it("of a message that came in, or of another workspace's, is nobody's", async () => {
    await tell(mine, text("15557450001", "wamid.in.paid"));
    await shown(mine, "wamid.in.paid");
    const { id, wamid } = await accepted();
    await tell(mine, payment("wamid.in.paid", "captured"));
    await tell(theirs, payment(wamid, "captured"));
    await tell(mine, payment(wamid, "captured", "own"));
    await become(id, "own captured accepted");
    const kinds = await mine.rows(
      "select 1 from event e join message m on m.workspace_id = e.workspace_id and m.id = e.message_id where not m.outbound and e.kind <> 'messages'",
    );
    expect(kinds).toEqual([]);
    expect(theirsSeen()).toEqual([]);
  });

  it("is reported by the simulator as by the provider: of an order, by its own reference, and of any other message", async () => {
    const { simulator } = gateway;
    const to = person();
    await mine.inbound(to.slice(1));
    const parameters = { reference_id: "order-99", type: "digital-goods", currency: "INR", total_amount: { value: 1 } };
    const action = { name: "review_and_pay", parameters };
    const interactive = { type: "order_details", body: { text: "Your order" }, action };
    const order = (await mine.call("POST", "/v1/messages", { body: { to, type: "interactive", interactive } })).body;
    const { provider_message_id: wamid } = await mine.becomes(order.id, "accepted");
    expect(simulator.payment({ id: wamid, status: "pending" })).toMatchObject({ reported: true });
    await become(order.id, "order-99 pending accepted");
    simulator.payment({ id: wamid, status: "captured" });
    simulator.payment({ id: wamid, status: "captured" });
    await become(order.id, "order-99 pending accepted", "order-99 captured accepted");
    const other = await accepted();
    simulator.payment({ id: other.wamid, status: "failed", payment: { reference_id: "tip" } });
    await become(other.id, "tip failed accepted");
    expect((await mine.call("GET", `/v1/messages/${other.id}`)).body).toMatchObject({
      status: "accepted",
      error: null,
    });
    expect(payments(order.id)).toHaveLength(2);
    expect(theirsSeen()).toEqual([]);
  });

  it("has no reference after its person was erased", async () => {
    const { id, wamid, contactId } = await accepted();
    await tell(mine, payment(wamid, "captured", "invoice of Ana"));
    await become(id, "invoice of Ana captured accepted");
    expect((await mine.call("DELETE", `/v1/contacts/${contactId}`)).status).toBe(204);
    await tell(mine, payment(wamid, "failed", "invoice of Ana"));
    await become(id, "invoice of Ana captured accepted", " failed accepted");
  });
});

describe("a status", () => {
  it.each(["call", "refund", 7, { message: true }])(
    "of a type that says it is not the message's (%j) changes nothing, and is not set aside",
    async (type) => {
      const [before, { id, wamid }] = [await setAside(), await accepted()];
      const [shownBefore, parkedBefore] = [
        await history(mine, wamid),
        await engine.rows("select 1 from parked_status"),
      ];
      for (const status of ["failed", "read", "captured"]) await tell(mine, statusOf(wamid, status, now(), { type }));
      await tell(mine, statusOf("wamid.nobody", "read", now(), { type }));
      await tell(mine, statusOf(wamid, "sent", now(), { type: "message" }));
      await mine.becomes(id, "sent");
      expect((await history(mine, wamid)).history.map(({ status }: Json) => status)).toEqual([
        ...shownBefore.history.map(({ status }: Json) => status),
        "sent",
      ]);
      expect(await setAside()).toEqual(before);
      expect(await engine.rows("select 1 from parked_status")).toHaveLength(parkedBefore.length);
    },
  );

  it("of a group changes nothing of the message that it names, and is not set aside", async () => {
    const [before, { id, wamid }] = [await setAside(), await accepted()];
    const ofGroup = { recipient_type: "group", recipient_id: "group-1", recipient_participant_id: "15557450009" };
    for (const status of ["read", "failed"]) await tell(mine, statusOf(wamid, status, now(), ofGroup));
    await tell(mine, statusOf(wamid, "sent", now()));
    await mine.becomes(id, "sent");
    expect((await history(mine, wamid)).history.map(({ status }: Json) => status)).toEqual(["accepted", "sent"]);
    expect(await setAside()).toEqual(before);
  });

  it("has the conversation that the provider counts the message in, as it gave it, in the history alone", async () => {
    const { id, wamid } = await accepted();
    const conversation = { id: "c1d2", expiration_timestamp: "1790086400", origin: { type: "referral_conversion" } };
    // Before the message is known too.
    const opaque = sealCorrelationToken(gateway.app.secrets, parseId("msg", id) ?? "", 1);
    await tell(mine, statusOf(`${wamid}.other`, "delivered", now(), { conversation }));
    await expect
      .poll(() => engine.rows("select 1 from parked_status where conversation is not null"), REPORTED_PATIENCE)
      .toHaveLength(1);
    await tell(mine, statusOf(wamid, "sent", now(), { conversation }));
    await tell(
      mine,
      statusOf(`${wamid}.other`, "read", now(), { conversation: "c1d2", biz_opaque_callback_data: opaque }),
    );
    await mine.becomes(id, "read");
    const entries = (await mine.call("GET", `/v1/messages/${id}`)).body;
    expect(Object.fromEntries(entries.history.map((one: Json) => [one.status, one.conversation]))).toEqual({
      accepted: undefined,
      sent: conversation,
      delivered: conversation,
      read: undefined,
    });
    expect(entries.history[0]).not.toHaveProperty("conversation");
    expect(entries).not.toHaveProperty("conversation");
  });
});

it("a payment that cannot be stored is set aside alone, once, whatever is beside it", async () => {
  await withClient(gateway.database.url, (client) =>
    client.query(`
      create function refuse_payment() returns trigger language plpgsql as 'begin raise division_by_zero; end';
      create trigger refuse_payment before insert on parked_payment for each row
        when (new.provider_message_id = 'wamid.refused') execute function refuse_payment()`),
  );
  const [before, { id, wamid }] = [await setAside(), await accepted()];
  await tell(mine, payment(wamid, "pending"), payment("wamid.refused", "captured"), payment(wamid, "captured"));
  await become(id, "order-17 pending accepted", "order-17 captured accepted");
  await expect.poll(setAside, REPORTED_PATIENCE).toEqual([...before, "failed"].toSorted());
});
