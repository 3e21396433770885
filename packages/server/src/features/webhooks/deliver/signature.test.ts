import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { type EndpointSecrets, newSecret, sign } from "./signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const only = (current: string): EndpointSecrets => ({ current, previous: null, previousUntil: 0 });
const BODY = Buffer.from('{"test": 2432232314}');

test("the vector published with Standard Webhooks", () => {
  const signed = sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330_999, BODY, only(SECRET));
  expect(signed["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  expect(signed["webhook-timestamp"]).toBe("1614265330");
  expect(signed["webhook-id"]).toBe("msg_p5jXN8AQM9LWM0D4loKWxJek");
});

test("the one-line check of x-service-signature: the whole secret is the key", () => {
  const [t, v1] = sign("evt_1", 1_700_000_000_000, BODY, only(SECRET))["x-service-signature"].split(",");
  expect(t).toBe("t=1700000000");
  expect(v1).toBe(`v1=${createHmac("sha256", SECRET).update(`1700000000.${BODY.toString()}`).digest("hex")}`);
});

test("every live secret verifies with the reference library, a third does not", () => {
  const [now, old, other] = [newSecret(), newSecret(), newSecret()];
  const body = Buffer.from(JSON.stringify({ text: "Grüße 👋\u2028" }));
  const until = Date.now();
  const headers = { ...sign("evt_1", until - 1, body, { current: now, previous: old, previousUntil: until }) };
  for (const secret of [now, old])
    expect(new Webhook(secret).verify(body.toString(), headers)).toEqual({ text: "Grüße 👋\u2028" });
  expect(() => new Webhook(other).verify(body.toString(), headers)).toThrow("No matching signature found");
  expect(() => new Webhook(now).verify(`${body.toString()} `, headers)).toThrow("No matching signature found");
  expect(headers["x-service-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  const later = sign("evt_1", until, body, { current: now, previous: old, previousUntil: until });
  expect(later["x-service-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
});

test("a secret is whsec_ and 32 bytes in base64", () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
});
