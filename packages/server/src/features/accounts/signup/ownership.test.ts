import { beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../../testing/gateway.ts";
import { accountOf } from "./ownership.ts";
import {
  accountsOf,
  addAccount,
  becomes,
  begin,
  codeFor,
  completed,
  failed,
  nextOf,
  resume,
  signupEvents,
  startSignups,
} from "./testing/signups.ts";

const signups = await startSignups();
const { gateway, provider } = signups;
let mine: Workspace;
let theirs: Workspace;
beforeEach(async () => {
  [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
});

/** Calls that change something at the provider. */
const changes = () => provider.asked.filter((call) => call.startsWith("POST"));

describe("which account it is", () => {
  it.each([
    [["1"], null, "1"],
    [["1", "2"], "2", "2"],
    [null, "7", "7"],
  ])("granted %j, named %j: %s", (granted, named, expected) => {
    expect(accountOf(granted, named)).toBe(expected);
  });

  it.each([
    [["1"], "2", "account_not_granted"],
    [[], null, "account_not_granted"],
    [[], "1", "account_not_granted"],
    [["1", "2"], null, "account_required"],
    [null, null, "account_required"],
  ])("granted %j, named %j: %s", (granted, named, code) => {
    expect(accountOf(granted, named)).toMatchObject({ kind: "failed", error: { code } });
  });
});

describe("ownership comes from the token", () => {
  it("a browser that names another account than was granted: nothing is subscribed or stored of either", async () => {
    const [account, foreign] = [addAccount(signups), addAccount(signups)];
    const id = await begin(mine, { code: codeFor(signups, [account]), provider_account_id: foreign.wabaId });
    const step = nextOf(await failed(mine, id));
    expect(step).toMatchObject({ name: "verify_ownership", error: { code: "account_not_granted" } });
    expect(step.detail).toContain(account.wabaId);
    expect(changes()).toEqual([]);
    expect(provider.asked.some((call) => call.includes(foreign.wabaId))).toBe(false);
    expect(await accountsOf(mine)).toEqual({});
    await resume(mine, id, { provider_account_id: account.wabaId });
    expect((await completed(mine, id)).provider_account_id).toBe(account.wabaId);
    expect(await accountsOf(mine)).toEqual({ [account.wabaId]: "connected" });
    // The exchange was not repeated.
    expect(provider.asked.filter((call) => call === "GET /oauth/access_token")).toHaveLength(1);
  });

  it("a browser that names a number of another account", async () => {
    const [account, foreign] = [addAccount(signups), addAccount(signups)];
    const id = await begin(mine, {
      code: codeFor(signups, [account]),
      provider_phone_number_id: foreign.numberIds[0],
    });
    expect(nextOf(await failed(mine, id))).toMatchObject({ error: { code: "phone_number_not_found" } });
    expect(changes()).toEqual([]);
    await resume(mine, id, { provider_phone_number_id: account.numberIds[0] });
    await completed(mine, id);
  });

  it("several accounts were granted and none is named: the one that resume names is connected, the other is not", async () => {
    const granted = [addAccount(signups), addAccount(signups)];
    const id = await begin(mine, { code: codeFor(signups, granted) });
    const step = nextOf(await failed(mine, id));
    expect(step).toMatchObject({ error: { code: "account_required" } });
    for (const { wabaId } of granted) expect(step.detail).toContain(wabaId);
    await resume(mine, id, { provider_account_id: granted[1]?.wabaId });
    await completed(mine, id);
    expect(await accountsOf(mine)).toEqual({ [granted[1]?.wabaId ?? ""]: "connected" });
  });

  it("a token for all accounts: the account must be named, and be readable with it", async () => {
    const [account, foreign] = [addAccount(signups), addAccount(signups)];
    const id = await begin(mine, { code: codeFor(signups, [account], { targets: "all" }) });
    expect(nextOf(await failed(mine, id))).toMatchObject({ error: { code: "account_required" } });
    await resume(mine, id, { provider_account_id: foreign.wabaId });
    expect(nextOf(await failed(mine, id))).toMatchObject({
      name: "verify_ownership",
      error: { code: "provider_rejected", provider: { code: 100, subcode: 33 } },
    });
    expect(changes()).toEqual([]);
    await resume(mine, id, { provider_account_id: account.wabaId });
    await completed(mine, id);
  });
});

describe("an id of another kind in place of the account's", () => {
  const another = (kind: string) =>
    `provider_account_id is the id of ${kind}, and not that of a WhatsApp Business Account.`;

  it("is called what it is, and the right one goes on from there", async () => {
    const account = addAccount(signups);
    const [number] = account.numberIds;
    const code = codeFor(signups, [account], { targets: "all" });
    const id = await begin(mine, { code, provider_account_id: number });
    const step = nextOf(await failed(mine, id));
    expect(step).toMatchObject({ name: "verify_ownership", error: { provider: { code: 100 } } });
    expect(step.detail).toContain(another("a phone number"));
    expect([changes(), await accountsOf(mine)]).toEqual([[], {}]);

    const user = "10220000000000001";
    const message = "(#100) Tried accessing nonexisting field (owner_business_info) on node type (User)";
    provider.fail(new RegExp(`^GET /${user}$`), { status: 400, body: { error: { message, code: 100 } } });
    await resume(mine, id, { provider_account_id: user });
    expect(nextOf(await failed(mine, id)).detail).toContain(another("a user"));
    const connecting = { provider_account_id: user, access_token: `EAASIMX${account.wabaId}` };
    const refused = await mine.call("POST", "/v1/business-accounts", { body: connecting });
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining(another("a user"))]);

    await resume(mine, id, { provider_account_id: account.wabaId });
    await completed(mine, id);
    expect(await accountsOf(mine)).toEqual({ [account.wabaId]: "connected" });
  });
});

describe("an account that another workspace holds", () => {
  it("is a conflict before anything is subscribed or registered, and the text does not name the workspace", async () => {
    const account = addAccount(signups);
    await completed(theirs, await begin(theirs, { code: codeFor(signups, [account]) }));
    provider.asked.length = 0;
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    const step = nextOf(await failed(mine, id));
    expect(step).toMatchObject({ name: "verify_ownership", error: { code: "conflict" } });
    expect(JSON.stringify(step)).not.toContain(theirs.id);
    expect(changes()).toEqual([]);
    expect([await accountsOf(mine), await signupEvents(mine)]).toEqual([{}, []]);
    // Disconnected there, it can be taken.
    const { body } = await theirs.call("GET", "/v1/business-accounts");
    await theirs.call("DELETE", `/v1/business-accounts/${body.data[0].id}`);
    await resume(mine, id);
    await completed(mine, id);
    expect(await accountsOf(mine)).toEqual({ [account.wabaId]: "connected" });
  });

  it("is one of its numbers alone", async () => {
    const account = addAccount(signups, { numbers: [{ status: "CONNECTED" }] });
    await completed(theirs, await begin(theirs, { code: codeFor(signups, [account]) }));
    // The number has moved to another account of the customer's since.
    const { simulator } = gateway;
    const number = { id: account.numberIds[0] ?? "", display_phone_number: "+15552001999" };
    simulator.removeAccount(account.wabaId);
    simulator.addAccount({
      waba_id: "899001",
      name: "Moved",
      business_id: "7",
      token: "EAAMOVED",
      phone_numbers: [number],
    });
    const id = await begin(mine, { code: codeFor(signups, [{ wabaId: "899001", numberIds: [] }]) });
    expect(nextOf(await failed(mine, id))).toMatchObject({ name: "verify_ownership", error: { code: "conflict" } });
  });

  it("no longer has a number that has left its account, which stays connected", async () => {
    const { simulator } = gateway;
    const sender = await gateway.sender();
    const { wabaId, token, providerPhoneNumberId, phone } = sender.account;
    const [from, to] = [
      { waba_id: wabaId, name: "Before", business_id: "7", token },
      { waba_id: "899002", name: "Now", business_id: "8", token: "EAANOW" },
    ];
    simulator.addAccount({ ...from, phone_numbers: [] });
    simulator.addAccount({ ...to, phone_numbers: [{ id: providerPhoneNumberId, display_phone_number: phone }] });
    const id = await begin(mine, { code: codeFor(signups, [{ wabaId: to.waba_id, numberIds: [] }]) });
    expect(nextOf(await failed(mine, id))).toMatchObject({ error: { code: "conflict" } }); // that was not noticed yet
    simulator.accountEvent({ waba_id: wabaId, event: "ACCOUNT_VIOLATION" }); // the account is looked at
    const statuses = async () => (await sender.rows("select status from phone_number")).map(({ status }) => status);
    await expect.poll(statuses).toEqual(["disconnected"]);
    await resume(mine, id);
    await completed(mine, id);
    expect(await accountsOf(sender)).toEqual({ [wabaId]: "connected" });
  });

  it("is not held where it was disconnected and waits for a new token", async () => {
    const account = addAccount(signups);
    await completed(theirs, await begin(theirs, { code: codeFor(signups, [account]) }));
    const { body } = await theirs.call("GET", "/v1/business-accounts");
    await theirs.call("DELETE", `/v1/business-accounts/${body.data[0].id}`);
    const reads = () => provider.asked.filter((call) => call === `GET /${account.wabaId}`);
    const asked = async (times: number): Promise<void> => {
      await expect.poll(reads).toHaveLength(times);
    };
    provider.asked.length = 0;
    provider.fail(new RegExp(`GET /${account.wabaId}$`), "hang", 2); // the call, then its task
    const repost = { provider_account_id: account.wabaId, access_token: "EAANEVER" };
    const waiting = theirs.call("POST", "/v1/business-accounts", { body: repost });
    await asked(1);
    gateway.clock.advance(10_000);
    expect((await waiting).status).toBe(202);
    await asked(2);
    expect(await accountsOf(theirs)).toEqual({ [account.wabaId]: "connecting" });
    await completed(mine, await begin(mine, { code: codeFor(signups, [account]) }));
    expect(await accountsOf(mine)).toEqual({ [account.wabaId]: "connected" });
  });

  it("taken by it between the check and the import: a conflict there, and its connection stays", async () => {
    const account = addAccount(signups);
    provider.fail(/GET \/\d+\/message_templates/, "hang", 1);
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    await expect.poll(() => provider.asked.some((call) => call.endsWith("/message_templates"))).toBe(true);
    await completed(theirs, await begin(theirs, { code: codeFor(signups, [account]) }));
    provider.mend();
    const ended = await failed(mine, id);
    expect(nextOf(ended)).toMatchObject({ name: "import", error: { code: "conflict" } });
    expect([await accountsOf(mine), await accountsOf(theirs)]).toEqual([{}, { [account.wabaId]: "connected" }]);
    expect([await signupEvents(mine), await signupEvents(theirs)]).toEqual([[], [account.wabaId]]);
  });
});

describe("two signups of one account at once", () => {
  it("of one workspace: both end, connected, one event each", async () => {
    const account = addAccount(signups, { numbers: [{ status: "PENDING" }, { status: "PENDING" }] });
    const ids = await Promise.all([1, 2].map(async () => await begin(mine, { code: codeFor(signups, [account]) })));
    for (const id of ids) await completed(mine, id);
    expect(await accountsOf(mine)).toEqual({ [account.wabaId]: "connected" });
    expect(await signupEvents(mine)).toEqual([account.wabaId, account.wabaId]);
  });

  it("of two workspaces: one has it, the other a conflict", async () => {
    const account = addAccount(signups);
    const pair = [mine, theirs];
    const ids = await Promise.all(pair.map((of) => begin(of, { code: codeFor(signups, [account]) })));
    const ends = await Promise.all(
      pair.map(async (of, index) => {
        // What one of them leaves behind for a while is worked on later.
        const later = () => gateway.clock.advance(1_000);
        return await becomes(of, ids[index] as string, ({ status }) => /completed|failed/.test(status), later);
      }),
    );
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["completed", "failed"]);
    const lost = ends.find(({ status }) => status === "failed");
    // Which of its steps finds it depends on how far the other was; a number cannot have two PINs either.
    expect(["conflict", "pin_wrong"]).toContain(nextOf(lost).error.code);
    const events = [...(await signupEvents(mine)), ...(await signupEvents(theirs))];
    expect(events).toEqual([account.wabaId]);
  });
});
