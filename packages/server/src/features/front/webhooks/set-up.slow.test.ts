import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { callbackOf, postCallback, textFrom } from "../../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PATIENCE } from "../../../testing/patience.ts";
import { PATH } from "../../webhooks/testing/app.ts";
import { type CloudReceiver, startCloudReceiver } from "../../webhooks/testing/cloud-receiver.ts";
import { ofAccount as atAccount, expectGraphError, VERSION } from "../testing/front.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
/** What an endpoint is set up for: `path` of its call. */
type Target = { id: string; providerId: string; path: string };
let account: Target;
let numbers: [Target, Target];
let theirAccount: Target;
let theirNumber: Target;
/** What receives of the account, of a number, and of the other workspace. */
let ofAccount: CloudReceiver;
let ofNumber: CloudReceiver;

const SECRET = "the-app-secret-of-the-client";
const THEIRS = "the-app-secret-of-the-others";
const TOKEN = "a token";

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender({ numbers: 2 }), await gateway.sender()];
  [account, theirAccount] = [await accountOf(mine), await accountOf(theirs)];
  numbers = (await numbersOf(mine)) as [Target, Target];
  [theirNumber] = (await numbersOf(theirs)) as [Target];
});
afterAll(() => gateway.stop());

async function numbersOf(of: Sender): Promise<Target[]> {
  const { body } = await of.call("GET", "/v1/phone-numbers");
  return body.data
    .map(({ id, provider_phone_number_id: providerId }: Record<string, string>) => ({
      id,
      providerId,
      path: `/${VERSION}/${providerId}`,
    }))
    .sort((a: { id: string }) => (a.id === of.phoneNumberId ? -1 : 1));
}
async function accountOf(of: Sender): Promise<Target> {
  const { body } = await of.call("GET", "/v1/business-accounts");
  return { id: body.data[0].id, providerId: of.account.wabaId, path: atAccount(of, "/subscribed_apps") };
}

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
const isNumber = ({ path }: Target): boolean => !path.endsWith("subscribed_apps");
const set = (target: Target, { url }: { url: string }, of = mine, verify_token = TOKEN) => {
  const configuration = { override_callback_uri: url, verify_token };
  const body = isNumber(target) ? { webhook_configuration: configuration } : configuration;
  return of.call("POST", target.path, { body });
};
const remove = (target: Target, of = mine) =>
  isNumber(target)
    ? of.call("POST", target.path, { body: { webhook_configuration: { override_callback_uri: "" } } })
    : of.call("DELETE", target.path);
const isRemoved = async (target: Target, of = mine) =>
  expect((await remove(target, of)).body).toEqual({ success: true });
/** Resolves to the id of the endpoint. */
async function isSet(target: Target, receiver: { url: string }, of = mine): Promise<string> {
  const answer = await set(target, receiver, of);
  expect([answer.status, answer.body]).toEqual([200, { success: true }]);
  const found = (await endpoints(of)).find(
    (one: { phone_number_ids: string[] | null; business_account_ids: string[] | null }) =>
      (one.phone_number_ids ?? one.business_account_ids)?.[0] === target.id,
  );
  return found.id;
}
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
      business_account_ids: [account.id],
      phone_number_ids: null,
      description: `Cloud API: subscribed_apps of ${mine.account.wabaId}`,
    });
    expect(answers.map(({ body }) => body)).toEqual([{ success: true }, { success: true }]);
    expect(ofAccount.asked).toHaveLength(2);
    await isSet(account, ofAccount);
    expect(await endpoints()).toMatchObject([{ id: only.id, url: ofAccount.url }]);
    await gets(ofAccount, await write(numbers[0]), await write(numbers[1]));
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
    await isRemoved(account);
    const id = await isSet(account, ofAccount);
    await isRemoved(account);
    expect(await endpoints()).toEqual([]);
    const second = await isSet(account, ofAccount);
    expect(second).not.toBe(id);
    const [, deleted] = await Promise.all([set(account, ofAccount), mine.call("DELETE", `${PATH}/${second}`)]);
    expect(deleted.status).toBe(204);
    const third = await isSet(account, ofAccount);
    expect(await endpoints()).toMatchObject([{ id: third }]);
  });

  test("of what the workspace does not have is none", async () => {
    for (const one of [theirAccount, theirNumber, { ...account, path: `/${VERSION}/1/subscribed_apps` }]) {
      expectGraphError(await set(one, ofAccount), 400, 100, 33);
      expectGraphError(await remove(one), 400, 100, 33);
      expectGraphError(await mine.call("GET", one.path), 400, 100, 33);
    }
    await secretIs(THEIRS, theirs);
    ofNumber.secret = THEIRS;
    await isSet(theirAccount, ofNumber, theirs);
    expectGraphError(await remove(theirAccount), 400, 100, 33);
    expect(await endpoints(theirs)).toHaveLength(1);
    expect(await endpoints()).toEqual([]);
  });
});

describe("an endpoint of a number", () => {
  test("gets the number's events in place of the account's, until it is removed; notices of the account go to both", async () => {
    const [first, second] = numbers;
    await isSet(account, ofAccount);
    await isSet(second, ofNumber);
    expect(await endpoints()).toMatchObject([
      {
        phone_number_ids: [second.id],
        business_account_ids: null,
        description: `Cloud API: webhook_configuration of ${second.providerId}`,
      },
      { business_account_ids: [account.id] },
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
    await isRemoved(second);
    const d = await write(second);
    await gets(ofAccount, a, d);
    await gets(ofNumber, b, c);
  });

  test("takes over while people write, so that nothing goes to both, or to none", async () => {
    const second = numbers[1];
    await isSet(account, ofAccount);
    const sent: string[] = [];
    for (let round = 0; round < 4; round++) {
      const writing = Array.from({ length: 40 }, (_, n) => write(second, mine, `1555124${String(1_000 + n)}`));
      await isSet(second, ofNumber);
      sent.push(...(await Promise.all(writing)));
      await delivered();
      await isRemoved(second);
    }
    expect([...messagesOf(ofAccount), ...messagesOf(ofNumber)].sort()).toEqual(sent.sort());
  });

  test("of a key that is limited to it is that key's; of another number and of the account is not", async () => {
    const [first, second] = numbers;
    const name = `limited ${ids}`;
    const created = await mine.call("POST", "/v1/api-keys", {
      body: { name, scopes: ["webhooks:read", "webhooks:write"], phone_number_ids: [first.id] },
    });
    const limited = { ...mine, call: gateway.as(created.body.key) };
    await isSet(account, ofAccount);
    const id = await isSet(first, ofNumber, limited);
    expect(await endpoints(limited)).toMatchObject([{ id }]);
    expectGraphError(await set(second, ofNumber, limited), 400, 100, 33);
    expectGraphError(await remove(second, limited), 400, 100, 33);
    expectGraphError(await set(account, ofNumber, limited), 403, 10);
    expectGraphError(await remove(account, limited), 403, 10);
    await isRemoved(first, limited);
    const asked = ofNumber.asked.length;
    expect(asked).toBe(1);
    const reading = { ...mine, call: gateway.as((await key(["webhooks:read"])).key) };
    expectGraphError(await set(first, ofNumber, reading), 403, 10);
  });
});

const key = async (scopes: string[]) =>
  (await mine.call("POST", "/v1/api-keys", { body: { name: `key ${ids}`, scopes } })).body;

test("what is set up is read as the provider has it, by those who may read endpoints", async () => {
  const app = { id: "42", name: "Waypost", link: expect.any(String) };
  const subscribed = async () => (await mine.call("GET", account.path)).body;
  const configuration = async (of = mine) =>
    (await of.call("GET", `${numbers[0].path}?fields=id,webhook_configuration`)).body.webhook_configuration;
  expect(await subscribed()).toEqual({ data: [{ whatsapp_business_api_data: app }] });
  expect(await configuration()).toEqual({});
  await isSet(account, ofAccount);
  await isSet(numbers[0], ofNumber);
  const override = { override_callback_uri: ofAccount.url };
  expect(await subscribed()).toEqual({ data: [{ whatsapp_business_api_data: app, ...override }] });
  const both = { whatsapp_business_account: ofAccount.url, phone_number: ofNumber.url };
  expect(await configuration()).toEqual(both);
  expect((await mine.call("GET", numbers[0].path)).body).not.toHaveProperty("webhook_configuration");
  const withKey = async (scopes: string[], more: object = {}) => {
    const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: `reads ${ids}`, scopes, ...more } });
    return { ...mine, call: gateway.as(body.key) };
  };
  expect(await configuration(await withKey(["accounts:read"]))).toBeUndefined();
  const limited = await withKey(["accounts:read", "webhooks:read"], { phone_number_ids: [numbers[0].id] });
  expect(await configuration(limited)).toEqual({ phone_number: ofNumber.url });
  expectGraphError(await limited.call("GET", account.path), 403, 10);
  // As a client removes it that sends no body.
  expect((await mine.call("POST", account.path)).body).toEqual({ success: true });
  expect(await configuration()).toEqual({ phone_number: ofNumber.url });
});

test("a request with a key sets up once, and is answered again", async () => {
  const headers = { "idempotency-key": `set-up-${ids}` };
  const form = new URLSearchParams({ override_callback_uri: ofAccount.url, verify_token: TOKEN }).toString();
  const request = { headers: { ...headers, "content-type": "application/x-www-form-urlencoded" }, body: form };
  const first = await mine.call("POST", account.path, request);
  await isRemoved(account);
  const again = await mine.call("POST", account.path, request);
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(ofAccount.asked).toHaveLength(1);
  expect(await endpoints()).toEqual([]);
});

describe("the secret of a workspace", () => {
  test("signs what is set up, from the next attempt on after a change; without it nothing is set up", async () => {
    await secretIs(null);
    const refused = await set(account, ofAccount);
    expectGraphError(refused, 400, 100);
    expect(refused.body.error.error_data.details).toContain('PATCH /v1/workspace {"front_app_secret"');
    expect(ofAccount.asked).toEqual([]);
    await secretIs(SECRET);
    const id = await isSet(account, ofAccount);
    const first = await write(numbers[0]);
    await gets(ofAccount, first);
    const next = "another-app-secret-of-the-client";
    ofAccount.secret = next;
    await secretIs(THEIRS, theirs);
    await secretIs(next);
    const second = await write(numbers[0]);
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
  expectGraphError(wrong, 400, 100, 2200);
  expect(await endpoints()).toEqual([]);
  const id = await isSet(account, ofAccount);
  ofNumber.token = "not that one";
  expectGraphError(await set(account, ofNumber), 400, 100, 2200);
  expectGraphError(await set(account, { url: "https://10.0.0.1/hook" }), 400, 100);
  const body = { override_callback_uri: ofAccount.url };
  expectGraphError(await mine.call("POST", account.path, { body }), 400, 100);
  for (const webhook_configuration of [body, "text", 1, [], { override_callback_uri: 1 }])
    expectGraphError(await mine.call("POST", numbers[0].path, { body: { webhook_configuration } }), 400, 100);
  expect(await endpoints()).toMatchObject([{ id, url: ofAccount.url }]);
});

test("it counts among the hundred of a workspace", async () => {
  const body = { url: ofAccount.url, events: ["*"], enabled: false };
  for (let n = 0; n < 99; n++) expect((await mine.call("POST", PATH, { body })).status).toBe(201);
  const answers = await Promise.all([set(account, ofAccount), set(numbers[0], ofNumber)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const [first] = answers[0]!.status === 200 ? [account] : [numbers[0]];
  await isSet(first!, ofAccount);
});

test("its limits cannot be changed; what failed is opened by setting it up again, what was disabled on request is not", async () => {
  const id = await isSet(account, ofAccount);
  const path = `${PATH}/${id}`;
  const patch = (body: object) => mine.call("PATCH", path, { body });
  for (const body of [{ phone_number_ids: null }, { business_account_ids: [account.id] }])
    expect((await patch(body)).body).toMatchObject({ status: 409, code: "conflict" });
  expect((await patch({ description: "Ours" })).status).toBe(200);
  ofAccount.status = 410;
  const first = await write(numbers[0]);
  const state = async () => {
    const { enabled, disabled_reason } = (await mine.call("GET", path)).body;
    return { enabled, disabled_reason };
  };
  await vi.waitFor(async () => expect(await state()).toEqual({ enabled: false, disabled_reason: "gone" }), PATIENCE);
  ofAccount.status = 200;
  expect(await isSet(account, ofAccount)).toBe(id);
  expect(await state()).toEqual({ enabled: true, disabled_reason: null });
  const second = await write(numbers[0]);
  await vi.waitFor(() => expect(messagesOf(ofAccount)).toContain(second), PATIENCE);
  expect(messagesOf(ofAccount)).toContain(first);
  await patch({ enabled: false });
  await isSet(account, ofAccount);
  expect(await state()).toEqual({ enabled: false, disabled_reason: "requested" });
  expect((await mine.call("GET", path)).body).toMatchObject({
    description: "Ours",
    business_account_ids: [account.id],
  });
});

test("of a person who was erased nothing is sent", async () => {
  const id = await isSet(account, ofAccount);
  await mine.call("PATCH", `${PATH}/${id}`, { body: { enabled: false } });
  const erased = `1555126${1_000 + ids}`;
  await write(numbers[0], mine, erased);
  const kept = await write(numbers[0]);
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
