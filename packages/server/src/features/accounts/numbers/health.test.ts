import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { person } from "../../messages/testing/senders.ts";
import { openTestProvider, type TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  let behind = "";
  provider = await openTestProvider(() => behind);
  gateway = await startGateway(
    { PROVIDER_BASE_URL: provider.url, API_RATE_LIMIT: "off" },
    { providerTimeoutMs: 1_000 },
  );
  behind = gateway.simulator.url;
});
beforeEach(async () => {
  provider.become("well");
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(async () => {
  provider.become("well");
  await gateway.stop();
  await provider.close();
});

type Check = { name: string; ok: boolean | null; detail: string; remedy: string | null; checked_at: string };
async function checksOf(of: Sender): Promise<Record<string, Check>> {
  const { status, body } = await of.call("GET", `/v1/phone-numbers/${of.phoneNumberId}/health`);
  expect([status, body.phone_number_id]).toEqual([200, of.phoneNumberId]);
  return Object.fromEntries(body.checks.map((check: Check) => [check.name, check]));
}
const oks = (checks: Record<string, Check>) =>
  Object.fromEntries(Object.entries(checks).map(([name, { ok }]) => [name, ok]));

/** Of a number that has sent nothing yet, in the simulator's usual state. */
const FRESH = {
  token: true,
  access: true,
  subscribed: true,
  callback_seen: null,
  registered: true,
  quality: true,
  throughput: true,
  limit: true,
};
const askedOf = ({ account }: Sender) => provider.asked.filter((path) => path.startsWith(`/${account.wabaId}`)).length;

describe("the health of a number", () => {
  it("is one check for each thing that it needs, and asks the provider once a minute", async () => {
    const before = askedOf(mine);
    const checks = await checksOf(mine);
    expect(oks(checks)).toEqual(FRESH);
    expect(Object.keys(checks)).toEqual(Object.keys(FRESH));
    const wellWithRemedy = Object.values(checks).filter(({ ok, remedy }) => ok === true && remedy !== null);
    expect(wellWithRemedy).toEqual([]);
    expect(askedOf(mine) - before).toBe(3);
    expect(await checksOf(mine)).toEqual({ ...checks, callback_seen: expect.anything(), limit: expect.anything() });
    expect(askedOf(mine) - before).toBe(3);
    gateway.clock.advance(60_000);
    await checksOf(mine);
    expect(askedOf(mine) - before).toBe(6);
  });

  it("shows the callbacks that came, and that they do not", async () => {
    await mine.inbound(person());
    expect((await checksOf(mine))["callback_seen"]).toMatchObject({
      ok: true,
      detail: expect.stringContaining("came at"),
    });
    gateway.simulator.setDelays({ statuses: false });
    const { id } = (await theirs.send(person())).body;
    await theirs.becomes(id, "accepted");
    expect((await checksOf(theirs))["callback_seen"]).toMatchObject({ ok: null });
    gateway.clock.advance(11 * 60_000);
    const silent = (await checksOf(theirs))["callback_seen"];
    expect(silent).toMatchObject({ ok: false, remedy: expect.stringContaining("/webhooks/receive") });
  });

  it("shows the number as the provider has it now", async () => {
    gateway.simulator.setNumber(mine.account.providerPhoneNumberId, { quality_rating: "RED" });
    const { quality } = await checksOf(mine);
    expect(quality).toMatchObject({ ok: false, detail: expect.stringContaining("red"), remedy: expect.any(String) });
    expect((await mine.call("GET", `/v1/phone-numbers/${mine.phoneNumberId}`)).body.quality).toBe("green");
  });

  it("says that the app is not subscribed", async () => {
    const { wabaId, token } = mine.account;
    const path = `${gateway.simulator.url}/v26.0/${wabaId}/subscribed_apps`;
    await fetch(path, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
    expect(oks(await checksOf(mine))).toEqual({ ...FRESH, subscribed: false });
  });

  it("shows a dead token, which disconnects the account as it does at a send, and nothing of others", async () => {
    gateway.clock.advance(120_000);
    gateway.simulator.setTokenDeath(mine.account.wabaId, 460);
    const checks = await checksOf(mine);
    expect(checks["token"]).toMatchObject({ ok: false, remedy: "Connect the account again." });
    expect(checks["access"]).toMatchObject({ ok: false });
    const account = async (of: Sender) => (await of.call("GET", "/v1/business-accounts")).body.data[0].status;
    await expect.poll(() => account(mine)).toBe("disconnected");
    expect(oks(await checksOf(mine))).toMatchObject({ token: false, access: false, subscribed: false });
    expect([await account(theirs), oks(await checksOf(theirs))]).toEqual(["connected", FRESH]);
  });

  it.each(["silent", "broken", "page", 2] as const)(
    "is not known while the provider is %s, and changes nothing",
    async (mood) => {
      provider.become(mood, [mine.account.token]);
      const checks = await checksOf(mine);
      expect(oks(checks)).toEqual({ ...FRESH, token: null, access: null, subscribed: null });
      expect(checks["token"]?.detail).toMatch(/^The provider could not be asked: ./);
      provider.become("well");
      expect(oks(await checksOf(mine))).toEqual(FRESH);
      expect((await mine.call("GET", "/v1/business-accounts")).body.data[0].status).toBe("connected");
    },
  );

  it("is of the caller's workspace alone, and an audited read", async () => {
    const path = `/v1/phone-numbers/${mine.phoneNumberId}/health`;
    expect((await theirs.call("GET", path)).status).toBe(404);
    await checksOf(mine);
    await gateway.audited();
    const rows = await mine.rows("select status, resource_id from audit where action = 'phone_number_health.read'");
    expect(rows).toEqual([{ status: 200, resource_id: mine.phoneNumberId }]);
  });
});
