import { afterAll, beforeAll, expect, test } from "vitest";
import { type Pair, startPair } from "../testing/provider.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());

const ask = async (method: "GET" | "POST" | "DELETE", path: string, body?: object) => {
  const answer = await fetch(`${pair.simulator.url}/v26.0/1055${path}`, {
    method,
    headers: { authorization: "Bearer EAASIMDEMO", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, never>;
};

test("settings, catalog, automation and the key of flows are kept for the number", async () => {
  expect(await ask("GET", "/settings?fields=calling,storage_configuration")).toEqual({
    storage_configuration: { status: "DEFAULT" },
  });
  expect(await ask("POST", "/settings", { calling: { status: "ENABLED" } })).toEqual({ success: true });
  expect(await ask("GET", "/settings")).toMatchObject({ calling: { status: "ENABLED" } });
  expect(await ask("POST", "/settings", {})).toMatchObject({ error: { code: 100 } });
  expect(await ask("POST", "/whatsapp_commerce_settings?is_cart_enabled=false&is_catalog_visible=true")).toEqual({
    success: true,
  });
  expect(await ask("GET", "/whatsapp_commerce_settings")).toEqual({
    data: [{ id: "1055", is_cart_enabled: false, is_catalog_visible: true }],
  });
  const commands = [{ command_name: "menu", command_description: "The menu" }];
  expect(
    await ask("POST", "/conversational_automation", { prompts: ["Hours?"], commands: JSON.stringify(commands) }),
  ).toEqual({ success: true });
  expect(await ask("GET", "/conversational_automation")).toMatchObject({ data: [{ prompts: ["Hours?"], commands }] });
  expect(await ask("POST", "/conversational_automation", { prompts: ["1", "2", "3", "4", "5"] })).toMatchObject({
    error: { code: 100 },
  });
  const business_public_key = "-----BEGIN PUBLIC KEY-----\nA\n-----END PUBLIC KEY-----";
  expect(await ask("POST", "/whatsapp_business_encryption", { business_public_key })).toEqual({ success: true });
  expect(await ask("GET", "/whatsapp_business_encryption")).toMatchObject({ data: [{ business_public_key }] });
  expect(await ask("POST", "/whatsapp_business_encryption", {})).toMatchObject({ error: { code: 100 } });
});

test("people are blocked and unblocked, with a body of the removal", async () => {
  const body = { messaging_product: "whatsapp", block_users: [{ user: "+15550001111" }] };
  const user = { input: "+15550001111", wa_id: "15550001111" };
  expect(await ask("POST", "/block_users", body)).toEqual({
    messaging_product: "whatsapp",
    block_users: { added_users: [user] },
  });
  expect(await ask("GET", "/block_users")).toMatchObject({ data: [{ wa_id: "15550001111" }] });
  expect(await ask("DELETE", "/block_users", body)).toMatchObject({ block_users: { removed_users: [user] } });
  expect(await ask("GET", "/block_users")).toEqual({ data: [] });
  expect(await ask("POST", "/block_users", { block_users: [] })).toMatchObject({ error: { code: 100 } });
});

test("QR codes are created, changed, listed by pages and deleted", async () => {
  const first = await ask("POST", "/message_qrdls", { prefilled_message: "One", generate_qr_image: "PNG" });
  expect(first).toMatchObject({ prefilled_message: "One", qr_image_url: expect.any(String) });
  await ask("POST", "/message_qrdls/?prefilled_message=Two");
  const code = String(first["code"]);
  expect(await ask("POST", "/message_qrdls", { code, prefilled_message: "Changed" })).toMatchObject({
    code,
    prefilled_message: "Changed",
  });
  const page = await ask("GET", "/message_qrdls?limit=1&fields=code");
  expect(page).toMatchObject({ data: [{ code }], paging: { next: expect.stringContaining("after=") } });
  expect(await ask("GET", `/message_qrdls/${code}`)).toMatchObject({ data: [{ code, prefilled_message: "Changed" }] });
  expect(await ask("DELETE", `/message_qrdls/${code}`)).toEqual({ success: true });
  expect(await ask("GET", `/message_qrdls/${code}`)).toMatchObject({ error: { code: 100 } });
  expect(await ask("POST", "/message_qrdls", { prefilled_message: "" })).toMatchObject({ error: { code: 100 } });
});
