import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { type EndpointSecret, newSecret, sign } from "./signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const only = (secret: string): EndpointSecret[] => [{ secret, until: null, isBrought: false }];
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

test("every live secret verifies with the reference library until its end, and no other", () => {
  const [now, newer, older, other] = [newSecret(), newSecret(), newSecret(), newSecret()];
  const body = Buffer.from(JSON.stringify({ text: "Grüße 👋\u2028" }));
  const at = Date.now();
  // The one that was replaced last ends first.
  const secrets = [
    ...only(now),
    { secret: newer, until: at, isBrought: false },
    { secret: older, until: at + 1, isBrought: false },
  ];
  const headers = { ...sign("evt_1", at - 1, body, secrets) };
  for (const secret of [now, newer, older])
    expect(new Webhook(secret).verify(body.toString(), headers)).toEqual({ text: "Grüße 👋\u2028" });
  expect(() => new Webhook(other).verify(body.toString(), headers)).toThrow("No matching signature found");
  expect(() => new Webhook(now).verify(`${body.toString()} `, headers)).toThrow("No matching signature found");
  expect(headers["x-service-signature"]).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){3}$/);
  const then = { ...sign("evt_1", at, body, secrets) };
  expect(() => new Webhook(newer).verify(body.toString(), then)).toThrow("No matching signature found");
  expect(new Webhook(older).verify(body.toString(), then)).toEqual({ text: "Grüße 👋\u2028" });
  expect(sign("evt_1", at + 1, body, secrets)["x-service-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
});

test("a secret is whsec_ and 32 bytes in base64", () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
});
