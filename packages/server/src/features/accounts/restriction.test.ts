import { expect, it } from "vitest";
import type { Sender, Workspace } from "../../testing/gateway.ts";
import { accountsOf, addAccount, begin, codeFor, completed, startSignups } from "./signup/testing/signups.ts";

const signups = await startSignups();
const { clock, sender, simulator, workspace } = signups.gateway;
const PATIENCE = { timeout: 30_000, interval: 20 };
const TO = "+15553001001";

const accountOf = async (of: Workspace) => (await of.call("GET", "/v1/business-accounts")).body.data[0];
const isNow = async (of: Workspace, status: string): Promise<void> => {
  await expect.poll(async () => (await accountOf(of)).status, PATIENCE).toBe(status);
};
const reconnect = ({ call, account }: Sender) =>
  call("POST", "/v1/business-accounts", { body: { provider_account_id: account.wabaId, access_token: account.token } });
/** Kind of each event about the account, and the status that it says. */
async function events(of: Workspace): Promise<[string, string][]> {
  const rows = await of.rows<{ kind: string; status: string }>(
    `select kind, state->'business_account'->>'status' as status from event
     where state->'business_account' is not null order by sequence`,
  );
  return rows.map(({ kind, status }) => [kind, status]);
}

it("a new token of a restricted account lifts the restriction only where the provider does, with an event", async () => {
  const mine = await sender();
  simulator.setAccountLock(mine.account.wabaId, 368);
  const { body: waiting } = await mine.send(TO);
  await isNow(mine, "restricted");
  const still = await reconnect(mine);
  expect(still).toMatchObject({ status: 201, body: { status: "restricted", status_reason: expect.any(String) } });
  expect(await mine.send(TO)).toMatchObject({ status: 422, body: { code: "sender_unavailable" } });
  expect(await events(mine)).toEqual([["account_changed", "restricted"]]);

  simulator.setAccountLock(mine.account.wabaId, null);
  expect(await reconnect(mine)).toMatchObject({ status: 201, body: { status: "connected", status_reason: null } });
  expect(await events(mine)).toEqual([
    ["account_changed", "restricted"],
    ["account_changed", "connected"],
  ]);
  clock.advance(20_000);
  await mine.becomes(waiting.id, "accepted");
});

it("an account that the provider lets send nothing is restricted from its connection on, until the provider lifts that", async () => {
  const mine = await sender();
  await mine.call("DELETE", `/v1/business-accounts/${(await accountOf(mine)).id}`);
  simulator.setAccountLock(mine.account.wabaId, 368);
  expect(await reconnect(mine)).toMatchObject({ status: 201, body: { status: "restricted" } });
  expect(await events(mine)).toEqual([["account_changed", "restricted"]]);
  simulator.setAccountLock(mine.account.wabaId, null);
  const looks = () => mine.rows("select from task where attempt > 0 and due > $1", [new Date(clock.now())]);
  await expect.poll(looks, PATIENCE).toHaveLength(1);
  clock.advance(5 * 60_000 + 1_000);
  await isNow(mine, "connected");
  expect((await events(mine)).at(-1)).toEqual(["account_changed", "connected"]);
});

it("a signup of such an account ends with the account restricted, and with its earlier callbacks", async () => {
  const mine = await workspace();
  const account = addAccount(signups);
  simulator.setAccountLock(account.wabaId, 368);
  await completed(mine, await begin(mine, { code: codeFor(signups, [account], { report: true }) }));
  expect(await accountsOf(mine)).toEqual({ [account.wabaId]: "restricted" });
  const told = [
    ["account_changed", "restricted"],
    ["signup_completed", "restricted"],
    ["permissions_changed", "restricted"],
  ];
  // Once or twice: the provider says it in two callbacks, which are one notice if they are of one second.
  await expect.poll(async () => [...new Set((await events(mine)).map(String))], PATIENCE).toEqual(told.map(String));
});
