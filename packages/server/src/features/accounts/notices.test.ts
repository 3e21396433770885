import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newUuid } from "../../lib/ids.ts";
import { goldenBytes } from "../../provider/whatsapp/testing/golden.ts";
import { postCallback } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway, type Workspace } from "../../testing/gateway.ts";
import { connectAccount } from "../../testing/workspace.ts";
import { takeNotice } from "./notices.ts";
import { accountEventData, numberEventData } from "./render.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const MINUTE_MS = 60_000;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(() => gateway.stop());

const seconds = (): number => Math.floor(gateway.clock.now() / 1_000);
/** A callback of an account; events of partners have the partner's business on the envelope. */
const said = (of: Sender, field: string, value: object, at: number | null = seconds()): object => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: "waba_info" in value ? "7777" : of.account.wabaId,
      ...(at === null ? {} : { time: at }),
      changes: [{ field, value }],
    },
  ],
});
const update = (of: Sender, event: string, more: object = {}, at?: number): object => {
  const info = event.startsWith("PARTNER_") ? { waba_info: { waba_id: of.account.wabaId } } : {};
  return said(of, "account_update", { event, ...info, ...more }, at);
};
async function post(...callbacks: object[]): Promise<void> {
  for (const one of callbacks) expect((await postCallback(gateway, one)).status).toBe(200);
}
/** Resolves when no callback is under way, and no callback or task of the workspace is due. */
async function idle(of: Workspace): Promise<void> {
  const due = new Date(gateway.clock.now());
  await expect.poll(() => gateway.simulator.stats().callbacks_pending, PATIENCE).toBe(0);
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
  await expect.poll(() => of.rows("select from task where due <= $1", [due]), PATIENCE).toEqual([]);
}
type Told = { kind: string; data: Record<string, unknown> };
async function events(of: Workspace): Promise<Told[]> {
  await idle(of);
  const rows = await of.rows<{ kind: string; state: unknown }>(
    "select kind, state from event where resource_id is not null order by sequence",
  );
  return rows.map(({ kind, state }) => ({
    kind,
    data: kind === "phone_number_changed" ? numberEventData(state) : accountEventData(state),
  }));
}
const account = async (of: Sender) => {
  const { data } = (await of.call("GET", "/v1/business-accounts")).body;
  return data.find((one: { provider_account_id: string }) => one.provider_account_id === of.account.wabaId);
};

describe("a notice", () => {
  it("of each kind is an event with what the provider said, whole, and once", async () => {
    const [mine, theirs] = [await gateway.sender(), await gateway.sender()];
    const restriction = {
      restriction_info: [{ restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING" }],
      new_one: [1],
    };
    const alert = { entity_type: "PHONE_NUMBER", entity_id: mine.account.providerPhoneNumberId, alert_info: { a: 1 } };
    const display_phone_number = mine.account.phone.slice(1);
    const callbacks = [
      update(mine, "PARTNER_ADDED"),
      update(mine, "PARTNER_APP_INSTALLED"),
      update(mine, "ACCOUNT_VIOLATION", { violation_info: { violation_type: "SCAM" } }),
      update(mine, "ACCOUNT_RESTRICTION", restriction),
      update(mine, "AN_EVENT_OF_NEXT_YEAR", { its: "field" }),
      said(mine, "account_alerts", alert),
      said(mine, "account_review_update", { decision: "APPROVED" }),
      said(mine, "security", { display_phone_number, event: "PIN_CHANGED" }, null),
      said(mine, "business_capability_update", { max_daily_conversations_per_business: 2000 }),
    ];
    await post(...callbacks, ...callbacks.toReversed());
    gateway.clock.advance(MINUTE_MS);
    await post(...callbacks);
    // Events of partners come by another way than the rest, and may overtake it.
    const told = (await events(mine)).toSorted(
      (a, b) => Number(b.kind === "permissions_changed") - Number(a.kind === "permissions_changed"),
    );
    const business_account = expect.objectContaining({ provider_account_id: mine.account.wabaId, status: "connected" });
    const fact = (kind: string, provider_event: string, detail: object, more: object = {}) => ({
      kind,
      data: { business_account, provider_event, detail: expect.objectContaining(detail), ...more },
    });
    const number = { phone_number_id: mine.phoneNumberId };
    expect(told).toEqual([
      fact("permissions_changed", "PARTNER_ADDED", { waba_info: { waba_id: mine.account.wabaId } }),
      fact("permissions_changed", "PARTNER_APP_INSTALLED", { event: "PARTNER_APP_INSTALLED" }),
      fact("account_changed", "ACCOUNT_VIOLATION", { violation_info: { violation_type: "SCAM" } }),
      fact("account_changed", "ACCOUNT_RESTRICTION", restriction),
      fact("account_changed", "AN_EVENT_OF_NEXT_YEAR", { its: "field" }),
      fact("account_changed", "account_alerts", alert, number),
      fact("account_changed", "account_review_update", { decision: "APPROVED" }),
      fact("account_changed", "security", { event: "PIN_CHANGED" }, number),
    ]);
    expect(await events(theirs)).toEqual([]);
    expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toEqual([]);
  });

  it("that two processes take at once is one event", async () => {
    const mine = await gateway.sender();
    const [row] = await mine.rows<{ id: string }>("select id from business_account");
    const owner = { workspaceId: mine.uuid, businessAccountId: row!.id };
    const [notice] = gateway.app.provider.parseCallback(
      Buffer.from(JSON.stringify(update(mine, "ACCOUNT_VIOLATION"))),
    ).changes;
    if (notice?.kind !== "notice") throw new Error("it is no notice");
    const callback = newUuid(gateway.clock.now());
    await Promise.all([1, 2, 3].map(() => takeNotice(gateway.app, owner, notice, callback)));
    expect(await events(mine)).toHaveLength(1);
  });

  it("without a time is another one when it is older than any repetition", async () => {
    const mine = await gateway.sender();
    const callback = said(mine, "security", { event: "PIN_CHANGED" }, null);
    await post(callback, callback);
    expect(await events(mine)).toHaveLength(1);
    gateway.clock.advance(9 * 24 * 60 * MINUTE_MS);
    await gateway.partitionsAhead();
    await post(callback, callback);
    expect(await events(mine)).toHaveLength(2);
  });

  it("of an account that is not connected any more is still an event", async () => {
    const mine = await gateway.sender();
    await mine.call("DELETE", `/v1/business-accounts/${(await account(mine)).id}`);
    await post(update(mine, "ACCOUNT_DELETED"), update(mine, "PARTNER_APP_UNINSTALLED"));
    expect(await events(mine)).toMatchObject([
      {
        kind: "account_changed",
        data: { provider_event: "ACCOUNT_DELETED", business_account: { status: "disconnected" } },
      },
    ]);
  });
});

describe("a removal", () => {
  const removed = (of: Sender, at?: number) =>
    update(of, "PARTNER_REMOVED", { disconnection_info: { reason: "ACCOUNT_DISCONNECTED", initiated_by: "USER" } }, at);
  const uninstalled = (of: Sender, at?: number) => update(of, "PARTNER_APP_UNINSTALLED", {}, at);
  const revoked = async (of: Workspace) => (await events(of)).filter(({ kind }) => kind === "signup_revoked");

  it.each(["removed first", "uninstalled first"])(
    "ends the connection once, %s: sends are refused, queued ones wait until it is connected again",
    async (order) => {
      const mine = await gateway.sender();
      const sendAt = new Date(gateway.clock.now() + 5_000).toISOString();
      const queued = (await mine.send("+15551230002", { send_at: sendAt })).body;
      gateway.simulator.setTokenDeath(mine.account.wabaId, 458);
      const both = [removed(mine), uninstalled(mine)];
      if (order === "uninstalled first") both.reverse();
      await post(...both, ...both);
      const reason =
        order === "removed first"
          ? "The account is no longer shared with the app. The provider's reason: ACCOUNT_DISCONNECTED."
          : "The app was removed from the account.";
      await expect.poll(() => account(mine), PATIENCE).toMatchObject({ status: "disconnected", status_reason: reason });
      expect(await mine.send("+15551230003")).toMatchObject({ status: 422, body: { code: "sender_unavailable" } });
      // The same again, a check, and time for the queued message.
      gateway.clock.advance(2 * MINUTE_MS);
      await post(...both, update(mine, "ACCOUNT_OFFBOARDED"));
      expect(await revoked(mine)).toMatchObject([{ data: { reason, business_account: { status: "disconnected" } } }]);
      // A lane that has not noticed yet tries it once, is refused, and lets it wait.
      await mine.becomes(queued.id, "queued");

      gateway.simulator.setTokenDeath(mine.account.wabaId, null);
      await connectAccount(mine.call, mine.account);
      // Lanes notice a revocation within seconds: a message that was due by then is refused once, and tried again a minute later.
      gateway.clock.advance(2 * MINUTE_MS);
      await mine.becomes(queued.id, "accepted");
      await post(...both);
      expect(await revoked(mine)).toHaveLength(1);
      expect((await account(mine)).status).toBe("connected");
    },
  );

  it("is one event with a dead token that was noticed before", async () => {
    const mine = await gateway.sender();
    gateway.clock.advance(2 * MINUTE_MS);
    gateway.simulator.setTokenDeath(mine.account.wabaId, 458);
    await mine.send("+15551230004");
    await expect.poll(async () => (await account(mine)).status, PATIENCE).toBe("disconnected");
    await post(uninstalled(mine), removed(mine));
    expect(await revoked(mine)).toMatchObject([{ data: { provider_event: null } }]);
  });

  it("of an earlier connection does not end the present one: the provider is asked", async () => {
    const mine = await gateway.sender();
    const before = seconds();
    gateway.clock.advance(10 * MINUTE_MS);
    await mine.call("DELETE", `/v1/business-accounts/${(await account(mine)).id}`);
    await connectAccount(mine.call, mine.account);
    await idle(mine);
    const checks = () => mine.rows("select from job where kind = 'account.check'");
    const earlier = (await checks()).length;
    await post(removed(mine, before));
    expect(await events(mine)).toEqual([]);
    expect(await checks()).toHaveLength(earlier + 1);
    expect((await account(mine)).status).toBe("connected");
    // One that is about the present connection.
    await post(removed(mine));
    expect(await revoked(mine)).toHaveLength(1);
  });

  it("is doubted where its time is before the first connection, unless that is older than any repetition", async () => {
    const [late, strange] = [await gateway.sender(), await gateway.sender()];
    await post(removed(late, seconds() - 3_600), removed(strange, seconds() - 60 * 86_400));
    expect(await revoked(late)).toEqual([]);
    expect((await account(late)).status).toBe("connected");
    expect(await revoked(strange)).toHaveLength(1);
  });

  it("of both kinds ends one connection, though the second comes after a reconnection", async () => {
    const mine = await gateway.sender();
    gateway.clock.advance(10 * MINUTE_MS);
    const at = seconds();
    await post(uninstalled(mine, at));
    expect(await revoked(mine)).toHaveLength(1);
    gateway.clock.advance(30_000);
    await connectAccount(mine.call, mine.account);
    await post(removed(mine, at));
    expect(await revoked(mine)).toHaveLength(1);
    expect((await account(mine)).status).toBe("connected");
  });

  it("that looks like a repetition, for neither has a time, has the account checked", async () => {
    const mine = await gateway.sender();
    const { wabaId } = mine.account;
    const timeless = said(mine, "account_update", { event: "PARTNER_REMOVED", waba_info: { waba_id: wabaId } }, null);
    await post(timeless);
    expect(await revoked(mine)).toHaveLength(1);
    gateway.clock.advance(10 * MINUTE_MS);
    await connectAccount(mine.call, mine.account);
    // The first one, repeated.
    await post(timeless);
    expect(await revoked(mine)).toHaveLength(1);
    expect((await account(mine)).status).toBe("connected");
    // Another one: the customer has removed the app again.
    gateway.simulator.setTokenDeath(wabaId, 458);
    await post(timeless);
    expect(await revoked(mine)).toHaveLength(2);
    expect((await account(mine)).status).toBe("disconnected");
  });

  it("that waited for the account to be connected does not end its connection", async () => {
    const mine = await gateway.sender();
    const next = await gateway.sender(); // for its account's number alone
    await next.call("DELETE", `/v1/business-accounts/${(await account(next)).id}`);
    const fresh = { ...mine, account: { ...next.account, wabaId: `${next.account.wabaId}0`, token: "EAAFRESH" } };
    gateway.simulator.addAccount({
      waba_id: fresh.account.wabaId,
      name: "Fresh",
      business_id: "7999",
      token: "EAAFRESH",
      phone_numbers: [{ id: "69999", display_phone_number: "+15559990123" }],
    });
    await post(removed(fresh), update(fresh, "PARTNER_ADDED"));
    await idle(mine);
    await connectAccount(mine.call, fresh.account);
    await expect
      .poll(async () => (await events(mine)).map(({ kind }) => kind), PATIENCE)
      .toEqual(["permissions_changed"]);
    expect((await account(fresh)).status).toBe("connected");
  });

  it("of golden callbacks ends the connection of the account that they name", async () => {
    const mine = await gateway.workspace();
    gateway.simulator.addAccount({
      waba_id: "9001",
      name: "Golden",
      business_id: "7001",
      token: "EAAGOLD",
      phone_numbers: [{ id: "1055", display_phone_number: "+1 555-999-0000" }],
    });
    await connectAccount(mine.call, { wabaId: "9001", token: "EAAGOLD" } as Sender["account"]);
    for (const name of ["partner-added", "alert", "partner-removed", "partner-app-uninstalled", "review"])
      expect((await postCallback(gateway, goldenBytes(`callback-account-${name}`))).status).toBe(200);
    const told = (await events(mine)).map(({ kind, data }) => `${kind} ${String(data["provider_event"])}`);
    expect(told.toSorted()).toEqual([
      "account_changed account_alerts",
      "account_changed account_review_update",
      "permissions_changed PARTNER_ADDED",
      "signup_revoked PARTNER_REMOVED",
    ]);
  });
});
