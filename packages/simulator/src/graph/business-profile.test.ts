import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Pair, startPair } from "../testing/provider.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(() => pair.simulator.reset());

const PATH = "/v26.0/1055/whatsapp_business_profile";
const ask = async (method: "GET" | "POST", query = "", body?: object) => {
  const answer = await fetch(`${pair.simulator.url}${PATH}${query}`, {
    method,
    headers: { authorization: "Bearer EAASIMDEMO", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
};
const change = (body: object) => ask("POST", "", { messaging_product: "whatsapp", ...body });

test("a profile is a list of one, merged, and cleared by empty values", async () => {
  expect((await ask("GET")).body).toEqual({
    data: [{ messaging_product: "whatsapp", vertical: "UNDEFINED" }],
  });
  expect((await change({ about: "Open", email: "a@b.example", websites: ["https://b.example"] })).body).toEqual({
    success: true,
  });
  await change({ email: "", vertical: "RETAIL", profile_picture_handle: "4::aQ==" });
  const fields = "?fields=about,email,websites,vertical,profile_picture_url";
  expect((await ask("GET", fields)).body).toEqual({
    data: [
      {
        about: "Open",
        websites: ["https://b.example"],
        vertical: "RETAIL",
        profile_picture_url: expect.stringMatching(/^https:/),
      },
    ],
  });
  await change({ websites: [] });
  expect((await ask("GET", "?fields=websites")).body).toEqual({ data: [{}] });
});

test.each([
  {},
  { messaging_product: "whatsapp", about: "" },
  { messaging_product: "whatsapp", about: "x".repeat(140) },
  { messaging_product: "whatsapp", vertical: "BAKERY" },
  { messaging_product: "whatsapp", websites: ["b.example"] },
  { messaging_product: "whatsapp", email: "nobody", about: "Kept out" },
])("%j is refused whole with code 100", async (body) => {
  expect(await ask("POST", "", body)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  expect((await ask("GET", "?fields=about")).body).toEqual({ data: [{}] });
});

test("a field that a profile does not have is code 100", async () => {
  expect(await ask("GET", "?fields=picture")).toMatchObject({ status: 400, body: { error: { code: 100 } } });
});

test("management calls say how much of the quota they use, are counted, and refused with 80007 beyond it", async () => {
  await pair.call("PUT", "/sim/settings", { managementCallsPerHour: 4 });
  const usages: unknown[] = [];
  for (let n = 0; n < 5; n++) {
    const { status, headers } = await ask("GET");
    const [usage] = JSON.parse(headers.get("x-business-use-case-usage") ?? "{}")["9001"];
    usages.push([status, usage.call_count, usage.estimated_time_to_regain_access]);
  }
  expect(usages).toEqual([
    [200, 25, 0],
    [200, 50, 0],
    [200, 75, 0],
    [200, 100, 0],
    [400, 100, 60],
  ]);
  expect((await ask("GET")).body).toMatchObject({ error: { code: 80_007, type: "OAuthException" } });
  expect(pair.simulator.stats().management_calls).toEqual({ "9001": { get_profile: 6 } });
  await pair.call("PUT", "/sim/settings", { managementQuota: false });
  expect((await ask("GET")).status).toBe(200);
});

test("a call with another account's token is neither counted nor told of the quota", async () => {
  const answer = await fetch(`${pair.simulator.url}${PATH}`, { headers: { authorization: "Bearer EAAOTHER" } });
  expect([answer.status, answer.headers.get("x-business-use-case-usage")]).toEqual([401, null]);
  expect(pair.simulator.stats().management_calls).toEqual({});
});
