import { execFileSync } from "node:child_process";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { type Received, type Receiver, startReceiver } from "../testing/receiver.ts";

// What is delivered, judged by verifiers that share nothing with us: the library of Standard Webhooks, and openssl.

const DAY_S = 86_400;
let gateway: Gateway;
let mine: Workspace;
let receiver: Receiver;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.workspace();
  receiver = await startReceiver();
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

/** The library at the gateway's time. */
function standardAccepts(
  secret: string,
  text: string,
  headers: Received["headers"],
  now = gateway.clock.now(),
): boolean {
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

function opensslAccepts(secret: string, text: string, headers: Received["headers"]): boolean {
  const signature = String(headers["x-service-signature"]);
  const time = /^t=(\d+),/.exec(signature)?.[1];
  const out = execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret, "-r"], { input: `${time}.${text}` });
  return signature.split(",").includes(`v1=${out.toString().slice(0, 64)}`);
}

const accepts = (secret: string, { text, headers }: Received): boolean[] => [
  standardAccepts(secret, text, headers),
  opensslAccepts(secret, text, headers),
];

let people = 0;
/** Makes something happen that is delivered once. */
const happen = async (): Promise<void> => {
  const phone = `+1555888${String((people += 1)).padStart(4, "0")}`;
  expect((await mine.call("POST", "/v1/contacts", { body: { phone } })).status).toBe(201);
};

it("three rotations inside one overlap, with events all the while: a receiver with any of the secrets takes each delivery", async () => {
  const created = await mine.call("POST", "/v1/webhook-endpoints", {
    body: { url: receiver.url, events: ["contact_created"] },
  });
  const path = `/v1/webhook-endpoints/${created.body.id}/rotate-secret`;
  const secrets: string[] = [created.body.secret];
  /** Deliveries before the rotation that made each secret. */
  const since = [0];
  for (let n = 0; n < 3; n += 1) {
    const load = Promise.all(Array.from({ length: 15 }, happen));
    // Each one shorter than what the one before was promised.
    const body = { overlap_seconds: DAY_S - n * 3_600 };
    secrets.push((await mine.call("POST", path, { body })).body.secret);
    await load;
    await receiver.got((n + 1) * 15);
    since.push(receiver.received.length);
  }
  await happen();
  await receiver.got(46);
  // While a secret is being made a delivery may have been signed without it.
  const refused = receiver.received.flatMap((delivery, index) =>
    secrets.flatMap((secret, n) =>
      index < (since[n] ?? 0) || accepts(secret, delivery).every(Boolean) ? [] : [[index, n]],
    ),
  );
  expect(refused).toEqual([]);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(46);
});

it("refuses what was tampered with, what is stale, and another endpoint's secret", async () => {
  const { text, headers } = receiver.received.at(-1)!;
  const other = await mine.call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["read"] } });
  const fresh = await mine.call("POST", "/v1/webhook-endpoints", {
    body: { url: receiver.url, events: ["contact_created"] },
  });
  const { secret } = fresh.body;
  const before = receiver.received.length;
  await happen();
  await receiver.got(before + 2);
  const one = receiver.received.slice(before).find((each) => opensslAccepts(secret, each.text, each.headers))!;
  expect(accepts(secret, one)).toEqual([true, true]);
  expect(accepts(other.body.secret, one)).toEqual([false, false]);
  for (const changed of [`${one.text} `, one.text.replace("contact_created", "contact_deleted")])
    expect(accepts(secret, { ...one, text: changed })).toEqual([false, false]);
  expect(accepts(secret, { ...one, text, headers: { ...headers } })).toEqual([false, false]);
  const now = gateway.clock.now();
  expect([299, 302].map((s) => standardAccepts(secret, one.text, one.headers, now + s * 1_000))).toEqual([true, false]);
});

it("once its promised end has come a secret signs no more, and the newest alone does", async () => {
  const created = await mine.call("POST", "/v1/webhook-endpoints", {
    body: { url: receiver.url, events: ["contact_updated"] },
  });
  const path = `/v1/webhook-endpoints/${created.body.id}/rotate-secret`;
  const secrets: string[] = [created.body.secret];
  for (const overlap_seconds of [7_200, 3_600, 60])
    secrets.push((await mine.call("POST", path, { body: { overlap_seconds } })).body.secret);
  const contact = (await mine.call("GET", "/v1/contacts?limit=1")).body.data[0];
  const accepted: boolean[][] = [];
  for (const [n, ms] of [0, 61_000, 3_600_000, 3_600_000].entries()) {
    gateway.clock.advance(ms);
    const before = receiver.received.length;
    await mine.call("PATCH", `/v1/contacts/${contact.id}`, { body: { name: `Ana ${n}` } });
    await receiver.got(before + 1);
    const delivery = receiver.received.at(-1)!;
    accepted.push(secrets.map((secret) => accepts(secret, delivery).every(Boolean)));
  }
  // The one that was replaced last ended first.
  expect(accepted).toEqual([
    [true, true, true, true],
    [true, true, false, true],
    [true, false, false, true],
    [false, false, false, true],
  ]);
});
