import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";

// The whole gateway with its lanes: what a client sees when the provider refuses.
let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

test("a token that the provider refuses connects nothing and leaves nothing behind", async () => {
  const bare = await gateway.workspace();
  const body = { provider_account_id: mine.account.wabaId, access_token: "EAAWRONG" };
  const refused = await bare.call("POST", "/v1/business-accounts", { body });
  expect(refused).toMatchObject({ status: 422, body: { code: "provider_rejected", provider: { code: 190 } } });
  expect((await bare.call("GET", "/v1/business-accounts")).body.data).toEqual([]);
  expect(await bare.rows("select 1 from business_account")).toEqual([]);
});

test("a connected account keeps sending with its own token when a new one is refused", async () => {
  const body = { provider_account_id: mine.account.wabaId, access_token: "EAAWRONG" };
  expect((await mine.call("POST", "/v1/business-accounts", { body })).status).toBe(422);
  const [account] = (await mine.call("GET", "/v1/business-accounts")).body.data;
  expect(account).toMatchObject({ status: "connected", status_reason: null });
  const { body: message } = await mine.send("+15552010001");
  await mine.becomes(message.id, "accepted");
});
