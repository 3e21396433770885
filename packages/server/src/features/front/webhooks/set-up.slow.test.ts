import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { parseId } from "../../lib/ids.ts";
import { callbackOf, postCallback, textFrom } from "../../testing/callback.ts";
import { WITH_FRONT_ROWS } from "../../testing/front-rows.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { PATIENCE } from "../../testing/patience.ts";
import { PATH } from "./testing/app.ts";
import { type CloudReceiver, startCloudReceiver } from "./testing/cloud-receiver.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
/** Public ids of the account, its numbers, and the same of the provider. */
let account: string;
let numbers: { id: string; providerId: string }[];
let theirAccount: string;
/** What receives of the account, of a number, and of the other workspace. */
let ofAccount: CloudReceiver;
let ofNumber: CloudReceiver;

const SECRET = "the-app-secret-of-the-client";
const THEIRS = "the-app-secret-of-the-others";
const TOKEN = "a token";

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" }, WITH_FRONT_ROWS);
  [mine, theirs] = [await gateway.sender({ numbers: 2 }), await gateway.sender()];
  const { body } = await mine.call("GET", "/v1/phone-numbers");
  numbers = body.data
    .map((number: Record<string, string>) => ({ id: number["id"], providerId: number["provider_phone_number_id"] }))
    .sort((a: { id: string }) => (a.id === mine.phoneNumberId ? -1 : 1));
  account = body.data[0].business_account_id;
  theirAccount = (await theirs.call("GET", "/v1/phone-numbers")).body.data[0].business_account_id;
});
afterAll(() => gateway.stop());

let ids = 0;
beforeEach(async () => {
  ids += 1;
  // Ten handshakes a minute.
  gateway.clock.advance(61_000);
  await secretIs(SECRET);
  const made = [await startCloudReceiver(SECRET), await startCloudReceiver(SECRET)] as const;
  [ofAccount, ofNumber] = made;
  return async () => {
    for (const of of [mine, theirs]) {
      const { body } = await of.call("GET", `${PATH}?limit=100`);
      for (const { id } of body.data) await of.call("DELETE", `${PATH}/${id}`);
    }
    for (const one of made) await one.close();
  };
});

const secretIs = async (front_app_secret: string | null, of = mine) =>
  expect(await of.call("PATCH", "/v1/workspace", { body: { front_app_secret } })).toMatchObject({ status: 200 });
const set = (id: string, receiver: { url: string }, of = mine, verify_token = TOKEN) =>
  of.call("POST", `/v1/front-endpoints/${id}`, { body: { url: receiver.url, verify_token } });
const remove = (id: string, of = mine) => of.call("DELETE", `/v1/front-endpoints/${id}`);
const isSet = async (id: string, receiver: { url: string }, of = mine): Promise<string> => {
  const answer = await set(id, receiver, of);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body.id;
};
const endpoints = async (of = mine) => (await of.call("GET", `${PATH}?limit=100`)).body.data;

/** A person writes to a number; resolves to the provider's id of the message. */
let texts = 0;
async function write(number: { providerId: string }, of = mine, digits = "15551230001"): Promise<string> {
  texts += 1;
  const id = `wamid.front.${ids}.${texts}`;
  const value = textFrom(digits, id, "Hi", gateway.clock.now()) as object;
  const metadata = { display_phone_number: "15550000000", phone_number_id: number.providerId };
  expect((await postCallback(gateway, callbackOf(of.account, { ...value, metadata }))).status).toBe(200);
  return id;
}
const changesOf = ({ received }: CloudReceiver) => received.map(({ body }) => body.entry[0].changes[0]);
const messagesOf = (receiver: CloudReceiver): string[] =>
  changesOf(receiver).flatMap(({ value }) => (value.messages ?? []).map(({ id }: { id: string }) => id));
const gets = (receiver: CloudReceiver, ...messages: string[]) =>
  vi.waitFor(() => expect(messagesOf(receiver).sort()).toEqual([...messages].sort()), PATIENCE);
const delivered = () =>
  vi.waitFor(async () => {
    expect(await gateway.app.db.sql.query("select from ingest")).toEqual([]);
    expect(await mine.rows("select from deliver")).toEqual([]);
  }, PATIENCE);

describe("an endpoint of an account", () => {
  test("is one like any other, for all fields of the account, asked first, and there once", async () => {
    const answers = await Promise.all([set(account, ofAccount), set(account, { url: `${ofAccount.url}?second` })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [only, ...others] = await endpoints();
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      format: "provider",
      fields: expect.arrayContaining(["messages", "message_template_status_update", "account_update"]),
      business_account_ids: [account],
      phone_number_ids: null,
      description: `Cloud API: subscribed_apps of ${mine.account.wabaId}`,
    });
    expect([...new Set(answers.map(({ body }) => body.id))]).toEqual([only.id]);
    expect(ofAccount.asked).toHaveLength(2);
    await isSet(account, ofAccount);
    expect(await endpoints()).toMatchObject([{ id: only.id, url: ofAccount.url }]);
    await gets(ofAccount, await write(numbers[0]!), await write(numbers[1]!));
    await theirs.inbound("+15551230002");
    gateway.simulator.decideTemplate(mine.account.templates["pending_notice"]!, { status: "APPROVED" });
    await vi.waitFor(
      () => expect(changesOf(ofAccount).map(({ field }) => field)).toContain("message_template_status_update"),
      PATIENCE,
    );
    await delivered();
    expect([messagesOf(ofAccount).length, ofAccount.refused]).toEqual([2, 0]);
    const audit = await mine.rows("select changes::text as text from audit where changes is not null");
    expect(JSON.stringify(audit)).toContain('\\"verify_token\\"');
    for (const hidden of [SECRET, TOKEN, "/hook"]) expect(JSON.stringify(audit)).not.toContain(hidden);
  });

  test("is removed, or deleted as any is, and set up again as another", async () => {
    expect((await remove(account)).status).toBe(204);
    const id = await isSet(account, ofAccount);
    expect((await remove(account)).status).toBe(204);
    expect(await endpoints()).toEqual([]);
    const second = await isSet(account, ofAccount);
    expect(second).not.toBe(id);
    const [, deleted] = await Promise.all([set(account, ofAccount), mine.call("DELETE", `${PATH}/${second}`)]);
    expect(deleted.status).toBe(204);
    const third = await isSet(account, ofAccount);
    expect(await endpoints()).toMatchObject([{ id: third }]);
  });

  test("of what the workspace does not have is none", async () => {
    for (const id of [theirAccount, theirs.phoneNumberId]) {
      expect((await set(id, ofAccount)).status).toBe(404);
      expect((await remove(id)).status).toBe(404);
    }
    await secretIs(THEIRS, theirs);
    ofNumber.secret = THEIRS;
    await isSet(theirAccount, ofNumber, theirs);
    expect((await remove(theirAccount)).status).toBe(404);
    expect(await endpoints(theirs)).toHaveLength(1);
    expect(await endpoints()).toEqual([]);
  });
});

describe("an endpoint of a number", () => {
  test("gets the number's events in place of the account's, until it is removed; notices of the account go to both", async () => {
    const [first, second] = numbers as [(typeof numbers)[0], (typeof numbers)[0]];
    await isSet(account, ofAccount);
    await isSet(second.id, ofNumber);
    expect(await endpoints()).toMatchObject([
      {
        phone_number_ids: [second.id],
        business_account_ids: null,
        description: `Cloud API: webhook_configuration of ${second.providerId}`,
      },
      { business_account_ids: [account] },
    ]);
    const [a, b] = [await write(first), await write(second)];
    const errors = [{ code: 130_429, title: "Rate limit hit", of: ids }];
    const metadata = { display_phone_number: "15550000000", phone_number_id: second.providerId };
    const trouble = callbackOf(mine.account, { messaging_product: "whatsapp", metadata, errors });
    expect((await postCallback(gateway, trouble)).status).toBe(200);
    const notice = { field: "account_review_update", value: { decision: "APPROVED", of: ids } };
    const entry = [{ id: mine.account.wabaId, time: 1, changes: [notice] }];
    await postCallback(gateway, { object: "whatsapp_business_account", entry });
    await gets(ofAccount, a);
    await gets(ofNumber, b);
    await delivered();
    for (const one of [ofAccount, ofNumber]) expect(changesOf(one)).toContainEqual(notice);
    const troubles = (of: CloudReceiver) => changesOf(of).filter(({ value }) => "errors" in value).length;
    expect([troubles(ofAccount), troubles(ofNumber)]).toEqual([0, 1]);
    // Switched off, it is still the number's: what comes waits for it.
    const [{ id }] = await endpoints();
    await mine.call("PATCH", `${PATH}/${id}`, { body: { enabled: false } });
    const c = await write(second);
    await mine.call("PATCH", `${PATH}/${id}`, { body: { enabled: true } });
    await gets(ofNumber, b, c);
    expect((await remove(second.id)).status).toBe(204);
    const d = await write(second);
    await gets(ofAccount, a, d);
    await gets(ofNumber, b, c);
  });

  test("takes over while people write, so that nothing goes to both, or to none", async () => {
    const second = numbers[1]!;
    await isSet(account, ofAccount);
    const sent: string[] = [];
    for (let round = 0; round < 4; round++) {
      const writing = Array.from({ length: 40 }, (_, n) => write(second, mine, `1555124${String(1_000 + n)}`));
      await isSet(second.id, ofNumber);
      sent.push(...(await Promise.all(writing)));
      await delivered();
      expect((await remove(second.id)).status).toBe(204);
    }
    expect([...messagesOf(ofAccount), ...messagesOf(ofNumber)].sort()).toEqual(sent.sort());
  });

  test("of a key that is limited to it is that key's; of another number and of the account is not", async () => {
    const [first, second] = numbers as [(typeof numbers)[0], (typeof numbers)[0]];
    const name = `limited ${ids}`;
    const created = await mine.call("POST", "/v1/api-keys", {
      body: { name, scopes: ["webhooks:read", "webhooks:write"], phone_number_ids: [first.id] },
    });
    const limited = { ...mine, call: gateway.as(created.body.key) };
    await isSet(account, ofAccount);
    const id = await isSet(first.id, ofNumber, limited);
    expect(await endpoints(limited)).toMatchObject([{ id }]);
    expect((await set(second.id, ofNumber, limited)).status).toBe(404);
    expect((await remove(second.id, limited)).status).toBe(404);
    expect((await set(account, ofNumber, limited)).status).toBe(403);
    expect((await remove(account, limited)).status).toBe(403);
    expect((await remove(first.id, limited)).status).toBe(204);
    const asked = ofNumber.asked.length;
    expect(asked).toBe(1);
    const reading = { ...mine, call: gateway.as((await key(["webhooks:read"])).key) };
    expect((await set(first.id, ofNumber, reading)).status).toBe(403);
  });
});

const key = async (scopes: string[]) =>
  (await mine.call("POST", "/v1/api-keys", { body: { name: `key ${ids}`, scopes } })).body;

describe("the secret of a workspace", () => {
  test("signs what is set up, from the next attempt on after a change; without it nothing is set up", async () => {
    await secretIs(null);
    const refused = await set(account, ofAccount);
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect(refused.body.detail).toContain("front_app_secret");
    expect(ofAccount.asked).toEqual([]);
    await secretIs(SECRET);
    const id = await isSet(account, ofAccount);
    const first = await write(numbers[0]!);
    await gets(ofAccount, first);
    const next = "another-app-secret-of-the-client";
    ofAccount.secret = next;
    await secretIs(THEIRS, theirs);
    await secretIs(next);
    const second = await write(numbers[0]!);
    await gets(ofAccount, first, second);
    expect(ofAccount.refused).toBe(0);
    expect(ofAccount.received.at(-1)?.headers).not.toHaveProperty("webhook-signature");
    const removed = await mine.call("PATCH", "/v1/workspace", { body: { front_app_secret: null } });
    expect([removed.status, removed.body.code]).toEqual([409, "conflict"]);
    const rotated = await mine.call("POST", `${PATH}/${id}/rotate-secret`, { body: { overlap_seconds: 0 } });
    expect([rotated.status, rotated.body.detail]).toEqual([409, expect.stringContaining("front_app_secret")]);
  });

  test("is never returned, kept sealed, and of the audit log only as changed", async () => {
    const secret = `never-returned-${ids}-0123456789`;
    const changed = await mine.call("PATCH", "/v1/workspace", { body: { front_app_secret: secret } });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual((await mine.call("GET", "/v1/workspace")).body);
    expect(changed.text).not.toMatch(/front_app_secret|never-returned/);
    await secretIs(secret);
    const rows = await mine.rows<{ changes: object }>(
      "select changes from audit where action = 'workspace.update' order by at desc, id desc limit 2",
    );
    expect(rows.map(({ changes }) => changes)).toEqual([null, { front_app_secret: "changed" }]);
    const [row] = await mine.rows<{ secret: Uint8Array }>("select secret from front_secret");
    expect(Buffer.from(row!.secret).toString("latin1")).not.toContain("never-returned");
    expect(await theirs.rows("select from front_secret where workspace_id = $1", [mine.uuid])).toEqual([]);
  });

  test("needs webhooks:write beside what the change of a workspace needs, and 16 to 256 visible characters", async () => {
    const patch = async (scopes: string[], body: object) =>
      (await gateway.as((await key(scopes)).key)("PATCH", "/v1/workspace", { body })).status;
    const body = { front_app_secret: SECRET };
    expect(await patch(["contacts:write", "webhooks:write"], body)).toBe(200);
    expect(await patch(["contacts:write"], body)).toBe(403);
    expect(await patch(["webhooks:write"], body)).toBe(403);
    expect(await patch(["contacts:write"], {})).toBe(200);
    expect(await patch(["contacts:read"], {})).toBe(403);
    for (const front_app_secret of [
      "x".repeat(15),
      "x".repeat(257),
      "with a blank, long enough",
      "ünsichtbar-genug-16",
      1,
    ])
      expect(await mine.call("PATCH", "/v1/workspace", { body: { front_app_secret } })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: "/front_app_secret" }] },
      });
  });
});

test("a URL that does not know the token is refused, and what was there stays", async () => {
  const wrong = await set(account, ofAccount, mine, "another token");
  expect([wrong.status, wrong.body.code]).toEqual([422, "endpoint_unverified"]);
  expect(await endpoints()).toEqual([]);
  const id = await isSet(account, ofAccount);
  ofNumber.token = "not that one";
  expect((await set(account, ofNumber)).status).toBe(422);
  expect((await set(account, { url: "https://10.0.0.1/hook" })).status).toBe(400);
  expect(await endpoints()).toMatchObject([{ id, url: ofAccount.url }]);
});

test("it counts among the hundred of a workspace", async () => {
  const body = { url: ofAccount.url, events: ["*"], enabled: false };
  for (let n = 0; n < 99; n++) expect((await mine.call("POST", PATH, { body })).status).toBe(201);
  const answers = await Promise.all([set(account, ofAccount), set(numbers[0]!.id, ofNumber)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [first] = answers[0]!.status === 200 ? [account] : [numbers[0]!.id];
  await isSet(first!, ofAccount);
});

test("its limits cannot be changed; what failed is opened by setting it up again, what was disabled on request is not", async () => {
  const id = await isSet(account, ofAccount);
  const path = `${PATH}/${id}`;
  const patch = (body: object) => mine.call("PATCH", path, { body });
  for (const body of [{ phone_number_ids: null }, { business_account_ids: [account] }])
    expect((await patch(body)).body).toMatchObject({ status: 409, code: "conflict" });
  expect((await patch({ description: "Ours" })).status).toBe(200);
  ofAccount.status = 410;
  const first = await write(numbers[0]!);
  const state = async () => {
    const { enabled, disabled_reason } = (await mine.call("GET", path)).body;
    return { enabled, disabled_reason };
  };
  await vi.waitFor(async () => expect(await state()).toEqual({ enabled: false, disabled_reason: "gone" }), PATIENCE);
  ofAccount.status = 200;
  expect(await isSet(account, ofAccount)).toBe(id);
  expect(await state()).toEqual({ enabled: true, disabled_reason: null });
  const second = await write(numbers[0]!);
  await vi.waitFor(() => expect(messagesOf(ofAccount)).toContain(second), PATIENCE);
  expect(messagesOf(ofAccount)).toContain(first);
  await patch({ enabled: false });
  await isSet(account, ofAccount);
  expect(await state()).toEqual({ enabled: false, disabled_reason: "requested" });
  expect((await mine.call("GET", path)).body).toMatchObject({ description: "Ours", business_account_ids: [account] });
});

test("of a person who was erased nothing is sent", async () => {
  const id = await isSet(account, ofAccount);
  await mine.call("PATCH", `${PATH}/${id}`, { body: { enabled: false } });
  const erased = `1555126${1_000 + ids}`;
  await write(numbers[0]!, mine, erased);
  const kept = await write(numbers[0]!);
  const { body } = await mine.call("GET", `/v1/contacts?phone=%2B${erased}`);
  expect((await mine.call("DELETE", `/v1/contacts/${body.data[0].id}`)).status).toBe(204);
  await mine.call("PATCH", `${PATH}/${id}`, { body: { enabled: true } });
  await gets(ofAccount, kept);
  await delivered();
  expect(ofAccount.received).toHaveLength(1);
});

test("the database has one for each account and number", async () => {
  const id = await isSet(account, ofAccount);
  const columns = `workspace_id, secret, url, events, ordered, enabled, status, version, created_at, updated_at, front_of`;
  const copy = gateway.app.db.transaction(mine.uuid, (sql) =>
    sql.run(
      `insert into webhook_endpoint (id, ${columns}) select gen_random_uuid(), ${columns} from webhook_endpoint where id = $1`,
      [parseId("whe", id)],
    ),
  );
  await expect(copy).rejects.toThrow(/webhook_endpoint_front/);
});
