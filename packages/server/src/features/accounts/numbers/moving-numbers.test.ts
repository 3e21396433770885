import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, statusOf, textFrom } from "../../../testing/callback.ts";
import { type Gateway, type Sender, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { connectAccount } from "../../../testing/workspace.ts";
import { reconcileDue } from "../reconcile.ts";
import { numberEventData } from "../render.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const HOUR_MS = 3_600_000;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(() => gateway.stop());

type NumberView = {
  id: string;
  provider_phone_number_id: string;
  is_default: boolean;
  status: string;
  phone: string;
  verified_name: string;
};
const numbers = async (of: Workspace): Promise<NumberView[]> => (await of.call("GET", "/v1/phone-numbers")).body.data;
const accountOf = async (of: Sender): Promise<{ id: string; status: string; phone_numbers: NumberView[] }> => {
  const { data } = (await of.call("GET", "/v1/business-accounts")).body;
  return data.find((one: { provider_account_id: string }) => one.provider_account_id === of.account.wabaId);
};
const disconnect = async (of: Sender) =>
  expect((await of.call("DELETE", `/v1/business-accounts/${(await accountOf(of)).id}`)).status).toBe(204);
type AtProvider = { id: string; display_phone_number: string; verified_name?: string };
const atProvider = (one: NumberView): AtProvider => ({
  id: one.provider_phone_number_id,
  display_phone_number: one.phone,
  verified_name: one.verified_name,
});
const number = (of: Sender, verified_name = NAME): AtProvider => ({
  id: of.account.providerPhoneNumberId,
  display_phone_number: of.account.phone,
  verified_name,
});
const NAME = "Shop";
const ORDER_READY = {
  name: "order_ready",
  language: "en_US",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Your order is ready." }],
};
/** The account at the provider has these numbers now, and says nothing of it. */
const become = (of: Sender, phone_numbers: AtProvider[], token = of.account.token) =>
  gateway.simulator.addAccount({
    waba_id: of.account.wabaId,
    name: "Shop",
    business_id: `7${of.account.wabaId}`,
    token,
    phone_numbers,
    templates: [ORDER_READY],
    subscribed: true,
  });
/** The periodic check of all accounts, done in these workspaces. */
async function checked(...all: Workspace[]): Promise<void> {
  gateway.clock.advance(7 * HOUR_MS);
  await reconcileDue(gateway.app);
  for (const of of all)
    await expect
      .poll(() => of.rows("select from task where due <= $1", [new Date(gateway.clock.now())]), PATIENCE)
      .toEqual([]);
}
const changes = async (of: Workspace) =>
  (
    await of.rows<{ state: unknown }>("select state from event where kind = 'phone_number_changed' order by sequence")
  ).map(({ state }) => {
    const { phone_number, changed } = numberEventData(state);
    return [phone_number.phone, phone_number.status, changed];
  });

describe("a connection", () => {
  it("with a new token sends what has waited for it", async () => {
    const mine = await gateway.sender();
    gateway.clock.advance(61_000);
    gateway.simulator.setTokenDeath(mine.account.wabaId, 463);
    const { id } = (await mine.send("+15551230001")).body;
    await expect.poll(async () => (await accountOf(mine)).status, PATIENCE).toBe("disconnected");
    // Its lane tries it once before it is closed.
    await mine.becomes(id, "queued");
    become(mine, [number(mine)], "EAANEWTOKEN1");
    const body = { provider_account_id: mine.account.wabaId, access_token: "EAANEWTOKEN1" };
    expect((await mine.call("POST", "/v1/business-accounts", { body })).status).toBe(201);
    gateway.clock.advance(15_000);
    await mine.becomes(id, "accepted");
    expect(gateway.simulator.sent({ to: "+15551230001" }).data.filter(({ accepted }) => accepted)).toHaveLength(1);
  });

  it("that was ended and made again keeps the ids of account and numbers, the default and the note", async () => {
    const mine = await gateway.sender({ numbers: 2 });
    const before = { account: (await accountOf(mine)).id, numbers: await numbers(mine) };
    const chosen = before.numbers[0]!;
    const change = { is_default: true, description: "Support" };
    await mine.call("PATCH", `/v1/phone-numbers/${chosen.id}`, { body: change });
    await disconnect(mine);
    await connectAccount(mine.call, mine.account);
    const after = await numbers(mine);
    expect((await accountOf(mine)).id).toBe(before.account);
    expect(after.map(({ id }) => id)).toEqual(before.numbers.map(({ id }) => id));
    expect(after.find(({ id }) => id === chosen.id)).toMatchObject(change);
    const { id } = (await mine.send("+15551230002")).body;
    await mine.becomes(id, "accepted");
    expect(await changes(mine)).toEqual([]);
  });
});

describe("the default number", () => {
  it("is never another one by itself: sends without `from` say what to do", async () => {
    const mine = await gateway.sender();
    const second = await gateway.connect(mine);
    await disconnect(mine);
    const refused = await second.send("+15551230003");
    expect([refused.status, refused.body.code]).toEqual([422, "sender_unavailable"]);
    expect(refused.body.detail).toContain("The default phone number");
    expect(refused.body.detail).toContain("its account is disconnected");
    expect(refused.body.detail).toContain("PATCH /v1/phone-numbers/{id}");
    // With `from`, and once another is the default, they go out.
    expect((await second.send("+15551230003", { from: second.phoneNumberId })).status).toBe(202);
    await second.call("PATCH", `/v1/phone-numbers/${second.phoneNumberId}`, { body: { is_default: true } });
    expect((await second.send("+15551230004")).status).toBe(202);
    // Who was written to from the number that is gone is not written to from another one by itself.
    const chosen = await second.send("+15551230005", { from: mine.phoneNumberId });
    expect(chosen.body.detail).toContain(`${mine.account.phone} cannot send now`);
  });

  it("that the provider no longer has is said to be so", async () => {
    const mine = await gateway.sender({ numbers: 2 });
    const [other] = (await numbers(mine)).filter(({ is_default }) => !is_default);
    become(mine, [atProvider(other!)]);
    await checked(mine);
    const refused = await mine.send("+15551230006");
    expect([refused.status, refused.body.code]).toEqual([422, "sender_unavailable"]);
    expect(refused.body.detail).toContain("because the number is disconnected");
    expect((await mine.send("+15551230006", { from: other!.id })).status).toBe(202);
  });
});

describe("a number", () => {
  it("that leaves and comes back is the same, with an event for each", async () => {
    const mine = await gateway.sender({ numbers: 2 });
    const both = (await numbers(mine)).map(atProvider);
    const gone = (await numbers(mine)).find(({ id }) => id !== mine.phoneNumberId)!;
    become(
      mine,
      both.filter(({ id }) => id !== gone.provider_phone_number_id),
    );
    await checked(mine);
    await checked(mine);
    become(mine, both);
    await checked(mine);
    expect(await changes(mine)).toEqual([
      [gone.phone, "disconnected", ["status"]],
      [gone.phone, "connected", ["status"]],
    ]);
    expect((await numbers(mine)).find(({ phone }) => phone === gone.phone)?.id).toBe(gone.id);
    const { id } = (await mine.send("+15551230007", { from: gone.id })).body;
    await mine.becomes(id, "accepted");
  });

  it("that is set up again under a new id is what `from` means by its digits, and the old one where that comes back", async () => {
    const mine = await gateway.sender();
    const { phone } = mine.account;
    const sentFrom = async (to: string): Promise<string> => {
      const { status, body } = await mine.send(to, { from: phone });
      expect(status).toBe(202);
      await mine.becomes(body.id, "accepted");
      return body.phone_number_id;
    };
    become(mine, [{ ...number(mine), id: `${mine.account.providerPhoneNumberId}9` }]);
    await checked(mine);
    const second = (await numbers(mine)).find(({ status }) => status === "connected");
    expect(second?.id).not.toBe(mine.phoneNumberId);
    expect(await sentFrom("+15551230010")).toBe(second?.id);
    become(mine, [number(mine)]);
    await checked(mine);
    expect(await sentFrom("+15551230011")).toBe(mine.phoneNumberId);
    become(mine, []);
    await checked(mine);
    const refused = await mine.send("+15551230012", { from: phone });
    expect([refused.status, refused.body.code]).toEqual([422, "sender_unavailable"]);
  });

  it("that moves to another account of the workspace keeps its id, and sends with the other's token", async () => {
    const mine = await gateway.sender();
    const second = await gateway.connect(mine);
    become(mine, []);
    become(second, [number(second), number(mine)]);
    await checked(mine);
    const moved = (await numbers(mine)).find(({ id }) => id === mine.phoneNumberId);
    expect(moved).toMatchObject({ status: "connected", business_account_id: (await accountOf(second)).id });
    expect((await accountOf(mine)).phone_numbers).toEqual([]);
    const { id } = (await mine.send("+15551230008", { from: mine.phoneNumberId })).body;
    await mine.becomes(id, "accepted");
    // A late callback of it is still its workspace's.
    await mine.inbound("+15551230008");
  });

  it("that moves to an account of another workspace belongs to that once the first has noticed, and holds back nothing else", async () => {
    const [mine, theirs] = [await gateway.sender(), await gateway.sender()];
    become(mine, []);
    become(theirs, [number(theirs, "Another name"), number(mine)]);
    // The account that took the number in may be the first that is looked at: its own number is up to date all the same.
    await checked(mine, theirs);
    expect((await numbers(mine)).map(({ status }) => status)).toEqual(["disconnected"]);
    expect(await changes(theirs)).toEqual([[theirs.account.phone, "connected", ["name"]]]);
    await checked(mine, theirs);
    expect((await numbers(theirs)).map(({ phone }) => phone).toSorted()).toEqual(
      [mine.account.phone, theirs.account.phone].toSorted(),
    );
    // Callbacks of the number are its new workspace's.
    const written = gateway.simulator.inbound({
      phone_number_id: mine.account.providerPhoneNumberId,
      from: "+15551230009",
      text: "Hello",
    });
    const inbound = async (of: Workspace) =>
      (await of.call("GET", "/v1/messages?direction=inbound&limit=100")).body.data.map(
        (one: { provider_message_id: string }) => one.provider_message_id,
      );
    await expect.poll(() => inbound(theirs), PATIENCE).toEqual([written.id]);
    expect(await inbound(mine)).toEqual([]);
    expect(await changes(mine)).toEqual([[mine.account.phone, "disconnected", ["status"]]]);
  });
});

describe("a number that another workspace connects", () => {
  const inbox = async (of: Workspace): Promise<string[]> =>
    (await of.call("GET", "/v1/messages?direction=inbound&limit=100")).body.data.map(
      (message: { text: { body: string } }) => message.text.body,
    );
  const from = (of: Sender, ...texts: string[]): object =>
    callbackOf(of.account, ...texts.map((text) => textFrom("15558880001", `wamid.${text}`, text, gateway.clock.now())));
  const said = async (payload: object): Promise<void> =>
    expect((await postCallback(gateway, payload)).status).toBe(200);

  // The former owner was asked for a moment ago, by both ways of a callback.
  it.each([
    ["at once", 1],
    ["through the queue", 51],
  ])("brings nobody else what it reports from then on, %s", async (_way, changes) => {
    const former = await gateway.sender();
    const next = await gateway.workspace();
    await said(from(former, "before"));
    await expect.poll(() => inbox(former), PATIENCE).toEqual(["before"]);
    await disconnect(former);
    await connectAccount(next.call, former.account);
    const texts = Array.from({ length: changes }, (_, n) => `for the next owner alone ${n}`);
    await said(from(former, ...texts));
    await expect.poll(async () => (await inbox(next)).length, PATIENCE).toBe(changes);
    const template = { name: "order_ready", language: { code: "en_US" } };
    const sent = await next.call("POST", "/v1/messages", { body: { to: "+15558880002", type: "template", template } });
    const message = async () => (await next.call("GET", `/v1/messages/${sent.body.id}`)).body;
    await expect.poll(async () => (await message()).status, PATIENCE).toBe("accepted");
    const { provider_message_id } = await message();
    await said(callbackOf(former.account, statusOf(provider_message_id, "delivered", gateway.clock.now())));
    await expect.poll(async () => (await message()).status, PATIENCE).toBe("delivered");
    expect(await inbox(former)).toEqual(["before"]);
    expect(await former.rows("select from contact where phone = '+15558880002'")).toEqual([]);
  });
});
