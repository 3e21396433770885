import { afterEach, describe, expect, test } from "vitest";
import type { Provider } from "../provider.ts";
import { createWhatsApp } from "./adapter.ts";
import { golden } from "./testing/golden.ts";
import { type Hostile, hostile, httpAnswer } from "./testing/hostile.ts";

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A provider that gives these answers, one after the other; the last for ever. */
async function answering(
  ...answers: Array<[status: number, body: unknown]>
): Promise<{ server: Hostile; provider: Provider }> {
  const server = await hostile((socket, _request, index) => {
    const [status, body] = answers[Math.min(index, answers.length - 1)]!;
    socket.write(httpAnswer(status, JSON.stringify(body)));
  });
  const provider = createWhatsApp({
    baseUrl: server.url,
    apiVersion: "v26.0",
    appSecrets: [],
    verifyToken: "verify-me",
    timeouts: { connectMs: 1_000, totalMs: 5_000 },
  });
  closing.push(
    () => server.close(),
    () => provider.close(),
  );
  return { server, provider };
}

const account = { accessToken: "EAADEMO", providerAccountId: "9001" };
const whole = (name: string): [number, unknown] => [golden(name).http_status!, golden(name).payload];

test.each([
  ["TIER_50", 50],
  ["TIER_250", 250],
  ["TIER_1K", 1_000],
  ["TIER_2K", 2_000],
  ["TIER_100K", 100_000],
  ["TIER_UNLIMITED", "unlimited"],
  ["TIER_NOT_SET", null],
  ["TIER_", null],
  [2_000, null],
])("a messaging limit of %s is %s", async (whatsapp_business_manager_messaging_limit, messagingLimit) => {
  const number = { id: "1055", display_phone_number: "+1 555", whatsapp_business_manager_messaging_limit };
  const { provider } = await answering([200, { data: [number] }]);
  expect(await provider.listPhoneNumbers(account)).toMatchObject({ ok: true, value: [{ messagingLimit }] });
});

test("phone numbers", async () => {
  const { server, provider } = await answering(whole("response-phone-numbers"));
  expect(await provider.listPhoneNumbers(account)).toEqual({
    ok: true,
    value: [
      {
        providerPhoneNumberId: "1055",
        phone: "+15559990000",
        verifiedName: "Shop",
        quality: "green",
        status: "connected",
        throughputPerSecond: 80,
        messagingLimit: null,
      },
      {
        providerPhoneNumberId: "1056",
        phone: "+15559990001",
        verifiedName: null,
        quality: "unknown",
        status: "pending",
        throughputPerSecond: null,
        messagingLimit: null,
      },
    ],
  });
  expect(server.requests[0]).toMatch(/^GET \/v26\.0\/9001\/phone_numbers\?fields=id%2C/);
  expect(server.requests[0]).not.toContain("appsecret_proof");
});

test("templates, page after page by cursor", async () => {
  const { server, provider } = await answering(whole("response-templates-page"), whole("response-templates-last"));
  const answer = await provider.listTemplates(account);
  expect(answer).toMatchObject({
    ok: true,
    value: [
      { providerTemplateId: "1689556908129832", status: "approved", parameterFormat: "named", rejectionReason: null },
      {
        providerTemplateId: "1689556908129833",
        language: "pt_BR",
        status: "rejected",
        category: "marketing",
        quality: "red",
        parameterFormat: "positional",
        rejectionReason: "INVALID_FORMAT",
      },
    ],
  });
  expect(server.requests[1]).toMatch(/&after=QVFJ1 /);
});

test("a page of large carousels", async () => {
  const url = `https://shop.example/${"p".repeat(1_980)}`;
  const card = {
    components: [
      { type: "BODY", text: "Here." },
      { type: "BUTTONS", buttons: [{ type: "URL", url }] },
    ],
  };
  const components = [
    { type: "BODY", text: "Look." },
    { type: "CAROUSEL", cards: Array.from({ length: 10 }, () => card) },
  ];
  const data = Array.from({ length: 50 }, (_, n) => ({
    id: `${n + 1}`,
    name: `large_${n}`,
    language: "hi",
    components,
  }));
  expect(JSON.stringify({ data }).length).toBeGreaterThan(1_050_000);
  const { provider } = await answering([200, { data }]);
  expect(await provider.listTemplates(account)).toMatchObject({ ok: true, value: data.map(({ name }) => ({ name })) });
});

test("a cursor that goes in circles ends as an error", async () => {
  const { server, provider } = await answering(whole("response-templates-page"));
  expect(await provider.listTemplates(account)).toMatchObject({
    ok: false,
    error: { detail: "list without end not as documented" },
  });
  expect(server.requests).toHaveLength(400);
});

test("one template, one account", async () => {
  const template = await answering(whole("response-template"));
  expect(
    await template.provider.getTemplate({ accessToken: "EAADEMO", providerTemplateId: "1689556908129832" }),
  ).toMatchObject({
    ok: true,
    value: { name: "order_ready", category: "utility", quality: "unknown" },
  });
  const { provider } = await answering(whole("response-account"));
  expect(await provider.getAccount(account)).toEqual({
    ok: true,
    value: {
      providerAccountId: "9001",
      name: "Shop account",
      portfolioId: "7001",
      timeZone: "America/Los_Angeles",
      blocked: null,
    },
  });
});

test("subscribing", async () => {
  const { server, provider } = await answering(whole("response-success"));
  expect(await provider.subscribe(account)).toEqual({ ok: true, value: null });
  expect(server.requests[0]).toMatch(/^POST \/v26\.0\/9001\/subscribed_apps HTTP/);
});

test("errors are values", async () => {
  const token = await answering(whole("response-error-token"));
  expect(await token.provider.getAccount(account)).toMatchObject({
    ok: false,
    error: { class: "token" },
  });
  const strange = await answering([200, { data: [{ id: "1055" }] }]);
  expect(await strange.provider.listPhoneNumbers(account)).toMatchObject({ ok: false, error: { class: "transient" } });
  const html = await answering([502, "<html>"]);
  expect(await html.provider.subscribe(account)).toMatchObject({
    ok: false,
    error: { httpStatus: 502, provider: null },
  });
  const refused = await answering([200, { success: false }]);
  expect(await refused.provider.subscribe(account)).toMatchObject({ ok: false });
});

test.each([
  ["REINSTATED", "approved"],
  ["UNARCHIVED", "approved"],
  ["PENDING_DELETION", "pending_deletion"],
  ["SOMETHING_NEW", "pending"],
])("template status %s reads as %s", async (status, expected) => {
  const { provider } = await answering([200, { ...Object(golden("response-template").payload), status }]);
  const answer = await provider.getTemplate({ accessToken: "EAADEMO", providerTemplateId: "1" });
  expect(answer).toMatchObject({ ok: true, value: { status: expected } });
});

describe("the verification handshake", () => {
  const query = { "hub.mode": "subscribe", "hub.verify_token": "verify-me", "hub.challenge": "1158201444" };

  test.each([
    [query, "1158201444"],
    [{ ...query, "hub.verify_token": "verify" }, null],
    [{ ...query, "hub.verify_token": undefined }, null],
    [{ ...query, "hub.mode": "unsubscribe" }, null],
    [{ ...query, "hub.challenge": undefined }, null],
    [{}, null],
  ])("%j", async (given, challenge) => {
    const { provider } = await answering([200, {}]);
    expect(provider.answerHandshake(given)).toBe(challenge);
  });

  test("no token configured refuses everything, an empty one too", () => {
    for (const verifyToken of [null, ""]) {
      const provider = createWhatsApp({
        baseUrl: "http://127.0.0.1:1",
        apiVersion: "v26.0",
        appSecrets: [],
        verifyToken,
      });
      expect(provider.answerHandshake({ ...query, "hub.verify_token": "" })).toBeNull();
    }
  });
});
