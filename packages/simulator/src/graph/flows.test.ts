import { afterAll, beforeAll, expect, test } from "vitest";
import { type Pair, startPair } from "../testing/provider.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());

const ask = async (method: "GET" | "POST" | "DELETE", path: string, body?: object | FormData) => {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${pair.simulator.url}/v26.0${path}`, {
    method,
    headers: { authorization: "Bearer EAASIMDEMO", ...(isForm ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as never as Record<string, never> };
};

test("a flow is created, filled, published, deprecated, and listed", async () => {
  const created = await ask("POST", "/9001/flows", { name: "Book", categories: ["APPOINTMENT_BOOKING"] });
  expect(created.body).toEqual({ id: expect.stringMatching(/^55\d{13}$/), success: true, validation_errors: [] });
  const path = `/${String(created.body["id"])}`;
  expect((await ask("POST", `${path}/publish`)).body).toMatchObject({ error: { code: 139_002 } });
  expect((await ask("GET", `${path}/assets`)).body).toEqual({ data: [] });
  const form = new FormData();
  form.set("file", new Blob(["{}"], { type: "application/json" }), "flow.json");
  form.set("asset_type", "FLOW_JSON");
  expect((await ask("POST", `${path}/assets`, form)).body).toEqual({ success: true, validation_errors: [] });
  expect((await ask("GET", `${path}/assets`)).body).toMatchObject({ data: [{ asset_type: "FLOW_JSON" }] });
  expect((await ask("POST", path, { name: "Book a table" })).body).toEqual({ success: true });
  expect((await ask("POST", `${path}/publish`)).body).toEqual({ success: true });
  expect((await ask("POST", `${path}/assets`, form)).body).toMatchObject({ error: { code: 139_001 } });
  expect((await ask("DELETE", path)).body).toMatchObject({ error: { code: 139_004 } });
  expect((await ask("POST", `${path}/deprecate`)).body).toEqual({ success: true });
  const fields = "id,name,status,json_version,preview.invalidate(false),whatsapp_business_account,application";
  expect((await ask("GET", `${path}?fields=${fields}`)).body).toMatchObject({
    name: "Book a table",
    status: "DEPRECATED",
    whatsapp_business_account: { id: "9001" },
    preview: { preview_url: expect.any(String) },
  });
  expect((await ask("GET", "/9001/flows")).body).toMatchObject({
    data: [{ name: "Book a table", validation_errors: [] }],
  });
});

test("a draft is deleted, and what is not a flow is refused", async () => {
  const { body } = await ask("POST", "/9001/flows", { name: "Draft", categories: '["OTHER"]' });
  expect((await ask("DELETE", `/${String(body["id"])}`)).body).toEqual({ success: true });
  expect((await ask("GET", `/${String(body["id"])}`)).body).toMatchObject({ error: { code: 100 } });
  for (const given of [
    {},
    { name: "A" },
    { name: "A", categories: ["NONE"] },
    { name: "A", categories: ["OTHER"], clone_flow_id: "1" },
  ])
    expect((await ask("POST", "/9001/flows", given)).body).toMatchObject({ error: { code: 100 } });
});
