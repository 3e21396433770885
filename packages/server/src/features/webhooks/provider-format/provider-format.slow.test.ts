import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MINUTE_MS } from "../../../lib/duration.ts";
import { formatId } from "../../../lib/ids.ts";
import { callbackOf, postCallback, statusOf, textFrom } from "../../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { uuidOfDigits } from "../../media/digits.ts";
import { PDF } from "../../media/testing/files.ts";
import { PATH } from "../testing/app.ts";
import { type CloudReceiver, startCloudReceiver } from "../testing/cloud-receiver.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let receiver: CloudReceiver;

const SECRET = "an-app-secret-of-the-receiver";
const DIGITS = "15551239001";
const PERSON = `+${DIGITS}`;

beforeAll(async () => {
  gateway = await startGateway({ EGRESS_ALLOW_CIDRS: "127.0.0.0/8" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());
let ids = 0;
beforeEach(async () => {
  ids += 1;
  receiver = await startCloudReceiver(SECRET);
  const made = receiver;
  return () => made.close();
});

const BODY = { format: "provider", fields: ["messages"], secret: SECRET };
const create = async (more: object = {}, of = mine) =>
  await of.call("POST", PATH, { body: { url: receiver.url, ...BODY, ...more } });
/** An endpoint until the end of the test's work. */
async function subscribed<T>(more: object, work: (endpoint: ReturnType<typeof JSON.parse>) => Promise<T>): Promise<T> {
  const { status, body } = await create(more);
  expect(status).toBe(201);
  try {
    return await work(body);
  } finally {
    await mine.call("DELETE", `${PATH}/${body.id}`);
  }
}
const got = async (count: number): Promise<void> => {
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(count);
};
const valueOf = (at = -1) => receiver.received.at(at)?.body.entry[0].changes[0].value;

test("a message of a callback of two workspaces arrives alone, whole and signed; nothing of the other does", async () => {
  await subscribed({}, async (endpoint) => {
    const now = gateway.clock.now();
    const [own, foreign] = [`wamid.two.${ids}`, `wamid.foreign.${ids}`];
    const value = textFrom(DIGITS, own, "Grüße 👋", now) as { messages: object[] };
    const callback = callbackOf(theirs.account, textFrom("15551239002", foreign, "secret of theirs", now)) as {
      entry: object[];
    };
    const added = { messages: [{ ...value.messages[0], added: { n: 1 } }], added: ["é"] };
    callback.entry.push(...(callbackOf(mine.account, { ...value, ...added }) as { entry: object[] }).entry);
    expect((await postCallback(gateway, callback)).status).toBe(200);
    await got(1);
    expect(receiver.refused).toBe(0);
    const [delivery] = receiver.received;
    const sent = callbackOf(mine.account, { ...value, ...added });
    expect(delivery?.body).toEqual(sent);
    expect(delivery?.text).toMatch(/^[\0-~]*$/);
    expect(delivery?.text).toContain("Gr\\u00fc\\u00dfe \\ud83d\\udc4b");
    expect(delivery?.headers).toMatchObject({
      "x-service-event": "messages",
      "x-service-attempt": "1",
      "x-service-signature": expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      "webhook-id": expect.stringMatching(/^evt_/),
    });
    expect(delivery?.headers).not.toHaveProperty("webhook-signature");
    expect(JSON.stringify(endpoint)).not.toContain(SECRET);
    expect(endpoint).toMatchObject({ format: "provider", fields: ["messages"], events: [] });
    // The outcome is stored some time after the answer.
    const deliveries = async () => (await mine.call("GET", `${PATH}/${endpoint.id}/deliveries`)).body.data;
    await expect.poll(deliveries).toMatchObject([{ kind: "messages", status: "succeeded" }]);
    const { body: shown } = await mine.call("GET", `/v1/deliveries/${(await deliveries())[0].id}`);
    expect(shown.attempts[0].request.body).toBe(delivery?.text);
  });
});

test("statuses arrive as the provider said them, without our own value; what only we know does not", async () => {
  const { body: message } = await mine.send(PERSON);
  const { provider_message_id: id } = await mine.becomes(message.id, "accepted");
  await subscribed({}, async () => {
    const opaque = gateway.simulator.sent().data.find((one) => one.id === id)?.opaque ?? "";
    expect(opaque).toMatch(/^w1\.msg_/);
    const now = gateway.clock.now();
    const pricing = { billable: true, category: "utility", added: 1 };
    const delivered = statusOf(id, "delivered", now, { biz_opaque_callback_data: opaque, pricing });
    await postCallback(gateway, callbackOf(mine.account, delivered));
    await got(1);
    expect(valueOf()).toMatchObject({ statuses: [{ id, status: "delivered", pricing }] });
    expect(receiver.received[0]?.text).not.toContain("biz_opaque");
    await postCallback(
      gateway,
      callbackOf(mine.account, statusOf(id, "read", now, { biz_opaque_callback_data: "own" })),
    );
    await got(2);
    expect(valueOf()).toMatchObject({ statuses: [{ status: "read", biz_opaque_callback_data: "own" }] });
  });
});

test("what has no callback any more is written from our own rows", async () => {
  await subscribed({ enabled: false }, async (endpoint) => {
    const now = gateway.clock.now();
    const id = `wamid.gone.${ids}`;
    await postCallback(gateway, callbackOf(mine.account, textFrom(DIGITS, id, "é", now)));
    gateway.simulator.addFault({ kind: "refuse", code: 131_026, recipient: "+15551239009" });
    const { body: refused } = await mine.send("+15551239009");
    await mine.becomes(refused.id, "failed");
    await gateway.app.db.sql.query("delete from callback");
    await mine.call("PATCH", `${PATH}/${endpoint.id}`, { body: { enabled: true } });
    await got(2);
    const values = receiver.received.map((_, n) => valueOf(n));
    expect(values.find((value) => "messages" in value)).toEqual({
      messaging_product: "whatsapp",
      metadata: {
        display_phone_number: mine.account.phone.slice(1),
        phone_number_id: mine.account.providerPhoneNumberId,
      },
      contacts: [{ profile: { name: "Ana" }, wa_id: DIGITS }],
      messages: [{ from: DIGITS, id, timestamp: String(Math.floor(now / 1_000)), type: "text", text: { body: "é" } }],
    });
    expect(values.find((value) => "statuses" in value)).toMatchObject({
      statuses: [{ id: refused.id, status: "failed", recipient_id: "15551239009", errors: [{ code: 131_026 }] }],
    });
  });
});

test("what was erased is not sent, and only the fields that were asked for are", async () => {
  await subscribed({ enabled: false, fields: ["smb_message_echoes"] }, async (endpoint) => {
    const now = gateway.clock.now();
    const [digits, kept] = ["15551239010", "15551239011"];
    await postCallback(gateway, callbackOf(mine.account, textFrom(digits, `wamid.erased.${ids}`, "Hi", now)));
    const { body } = await mine.call("GET", `/v1/contacts?phone=%2B${digits}`);
    const patch = { fields: ["messages"] };
    expect((await mine.call("PATCH", `${PATH}/${endpoint.id}`, { body: patch })).body).toMatchObject(patch);
    await postCallback(gateway, callbackOf(mine.account, textFrom(digits, `wamid.erased.2.${ids}`, "Hi", now)));
    await postCallback(gateway, callbackOf(mine.account, textFrom(kept, `wamid.kept.${ids}`, "Hi", now)));
    expect((await mine.call("DELETE", `/v1/contacts/${body.data[0].id}`)).status).toBe(204);
    await mine.call("PATCH", `${PATH}/${endpoint.id}`, { body: { enabled: true } });
    await got(1);
    await expect.poll(() => mine.rows("select from deliver")).toEqual([]);
    expect(receiver.received.map(({ text }) => text.includes(`wamid.kept.${ids}`))).toEqual([true]);
  });
});

test("each signature is of the oldest secret until its promised end, then of the next", async () => {
  await subscribed({}, async (endpoint) => {
    let n = 0;
    const deliver = async (secret: string) => {
      receiver.secret = secret;
      n += 1;
      const text = textFrom(DIGITS, `wamid.rotated.${ids}.${n}`, "Hi", gateway.clock.now());
      await postCallback(gateway, callbackOf(mine.account, text));
      await got(n);
      expect(receiver.refused).toBe(0);
    };
    const rotate = async (secret: string, overlap_seconds: number) => {
      const body = { secret, overlap_seconds };
      const rotated = await mine.call("POST", `${PATH}/${endpoint.id}/rotate-secret`, { body });
      expect(rotated.status).toBe(200);
      expect(rotated.body).not.toHaveProperty("secret");
    };
    await rotate("the-second-secret", 600);
    await rotate("the-third-secret-of-all", 1_200);
    await rotate("the-fourth-secret", 60);
    await deliver(SECRET);
    gateway.clock.advance(600_000);
    await deliver("the-second-secret");
    gateway.clock.advance(600_000);
    await deliver("the-fourth-secret");
    const generated = await mine.call("POST", `${PATH}/${endpoint.id}/rotate-secret`, { body: { overlap_seconds: 0 } });
    await deliver(generated.body.secret);
    expect(receiver.received.at(-1)?.headers["webhook-signature"]).toMatch(/^v1,/);
  });
});

test("the handshake decides before anything is stored, at creation and at each new URL", async () => {
  receiver.token = "right";
  const before = (await mine.call("GET", PATH)).body.data.length;
  const refused = await create({ verify_token: "wrong" });
  expect([refused.status, refused.body.code]).toEqual([422, "endpoint_unverified"]);
  expect((await mine.call("GET", PATH)).body.data.length).toBe(before);
  await subscribed(
    { verify_token: "right", url: `${receiver.url}?a=1`, headers: { "X-Gate": "open" } },
    async (endpoint) => {
      expect(JSON.stringify(endpoint)).not.toContain("right");
      const asked = receiver.asked.at(-1);
      expect(Object.fromEntries(asked?.searchParams ?? [])).toEqual({
        a: "1",
        "hub.mode": "subscribe",
        "hub.challenge": expect.stringMatching(/^\d{14}$/),
        "hub.verify_token": "right",
      });
      const patch = async (body: object) => (await mine.call("PATCH", `${PATH}/${endpoint.id}`, { body })).status;
      expect(await patch({ description: "not asked" })).toBe(200);
      receiver.handshake = (request, response) => {
        expect(request.headers["x-gate"]).toBe("open");
        response.end(`${new URL(request.url ?? "", "http://x").searchParams.get("hub.challenge")} and more`);
      };
      expect(await patch({ url: `${receiver.url}?b=1` })).toBe(422);
      receiver.handshake = (_, response) => response.writeHead(302, { location: receiver.url }).end();
      expect(await patch({ url: `${receiver.url}?b=1` })).toBe(422);
      receiver.handshake = null;
      expect(await patch({ url: `${receiver.url}?b=1` })).toBe(200);
      expect(receiver.asked.length).toBe(5);
      receiver.token = "newer";
      expect(await patch({ url: `${receiver.url}?c=1` })).toBe(422);
      expect(await patch({ url: `${receiver.url}?c=1`, verify_token: "newer" })).toBe(200);
      expect(await patch({ url: `${receiver.url}?d=1`, verify_token: null })).toBe(200);
      expect(receiver.asked.length).toBe(7);
    },
  );
  const [row] = await mine.rows(
    "select 1 from audit where changes::text like '%newer%' or changes::text like '%wrong%'",
  );
  expect(row).toBeUndefined();
});

test("a workspace has its URLs asked ten times a minute, and does not use up the turns of another", async () => {
  gateway.clock.advance(120_000);
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) statuses.push((await create({ verify_token: "wrong" })).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
  expect((await create({ verify_token: "wrong" }, theirs)).status).toBe(422);
  gateway.clock.advance(61_000);
  expect((await create({ verify_token: "wrong" })).status).toBe(422);
});

test.each([
  [{ fields: undefined }, "/fields"],
  [{ events: ["*"] }, "/events"],
  [{ fields: ["messages", "history"] }, "/fields/1"],
  [{ secret: "too short" }, "/secret"],
  [{ secret: "with a blank in it, long enough" }, "/secret"],
  [{ format: "waypost", fields: undefined, secret: undefined }, "/events"],
  [{ format: "waypost", events: ["*"], secret: undefined }, "/fields"],
  [{ format: "waypost", events: ["*"], fields: undefined }, "/secret"],
])("400 for %j", async (more, pointer) => {
  const { status, body } = await create(more);
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
});

test("the test event is an envelope without a number", async () => {
  await subscribed({}, async (endpoint) => {
    expect((await mine.call("POST", `${PATH}/${endpoint.id}/test`)).status).toBe(202);
    await got(1);
    expect(valueOf()).toMatchObject({ metadata: { phone_number_id: "0" }, statuses: [{ status: "sent" }] });
  });
});

test("a replay sends again what the provider sent, to an endpoint that was created later too", async () => {
  const now = gateway.clock.now();
  const digits = `1555124${1_000 + ids}`;
  const value = textFrom(digits, `wamid.replayed.${ids}`, "Ünbekannt", now) as { messages: object[] };
  const callback = callbackOf(mine.account, { ...value, messages: [{ ...value.messages[0], added: [1] }] });
  await postCallback(gateway, callback);
  await subscribed({ rate_per_second: 100 }, async (endpoint) => {
    const path = `${PATH}/${endpoint.id}/replays`;
    const replay = async (only: string) => {
      const body = { created_after: new Date(now - 1).toISOString(), events: ["messages"], only };
      const created = await mine.call("POST", path, { body });
      expect(created.status).toBe(202);
      const state = async () => {
        gateway.clock.advance(1_000);
        return (await mine.call("GET", `${path}/${created.body.id}`)).body;
      };
      await expect.poll(async () => (await state()).completed_at, { timeout: 20_000 }).not.toBeNull();
      expect((await state()).progress).toEqual({ matched: 1, scheduled: 1, succeeded: 1, failed: 0 });
    };
    await replay("missing");
    await replay("all");
    expect([receiver.received.length, receiver.refused]).toEqual([2, 0]);
    const [first, second] = receiver.received;
    expect(first?.body).toEqual(callback);
    expect(second?.text).toBe(first?.text);
    for (const { headers } of receiver.received)
      expect(headers).toMatchObject({ "x-service-replay": "true", "webhook-id": first?.headers["webhook-id"] });
  });
});

test("a replay leaves out what the provider has no word for, and what is of another field", async () => {
  const created_after = new Date(gateway.clock.now() - 1).toISOString();
  const { body: message } = await mine.send(PERSON);
  const { provider_message_id: id } = await mine.becomes(message.id, "accepted");
  await postCallback(gateway, callbackOf(mine.account, statusOf(id, "sent", gateway.clock.now())));
  await mine.becomes(message.id, "sent");
  const { body: contact } = await mine.call("POST", "/v1/contacts", { body: { phone: `+1555125${1_000 + ids}` } });
  await mine.call("PATCH", `/v1/contacts/${contact.id}`, { body: { marketing_consent: "opted_out" } });
  for (const [fields, matched] of [
    [["messages", "user_preferences"], 1],
    [["message_echoes"], 0],
  ] as const)
    await subscribed({ fields }, async (endpoint) => {
      const path = `${PATH}/${endpoint.id}/replays`;
      const created = await mine.call("POST", path, { body: { created_after, only: "missing" } });
      expect(created.status).toBe(202);
      const state = async () => {
        gateway.clock.advance(1_000);
        return (await mine.call("GET", `${path}/${created.body.id}`)).body;
      };
      await expect.poll(async () => (await state()).completed_at, { timeout: 20_000 }).not.toBeNull();
      const { status, progress } = await state();
      expect([status, progress]).toEqual(["completed", { matched, scheduled: matched, succeeded: matched, failed: 0 }]);
    });
  expect(receiver.received.map((_, n) => valueOf(n).statuses)).toMatchObject([[{ id, status: "sent" }]]);
});

test("a file of a person has our id and our address, made again for each attempt", async () => {
  await subscribed({}, async () => {
    const { simulator, clock } = gateway;
    const { providerPhoneNumberId: phone_number_id } = mine.account;
    const file = await simulator.addFile({ phone_number_id, mime_type: "application/pdf" }, PDF);
    simulator.inbound({
      phone_number_id,
      from: PERSON,
      type: "document",
      document: { id: file.id, filename: "plan.pdf" },
    });
    await got(1);
    const media = valueOf().messages[0].document.id;
    expect(media).toMatch(/^\d{37}$/);
    const ours = formatId("med", uuidOfDigits(media) ?? "");
    await expect.poll(async () => (await mine.call("GET", `/v1/media/${ours}`)).body.status).toBe("available");
    clock.advance(6 * MINUTE_MS);
    const delivery = String(receiver.received[0]?.headers["x-service-delivery"]);
    expect((await mine.call("POST", `/v1/deliveries/${delivery}/retry`)).status).toBe(202);
    await got(2);
    const [first, second] = [0, 1].map((at) => valueOf(at).messages[0].document);
    expect(second).toEqual({
      id: media,
      mime_type: "application/pdf",
      sha256: file.sha256,
      filename: "plan.pdf",
      url: expect.stringMatching(/^https?:.*\/media\//),
    });
    const read = async (url: string) => await fetch(new URL(new URL(url).pathname, gateway.url));
    expect((await read(first.url)).status).toBe(404);
    const answer = await read(second.url);
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, PDF]);
    expect(receiver.received[0]?.text).not.toContain(file.id);
  });
});
