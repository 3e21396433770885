import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { VERSION } from "./version.ts";
import { Waypost } from "./waypost.ts";
import { verifyWebhook, WebhookVerificationError } from "./webhook.ts";
import { webhookTestHeaders } from "./webhook-test.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const BODY = JSON.stringify({ id: "evt_1", kind: "delivered", category: "message_status", data: { name: "Zoë" } });
const NOW = 1_800_000_000;
type Vector = {
  name: string;
  valid: boolean;
  secret: string;
  now: number;
  headers: Record<string, string>;
  body: string;
};
const VECTORS: Vector[] = JSON.parse(
  readFileSync(new URL("../../../fixtures/webhooks/deliveries.json", import.meta.url), "utf8"),
).deliveries;

const signature = (secret = SECRET, body = BODY, at = NOW): string =>
  `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`;

describe("verify", () => {
  test("returns the event for text, bytes, and every kind of headers", async () => {
    const header = signature();
    const event = JSON.parse(BODY);
    expect(await verifyWebhook(BODY, header, SECRET, NOW)).toEqual(event);
    expect(await verifyWebhook(Buffer.from(BODY), header, SECRET, NOW)).toEqual(event);
    expect(await verifyWebhook(BODY, { "x-service-signature": header }, SECRET, NOW)).toEqual(event);
    expect(await verifyWebhook(BODY, { "x-service-signature": [header] }, SECRET, NOW)).toEqual(event);
    expect(await verifyWebhook(BODY, new Headers({ "X-Service-Signature": header }), SECRET, NOW)).toEqual(event);
  });

  test("during a rotation: two signatures, or two secrets", async () => {
    const both = `${signature(OTHER)},${signature().split(",")[1]}`;
    const event = JSON.parse(BODY);
    expect(await verifyWebhook(BODY, both, SECRET, NOW)).toEqual(event);
    expect(await verifyWebhook(BODY, signature(OTHER), [SECRET, OTHER], NOW)).toEqual(event);
  });

  const standardOnly = (headers: Record<string, string>) => ({ ...headers, "x-service-signature": undefined });
  test.each(VECTORS.flatMap((vector) => [["both", vector] as const, ["the standard one", vector] as const]))(
    "with %s of the signatures: $name",
    async (which, { headers, body, secret, now, valid }) => {
      const bytes = Buffer.from(body, "base64");
      const given = which === "both" ? headers : standardOnly(headers);
      const isJson = bytes.length > 0 && bytes.every((byte) => byte !== 0xff);
      const expected = isJson ? "none" : "malformed_body";
      const fault = await verifyWebhook(bytes, given, secret, { now }).then(
        () => "none",
        (error: WebhookVerificationError) => error.fault,
      );
      expect(fault).toMatch(valid ? expected : /_signature$|_tolerance$/);
    },
  );

  test("the vector published with Standard Webhooks", async () => {
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const at = { now: 1_614_265_330 };
    expect(await verifyWebhook('{"test": 2432232314}', headers, secret, at)).toEqual({ test: 2_432_232_314 });
    const other = { ...headers, "webhook-id": "msg_other" };
    await expect(verifyWebhook('{"test": 2432232314}', other, secret, at)).rejects.toMatchObject({
      fault: "wrong_signature",
    });
  });

  test("a tolerance of one's own, and a clock that gives no number", async () => {
    const at = (options: object) => verifyWebhook(BODY, signature(), SECRET, options);
    expect(await at({ now: NOW + 900, toleranceSeconds: 900 })).toMatchObject({ id: "evt_1" });
    await expect(at({ now: NOW + 11, toleranceSeconds: 10 })).rejects.toMatchObject({ fault: "outside_tolerance" });
    for (const options of [{ now: Number.NaN }, { now: NOW, toleranceSeconds: Number.NaN }])
      await expect(at(options)).rejects.toMatchObject({ fault: "outside_tolerance" });
  });

  test.each([
    ["another secret", BODY, signature(OTHER), NOW],
    ["another body", `${BODY} `, signature(), NOW],
    ["another time in the header", BODY, signature().replace(`t=${NOW}`, `t=${NOW + 1}`), NOW],
    ["too old", BODY, signature(), NOW + 301],
    ["too new", BODY, signature(), NOW - 301],
    ["no header", BODY, null, NOW],
    ["an empty one", BODY, "", NOW],
    ["no signature in it", BODY, `t=${NOW}`, NOW],
    ["no time in it", BODY, signature().replace(/^t=\d+,/, ""), NOW],
    ["a time that is none", BODY, signature().replace(`t=${NOW}`, "t=1e9"), NOW],
    ["a signature of another kind", BODY, signature().replace("v1=", "v0="), NOW],
    ["a signature cut short", BODY, signature().slice(0, -2), NOW],
    ["headers without it", BODY, {}, NOW],
  ])("refuses %s", async (_name, body, header, now) => {
    await expect(verifyWebhook(body, header, SECRET, now)).rejects.toThrow(WebhookVerificationError);
  });

  test("looks at few signatures of many", async () => {
    const many = `t=${NOW},${Array.from({ length: 20 }, () => `v1=${"0".repeat(64)}`).join(",")},${signature().split(",")[1]}`;
    await expect(verifyWebhook(BODY, many, SECRET, NOW)).rejects.toThrow(WebhookVerificationError);
  });

  test("signed bytes that are no JSON are refused, not thrown raw", async () => {
    await expect(verifyWebhook("{", signature(SECRET, "{"), SECRET, NOW)).rejects.toThrow(WebhookVerificationError);
  });

  test("without a secret it is the program that is wrong", async () => {
    await expect(verifyWebhook(BODY, signature(), "", NOW)).rejects.toThrow(TypeError);
    const headers = standardOnly(await webhookTestHeaders(BODY, SECRET));
    for (const secret of ["", "whsec_", "whsec_äö"])
      await expect(verifyWebhook(BODY, headers, secret)).rejects.toThrow(TypeError);
  });
});

describe("test headers", () => {
  test("satisfy our verification and an independent one of the standard trio", async () => {
    const headers = await Waypost.webhooks.testHeaders(BODY, SECRET);
    await expect(Waypost.webhooks.verify(BODY, headers, SECRET)).resolves.toMatchObject({ id: "evt_1" });
    expect(new Webhook(SECRET).verify(BODY, headers)).toMatchObject({ id: "evt_1" });
    const both = await webhookTestHeaders(BODY, [OTHER, SECRET]);
    for (const secret of [SECRET, OTHER]) {
      await expect(Waypost.webhooks.verify(BODY, both, secret)).resolves.toMatchObject({ id: "evt_1" });
      expect(new Webhook(secret).verify(BODY, both)).toMatchObject({ id: "evt_1" });
    }
  });

  test("use the given values", async () => {
    const headers = await webhookTestHeaders(BODY, SECRET, {
      eventId: "evt_9",
      kind: "messages",
      deliveryId: "dlv_9",
      attempt: 3,
      atSeconds: NOW,
    });
    expect(headers).toMatchObject({
      "webhook-id": "evt_9",
      "webhook-timestamp": String(NOW),
      "x-service-event": "messages",
      "x-service-delivery": "dlv_9",
      "x-service-attempt": "3",
      "x-service-signature": signature(),
    });
  });
});

test("the version is the package's", () => {
  expect(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version).toBe(VERSION);
});
