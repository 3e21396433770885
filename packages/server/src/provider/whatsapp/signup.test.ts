import { afterEach, describe, expect, test } from "vitest";
import type { Provider } from "../provider.ts";
import { createWhatsApp } from "./adapter.ts";
import { type Hostile, hostile, httpAnswer } from "./testing/hostile.ts";

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const SECRET = "app-secret-of-ours";

/** A provider that gives this one answer. */
async function answering(status: number, body: unknown): Promise<{ server: Hostile; provider: Provider }> {
  const server = await hostile((socket) => socket.write(httpAnswer(status, JSON.stringify(body))));
  const provider = createWhatsApp({
    baseUrl: server.url,
    apiVersion: "v26.0",
    appSecrets: [SECRET, "older"],
    verifyToken: "verify-me",
    appId: "42",
    timeouts: { connectMs: 1_000, totalMs: 5_000 },
  });
  closing.push(
    () => server.close(),
    () => provider.close(),
  );
  return { server, provider };
}

const said = (message: string, code: number) => ({ error: { message, code, error_data: { details: message } } });

describe("secrets in what the provider quotes", () => {
  test("of an exchange: neither the app's secret nor the code", async () => {
    const { provider } = await answering(400, said(`client_secret=${SECRET}&code=AQcode`, 100));
    const answer = await provider.exchangeCode({ code: "AQcode", redirectUri: null });
    expect(JSON.stringify(answer)).not.toMatch(/app-secret|AQcode/);
    expect(answer).toMatchObject({ ok: false, error: { class: "permanent" } });
  });

  test("of an inspection: neither the customer's token nor the app's", async () => {
    const { provider } = await answering(400, said(`input_token=customers-token by 42|${SECRET}`, 100));
    expect(JSON.stringify(await provider.inspectToken({ accessToken: "customers-token" }))).not.toMatch(
      /customers-token|app-secret/,
    );
  });

  test("of a registration: not the PIN", async () => {
    const { provider } = await answering(400, said("the pin 271828 is wrong", 133005));
    const number = { accessToken: "t", providerAccountId: "9", providerPhoneNumberId: "1" };
    const answer = await provider.registerNumber({ ...number, pin: "271828" });
    expect(JSON.stringify(answer)).not.toContain("271828");
    expect(answer).toMatchObject({ ok: false, error: { provider: { code: 133005 } } });
  });
});

describe("an exchange", () => {
  test.each([
    [
      { access_token: "EAAX", token_type: "bearer" },
      { accessToken: "EAAX", expiresInSeconds: null },
    ],
    [
      { access_token: "EAAX", expires_in: 5_183_944 },
      { accessToken: "EAAX", expiresInSeconds: 5_183_944 },
    ],
    [
      { access_token: "EAAX", expires_in: Number.MAX_SAFE_INTEGER },
      { accessToken: "EAAX", expiresInSeconds: null },
    ],
  ])("%j", async (body, value) => {
    const { provider } = await answering(200, body);
    expect(await provider.exchangeCode({ code: "c", redirectUri: null })).toEqual({ ok: true, value });
  });

  test("of a wrong secret is final, though its code may also be a failure that passes", async () => {
    const { provider } = await answering(400, said("Error validating client secret.", 1));
    expect(await provider.exchangeCode({ code: "c", redirectUri: null })).toMatchObject({
      error: { class: "permanent" },
    });
  });

  test.each([
    [200, { token_type: "bearer" }],
    [503, {}],
  ])("%i %j proves nothing", async (status, body) => {
    const { provider } = await answering(status, body);
    expect(await provider.exchangeCode({ code: "c", redirectUri: null })).toMatchObject({
      ok: false,
      error: { class: "transient" },
    });
  });

  test("without an app calls nobody", async () => {
    const provider = createWhatsApp({
      baseUrl: "http://127.0.0.1:1",
      apiVersion: "v26.0",
      appSecrets: [],
      verifyToken: "",
    });
    closing.push(() => provider.close());
    const error = { class: "permanent", bytesSent: false };
    expect(await provider.exchangeCode({ code: "c", redirectUri: null })).toMatchObject({ error });
    expect(await provider.inspectToken({ accessToken: "t" })).toMatchObject({ error });
  });
});

describe("an inspection", () => {
  const [management, messaging] = ["whatsapp_business_management", "whatsapp_business_messaging"];
  const data = { app_id: "42", is_valid: true, expires_at: 0, scopes: [management, messaging] };
  const value = { isOurs: true, missingScopes: [], accountIds: null, expiresAt: null };

  test.each([
    [{}, {}],
    [{ app_id: 43 }, { isOurs: false }],
    [{ scopes: [messaging] }, { missingScopes: [management] }],
    [{ scopes: undefined }, { missingScopes: [management, messaging] }],
    [{ expires_at: 1_800_000_000, data_access_expires_at: 1_700_000_000 }, { expiresAt: 1_700_000_000_000 }],
    [{ expires_at: 1_700_000_000_000_000, data_access_expires_at: Number.MAX_SAFE_INTEGER }, {}],
    [{ granular_scopes: [{ scope: management }, { scope: "other", target_ids: ["1"] }] }, {}],
    [
      { granular_scopes: [{ scope: management, target_ids: ["1", 2] }, { scope: messaging }] },
      { accountIds: ["1", "2"] },
    ],
    [
      {
        granular_scopes: [
          { scope: management, target_ids: ["1", "2"] },
          { scope: messaging, target_ids: ["2", "3"] },
        ],
      },
      { accountIds: ["2"] },
    ],
  ])("%j", async (more, expected) => {
    const { provider } = await answering(200, { data: { ...data, ...more } });
    expect(await provider.inspectToken({ accessToken: "t" })).toEqual({ ok: true, value: { ...value, ...expected } });
  });

  test.each([
    [
      { code: 190, message: "Expired", subcode: 463 },
      { code: 190, subcode: 463, title: "Expired" },
    ],
    [undefined, null],
    ["odd", null],
  ])("of a token that is not valid, with the error %j", async (error, said) => {
    const { provider } = await answering(200, { data: { is_valid: false, scopes: [], error } });
    expect(await provider.inspectToken({ accessToken: "t" })).toMatchObject({
      ok: false,
      error: { class: "token", provider: said },
    });
  });

  test.each([[{}], [{ data: {} }], [{ data: { is_valid: "yes" } }], [[]]])("%j is unreadable", async (body) => {
    const { provider } = await answering(200, body);
    expect(await provider.inspectToken({ accessToken: "t" })).toMatchObject({
      ok: false,
      error: { class: "transient" },
    });
  });
});

test("which numbers stay in the app, and which are verified", async () => {
  const number = { display_phone_number: "+1 555-0100", status: "PENDING", code_verification_status: "VERIFIED" };
  const level = { throughput: { level: "NOT_APPLICABLE" } };
  const { provider } = await answering(200, {
    data: [
      { id: "1", ...number },
      { id: "2", ...number, ...level, platform_type: "CLOUD_API", status: "CONNECTED" },
      { id: "3", ...number, ...level, platform_type: "NOT_APPLICABLE", code_verification_status: "NOT_VERIFIED" },
    ],
  });
  const fresh = { phone: "+15550100", status: "pending", verified: true, withApp: false };
  expect(await provider.listRegistrations({ accessToken: "t", providerAccountId: "9" })).toEqual({
    ok: true,
    value: [
      { ...fresh, providerPhoneNumberId: "1" },
      { ...fresh, providerPhoneNumberId: "2", status: "connected", withApp: true },
      { ...fresh, providerPhoneNumberId: "3", verified: false },
    ],
  });
});
