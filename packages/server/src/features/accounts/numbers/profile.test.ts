import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const path = (of: Sender): string => `/v1/phone-numbers/${of.phoneNumberId}/profile`;
const patch = (of: Sender, body: object) => of.call("PATCH", path(of), { body });
const EMPTY = {
  about: null,
  address: null,
  description: null,
  email: null,
  websites: [],
  vertical: null,
  profile_picture_url: null,
};
const FULL = {
  about: "Open from nine to six.",
  address: "12 Market Street\nSpringfield",
  description: "Bread & cakes «since 1920» 🥐",
  email: "hello@shop.example",
  websites: ["https://shop.example", "http://cakes.example/menu"],
  vertical: "RETAIL",
};
const calls = (of: Sender, operation: string): number =>
  gateway.simulator.stats().management_calls[of.account.wabaId]?.[operation] ?? 0;

describe("a business profile", () => {
  it("is what the provider has: empty at first, changed field by field, cleared by null", async () => {
    const id = { phone_number_id: mine.phoneNumberId };
    expect(await mine.call("GET", path(mine))).toMatchObject({ status: 200, body: { ...id, ...EMPTY } });
    const changed = await patch(mine, FULL);
    expect([changed.status, changed.body]).toEqual([200, { ...id, ...EMPTY, ...FULL }]);
    expect((await mine.call("GET", path(mine))).body).toEqual(changed.body);
    // What is not given stays.
    expect((await patch(mine, { about: "Closed today." })).body).toEqual({ ...changed.body, about: "Closed today." });
    const cleared = await patch(mine, {
      address: null,
      description: null,
      email: null,
      websites: null,
      vertical: null,
    });
    expect(cleared.body).toEqual({ ...id, ...EMPTY, about: "Closed today." });
    const picture = await patch(mine, { profile_picture_handle: "4::aW1hZ2U=" });
    expect(picture.body.profile_picture_url).toMatch(/^https:/);
    expect((await theirs.call("GET", path(theirs))).body).toMatchObject(EMPTY);
  });

  it("is not written by an empty change", async () => {
    const before = calls(mine, "update_profile");
    expect((await patch(mine, {})).status).toBe(200);
    expect(calls(mine, "update_profile")).toBe(before);
  });

  it("has an audit row for each call, with what was changed, before and after", async () => {
    const other = await gateway.sender();
    await other.call("GET", path(other));
    await patch(other, { about: "First", profile_picture_handle: "4::aW1hZ2U=" });
    await patch(other, { about: "Second" });
    await gateway.audited();
    expect(
      await other.rows(
        "select action, resource_type, status, changes from audit where action like 'business_profile.%' order by id",
      ),
    ).toEqual([
      { action: "business_profile.read", resource_type: "phone_number", status: 200, changes: null },
      {
        action: "business_profile.update",
        resource_type: "phone_number",
        status: 200,
        changes: { about: { before: null, after: "First" }, profile_picture: { before: null, after: "replaced" } },
      },
      {
        action: "business_profile.update",
        resource_type: "phone_number",
        status: 200,
        changes: { about: { before: "First", after: "Second" } },
      },
    ]);
  });

  const long = (length: number): string => "x".repeat(length);
  it.each([
    ["about", { about: "" }, "/about"],
    ["about", { about: long(140) }, "/about"],
    ["about", { about: null }, "/about"],
    ["address", { address: long(257) }, "/address"],
    ["description", { description: long(513) }, "/description"],
    ["email", { email: `${long(120)}@shop.example` }, "/email"],
    ["email", { email: "shop.example" }, "/email"],
    ["websites", { websites: ["https://a.example", "https://b.example", "https://c.example"] }, "/websites"],
    ["websites", { websites: ["shop.example"] }, "/websites/0"],
    ["websites", { websites: ["https://a.example", `https://${long(249)}`] }, "/websites/1"],
    ["vertical", { vertical: "BAKERY" }, "/vertical"],
  ])("refuses %s %#, and the provider would too", async (_field, body, pointer) => {
    const before = calls(mine, "get_profile");
    const refused = await patch(mine, body);
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_request"]);
    expect(refused.body.errors.map((one: { pointer: string }) => one.pointer)).toContainEqual(
      expect.stringContaining(pointer),
    );
    expect(calls(mine, "get_profile")).toBe(before);
    const { account } = mine;
    const direct = await fetch(
      `${gateway.simulator.url}/v26.0/${account.providerPhoneNumberId}/whatsapp_business_profile`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
        body: JSON.stringify({ messaging_product: "whatsapp", ...body }),
      },
    );
    expect([direct.status, ((await direct.json()) as { error: { code: number } }).error.code]).toEqual([400, 100]);
  });

  it("refuses the address of a picture, which is the provider's", async () => {
    const refused = await patch(mine, { profile_picture_url: "https://a.example/a.jpg" });
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_request"]);
  });

  it("takes texts of the longest length", async () => {
    const longest = {
      about: long(139),
      address: long(256),
      description: long(512),
      websites: [`https://${long(248)}`],
    };
    expect(await patch(mine, longest)).toMatchObject({ status: 200, body: longest });
  });

  it("is 404 for another workspace, and needs the scope", async () => {
    for (const method of ["GET", "PATCH"] as const) {
      const body = method === "PATCH" ? { body: { about: "Mine" } } : {};
      expect(await theirs.call(method, path(mine), body)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    const reader = await gateway.workspace(["accounts:read"]);
    expect(await reader.call("PATCH", path(mine), { body: { about: "Mine" } })).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    const sender = await gateway.workspace(["messages:write"]);
    expect((await sender.call("GET", path(mine))).status).toBe(403);
  });

  it("of a disconnected account is 422 and asks nobody; of a dead token 422 with the provider's words", async () => {
    const other = await gateway.sender();
    gateway.clock.advance(61_000);
    gateway.simulator.setTokenDeath(other.account.wabaId, 463);
    const refused = await other.call("GET", path(other));
    expect(refused).toMatchObject({ status: 422, body: { code: "provider_rejected", provider: { code: 190 } } });
    expect(refused.text).not.toContain(other.account.token);
    // The refusal ends the connection, as one of a message does.
    const account = async () => (await other.call("GET", "/v1/business-accounts")).body.data[0].status;
    await expect.poll(account).toBe("disconnected");
    const before = calls(other, "get_profile");
    expect(await patch(other, { about: "Hello" })).toMatchObject({ status: 422, body: { code: "sender_unavailable" } });
    expect(calls(other, "get_profile")).toBe(before);
  });
});

describe("the provider's quota of management calls", () => {
  it("is 429 with Retry-After for the account that has used it up, and only for it, until it has room again", async () => {
    const other = await gateway.sender();
    const { wabaId } = other.account;
    gateway.simulator.setSettings({ managementCallsPerHour: 6 });
    // Four calls of the connection and these two.
    for (let n = 0; n < 2; n++) expect((await other.call("GET", path(other))).status).toBe(200);
    const refused = await other.call("GET", path(other));
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", provider: { code: 80_007 } } });
    const wait = Number(refused.headers["retry-after"]);
    expect(wait).toBeGreaterThan(3_000);
    expect(wait).toBeLessThanOrEqual(3_600);
    // The provider is not asked again until then.
    const asked = calls(other, "get_profile");
    expect((await patch(other, { about: "Hello" })).status).toBe(429);
    expect(calls(other, "get_profile")).toBe(asked);
    // Messages are no part of it.
    const sent = await other.send("+15551230001");
    await other.becomes(sent.body.id, "accepted");
    gateway.simulator.setSettings({ managementCallsPerHour: null });
    expect((await theirs.call("GET", path(theirs))).status).toBe(200);
    gateway.clock.advance(wait * 1_000 + 1_000);
    expect((await patch(other, { about: "Hello" })).body.about).toBe("Hello");
    expect(gateway.simulator.stats().management_calls[wabaId]).toMatchObject({ list_templates: expect.any(Number) });
  });
});
