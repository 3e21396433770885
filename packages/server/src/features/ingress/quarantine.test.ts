import { afterAll, beforeAll, expect, it } from "vitest";
import { formatId, newUuid } from "../../lib/ids.ts";
import { callbackOf, postCallback, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";

// One change in quarantine with the callback that it came in.
let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 30_000, interval: 20 };
const pathOf = (id: string): string => `/admin/v1/quarantine/${id}`;

/** Posts what cannot be taken; resolves with the path of what is in quarantine of it. */
async function setAside(payload: object | string | Uint8Array): Promise<string> {
  const waiting = async () => (await gateway.operator("GET", "/admin/v1/quarantine")).body.data;
  const before = (await waiting()).length;
  expect((await postCallback(gateway, payload)).status).toBe(200);
  await expect.poll(async () => (await waiting()).length, PATIENCE).toBe(before + 1);
  return pathOf((await waiting())[0].id);
}

it.each([
  ["what is no JSON, as text", "<html>\u0000 502 – ✓</html>", "utf-8", "<html>\u0000 502 – ✓</html>"],
  ["nothing", "", "utf-8", ""],
  ["bytes that are no text, byte for byte", Buffer.from([0x7b, 0xff, 0xfe]), "base64", "e//+"],
])("the callback is there as it was posted: %s", async (_, posted, encoding, body) => {
  const shown = await gateway.operator("GET", await setAside(posted));
  expect(shown).toMatchObject({ status: 200, body: { reason: "not_json", change: null } });
  expect(shown.body.callback).toEqual({ received_at: expect.stringMatching(/Z$/), encoding, body });
});

it("what is not understood is beside the whole of its callback, which is null once it is gone", async () => {
  const value = { text: "Hi", later: 1 };
  const payload = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "9", changes: [{ field: "new_one", value }] }],
  });
  const path = await setAside(payload);
  const { body } = await gateway.operator("GET", path);
  expect(body).toMatchObject({ provider_account_id: "9", change: { value } });
  expect(body.callback.body).toBe(payload);

  await gateway.app.db.sql.run("delete from callback where body = $1", [Buffer.from(payload)]);
  expect((await gateway.operator("GET", path)).body).toEqual({ ...body, callback: null });
});

it("one that waits for its number to be connected has its callback alone, and has it once it was replayed", async () => {
  const account = { ...mine.account, providerPhoneNumberId: "90210" };
  const payload = JSON.stringify(callbackOf(account, textFrom("15557110001", "wamid.U1", "Hi", gateway.clock.now())));
  const path = await setAside(payload);
  const { body } = await gateway.operator("GET", path);
  expect(body).toMatchObject({ reason: "unowned", provider_phone_number_id: "90210", change: null });
  expect(body.callback.body).toBe(payload);

  const replayed = await gateway.operator("POST", `${path}/replay`);
  expect((await gateway.operator("GET", path)).body).toEqual({
    ...replayed.body,
    change: null,
    callback: body.callback,
  });
});

it("only the operator reads one, and it is in the operator's audit log", async () => {
  const path = await setAside("no JSON");
  expect((await mine.call("GET", path)).status).toBe(401);
  expect((await gateway.operator("GET", pathOf(formatId("qrn", newUuid(1))))).status).toBe(404);
  await gateway.operator("GET", path);
  const read = async () =>
    (await gateway.operator("GET", "/admin/v1/audit?action=quarantine.read")).body.data[0]?.resource;
  await expect.poll(read, PATIENCE).toEqual({ type: "quarantine", id: path.split("/").at(-1) });
});
