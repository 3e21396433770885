import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postCallback } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { accountEventData } from "./render.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const MINUTE_MS = 60_000;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(() => gateway.stop());

const seconds = (): number => Math.floor(gateway.clock.now() / 1_000);
async function said(of: Sender, event: string, more: object = {}, time = seconds()): Promise<void> {
  const info = event.startsWith("PARTNER_") ? { waba_info: { waba_id: of.account.wabaId } } : {};
  const changes = [{ field: "account_update", value: { event, ...info, ...more } }];
  const entry = [{ id: of.account.wabaId, time, changes }];
  expect((await postCallback(gateway, { object: "whatsapp_business_account", entry })).status).toBe(200);
  const due = new Date(gateway.clock.now());
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
  await expect.poll(() => of.rows("select from task where due <= $1", [due]), PATIENCE).toEqual([]);
}
async function events(of: Sender): Promise<Record<string, unknown>[]> {
  const rows = await of.rows<{ kind: string; state: unknown }>(
    "select kind, state from event where state->'business_account' is not null order by sequence",
  );
  return rows.map(({ kind, state }) => ({ kind, ...accountEventData(state) }));
}
const sentTo = (to: string) =>
  gateway.simulator.sent().data.filter(({ request }) => (request as { to?: string } | null)?.to === to).length;
const status = async (of: Sender) => (await of.call("GET", "/v1/business-accounts")).body.data[0].status;
/** Lets the settings of lanes be read again. */
async function passes(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5_000) gateway.clock.advance(Math.min(left, 5_000));
  await new Promise((resolve) => setImmediate(resolve));
}

describe("an account that is registered again in the WhatsApp Business app", () => {
  it("stays connected, its messages are accepted and wait, and go out when it is back", async () => {
    const mine = await gateway.sender();
    await said(mine, "ACCOUNT_OFFBOARDED");
    await passes(5_000);
    const { status: answer, body } = await mine.send("+15551232001");
    expect([answer, await status(mine)]).toEqual([202, "connected"]);
    await passes(2 * MINUTE_MS);
    expect([(await mine.call("GET", `/v1/messages/${body.id}`)).body.status, sentTo("+15551232001")]).toEqual([
      "queued",
      0,
    ]);
    await said(mine, "ACCOUNT_RECONNECTED");
    await passes(5_000);
    await mine.becomes(body.id, "accepted");
    expect((await events(mine)).map((one) => one["provider_event"])).toEqual([
      "ACCOUNT_OFFBOARDED",
      "ACCOUNT_RECONNECTED",
    ]);
  });

  it("goes on by itself where the provider never says that it is back, and when that was said before", async () => {
    const [mine, other] = [await gateway.sender(), await gateway.sender()];
    await said(mine, "ACCOUNT_OFFBOARDED");
    const back = seconds() + 1;
    await said(other, "ACCOUNT_RECONNECTED", {}, back);
    for (const at of [back - 60, back - 60, back]) await said(other, "ACCOUNT_OFFBOARDED", {}, at);
    await passes(5_000);
    const { id } = (await mine.send("+15551232002")).body;
    await other.becomes((await other.send("+15551232003")).body.id, "accepted");
    await passes(5 * MINUTE_MS);
    expect(sentTo("+15551232002")).toBe(0);
    await passes(11 * MINUTE_MS);
    await mine.becomes(id, "accepted");
  });

  it("is only the number that is named, and an old callback pauses nothing", async () => {
    // Two senders: the lane of a number that has sent may send for a moment more with the settings that it knows.
    const [mine, other] = [await gateway.sender(), await gateway.sender()];
    await said(other, "ACCOUNT_OFFBOARDED", { phone_number: "15550009999" });
    await said(other, "ACCOUNT_OFFBOARDED", {}, seconds() - 3_600);
    await passes(5_000);
    await other.becomes((await other.send("+15551232004")).body.id, "accepted");
    await said(mine, "ACCOUNT_OFFBOARDED", { phone_number: mine.account.phone.slice(1) });
    await passes(5_000);
    const { id } = (await mine.send("+15551232005")).body;
    await passes(MINUTE_MS);
    await mine.becomes(id, "queued");
    expect(sentTo("+15551232005")).toBe(0);
  });
});

it("says who ended a connection, and why", async () => {
  const mine = await gateway.sender();
  const disconnection_info = { reason: "ACCOUNT_DISCONNECTED", initiated_by: "USER" };
  await said(mine, "PARTNER_REMOVED", { disconnection_info });
  const detail = expect.objectContaining({ disconnection_info });
  expect(await events(mine)).toEqual([
    expect.objectContaining({ kind: "signup_revoked", provider_event: "PARTNER_REMOVED", detail }),
  ]);
});

it("reports a change of a tier once, and again for an earlier time, whatever is said in between", async () => {
  const [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  const change = { pricing_category: "UTILITY", tier: "1:2", effective_month: "2026-11", region: "India" };
  const tier = (tier_update_time: unknown, more: object = {}) =>
    said(mine, "VOLUME_BASED_PRICING_TIER_UPDATE", { volume_tier_info: { ...change, tier_update_time, ...more } });
  for (const time of [1_790_000_500, 1_790_000_500, 1_790_000_900, 1_790_000_100, "1790000100", 1_790_000_500]) {
    await tier(time);
    gateway.clock.advance(2_000);
  }
  await tier(1_790_000_500, { tier: "2:3" });
  const times = (await events(mine)).map((one) => (one["detail"] as { volume_tier_info: object }).volume_tier_info);
  expect(times).toEqual([
    { ...change, tier_update_time: 1_790_000_500 },
    { ...change, tier_update_time: 1_790_000_100 },
    { ...change, tier: "2:3", tier_update_time: 1_790_000_500 },
  ]);
  expect(await events(theirs)).toEqual([]);
});

describe("connecting with an id of another kind is refused with a sentence that says so", () => {
  it.each([
    ["a phone number", (of: Sender) => of.account.providerPhoneNumberId],
    ["a message template", (of: Sender) => of.account.templates["order_ready"]!],
    ["an app", () => "42"],
    ["a business portfolio", () => "7777"],
  ])("%s", async (kind, idOf) => {
    const of = await gateway.sender();
    const bare = await gateway.workspace();
    const body = { provider_account_id: idOf(of), access_token: of.account.token };
    const refused = await bare.call("POST", "/v1/business-accounts", { body });
    expect([refused.status, refused.body.code]).toEqual([422, "provider_rejected"]);
    expect(refused.body.detail).toContain(`provider_account_id is the id of ${kind}, and not that of a WhatsApp`);
    expect(refused.body.provider.code).toBe(100);
    expect(await bare.rows("select from business_account")).toEqual([]);
  });

  it("something unknown", async () => {
    const of = await gateway.sender();
    const bare = await gateway.workspace();
    const body = { provider_account_id: "990099", access_token: of.account.token };
    const refused = await bare.call("POST", "/v1/business-accounts", { body });
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      expect.stringContaining("reaches no WhatsApp Business Account with the id in provider_account_id"),
    ]);
  });
});
