import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { NO_DELAYS, type Pair, startPair, template } from "../testing/provider.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const ANA = "+15550001111";

test("accounts made by control are worlds of their own, and adding one again replaces it", async () => {
  const account = {
    waba_id: "9100",
    name: "B",
    business_id: "7100",
    token: "EAAB",
    messaging_limit: "TIER_2K",
    phone_numbers: [{ id: "9101", display_phone_number: "+1 555 910 0001", verified_name: "B", throughput: 1000 }],
    templates: [{ name: "plain", language: "en_US", category: "UTILITY", components: [{ type: "BODY", text: "x" }] }],
  };
  for (let n = 0; n < 2; n += 1) {
    const made = await pair.call("POST", "/sim/accounts", account);
    expect([made.status, made.body.phone_number_ids, made.body.template_ids.length]).toEqual([201, ["9101"], 1]);
  }
  const numbers = await pair.call("GET", "/v26.0/9100/phone_numbers", undefined, "EAAB");
  expect(numbers.body.data).toMatchObject([{ id: "9101", throughput: { level: "HIGH" } }]);
  expect((await pair.call("GET", "/v26.0/9100", undefined, "EAASIMDEMO")).body.error.error_subcode).toBe(33);
  const path = "/v26.0/9101?fields=whatsapp_business_manager_messaging_limit";
  expect((await pair.call("GET", path, undefined, "EAAB")).body).toEqual({
    whatsapp_business_manager_messaging_limit: "TIER_2K",
    id: "9101",
  });
  expect((await pair.call("GET", "/v26.0/9101?fields=shoe_size", undefined, "EAAB")).body.error.code).toBe(100);
  expect((await pair.call("GET", "/v26.0/9100/subscribed_apps", undefined, "EAAB")).body).toEqual({ data: [] });
  expect((await pair.call("POST", "/v26.0/9100/subscribed_apps", undefined, "EAAB")).body).toEqual({ success: true });
  expect((await pair.call("GET", "/v26.0/9100/subscribed_apps", undefined, "EAAB")).body.data).toMatchObject([
    { whatsapp_business_api_data: { id: "42" } },
  ]);
});

test("sent: filters, cursors and arrival times", async () => {
  const before = Date.now();
  for (let n = 0; n < 5; n += 1) {
    await pair.send({ ...template(`+1555300000${n}`), biz_opaque_callback_data: `m_${n}` });
  }
  await pair.send(template(ANA, "nothing"));
  const first = (await pair.call("GET", "/sim/sent?limit=4")).body;
  const rest = (await pair.call("GET", `/sim/sent?since=${first.next_cursor}`)).body;
  expect([first.data.length, rest.data.length, rest.total, rest.next_cursor]).toEqual([4, 2, 6, 6]);
  const times = [...first.data, ...rest.data].map((entry) => entry.at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[0]).toBeGreaterThanOrEqual(before - 5);
  expect(times[5]).toBeLessThanOrEqual(Date.now() + 5);
  const only = async (query: string) => (await pair.call("GET", `/sim/sent?${query}`)).body.data;
  expect(await only("opaque=m_3")).toMatchObject([{ to: "+15553000003", request: { type: "template" } }]);
  expect(await only("to=%2B15553000002")).toMatchObject([{ opaque: "m_2" }]);
  expect(await only("accepted=false")).toMatchObject([{ code: 132001, id: null }]);
  expect(await only("phone_number_id=1056")).toEqual([]);
  expect((await pair.call("GET", "/sim/sent?recipient=1")).status).toBe(400);
  expect((await pair.call("GET", "/sim/sent?since=-1")).status).toBe(400);
});

test("account events name the partner on the envelope, and can kill the token at the same moment", async () => {
  await pair.call("POST", "/sim/account-events", {
    waba_id: "9001",
    event: "PARTNER_APP_UNINSTALLED",
    token_subcode: 458,
  });
  await pair.call("POST", "/sim/account-events", {
    waba_id: "9001",
    event: "DISABLED_UPDATE",
    value: { ban_info: { waba_ban_state: "DISABLE", waba_ban_date: "April 17, 2025" } },
  });
  await pair.call("POST", "/sim/account-events", {
    waba_id: "9001",
    field: "account_review_update",
    value: { decision: "APPROVED" },
  });
  await pair.simulator.idle();
  const entries = pair.receiver.posts.flatMap((post) => post.payload.entry);
  expect(entries.map((entry) => [entry.id, entry.changes])).toEqual([
    ["7777", [expect.objectContaining({ field: "account_update" })]],
    ["9001", [expect.objectContaining({ field: "account_update" })]],
    ["9001", [{ field: "account_review_update", value: { decision: "APPROVED" } }]],
  ]);
  expect((await pair.call("GET", "/v26.0/9001")).body.error).toMatchObject({ code: 190, error_subcode: 458 });
  await pair.call("PUT", "/sim/accounts/9001/token", { valid: true });
  expect((await pair.call("GET", "/v26.0/9001")).status).toBe(200);
});

test("signup: code to token, token inspected", async () => {
  const exchange = (query: string) => pair.call("GET", `/v26.0/oauth/access_token?client_id=42&${query}`);
  expect((await exchange("client_secret=wrong&code=code-9001")).body.error.code).toBe(1);
  expect((await exchange("client_secret=demo-app-secret&code=other")).body.error.code).toBe(100);
  const { access_token } = (await exchange("client_secret=demo-app-secret&code=code-9001")).body;
  const inspect = async (token: string) =>
    (await pair.call("GET", `/v26.0/debug_token?input_token=${token}`, undefined, "42|demo-app-secret")).body.data;
  expect(await inspect(access_token)).toMatchObject({
    is_valid: true,
    granular_scopes: [{ target_ids: ["9001"] }, { target_ids: ["9001"] }],
  });
  expect(await inspect("nothing")).toMatchObject({ is_valid: false, error: { code: 190 } });
});

test("appsecret_proof is checked when it is given", async () => {
  const proof = "0".repeat(64);
  expect((await pair.call("GET", `/v26.0/9001?appsecret_proof=${proof}`)).body.error.code).toBe(100);
});

test("delays, settings and the callback URL are switched over HTTP; unknown keys are refused", async () => {
  expect((await pair.call("PUT", "/sim/delays", { statuses: false })).body).toMatchObject({
    ...NO_DELAYS,
    statuses: false,
  });
  await pair.send(template(ANA));
  await pair.simulator.idle();
  expect(pair.receiver.posts).toEqual([]);
  expect((await pair.call("PUT", "/sim/settings", { pairLimit: false })).body).toMatchObject({ pairLimit: false });
  expect((await pair.call("PUT", "/sim/settings", { pair_limit: false })).status).toBe(400);
  expect((await pair.call("PUT", "/sim/callback-url", { url: null })).status).toBe(200);
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "dropped" });
  await pair.simulator.idle();
  expect(pair.simulator.stats().callbacks.dropped).toBe(1);
  await pair.call("PUT", "/sim/callback-url", { url: pair.receiver.url });
  expect((await pair.call("POST", "/sim/inbound", { phone_number_id: "1", from: ANA })).status).toBe(404);
  expect((await pair.call("POST", "/sim/reset")).status).toBe(200);
});

test("any raw type comes in as it is given", async () => {
  const message = {
    type: "reaction",
    reaction: { message_id: "wamid.X", emoji: "👍" },
    context: { id: "wamid.X", from: "1" },
  };
  const { body } = await pair.call("POST", "/sim/inbound", {
    phone_number_id: "1055",
    from: ANA,
    id: "wamid.IN7",
    ...message,
  });
  expect(body).toMatchObject({ id: "wamid.IN7", wa_id: "15550001111", reported: true });
  await pair.simulator.idle();
  expect(pair.receiver.changes()[0]?.value["messages"]).toMatchObject([
    { id: "wamid.IN7", from: "15550001111", ...message },
  ]);
});

test("accounts are listed with what control changed of them, and without their tokens", async () => {
  pair.simulator.setNumber("1055", { quality_rating: "RED", status: "FLAGGED" });
  pair.simulator.setAccountLock("9001", 131031);
  const { body, text } = await pair.call("GET", "/sim/accounts");
  expect(body.data).toMatchObject([
    {
      waba_id: "9001",
      lock: 131031,
      messaging_limit: "TIER_250",
      phone_numbers: [{ id: "1055", quality_rating: "RED", status: "FLAGGED" }],
    },
  ]);
  expect(body.data[0].templates[0]).toMatchObject({ name: "order_ready", status: "APPROVED" });
  expect(text).not.toContain("EAASIMDEMO");
});

test("one fault is taken away, and the newest of the logs are read", async () => {
  const [first] = [1, 2].map(() => pair.simulator.addFault({ kind: "refuse", code: 131016 }));
  expect((await pair.call("DELETE", `/sim/faults/${first!.id}`)).status).toBe(200);
  expect((await pair.call("DELETE", `/sim/faults/${first!.id}`)).status).toBe(404);
  expect(pair.simulator.faults()).toHaveLength(1);
  for (let n = 0; n < 4; n += 1) await pair.send(template(ANA));
  await pair.simulator.idle();
  const newest = (await pair.call("GET", "/sim/sent?last=2")).body;
  expect([newest.data.length, newest.data.at(-1).cursor]).toEqual([2, newest.total]);
  expect((await pair.call("GET", "/sim/callbacks?last=1")).body.data).toHaveLength(1);
});
