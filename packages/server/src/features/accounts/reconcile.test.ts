import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, ORDER_READY, type Sender, startGateway, type Workspace } from "../../testing/gateway.ts";
import { reconcileDue } from "./reconcile.ts";
import { numberEventData } from "./render.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const HOUR_MS = 3_600_000;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(() => gateway.stop());

async function idle(of: Workspace): Promise<void> {
  await expect.poll(() => gateway.simulator.stats().callbacks_pending, PATIENCE).toBe(0);
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
  const due = () => of.rows("select from task where due <= $1", [new Date(gateway.clock.now())]);
  await expect.poll(due, PATIENCE).toEqual([]);
}
const jobs = (of: Workspace) => of.rows("select id from job where kind = 'account.reconcile'");
const events = (of: Workspace) =>
  of.rows<{ kind: string; state: Record<string, unknown> }>(
    "select kind, state from event where resource_id is not null order by sequence",
  );
const number = (of: Sender) => ({ id: of.account.providerPhoneNumberId, display_phone_number: of.account.phone });

/** The account at the provider with other contents; it says nothing of them. */
const become = (of: Sender, templates: object[], phone_numbers: object[] = [number(of)]): void => {
  const account = { waba_id: of.account.wabaId, name: "Shop", business_id: "70900", token: of.account.token };
  const changed = { ...account, templates, phone_numbers };
  gateway.simulator.addAccount(changed as Parameters<typeof gateway.simulator.addAccount>[0]);
};
const template = (name: string, status: string) => ({
  name,
  language: "en_US",
  category: "UTILITY",
  status,
  components: [{ type: "BODY", text: "Your order is ready." }],
});

it("finds what no callback has reported, every six hours, once however many processes look", async () => {
  const [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  become(
    mine,
    [template("order_ready", "PAUSED"), template("pending_notice", "APPROVED")],
    [{ ...number(mine), verified_name: "Another shop" }],
  );
  gateway.clock.advance(5 * HOUR_MS);
  await reconcileDue(gateway.app);
  expect(await jobs(mine)).toEqual([]);
  gateway.clock.advance(2 * HOUR_MS);
  await Promise.all([reconcileDue(gateway.app), reconcileDue(gateway.app), reconcileDue(gateway.app)]);
  expect([await jobs(mine), await jobs(theirs)].map(({ length }) => length)).toEqual([1, 1]);
  await idle(mine);
  const found = (await events(mine)).map(({ kind, state }) => [kind, (state["template"] as { name?: string })?.name]);
  expect(found.toSorted()).toEqual([
    ["approved", "pending_notice"],
    ["deleted", "order_update"],
    ["deleted", "paused_notice"],
    ["deleted", "promo_spring"],
    ["paused", "order_ready"],
    ["phone_number_changed", undefined],
  ]);
  const refused = await mine.send("+15551230001");
  expect([refused.status, refused.body.code]).toEqual([422, "template_not_approved"]);
  const sent = await mine.send("+15551230001", { template: { ...ORDER_READY, name: "pending_notice" } });
  expect(sent.status).toBe(202);
  await idle(theirs);
  expect(await events(theirs)).toEqual([]);

  // Nothing is new, so nothing is reported.
  const before = (await events(mine)).length;
  gateway.clock.advance(7 * HOUR_MS);
  await reconcileDue(gateway.app);
  expect(await jobs(mine)).toHaveLength(2);
  await idle(mine);
  expect(await events(mine)).toHaveLength(before);
});

it("reports a number that the provider no longer lists, and a new messaging limit of each number of the portfolio", async () => {
  const portfolio = { business_id: "70901", messaging_limit: "TIER_250" };
  const [mine, theirs] = [await gateway.sender({ ...portfolio, numbers: 2 }), await gateway.sender(portfolio)];
  const told = async (of: Workspace) =>
    (await events(of)).flatMap(({ kind, state }) => {
      if (kind !== "phone_number_changed") return []; // the templates are gone too
      const { phone_number, changed } = numberEventData(state);
      return [[phone_number.phone, phone_number.status, phone_number.messaging_limit?.limit, changed]];
    });
  gateway.simulator.setMessagingLimit(mine.account.wabaId, "TIER_2K");
  const second = mine.account.phone.replace("+1555999", "+1555998");
  const limit = (phone: string) => [phone, "connected", 2_000, ["limit"]];
  // Each workspace hears of it in a transaction of its own.
  await expect.poll(() => told(mine), PATIENCE).toEqual([limit(mine.account.phone), limit(second)]);
  await expect.poll(() => told(theirs), PATIENCE).toEqual([limit(theirs.account.phone)]);

  gateway.simulator.addAccount({
    waba_id: mine.account.wabaId,
    name: "Shop",
    token: mine.account.token,
    ...portfolio,
    messaging_limit: "TIER_2K",
    phone_numbers: [number(mine)],
  });
  gateway.clock.advance(7 * HOUR_MS);
  await reconcileDue(gateway.app);
  await idle(mine);
  const numbers = async () => (await told(mine)).slice(2).filter(([phone]) => phone === second);
  expect(await numbers()).toEqual([[second, "disconnected", null, ["status"]]]);
  // A number that has left the account shares its limit no longer.
  gateway.simulator.setMessagingLimit(mine.account.wabaId, "TIER_10K");
  await expect.poll(async () => (await told(theirs)).at(-1)?.[2], PATIENCE).toBe(10_000);
  await expect
    .poll(async () => (await told(mine)).at(-1), PATIENCE)
    .toEqual([mine.account.phone, "connected", 10_000, ["limit"]]);
  expect(await numbers()).toHaveLength(1);
});

it("concludes nothing while the provider is away, and is tried again", async () => {
  const mine = await gateway.sender();
  gateway.clock.advance(7 * HOUR_MS);
  await gateway.simulator.close();
  await reconcileDue(gateway.app);
  const tries = () =>
    mine.rows("select from task t join job j on j.id = t.job_id where t.attempt > 0 and j.error is not null");
  await expect.poll(tries, PATIENCE).toHaveLength(1);
  expect((await mine.call("GET", "/v1/business-accounts")).body.data[0].status).toBe("connected");
  expect((await mine.call("GET", "/v1/templates?status=approved")).body.data).toHaveLength(3);
  expect(await events(mine)).toEqual([]);
});
