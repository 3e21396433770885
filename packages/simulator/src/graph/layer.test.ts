import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair, TOKEN, template } from "../testing/provider.ts";
import { APP_SECRET, type Json } from "../testing/receiver.ts";

let pair: Pair;
let now: number;
beforeEach(async () => {
  now = Date.UTC(2026, 9, 1);
  pair = await startPair({ clock: { nowMs: () => now } });
});
afterEach(() => pair.close());

const ANA = "+15550001111";
const bearer = { authorization: `Bearer ${TOKEN}` };
const get = async (path: string, headers: Record<string, string> = bearer) => {
  const response = await fetch(pair.simulator.url + path, { headers });
  const body: Json = JSON.parse(await response.text());
  return { status: response.status, body, headers: response.headers };
};
const request = async (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | URLSearchParams | FormData,
) => {
  const response = await fetch(pair.simulator.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const answer: Json = JSON.parse(await response.text());
  return { status: response.status, body: answer, headers: response.headers };
};

describe("versions", () => {
  test.each([
    ["/1055", "v21.0"],
    ["/v26.0/1055", "v26.0"],
    ["/v24.0/1055/", "v24.0"],
    ["/v20.0/1055", "v21.0"],
    ["/v17.0/1055", "v21.0"],
    ["/v2.12/1055", "v21.0"],
  ])("%s is served by %s", async (path, version) => {
    const { status, body, headers } = await get(path);
    expect([status, body["id"], headers.get("facebook-api-version")]).toEqual([200, "1055", version]);
  });

  test("a version ends on its day", async () => {
    now = Date.UTC(2026, 8, 23);
    expect((await get("/v18.0/1055")).headers.get("facebook-api-version")).toBe("v20.0");
  });

  test.each(["/v27.0/1055", "/v0.0/1055", "/v2.13/1055", "/v26.1/1055"])("%s never existed", async (path) => {
    const { status, body, headers } = await get(path);
    expect([status, body.error.code, headers.get("facebook-api-version")]).toEqual([400, 2500, null]);
  });

  test("a message goes out on a path without a version", async () => {
    const { status } = await pair.call("POST", "/1055/messages", { messaging_product: "whatsapp", ...template(ANA) });
    expect([status, pair.simulator.stats().accepted]).toEqual([200, 1]);
  });
});

describe("errors have the envelope, whoever refuses", () => {
  const json = { ...bearer, "content-type": "application/json" };
  test.each([
    ["an unknown path", "GET", "/v26.0/1055/nothing/at/all", bearer, undefined, 400, 2500],
    ["a path with a broken escape", "GET", "/v26.0/%zz", bearer, undefined, 400, 100],
    ["an id that is too long", "GET", `/v26.0/${"9".repeat(200)}`, bearer, undefined, 414, 100],
    [
      "a proof that is no ASCII",
      "GET",
      `/v26.0/1055?appsecret_proof=${"%C3%A9".repeat(64)}`,
      bearer,
      undefined,
      400,
      100,
    ],
    ["an unknown list", "GET", "/v26.0/1055/nothing", bearer, undefined, 400, 2500],
    ["a method that there is not", "PUT", "/v26.0/1055", json, "{}", 400, 100],
    ["JSON that is cut off", "POST", "/v26.0/1055/messages", json, '{"to":', 400, 100],
    [
      "another content type",
      "POST",
      "/v26.0/1055/messages",
      { ...bearer, "content-type": "text/xml" },
      "<a/>",
      400,
      100,
    ],
    [
      "multipart that is none",
      "POST",
      "/1055/media",
      { ...bearer, "content-type": "multipart/form-data" },
      "x",
      400,
      100,
    ],
    ["a body that is too large", "POST", "/v26.0/1055/messages", json, `{"a":"${"x".repeat(2 ** 21)}"}`, 413, 100],
    ["a method of the path alone", "DELETE", "/v26.0/1055/register", bearer, undefined, 400, 2500],
  ])("%s", async (_what, method, path, headers, body, status, code) => {
    const answer = await request(method, path, headers, body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    const { message, type, fbtrace_id } = answer.body.error;
    expect({ message, type }).toEqual({
      message: expect.stringMatching(/./),
      type: expect.stringMatching(/Exception$/),
    });
    expect(answer.headers.get("x-fb-trace-id")).toBe(fbtrace_id);
    expect(answer.headers.get("content-type")).toContain("application/json");
  });

  test("every answer names its request, its release and its version", async () => {
    const { headers } = await get("/v26.0/1055");
    for (const name of ["facebook-api-version", "x-fb-request-id", "x-fb-trace-id", "x-fb-rev", "x-fb-debug"]) {
      expect(headers.get(name)).toMatch(/./);
    }
    const control = await fetch(`${pair.simulator.url}/sim/stats`);
    expect(control.headers.get("x-fb-rev")).toBeNull();
  });

  test("the control API keeps its own errors", async () => {
    const { status, body } = await request("POST", "/sim/handshake", { "content-type": "text/xml" }, "<a/>");
    expect([status, body]).toEqual([415, { error: { message: "a body is JSON" } }]);
  });
});

describe("parameters", () => {
  const named = { name: "from_a_form", language: "en_US", category: "UTILITY" };
  const components = [{ type: "BODY", text: "Your form has arrived." }];

  test("in a form, with objects as JSON", async () => {
    const body = new URLSearchParams({ ...named, components: JSON.stringify(components) });
    const { status } = await request("POST", "/v26.0/9001/message_templates", bearer, body);
    const { body: listed } = await get("/v26.0/9001/message_templates?name=from_a_form&fields=name,components");
    expect([status, listed["data"]]).toMatchObject([200, [{ name: "from_a_form", components }]]);
  });

  test("in multipart", async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(named)) body.set(name, value);
    body.set("components", JSON.stringify(components));
    expect((await request("POST", "/v26.0/9001/message_templates", bearer, body)).status).toBe(200);
  });

  test("a message as a form", async () => {
    const form = { messaging_product: "whatsapp", to: ANA, type: "template" };
    const body = new URLSearchParams({ ...form, template: JSON.stringify(template(ANA).template) });
    expect((await request("POST", "/v26.0/1055/messages", bearer, body)).status).toBe(200);
  });

  test("the token in the query or the body", async () => {
    expect((await get(`/v26.0/1055?access_token=${TOKEN}`, {})).status).toBe(200);
    const body = new URLSearchParams({ access_token: TOKEN });
    expect((await request("POST", "/v26.0/9001/subscribed_apps", {}, body)).status).toBe(200);
    const json = JSON.stringify({ access_token: TOKEN });
    const headers = { "content-type": "application/json" };
    expect((await request("POST", "/v26.0/9001/subscribed_apps", headers, json)).status).toBe(200);
  });

  test("the proof of the app secret in the query or the body, and needed when the app says so", async () => {
    const proof = createHmac("sha256", APP_SECRET).update(TOKEN).digest("hex");
    const subscribe = (body: Record<string, string>) =>
      request("POST", "/v26.0/9001/subscribed_apps", bearer, new URLSearchParams(body));
    expect((await subscribe({ appsecret_proof: "0".repeat(64) })).body.error.code).toBe(100);
    expect((await pair.call("PUT", "/sim/settings", { requireAppSecretProof: true })).status).toBe(200);
    expect((await get("/v26.0/1055")).body.error).toMatchObject({ code: 100, type: "GraphMethodException" });
    expect((await get(`/v26.0/1055?appsecret_proof=${proof}`)).status).toBe(200);
    expect((await subscribe({ appsecret_proof: proof })).status).toBe(200);
  });
});

describe("fields", () => {
  test("selections within objects, lists as fields, and their limit", async () => {
    const fields =
      "name,health_status{can_send_message,entities{entity_type,errors}},phone_numbers.limit(1){id,throughput{level}}," +
      "message_templates.limit(2).summary(total_count){name},subscribed_apps";
    const { status, body } = await get(`/v26.0/9001?fields=${encodeURIComponent(fields)}`);
    const expectedEntities = ["WABA", "BUSINESS", "APP"].map((entity_type) => ({ entity_type }));
    expect([status, body]).toMatchObject([
      200,
      {
        id: "9001",
        name: "Demo Shop",
        health_status: { can_send_message: "AVAILABLE", entities: expectedEntities },
        phone_numbers: { data: [{ id: "1055", throughput: { level: "STANDARD" } }] },
        message_templates: { data: [{ name: "order_ready" }, { name: "order_update" }], summary: { total_count: 6 } },
        subscribed_apps: { data: [{ whatsapp_business_api_data: { id: "42" } }] },
      },
    ]);
    expect(body["health_status"].entities).toEqual(expectedEntities);
    expect(Object.keys(body["message_templates"].data[0]).toSorted()).toEqual(["id", "name"]);
    const next = new URL(body["message_templates"].paging.next);
    const following = await get(next.pathname + next.search);
    expect(following.body["data"].map(({ name }: Json) => name)).toEqual(["order_update_named", "promo_spring"]);
  });

  test("the next page of a list within an object is of the same list, with the same fields", async () => {
    const fields = "message_templates.limit(3).status(APPROVED).summary(total_count){name,quality_score{score}}";
    const { body } = await get(`/v26.0/9001?fields=${encodeURIComponent(fields)}`);
    const next = new URL(body["message_templates"].paging.next);
    const second = (await get(next.pathname + next.search)).body;
    const score = { score: "UNKNOWN" };
    expect(second["data"]).toEqual([{ id: expect.any(String), name: "promo_spring", quality_score: score }]);
    expect([second["summary"], second["paging"].next]).toEqual([{ total_count: 4 }, undefined]);
  });

  test.each([
    ["1055", "conversational_automation,is_on_biz_app,new_name_status,country_dial_code,certificate,search_visibility"],
    [
      "9001",
      "is_enabled_for_insights,marketing_messages_lite_api_status,on_behalf_of_business_info,primary_funding_id",
    ],
    ["1689556908129832", "degrees_of_freedom_spec,sub_category,library_template_name,cta_url_link_tracking_opted_out"],
    ["me", "id,name"],
    ["7001", "id,name,verification_status"],
  ])("%s has the documented ones", async (id, fields) => {
    expect((await get(`/v26.0/${id}?fields=${fields}`)).status).toBe(200);
  });

  test.each([
    ["id,nothing", 100],
    ["throughput{nothing}", 100],
    ["health_status{entities{nothing}}", 100],
    ["throughput{level", 2500],
    ["a.limit", 2500],
    ["id}", 2500],
  ])("%s is refused with %i", async (fields, code) => {
    const { status, body } = await get(`/v26.0/1055?fields=${encodeURIComponent(fields)}`);
    expect([status, body.error.code]).toEqual([400, code]);
  });
});

describe("lists", () => {
  const names = ({ body }: { body: Json }): string[] => body["data"].map(({ name }: Json) => name);
  const follow = (address: string) => get(address.slice(pair.simulator.url.length));

  test("forwards to the end and back again, with opaque cursors", async () => {
    const first = await get("/v26.0/9001/message_templates?limit=4&fields=name");
    expect(first.body["paging"]).toMatchObject({ next: expect.any(String), cursors: { after: expect.any(String) } });
    expect(first.body["paging"].previous).toBeUndefined();
    const second = await follow(first.body["paging"].next);
    expect([names(first).length, names(second).length, second.body["paging"].next]).toEqual([4, 2, undefined]);
    expect(names(await follow(second.body["paging"].previous))).toEqual(names(first));
  });

  test("summary is what was asked, of all that match", async () => {
    const asked = "total_count,message_template_count,message_template_limit,are_translations_complete";
    const { body } = await get(`/v26.0/9001/message_templates?status=APPROVED&limit=1&summary=${asked}`);
    expect(body["summary"]).toEqual({
      total_count: 4,
      message_template_count: 6,
      message_template_limit: 6000,
      are_translations_complete: true,
    });
    expect((await get("/v26.0/9001/message_templates?summary=nothing")).body.error.code).toBe(100);
  });

  test("a cursor of another list is 131059 from v24 on", async () => {
    const { body } = await get("/v26.0/9001/message_templates?limit=1");
    const { after } = body["paging"].cursors;
    const codes = ["v26.0", "v24.0", "v23.0"].map(
      async (version) => (await get(`/${version}/9001/phone_numbers?after=${after}`)).body.error.code,
    );
    expect(await Promise.all(codes)).toEqual([131059, 131059, 100]);
    expect((await get("/v26.0/9001/message_templates?after=nonsense")).body.error.code).toBe(131059);
  });

  test("numbers are paged and filtered", async () => {
    pair.simulator.addAccount({
      waba_id: "9009",
      name: "Many",
      business_id: "7009",
      token: "EAAM",
      phone_numbers: [1, 2, 3].map((n) => ({ id: `200${n}`, display_phone_number: `+1555700000${n}` })),
    });
    const ids = async (query: string) => {
      const { body } = await pair.call("GET", `/v26.0/9009/phone_numbers?fields=id&${query}`, undefined, "EAAM");
      return body["data"].map(({ id }: Json) => id);
    };
    expect(await ids("limit=2")).toEqual(["2001", "2002"]);
    const filter = (value: string) =>
      `filtering=${encodeURIComponent(JSON.stringify([{ field: "account_mode", operator: "EQUAL", value }]))}`;
    expect([await ids(filter("LIVE")), await ids(filter("SANDBOX"))]).toEqual([["2001", "2002", "2003"], []]);
  });

  test("the accounts of a business, and those shared with the partner", async () => {
    const account = { waba_id: "9010", name: "B", business_id: "7010", token: TOKEN, phone_numbers: [] };
    pair.simulator.addAccount(account);
    const owned = await get("/v26.0/7001/owned_whatsapp_business_accounts");
    expect(owned.body["data"].map(({ id }: Json) => id)).toEqual(["9001"]);
    const shared = await get("/v26.0/7777/client_whatsapp_business_accounts?fields=id,name,currency");
    expect(shared.body["data"].map(({ id }: Json) => id)).toEqual(["9001", "9010"]);
    expect((await get("/v26.0/7002/owned_whatsapp_business_accounts")).body.error.error_subcode).toBe(33);
  });
});
