import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { postCallback } from "../../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PATH } from "../testing/app.ts";
import { type CloudReceiver, startCloudReceiver } from "../testing/cloud-receiver.ts";
import { startReceiver } from "../testing/receiver.ts";
import { PROVIDER_FIELDS } from "./fields.ts";

// What the provider reports beside messages and statuses, at endpoints in its format.

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let receiver: CloudReceiver;
let other: CloudReceiver;

const SECRET = "an-app-secret-of-the-receiver";
const PATIENCE = { timeout: 15_000 };

beforeAll(async () => {
  gateway = await startGateway({ EGRESS_ALLOW_CIDRS: "127.0.0.0/8" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

let ids = 0;
beforeEach(async () => {
  ids += 1;
  time = Math.floor(gateway.clock.now() / 1_000);
  const made = [await startCloudReceiver(SECRET), await startCloudReceiver(SECRET)] as const;
  [receiver, other] = made;
  return async () => {
    for (const of of [mine, theirs]) {
      const { body } = await of.call("GET", PATH);
      for (const { id } of body.data) await of.call("DELETE", `${PATH}/${id}`);
    }
    for (const one of made) await one.close();
  };
});

/** An endpoint of our own format that listens to everything. */
const OURS = { format: "waypost", fields: undefined, secret: undefined, events: ["*"] };
async function subscribe(to: { url: string }, of: Sender, more: object = {}): Promise<string> {
  const body = { url: to.url, format: "provider", fields: PROVIDER_FIELDS, secret: SECRET, ...more };
  const made = await of.call("POST", PATH, { body });
  expect(made.status).toBe(201);
  return made.body.id;
}

type Change = { field: string; value: object };
/** Of a test, in seconds. */
let time = 0;
const entryOf = (of: Sender, ...changes: Change[]) => ({ id: of.account.wabaId, time: time, changes });
const envelope = (...entry: object[]) => ({ object: "whatsapp_business_account", added: { n: 1 }, entry });
const metadataOf = ({ account }: Sender) => ({
  display_phone_number: account.phone.slice(1),
  phone_number_id: account.providerPhoneNumberId,
});
const ofNumber = (of: Sender, field: string, value: object): Change => ({
  field,
  value: { messaging_product: "whatsapp", metadata: metadataOf(of), ...value },
});
const post = async (callback: object) => expect((await postCallback(gateway, callback)).status).toBe(200);
const bodies = (of = receiver) => of.received.map(({ body }) => body);
const expectGot = async (expected: readonly unknown[], of = receiver): Promise<void> => {
  await expect.poll(() => of.received.length, PATIENCE).toBe(expected.length);
  expect(bodies(of)).toEqual(expect.arrayContaining([...expected]));
  expect(of.refused).toBe(0);
};
const drained = async () => await expect.poll(() => mine.rows("select from deliver"), PATIENCE).toEqual([]);
const taken = async () => await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);

const NOTICES: Change[] = [
  {
    field: "message_template_status_update",
    value: {
      event: "PAUSED",
      message_template_id: 9223372036854,
      message_template_name: "a",
      reason: "NONE",
      new: [1],
    },
  },
  { field: "message_template_status_update", value: { event: "REINSTATED", message_template_id: 9223372036854 } },
  {
    field: "message_template_quality_update",
    value: { previous_quality_score: "GREEN", new_quality_score: "RED", message_template_id: 9223372036854 },
  },
  {
    field: "message_template_components_update",
    value: { message_template_id: 9223372036854, message_template_element: "Grüße", message_template_footer: "F" },
  },
  { field: "template_category_update", value: { message_template_id: 9223372036854, new_category: "MARKETING" } },
  { field: "account_update", value: { event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "SCAM" } } },
  { field: "account_update", value: { event: "ACCOUNT_PAINTED", colour: { name: "é" } } },
  { field: "account_alerts", value: { entity_type: "BUSINESS", alert_info: { alert_type: "OBA_APPROVED" } } },
  { field: "account_review_update", value: { decision: "APPROVED" } },
  { field: "phone_number_quality_update", value: { event: "FLAGGED", current_limit: "TIER_2K" } },
  { field: "phone_number_name_update", value: { decision: "APPROVED", requested_verified_name: "Shop" } },
  { field: "business_capability_update", value: { max_daily_conversations_per_business: "TIER_2K" } },
  { field: "security", value: { event: "PIN_CHANGED" } },
];

describe("what the provider says of an account", () => {
  test("arrives change by change, as it said it, once, and only at its workspace's endpoints in this format", async () => {
    await subscribe(receiver, mine);
    await subscribe(other, theirs);
    const seen = await startReceiver();
    await subscribe(seen, mine, OURS);
    const foreign: Change = { field: "account_review_update", value: { decision: "REJECTED", of: "theirs" } };
    const entries = [entryOf(theirs, foreign), entryOf(mine, ...NOTICES)] as const;
    const callback = envelope(...entries);
    await post(callback);
    await post(callback);
    await expectGot(NOTICES.map((change) => envelope({ ...entries[1], changes: [change] })));
    await expectGot([envelope(entries[0])], other);
    for (const { text, headers } of receiver.received) {
      expect(text).toMatch(/^[\0-~]*$/);
      expect(headers["x-service-event"]).toBe("provider_notice");
    }
    await taken();
    await drained();
    const { body } = await mine.call("GET", "/v1/events?limit=100");
    expect(body.data.map(({ kind }: { kind: string }) => kind)).not.toContain("provider_notice");
    expect(seen.received.map(({ body }) => body.kind)).toContain("account_changed");
    expect(seen.received.map(({ body }) => body.kind)).not.toContain("provider_notice");
    await seen.close();
  });

  test("comes by the fields that were asked for, and again by a replay, also from before the endpoint was there", async () => {
    const since = new Date(gateway.clock.now() - 1).toISOString();
    const asked: Change = { field: "account_review_update", value: { decision: "PENDING", nr: ids } };
    await post(envelope(entryOf(mine, { field: "security", value: { event: "PIN_CHANGED", nr: ids } }, asked)));
    await taken();
    gateway.clock.advance(1_000);
    const id = await subscribe(receiver, mine, { fields: ["account_review_update"] });
    const seen = await startReceiver();
    const own = await subscribe(seen, mine, OURS);
    for (const [endpoint, events] of [
      [id, undefined],
      [id, ["*"]],
      [own, ["*"]],
    ] as const) {
      const body = { created_after: since, only: "all", events };
      const replay = await mine.call("POST", `${PATH}/${endpoint}/replays`, { body });
      expect(replay.status).toBe(202);
      const status = async () => (await mine.call("GET", `${PATH}/${endpoint}/replays/${replay.body.id}`)).body.status;
      await expect.poll(status, PATIENCE).toBe("completed");
    }
    expect(bodies().map(({ entry }) => entry[0].changes[0])).toEqual([asked, asked]);
    expect(seen.received.map(({ body }) => body.kind)).toContain("account_changed");
    expect(seen.received.map(({ body }) => body.kind)).not.toContain("provider_notice");
    await seen.close();
  });

  test("goes out from our own rows where the callback is gone", async () => {
    const id = await subscribe(receiver, mine, { enabled: false });
    const changes: Change[] = [
      { field: "account_alerts", value: { alert_info: { alert_type: "OBA_REJECTED" }, nr: ids } },
      { field: "template_category_update", value: { message_template_id: 7, new_category: "UTILITY", nr: ids } },
    ];
    await post(envelope(entryOf(mine, ...changes)));
    await taken();
    await gateway.app.db.sql.query("delete from callback");
    await mine.call("PATCH", `${PATH}/${id}`, { body: { enabled: true } });
    const { added: _, ...plain } = envelope();
    await expectGot(changes.map((change) => ({ ...plain, entry: [entryOf(mine, change)] })));
  });

  test("errors of a number come once, alone or with the message that they are beside", async () => {
    await subscribe(receiver, mine, { fields: ["messages"] });
    const errors = [130_429, 131_000].map((code) => ({ code, title: "Failed", added: ids }));
    const alone = envelope(entryOf(mine, ofNumber(mine, "messages", { added: true, errors })));
    await post(alone);
    const from = "15551230000";
    const message = {
      from,
      id: `wamid.beside.${ids}`,
      timestamp: String(time),
      type: "text",
      text: { body: "Hi" },
    };
    const beside = envelope(entryOf(mine, ofNumber(mine, "messages", { messages: [message], errors })));
    await post(beside);
    await expectGot([alone, beside]);
    await taken();
    await drained();
    expect(receiver.received).toHaveLength(2);
  });
});

describe("what happens between a number and people", () => {
  const person = (digits: string) => ({ wa_id: digits, profile: { name: "Ana" } });
  const callOf = (digits: string, more: object = {}) => ({
    id: `wacid.${ids}.${digits}`,
    from: digits,
    to: mine.account.phone.slice(1),
    event: "connect",
    direction: "USER_INITIATED",
    timestamp: String(time),
    session: { sdp_type: "offer", sdp: "v=0\r\n" },
    ...more,
  });

  test("a call arrives with its session, one by one, and so does what became of one that the business made", async () => {
    await subscribe(receiver, mine, { fields: ["calls"] });
    const [a, b] = [`1555124${ids}001`, `1555124${ids}002`].map((digits) => callOf(digits)) as [object, object];
    const contacts = [person(`1555124${ids}001`), person(`1555124${ids}002`)];
    await post(envelope(entryOf(mine, ofNumber(mine, "calls", { contacts, calls: [a, b] }))));
    const rung = { id: `wacid.rung.${ids}`, type: "call", status: "RINGING", timestamp: String(time) };
    const statuses = [{ ...rung, recipient_id: `1555124${ids}001` }];
    await post(envelope(entryOf(mine, ofNumber(mine, "calls", { statuses }))));
    await expectGot([
      envelope(entryOf(mine, ofNumber(mine, "calls", { contacts: [contacts[0]], calls: [a] }))),
      envelope(entryOf(mine, ofNumber(mine, "calls", { contacts: [contacts[1]], calls: [b] }))),
      envelope(entryOf(mine, ofNumber(mine, "calls", { statuses }))),
    ]);
  });

  test("of a person who was erased nothing is sent; of another it is, also without the callback", async () => {
    const id = await subscribe(receiver, mine, { fields: ["calls", "user_preferences"], enabled: false });
    const [erased, kept] = [`1555125${ids}001`, `1555125${ids}002`];
    const calls = [callOf(erased), callOf(kept)];
    await post(envelope(entryOf(mine, ofNumber(mine, "calls", { contacts: [person(erased), person(kept)], calls }))));
    const stop = { category: "marketing_messages", value: "stop", timestamp: time, detail: "Stopped" };
    const user_preferences = [erased, kept].map((wa_id) => ({ wa_id, ...stop }));
    await post(envelope(entryOf(mine, ofNumber(mine, "user_preferences", { user_preferences }))));
    await taken();
    const { body } = await mine.call("GET", `/v1/contacts?phone=%2B${erased}`);
    expect((await mine.call("DELETE", `/v1/contacts/${body.data[0].id}`)).status).toBe(204);
    await gateway.app.db.sql.query("delete from callback");
    await mine.call("PATCH", `${PATH}/${id}`, { body: { enabled: true } });
    const { added: _, ...plain } = envelope();
    const { session: _session, ...known } = callOf(kept);
    const value = (field: string, list: object) => ofNumber(mine, field, { contacts: [person(kept)], ...list });
    await expectGot([
      { ...plain, entry: [{ id: mine.account.wabaId, changes: [value("calls", { calls: [known] })] }] },
      {
        ...plain,
        entry: [
          {
            id: mine.account.wabaId,
            changes: [value("user_preferences", { user_preferences: [{ wa_id: kept, ...stop }] })],
          },
        ],
      },
    ]);
    await drained();
    expect(JSON.stringify(bodies())).not.toContain(erased);
  });

  test("a payment arrives as the provider said it, beside a status of the same word", async () => {
    const { body: message } = await mine.send("+15551260001");
    const { provider_message_id: id } = await mine.becomes(message.id, "accepted");
    await subscribe(receiver, mine, { fields: ["messages"] });
    const of = { id, timestamp: String(time), recipient_id: "15551260001" };
    const payment = { reference_id: "order-17", amount: { value: 21_000, offset: 100 } };
    const statuses = [
      { ...of, status: "failed", type: "payment", payment },
      { ...of, status: "captured", type: "payment", payment },
      { ...of, status: "failed", errors: [{ code: 131_026, title: "Message undeliverable" }] },
    ];
    await post(envelope(entryOf(mine, ofNumber(mine, "messages", { statuses }))));
    await expectGot(statuses.map((one) => envelope(entryOf(mine, ofNumber(mine, "messages", { statuses: [one] })))));
  });

  test("a setting for marketing, and a handover, arrive with their own person", async () => {
    await subscribe(receiver, mine, { fields: ["messaging_handovers", "user_preferences"] });
    const [a, b] = [`1555127${ids}001`, `1555127${ids}002`];
    const setting = { category: "marketing_messages", value: "stop", timestamp: time, added: { n: 1 } };
    const preference = (wa_id: string) => ({
      contacts: [person(wa_id)],
      user_preferences: [{ wa_id, ...setting }],
    });
    const both = {
      contacts: [person(a), person(b)],
      user_preferences: [a, b].flatMap((wa_id) => preference(wa_id).user_preferences),
    };
    await post(
      envelope(
        entryOf(theirs, ofNumber(theirs, "user_preferences", preference(a))),
        entryOf(mine, ofNumber(mine, "user_preferences", both)),
      ),
    );
    const handover = (digits: string) => ({
      messaging_product: "whatsapp",
      sender: { phone_number: digits },
      recipient: metadataOf(mine),
      type: "control_taken",
      timestamp: String(time),
      control_taken: { previous_owner_role: "customer_service", new_owner_role: "escalation", metadata: "m" },
    });
    const taking = [a, b].map((digits) => ({ field: "messaging_handovers", value: handover(digits) }));
    await post(envelope(entryOf(mine, ...taking)));
    await expectGot([
      ...[a, b].map((wa_id) => envelope(entryOf(mine, ofNumber(mine, "user_preferences", preference(wa_id))))),
      ...taking.map((change) => envelope(entryOf(mine, change))),
    ]);
  });
});
