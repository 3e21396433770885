import { afterAll, beforeAll, expect, it } from "vitest";
import { documentedChanges } from "../../provider/whatsapp/testing/documented.ts";
import { postCallback } from "../../testing/callback.ts";
import { type Gateway, startGateway } from "../../testing/gateway.ts";
import { withIdsOf } from "./testing/golden-texts.ts";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 30_000, interval: 50 };

it("sets nothing aside of what is documented: each value that the documentation names, of every field", async () => {
  const [mine, ended] = [await gateway.sender(), await gateway.sender()];
  const all = documentedChanges();
  for (const [n, { name, change }] of all.entries()) {
    // Some events end the connection of their account.
    const { account } = change.field === "account_update" ? ended : mine;
    const entry = [{ id: "9001", time: 1_790_000_100 + n, changes: [change] }];
    const text = JSON.stringify({ object: "whatsapp_business_account", entry });
    const own = withIdsOf(account, text).replaceAll('"wamid.', `"wamid.${n}.`);
    expect([name, (await postCallback(gateway, own)).status]).toEqual([name, 200]);
  }
  const { sql } = gateway.app.db;
  await expect.poll(() => sql.query("select from ingest"), PATIENCE).toEqual([]);
  expect(await sql.query("select reason, change from quarantine")).toEqual([]);
  expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toEqual([]);
  expect(all.length).toBeGreaterThan(150);
});
