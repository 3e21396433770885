import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goldenBytes, goldenNames } from "../../provider/whatsapp/testing/golden.ts";
import { callbackOf, postCallback, signatureOf, statusOf, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { APP_SECRET, addProviderAccount, type ProviderAccount, VERIFY_TOKEN } from "../../testing/provider-account.ts";

const NEW_SECRET = "app-secret-after-rotation";

let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ PROVIDER_APP_SECRET: `${APP_SECRET},${NEW_SECRET}` });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

let counter = 0;
const wamid = (): string => `wamid.IN${(counter += 1)}`;
const digits = (): string => `1555700${String((counter += 1)).padStart(4, "0")}`;
const text = (id: string, from = digits(), body = "Hi") => textFrom(from, id, body, gateway.clock.now());
const stored = () =>
  gateway.app.db.sql.query<{ n: number }>("select count(*)::int as n from callback").then(([row]) => row?.n);
/** Nothing waits to be parsed. */
const parsed = async (): Promise<void> => {
  await expect.poll(() => gateway.app.db.sql.query("select 1 from ingest")).toEqual([]);
};
const quarantined = (callbackIds?: string) =>
  gateway.app.db.sql.query<{
    reason: string;
    replayed_at: Date | null;
    provider_phone_number_id: string | null;
    change: unknown;
  }>(`select reason, replayed_at, provider_phone_number_id, change from quarantine ${callbackIds ?? ""} order by id`);
const received = async (of: Sender, id: string): Promise<number> =>
  (await of.rows("select 1 from message_state where provider_message_id = $1", [id])).length;

describe("the handshake", () => {
  const ask = async (query: string) => await fetch(`${gateway.url}/webhooks/receive?${query}`);

  it("answers the challenge as it came, as plain text", async () => {
    const answer = await ask(`hub.mode=subscribe&hub.verify_token=${VERIFY_TOKEN}&hub.challenge=1158201444`);
    expect([answer.status, await answer.text()]).toEqual([200, "1158201444"]);
    expect(answer.headers.get("content-type")).toContain("text/plain");
    expect(await gateway.simulator.handshake()).toEqual({ verified: true, status: 200 });
  });

  it.each([
    ["a wrong token", "hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1"],
    ["no token", "hub.mode=subscribe&hub.challenge=1"],
    ["an empty token", "hub.mode=subscribe&hub.verify_token=&hub.challenge=1"],
    ["another mode", `hub.mode=unsubscribe&hub.verify_token=${VERIFY_TOKEN}&hub.challenge=1`],
    ["no question at all", ""],
  ])("refuses %s with 403, without the challenge", async (_name, query) => {
    const answer = await ask(query);
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toBe("1");
  });
});

describe("the signature", () => {
  const payload = () => JSON.stringify(callbackOf(mine.account, text(wamid())));

  it("is accepted under each of the secrets", async () => {
    for (const secret of [APP_SECRET, NEW_SECRET]) {
      const body = payload();
      expect((await postCallback(gateway, body, signatureOf(body, secret))).status).toBe(200);
    }
  });

  it("is over the raw bytes: the same JSON written differently is another callback", async () => {
    const body = payload();
    expect((await postCallback(gateway, body.replace(":", ": "), signatureOf(body))).status).toBe(401);
  });

  it.each<[string, (body: string) => string | null]>([
    ["missing", () => null],
    ["empty", () => ""],
    ["of another secret", (body) => signatureOf(body, "another")],
    ["without its scheme", (body) => signatureOf(body).slice("sha256=".length)],
    ["cut short", (body) => signatureOf(body).slice(0, -2)],
    ["of SHA-1", (body) => signatureOf(body).replace("sha256", "sha1")],
    ["of another body", () => signatureOf("{}")],
  ])("%s is 401, and nothing is stored", async (_name, sign) => {
    const before = await stored();
    const body = payload();
    expect((await postCallback(gateway, body, sign(body))).status).toBe(401);
    expect(await stored()).toBe(before);
  });
});

describe("the body", () => {
  it.each(["", ";", "x", "text/plain", "application/json; charset=latin1"])(
    "that is signed is read whatever its Content-Type says: %j",
    async (type) => {
      const id = wamid();
      const body = JSON.stringify(callbackOf(mine.account, text(id)));
      const headers = { "content-type": type, "x-hub-signature-256": signatureOf(body) };
      const { status } = await gateway.as(null)("POST", "/webhooks/receive", { body, headers });
      expect(status).toBe(200);
      const stored = () => mine.rows("select 1 from message_state where provider_message_id = $1", [id]);
      await expect.poll(stored).toHaveLength(1);
    },
  );

  it("over 3 MiB is 413, whatever its signature; 3 MiB is accepted", async () => {
    const large = "x".repeat(3 * 1024 * 1024 + 1);
    expect((await postCallback(gateway, large)).status).toBe(413);
    expect((await postCallback(gateway, large.slice(1))).status).toBe(200);
    await parsed();
  });

  it.each([
    ["no JSON", "<html>502</html>"],
    ["nothing", ""],
    ["broken UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe])],
    ["half a JSON", '{"object":"whatsapp_business_account","entry":['],
  ])("that is signed %s is 200, kept byte for byte and set aside", async (_name, body) => {
    const before = (await quarantined()).length;
    expect((await postCallback(gateway, body)).status).toBe(200);
    await parsed();
    const rows = await quarantined();
    expect(rows.slice(before)).toMatchObject([{ reason: "not_json" }]);
    const kept = await gateway.app.db.sql.query<{ body: Buffer }>(
      "select c.body from callback c join quarantine q on q.callback_id = c.id order by q.id desc limit 1",
    );
    expect(kept[0]?.body.equals(Buffer.from(body))).toBe(true);
  });

  it.each([
    ["null", "null"],
    ["a list", "[]"],
    ["a text", '"hello"'],
    ["no entries", "{}"],
    ["entries of a wrong type", '{"object":"whatsapp_business_account","entry":[null,1,{"id":"x"},{"changes":7}]}'],
    ["deeply nested", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
  ])("that is %s does no harm", async (_name, body) => {
    expect((await postCallback(gateway, body)).status).toBe(200);
    await parsed();
    await acceptsOne();
  });
});

async function acceptsOne(): Promise<void> {
  const id = wamid();
  await postCallback(gateway, callbackOf(mine.account, text(id)));
  await expect.poll(() => received(mine, id)).toBe(1);
}

describe("changes", () => {
  it("that are not understood are set aside whole; their neighbours are processed", async () => {
    const [first, last] = [wamid(), wamid()];
    const sent = await mine.send(`+${digits()}`);
    const { provider_message_id } = await mine.becomes(sent.body.id, "accepted");
    const before = (await quarantined()).length;
    const payload = callbackOf(
      mine.account,
      text(first),
      { messages: [{ id: 7, from: null, odd: "kept-1" }] },
      { statuses: [{ status: "teleported", id: "wamid.none" }] },
      statusOf(provider_message_id, "sent", gateway.clock.now()),
      text(last),
    ) as { entry: { changes: unknown[] }[] };
    payload.entry[0]?.changes.splice(2, 0, { field: "brand_new_field", value: { odd: "kept-2" } }, null, 5);
    expect((await postCallback(gateway, payload)).status).toBe(200);
    await mine.becomes(sent.body.id, "sent");
    await parsed();
    expect([await received(mine, first), await received(mine, last)]).toEqual([1, 1]);
    const rows = (await quarantined()).slice(before);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(rows)).toContain("kept-1");
    expect(JSON.stringify(rows)).toContain("kept-2");
  });

  it("that come twice, ten times at once and out of order are one message", async () => {
    const [id, from] = [wamid(), digits()];
    const payload = callbackOf(mine.account, text(id, from));
    const answers = await Promise.all(Array.from({ length: 10 }, () => postCallback(gateway, payload)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    await parsed();
    await postCallback(gateway, callbackOf(mine.account, text(id, from), text(id, from)));
    await parsed();
    expect(await received(mine, id)).toBe(1);
    const events = await mine.rows<{ kind: string }>(
      "select e.kind from event e join contact c on c.id = e.contact_id where c.phone = $1 order by e.sequence",
      [`+${from}`],
    );
    expect(events.map(({ kind }) => kind)).toEqual(["contact_created", "messages"]);
  });

  it("with NUL and lone surrogates do not lose their neighbours", async () => {
    const id = wamid();
    const odd = JSON.stringify(callbackOf(mine.account, text(wamid(), digits(), "BAD"), text(id))).replace(
      "BAD",
      "a\\u0000b\\ud800c",
    );
    expect((await postCallback(gateway, odd)).status).toBe(200);
    await expect.poll(() => received(mine, id)).toBe(1);
    await parsed();
    await acceptsOne();
  });
});

describe("a number without an owner", () => {
  it("has its callbacks set aside, and replayed automatically when it is connected", async () => {
    const account: ProviderAccount = addProviderAccount(gateway.simulator);
    const [id, from] = [wamid(), digits()];
    const neighbour = wamid();
    const both = callbackOf(account, text(id, from)) as { entry: object[] };
    both.entry.push(...(callbackOf(mine.account, text(neighbour)) as { entry: object[] }).entry);
    await postCallback(gateway, both);
    await expect.poll(() => received(mine, neighbour)).toBe(1);
    await parsed();
    const ours = `where provider_phone_number_id = '${account.providerPhoneNumberId}'`;
    expect(await quarantined(ours)).toMatchObject([{ reason: "unowned", replayed_at: null }]);

    const late = await gateway.workspace();
    const body = { provider_account_id: account.wabaId, access_token: account.token };
    expect((await late.call("POST", "/v1/business-accounts", { body })).status).toBe(201);
    const inbound = async () => (await late.call("GET", "/v1/messages?direction=inbound")).body.data;
    await expect.poll(async () => (await inbound()).length).toBe(1);
    expect((await inbound())[0]).toMatchObject({ provider_message_id: id, from: `+${from}`, text: { body: "Hi" } });
    expect((await quarantined(ours)).filter((row) => row.replayed_at === null)).toEqual([]);
    // The neighbour in that callback is parsed again with it, and is still one message.
    await parsed();
    expect(await received(mine, neighbour)).toBe(1);
  });
});

describe("the golden payloads", () => {
  it("are all accepted, twice, forwards and backwards; none blocks the next", async () => {
    const names = goldenNames("callback-");
    expect(names.length).toBeGreaterThan(50);
    for (const name of [...names, ...names.toReversed()]) {
      const { status } = await postCallback(gateway, goldenBytes(name));
      expect([name, status]).toEqual([name, 200]);
    }
    await parsed();
    expect((await quarantined("where reason = 'failed'")).length).toBe(0);
    await acceptsOne();
  });

  it("of a connected account become messages", async () => {
    const of = await gateway.sender();
    // The recordings share one number and one message id; here each gets its own.
    const as = (name: string) =>
      goldenBytes(name)
        .toString()
        .replaceAll('"1055"', `"${of.account.providerPhoneNumberId}"`)
        .replaceAll('"9001"', `"${of.account.wabaId}"`)
        .replace('"wamid.IN1"', `"wamid.${name}"`);
    const names = goldenNames("callback-message-").filter((name) => name !== "callback-message-no-number");
    for (const name of names) await postCallback(gateway, as(name));
    await parsed();
    const { body } = await of.call("GET", "/v1/messages?direction=inbound&limit=100");
    expect(body.data.length).toBeGreaterThan(20);
    for (const message of body.data)
      expect(message).toMatchObject({ status: "received", final: true, type: expect.any(String) });
    expect((await quarantined("where reason = 'failed'")).length).toBe(0);
  });
});

// Last, because it disconnects the database.
describe("without the database", () => {
  it("is 503, so that the provider sends it again; then nothing is missing and nothing is there twice", async () => {
    const id = wamid();
    const payload = callbackOf(mine.account, text(id));
    gateway.databaseProxy.cut();
    expect((await postCallback(gateway, payload)).status).toBe(503);
    expect((await postCallback(gateway, payload, "sha256=00")).status).toBe(401);
    gateway.databaseProxy.mend();
    await expect.poll(async () => (await postCallback(gateway, payload)).status).toBe(200);
    await expect.poll(() => received(mine, id)).toBe(1);
  });
});
