import { afterAll, describe, expect, it } from "vitest";
import { postCallback } from "../../testing/callback.ts";
import { testEngine } from "../../testing/engine.ts";
import type { Sender } from "../../testing/gateway.ts";
import { REPORTED_PATIENCE, reportingOf } from "../messages/testing/reported.ts";
import { startSenders } from "../messages/testing/senders.ts";

// Calls between people and numbers, as the provider reports them.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { tell, events, close } = reportingOf(gateway);
const engine = testEngine(gateway.database.url);
afterAll(close);

const now = () => Math.floor(gateway.clock.now() / 1_000);
const callOf = (from: string, id: string, more: object = {}, contact: object = {}) => ({
  contacts: [{ profile: { name: "Ana" }, wa_id: from, ...contact }],
  calls: [
    {
      id,
      from,
      to: "15559990000",
      event: "connect",
      direction: "USER_INITIATED",
      timestamp: String(now()),
      session: { sdp_type: "offer", sdp: "v=0 secret-of-the-line" },
      ...more,
    },
  ],
});

type Row = { kind: string; contact_id: string; state: { call: Record<string, unknown> } };
const callsOf = (of: Sender, id: string) =>
  of.rows<Row>(
    "select kind, contact_id, state from event where kind = 'call' and state->'call'->>'id' = $1 order by sequence",
    [id],
  );
async function taken(of: Sender, id: string, count = 1): Promise<void> {
  await expect.poll(async () => (await callsOf(of, id)).length, REPORTED_PATIENCE).toBe(count);
}
const freeText = (of: Sender, to: string) =>
  of.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "Hi" } } });
const contactBy = async (of: Sender, phone: string) =>
  (await of.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data[0];

describe("a call of a person", () => {
  it("is an event of the caller, opens the window, makes a contact of a stranger, and keeps nothing of the line", async () => {
    const seen = await events(mine);
    await tell(mine, callOf("15557500001", "wacid.1"));
    await taken(mine, "wacid.1");
    const contact = await contactBy(mine, "+15557500001");
    expect(contact).toMatchObject({
      profile_name: "Ana",
      windows: [{ phone_number_id: mine.phoneNumberId, open: true }],
    });
    await expect
      .poll(() => seen().filter(({ kind }) => kind === "call" || kind === "contact_created"), REPORTED_PATIENCE)
      .toHaveLength(2);
    expect(seen().find(({ kind }) => kind === "call")).toMatchObject({
      category: "inbound_message",
      data: {
        call: { id: "wacid.1", event: "connect", direction: "USER_INITIATED", phone_number_id: mine.phoneNumberId },
        contact: { id: contact.id },
      },
    });
    expect(seen().find(({ kind }) => kind === "contact_created")).toMatchObject({ data: { source: "call" } });
    expect((await freeText(mine, "+15557500001")).status).toBe(202);
    const [row] = await callsOf(mine, "wacid.1");
    expect(JSON.stringify(row)).not.toMatch(/secret|Ana|15557500001/);
    expect(await theirs.rows("select 1 from event where kind = 'call'")).toEqual([]);
  });

  it("that comes twice, and whose end comes first, is two events in all, and its window is from when it was made", async () => {
    const end = {
      event: "terminate",
      status: "COMPLETED",
      start_time: String(now() - 3_600),
      end_time: String(now() - 3_500),
      timestamp: String(now() - 3_500),
      duration: 100,
    };
    const began = { timestamp: String(now() - 3_610) };
    for (const said of [end, began, began, end]) await tell(mine, callOf("15557500002", "wacid.2", said));
    await taken(mine, "wacid.2", 2);
    const [first] = await callsOf(mine, "wacid.2");
    expect(first?.state.call).toMatchObject({ event: "terminate", status: "COMPLETED", duration: 100 });
    const { windows } = await contactBy(mine, "+15557500002");
    // A window is shown as closed a minute before it is.
    const left = Date.parse(windows[0].expires_at) / 1_000 - now();
    expect(left).toBeGreaterThan(86_400 - 3_600 - 120);
    expect(left).toBeLessThanOrEqual(86_400 - 3_600);
  });

  it("by a user id alone is of that person; without anybody it is set aside", async () => {
    const userId = "US.13490000000000007501";
    await tell(mine, callOf("", "wacid.3", { from: undefined }, { wa_id: undefined, user_id: userId }));
    await taken(mine, "wacid.3");
    const [row] = await callsOf(mine, "wacid.3");
    const [contact] = await mine.rows<{ user_id: string }>("select user_id from contact where id::text = $1", [
      row?.contact_id ?? null,
    ]);
    expect(contact?.user_id).toBe(userId);
    await tell(mine, { ...callOf("", "wacid.4", { from: undefined }), contacts: [] });
    const aside = async () =>
      (await gateway.operator("GET", "/admin/v1/quarantine?reason=call+without+person")).body.data.length;
    await expect.poll(aside, REPORTED_PATIENCE).toBe(1);
  });

  it("of somebody who was erased is returned without them, and its repetition brings nobody back", async () => {
    const seen = await events(mine);
    await tell(mine, callOf("15557500005", "wacid.5"));
    await taken(mine, "wacid.5");
    const { id } = await contactBy(mine, "+15557500005");
    await mine.call("DELETE", `/v1/contacts/${id}`);
    await tell(mine, callOf("15557500005", "wacid.5"));
    await expect.poll(() => gateway.app.db.sql.query("select from ingest"), REPORTED_PATIENCE).toEqual([]);
    expect(await contactBy(mine, "+15557500005")).toBeUndefined();
    await taken(mine, "wacid.5");
    await expect.poll(() => seen().some(({ kind }) => kind === "contact_deleted"), REPORTED_PATIENCE).toBe(true);
    const [row] = await callsOf(mine, "wacid.5");
    expect(JSON.stringify(row)).not.toMatch(/Ana|15557500005/);
  });

  it("of somebody who is erased while it stands ends without bringing them back; a new call does", async () => {
    const caller = "15557500007";
    await tell(mine, callOf(caller, "wacid.7"));
    await taken(mine, "wacid.7");
    gateway.clock.advance(5_000);
    const { id } = await contactBy(mine, `+${caller}`);
    await mine.call("DELETE", `/v1/contacts/${id}`);
    gateway.clock.advance(5_000);
    const ended = { event: "terminate", status: "COMPLETED" };
    await tell(mine, callOf(caller, "wacid.7", ended));
    const began = String(now() - 8);
    await tell(mine, callOf(caller, "wacid.7b", { ...ended, start_time: began, end_time: String(now()) }));
    await expect.poll(() => gateway.app.db.sql.query("select from ingest"), REPORTED_PATIENCE).toEqual([]);
    expect(await contactBy(mine, `+${caller}`)).toBeUndefined();
    expect([await callsOf(mine, "wacid.7"), await callsOf(mine, "wacid.7b")]).toEqual([[expect.anything()], []]);
    await tell(mine, callOf(caller, "wacid.8"));
    await taken(mine, "wacid.8");
    expect(await contactBy(mine, `+${caller}`)).toMatchObject({ windows: [{ open: true }] });
  });
});

it("a call of the business is of whom it called and opens no window; so is what becomes of it", async () => {
  const to = "15557500006";
  const byBusiness = { direction: "BUSINESS_INITIATED", from: mine.account.phone.slice(1), to };
  await tell(mine, callOf(to, "wacid.6", byBusiness));
  const statuses = [{ id: "wacid.6", type: "call", status: "RINGING", timestamp: String(now()), recipient_id: to }];
  const metadata = {
    display_phone_number: mine.account.phone.slice(1),
    phone_number_id: mine.account.providerPhoneNumberId,
  };
  const callback = {
    object: "whatsapp_business_account",
    entry: [
      {
        id: mine.account.wabaId,
        changes: [{ field: "calls", value: { messaging_product: "whatsapp", metadata, statuses } }],
      },
    ],
  };
  expect((await postCallback(gateway, callback)).status).toBe(200);
  await taken(mine, "wacid.6", 2);
  const contact = await contactBy(mine, `+${to}`);
  expect(contact.windows).toEqual([]);
  expect((await callsOf(mine, "wacid.6")).map(({ state }) => state.call["status"] ?? state.call["event"])).toEqual([
    "connect",
    "RINGING",
  ]);
  expect(await engine.rows("select 1 from parked_status")).toEqual([]);
});
