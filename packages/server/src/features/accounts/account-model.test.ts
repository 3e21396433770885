import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";

const PATIENCE = { timeout: 30_000, interval: 15 };
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const account = async (of: Sender = mine) => (await of.call("GET", "/v1/business-accounts")).body.data[0];
const set = async (id: unknown, of: Sender = mine) =>
  of.call("PATCH", `/v1/business-accounts/${(await account(of)).id}`, { body: { messaging_account_id: id } });
/** The Messaging account that each attempt of the message has named. */
const named = (to: string) =>
  gateway.simulator
    .sent()
    .data.filter(({ request }) => (request as { to?: string } | null)?.to === to)
    .map(({ request }) => (request as { messaging_account_id?: string }).messaging_account_id);

describe("the Messaging account of an account", () => {
  it("is set, shown, audited, named in sends from then on, and cleared", async () => {
    expect(await account()).toMatchObject({ messaging_account_id: null, waac_id: null });
    const sent = async (to: string) => mine.becomes((await mine.send(to)).body.id, "accepted");
    await sent("+15551231001");
    expect(await set("900177")).toMatchObject({ status: 200, body: { messaging_account_id: "900177" } });
    await sent("+15551231002");
    expect((await set("900178")).status).toBe(200);
    await sent("+15551231003");
    expect(
      (await mine.call("PATCH", `/v1/business-accounts/${(await account()).id}`, { body: {} })).body,
    ).toMatchObject({
      messaging_account_id: "900178",
    });
    expect((await set(null)).body.messaging_account_id).toBeNull();
    await sent("+15551231004");
    const all = ["+15551231001", "+15551231002", "+15551231003", "+15551231004"].map(named);
    expect(all).toEqual([[undefined], ["900177"], ["900178"], [undefined]]);
    const changes = await mine.rows("select changes from audit where action = 'business_account.update' order by id");
    expect(changes).toMatchObject([
      { changes: { messaging_account_id: { before: null, after: "900177" } } },
      { changes: { messaging_account_id: { before: "900177", after: "900178" } } },
      {},
      { changes: { messaging_account_id: { before: "900178", after: null } } },
    ]);
  });

  it("is the one at dispatch, for what waited and for a try that is repeated", async () => {
    gateway.simulator.addFault({ kind: "refuse", code: 131016, recipient: "15551231005" });
    const { id } = (await mine.send("+15551231005")).body;
    await expect.poll(() => named("+15551231005"), PATIENCE).toHaveLength(1);
    const later = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const scheduled = (await mine.send("+15551231006", { send_at: later })).body.id;
    await set("900179");
    // A change is remembered for 30 s, in which each lane reads its settings again: an hour at once would be ahead of that.
    gateway.clock.advance(25_000);
    await mine.becomes(id, "accepted");
    gateway.clock.advance(3_576_000);
    await mine.becomes(scheduled, "accepted");
    expect([named("+15551231005"), named("+15551231006")]).toEqual([[undefined, "900179"], ["900179"]]);
    const { id: other } = (await theirs.send("+15551231007")).body;
    await theirs.becomes(other, "accepted");
    expect(named("+15551231007")).toEqual([undefined]);
    await set(null);
  });

  it.each([["acc_1"], ["12a"], [""], ["1".repeat(33)], [12], [{}], ["+15551230001"]])("is no %j", async (odd) => {
    const refused = await set(odd);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, "/messaging_account_id"]);
  });

  it("is of its workspace alone", async () => {
    const path = `/v1/business-accounts/${(await account()).id}`;
    expect((await theirs.call("PATCH", path, { body: { messaging_account_id: "1" } })).status).toBe(404);
    expect((await mine.call("PATCH", path, { body: { name: "x" } })).status).toBe(400);
    expect((await account()).messaging_account_id).toBeNull();
  });
});

describe("the WhatsApp account that callbacks name", () => {
  const post = async (payload: object) => expect((await postCallback(gateway, payload)).status).toBe(200);
  const shown = async (of: Sender = mine) => (await account(of)).waac_id;
  const text = (id: string, more: object) => {
    const { entry } = callbackOf(mine.account, textFrom("15551231009", id, "Hi", gateway.clock.now())) as {
      entry: { changes: { value: { metadata: object } }[] }[];
    };
    Object.assign(entry[0]!.changes[0]!.value.metadata, more);
    return { object: "whatsapp_business_account", entry };
  };

  it("is kept wherever it stands, and takes nothing from the callback", async () => {
    await post(text("wamid.waac.1", { waac_id: "880001" }));
    await expect.poll(shown, PATIENCE).toBe("880001");
    const value = { waac_id: 880002, ...statusOf("wamid.unknown", "delivered", gateway.clock.now()) };
    await post(callbackOf(mine.account, value));
    await expect.poll(shown, PATIENCE).toBe("880002");
    const change = { field: "account_update", value: { event: "ACCOUNT_VIOLATION", waba_info: { waac_id: "880003" } } };
    const entry = [{ id: mine.account.wabaId, changes: [change] }];
    await post({ object: "whatsapp_business_account", entry });
    await expect.poll(shown, PATIENCE).toBe("880003");
    const { data } = (await mine.call("GET", "/v1/messages?direction=inbound")).body;
    expect(data.map((one: { provider_message_id: string }) => one.provider_message_id)).toEqual(["wamid.waac.1"]);
    expect(await shown(theirs)).toBeNull();
    expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toEqual([]);
  });

  it("is learnt from what the simulator reports of a number that has one, each number its own account's", async () => {
    const number = { phone_number_id: mine.account.providerPhoneNumberId };
    gateway.simulator.setNumber(number.phone_number_id, { waac_id: "880004" });
    // Known of an hour.
    gateway.clock.advance(3_601_000);
    await mine.inbound("15551231010");
    await expect.poll(shown, PATIENCE).toBe("880004");
    gateway.simulator.setNumber(number.phone_number_id, { waac_id: null });
    await mine.inbound("15551231011");
    expect([await shown(), await shown(theirs)]).toEqual(["880004", null]);
  });

  it.each([[null], [""], ["not an id"], [{}], ["1".repeat(40)]])("is not learnt from %j", async (odd) => {
    const before = await shown();
    await post(text(`wamid.waac.${JSON.stringify(odd)}`, { waac_id: odd }));
    await post(callbackOf(mine.account, { waac_id: odd, user_actions: [] }));
    expect(await shown()).toBe(before);
    expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toEqual([]);
  });
});
