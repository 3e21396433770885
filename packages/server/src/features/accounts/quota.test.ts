import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { reconcileDue } from "./reconcile.ts";
import { openTestProvider, type TestProvider } from "./testing/test-provider.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let gateway: Gateway;
let provider: TestProvider;
beforeAll(async () => {
  let behind = "";
  provider = await openTestProvider(() => behind);
  gateway = await startGateway({ API_RATE_LIMIT: "off", PROVIDER_BASE_URL: provider.url });
  behind = gateway.simulator.url;
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(() => {
  provider.become("well");
  gateway.simulator.setSettings({ managementCallsPerHour: null });
});

const calls = (of: Sender, operation: string): number =>
  gateway.simulator.stats().management_calls[of.account.wabaId]?.[operation] ?? 0;
const profile = (of: Sender) => of.call("GET", `/v1/phone-numbers/${of.phoneNumberId}/profile`);
/** The account's tasks that wait: their kinds, and in how many minutes they are due. */
const waiting = async (of: Sender): Promise<[string, number][]> => {
  const rows = await of.rows<{ kind: string; due: Date }>(
    "select j.kind, t.due from task t join job j on j.id = t.job_id where t.due > $1 order by j.id",
    [new Date(gateway.clock.now())],
  );
  return rows.map(({ kind, due }) => [kind, (due.getTime() - gateway.clock.now()) / MINUTE_MS]);
};
/** Something has changed, says the provider, and one is to look what. */
const alert = (of: Sender): void => {
  gateway.simulator.accountEvent({ waba_id: of.account.wabaId, event: "ACCOUNT_VIOLATION" });
};

describe("work that no person waits for", () => {
  it("stops at three quarters of the account's quota, leaves the rest to people, and goes on by itself", async () => {
    const [mine, theirs] = [await gateway.sender(), await gateway.sender()];
    // Four calls of the connection; with two more, six of eight are used.
    gateway.simulator.setSettings({ managementCallsPerHour: 8 });
    for (let n = 0; n < 2; n++) expect((await profile(mine)).status).toBe(200);
    const before = calls(mine, "get_account");
    alert(mine);
    await expect.poll(() => waiting(mine), PATIENCE).toMatchObject([["account.check", expect.any(Number)]]);
    const [[, minutes] = ["", 0]] = await waiting(mine);
    expect(minutes).toBeGreaterThan(3);
    expect(minutes).toBeLessThanOrEqual(6);
    expect(calls(mine, "get_account")).toBe(before);
    // The other account has used half of its own.
    alert(theirs);
    await expect.poll(() => calls(theirs, "get_account"), PATIENCE).toBe(2);

    expect((await profile(mine)).status).toBe(200);
    expect((await profile(mine)).status).toBe(200);
    expect((await profile(mine)).status).toBe(429);
    gateway.clock.advance(HOUR_MS + 15 * MINUTE_MS);
    await expect.poll(() => calls(mine, "get_account"), PATIENCE).toBe(before + 1);
    await expect.poll(() => mine.rows("select from task"), PATIENCE).toEqual([]);
    expect((await mine.call("GET", "/v1/business-accounts")).body.data[0].status).toBe("connected");
  });

  it("concludes nothing from a refusal for the quota: account, numbers and templates stay as they were", async () => {
    const mine = await gateway.sender();
    gateway.clock.advance(7 * HOUR_MS);
    // Less than the check needs: it is refused with 80007 on its way.
    gateway.simulator.setSettings({ managementCallsPerHour: 1 });
    await reconcileDue(gateway.app);
    await expect.poll(() => waiting(mine), PATIENCE).toMatchObject([["account.reconcile", expect.any(Number)]]);
    expect((await mine.call("GET", "/v1/business-accounts")).body.data[0]).toMatchObject({
      status: "connected",
      status_reason: null,
      phone_numbers: [{ status: "connected" }],
    });
    expect((await mine.call("GET", "/v1/templates?status=approved")).body.data).toHaveLength(3);
    expect(await mine.rows("select from event")).toEqual([]);
    // The provider says when: it is not asked in vain until then.
    const asked = calls(mine, "list_phone_numbers");
    gateway.clock.advance(30 * MINUTE_MS);
    expect(calls(mine, "list_phone_numbers")).toBe(asked);
    gateway.simulator.setSettings({ managementCallsPerHour: null });
    gateway.clock.advance(HOUR_MS);
    await expect.poll(() => mine.rows("select from task"), PATIENCE).toEqual([]);
    expect(await mine.rows("select status from job where kind = 'account.reconcile'")).toEqual([{ status: "done" }]);
  });

  it("has one waiting task of each kind for an account, however often it is asked for", async () => {
    const mine = await gateway.sender();
    gateway.simulator.setSettings({ managementCallsPerHour: 4 });
    for (let n = 0; n < 5; n++) {
      alert(mine);
      gateway.clock.advance(1_500);
      await expect.poll(() => gateway.simulator.stats().callbacks_pending, PATIENCE).toBe(0);
    }
    await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
    await expect.poll(() => waiting(mine).then((all) => all.length), PATIENCE).toBeGreaterThan(0);
    // One that was worked when the provider spoke again asks for another, which joins it once both wait.
    await expect.poll(() => mine.rows("select from task"), PATIENCE).toHaveLength(1);
  });
});

it("a connection at the end of the quota goes on when there is room again", async () => {
  const mine = await gateway.sender();
  gateway.simulator.setSettings({ managementCallsPerHour: 4 });
  const body = { provider_account_id: mine.account.wabaId, access_token: mine.account.token };
  const asking = mine.call("POST", "/v1/business-accounts", { body });
  await expect.poll(() => waiting(mine), PATIENCE).toMatchObject([["account.connect", expect.any(Number)]]);
  gateway.clock.advance(11_000); // an answer comes within ten seconds
  const answer = await asking;
  expect([answer.status, answer.body.status]).toEqual([202, "connected"]);
  gateway.simulator.setSettings({ managementCallsPerHour: null });
  gateway.clock.advance(HOUR_MS + 15 * MINUTE_MS);
  await expect.poll(() => mine.rows("select from task"), PATIENCE).toEqual([]);
  expect(await mine.rows("select pending_token from business_account")).toEqual([{ pending_token: null }]);
});

it("a workspace that names another's account with a token of its own uses up nothing of it", async () => {
  const [mine, stranger] = [await gateway.sender(), await gateway.workspace()];
  // The provider refuses this token for the limit of its calls, whatever it is used for.
  provider.become(4, ["EAAOFASTRANGER"]);
  const body = { provider_account_id: mine.account.wabaId, access_token: "EAAOFASTRANGER" };
  const connecting = stranger.call("POST", "/v1/business-accounts", { body });
  await expect
    .poll(() => stranger.rows("select from task where due > $1", [new Date(gateway.clock.now())]), PATIENCE)
    .toHaveLength(1);
  expect((await profile(mine)).status).toBe(200);
  const before = calls(mine, "get_account");
  alert(mine);
  await expect.poll(() => calls(mine, "get_account"), PATIENCE).toBe(before + 1);
  gateway.clock.advance(11_000); // an answer comes within ten seconds
  expect((await connecting).body.status).toBe("connecting");
  // Its own task waits, and goes on asking in vain.
  gateway.clock.advance(6 * MINUTE_MS);
  await expect.poll(() => stranger.rows("select from task where attempt > 1"), PATIENCE).toHaveLength(1);
  expect((await profile(mine)).status).toBe(200);
});
