import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { callbackOf, postCallback } from "../../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PATIENCE } from "../../../testing/patience.ts";
import { PATH } from "../testing/app.ts";

let gateway: Gateway;
/** Of one workspace, the first with two numbers. */
let one: Sender;
let two: Sender;
let theirs: Sender;
/** The second number of the first account. */
let second: { id: string; providerId: string };
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  one = await gateway.sender({ numbers: 2 });
  [two, theirs] = [await gateway.connect(one), await gateway.sender()];
  const { body } = await one.call("GET", "/v1/phone-numbers?limit=100");
  const found = body.data.find(
    ({ id, business_account_id: account }: { id: string; business_account_id: string }) =>
      account === accountOf(body.data, one.phoneNumberId) && id !== one.phoneNumberId,
  );
  second = { id: found.id, providerId: found.provider_phone_number_id };
});
afterAll(() => gateway.stop());

const accountOf = (numbers: { id: string; business_account_id: string }[], id: string): string =>
  numbers.find((number) => number.id === id)!.business_account_id;
const accountOfNumber = async ({ call, phoneNumberId }: Sender): Promise<string> =>
  (await call("GET", `/v1/phone-numbers/${phoneNumberId}`)).body.business_account_id;

const URL = "https://example.com/hooks";
const made = async (limits: object, events = ["*"], of = one) => {
  // Disabled: what it gets stays in the queue.
  const { status, body } = await of.call("POST", PATH, { body: { url: URL, events, enabled: false, ...limits } });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
};

/** The kinds of the events that wait for an endpoint. */
const kindsOf = async (endpoint: { id: string }): Promise<string[]> => {
  const rows = await one.rows<{ kind: string }>(
    `select e.kind from deliver d join webhook_endpoint w on w.lane = d.lane join event e on e.id = d.event_id
     where w.id = $1 order by e.sequence`,
    [parseId("whe", endpoint.id)],
  );
  return rows.map(({ kind }) => kind);
};
const waiting = (of: { id: string }, ...kinds: string[]) =>
  vi.waitFor(async () => expect(await kindsOf(of)).toEqual(expect.arrayContaining(kinds)), PATIENCE);

test("an endpoint with limits gets the events of its numbers and accounts alone", async () => {
  const [accountOne, accountTwo] = [await accountOfNumber(one), await accountOfNumber(two)];
  const all = await made({});
  const ofNumber = await made({ phone_number_ids: [one.phoneNumberId] });
  const ofAccount = await made({ business_account_ids: [accountOne] });
  const ofEither = await made({ phone_number_ids: [second.id], business_account_ids: [accountTwo] });
  const ofKind = await made({ phone_number_ids: [one.phoneNumberId] }, ["accepted"]);
  const changing = await made({ phone_number_ids: [two.phoneNumberId] });
  const { simulator } = gateway;

  // Of the first number: a message that comes in, with a contact, and one that goes out.
  await one.inbound("+15551239001");
  const sent = await one.send("+15551239001", { from: one.phoneNumberId });
  expect(sent.status).toBe(202);
  await waiting(all, "contact_created", "messages", "accepted");
  // Of the second one, of the other account, and of another workspace.
  simulator.inbound({ phone_number_id: second.providerId, from: "+15551239002", text: "Hi" });
  await two.inbound("+15551239003");
  await theirs.inbound("+15551239004");
  await vi.waitFor(
    async () => expect((await kindsOf(all)).filter((kind) => kind === "messages")).toHaveLength(3),
    PATIENCE,
  );
  const messages = async (of: { id: string }) =>
    (await kindsOf(of)).filter((kind) => kind === "messages" || kind === "accepted" || kind.startsWith("contact_"));
  expect(await messages(ofNumber)).toEqual(["messages", "accepted"]);
  expect(await messages(ofAccount)).toEqual(["messages", "accepted", "messages"]);
  expect(await messages(ofEither)).toEqual(["messages", "messages"]);
  expect(await kindsOf(ofKind)).toEqual(["accepted"]);
  expect(await messages(changing)).toEqual(["messages"]);

  // Of the first account: a template; and of one of its numbers.
  simulator.decideTemplate(one.account.templates["pending_notice"]!, { status: "APPROVED" });
  await waiting(all, "approved");
  simulator.accountEvent({ waba_id: one.account.wabaId, event: "ACCOUNT_VIOLATION" });
  await waiting(all, "account_changed");
  const rare = async (of: { id: string }) =>
    (await kindsOf(of)).filter((kind) => ["approved", "account_changed"].includes(kind));
  expect(await rare(ofNumber)).toEqual(["approved", "account_changed"]);
  expect(await rare(ofAccount)).toEqual(["approved", "account_changed"]);
  expect(await rare(ofEither)).toEqual(["approved", "account_changed"]);
  expect(await rare(changing)).toEqual([]);

  // Without its limits it gets all again, and what is of a contact.
  const path = `${PATH}/${changing.id}`;
  expect((await one.call("PATCH", path, { body: { phone_number_ids: null } })).body.phone_number_ids).toBeNull();
  await one.inbound("+15551239005");
  await waiting(changing, "contact_created", "messages", "messages");
  // A test event comes past all limits.
  await one.call("PATCH", `${PATH}/${ofNumber.id}`, { body: { url: "https://wp-test.invalid/", enabled: true } });
  expect((await one.call("POST", `${PATH}/${ofNumber.id}/test`)).status).toBe(202);
});

test("what the provider says in the place of a number's messages goes where these go", async () => {
  const format = { format: "provider", fields: ["messages"], events: undefined };
  const [ofFirst, ofSecond, ofAccount] = [
    await made({ ...format, phone_number_ids: [one.phoneNumberId] }),
    await made({ ...format, phone_number_ids: [second.id] }),
    await made({ ...format, business_account_ids: [await accountOfNumber(one)] }),
  ];
  const metadata = { display_phone_number: "15550000000", phone_number_id: second.providerId };
  const errors = [{ code: 130_429, title: "Rate limit hit" }];
  const value = { messaging_product: "whatsapp", metadata, errors };
  expect((await postCallback(gateway, callbackOf(one.account, value))).status).toBe(200);
  await waiting(ofSecond, "provider_notice");
  await waiting(ofAccount, "provider_notice");
  expect(await kindsOf(ofFirst)).toEqual([]);
});

test("limits are returned, changed and removed; unknown and foreign ids are 422 where they stand", async () => {
  const account = await accountOfNumber(one);
  const limits = { phone_number_ids: [one.phoneNumberId, second.id], business_account_ids: [account] };
  const { id } = await made(limits);
  const path = `${PATH}/${id}`;
  const shown = (await one.call("GET", path)).body;
  expect(shown).toMatchObject(limits);
  const changed = await one.call("PATCH", path, { body: { business_account_ids: null } });
  expect(changed.body).toMatchObject({ ...limits, business_account_ids: null });
  expect((await one.call("PATCH", path, { body: { description: "same" } })).body).toMatchObject({
    ...limits,
    business_account_ids: null,
  });

  const foreign = [await accountOfNumber(theirs), theirs.phoneNumberId];
  for (const [body, pointer] of [
    [{ phone_number_ids: [one.phoneNumberId, foreign[1]] }, "/phone_number_ids/1"],
    [{ business_account_ids: [foreign[0]] }, "/business_account_ids/0"],
    // Of the other kind.
    [{ phone_number_ids: [`num_${account.slice(4)}`] }, "/phone_number_ids/0"],
  ] as const) {
    const refused = { status: 422, body: { code: "reference_not_found", errors: [{ pointer }] } };
    expect(await one.call("PATCH", path, { body })).toMatchObject(refused);
    expect(await one.call("POST", PATH, { body: { url: URL, events: ["*"], ...body } })).toMatchObject(refused);
  }
  for (const body of [
    { phone_number_ids: [] },
    { phone_number_ids: [account] },
    { business_account_ids: [account, account] },
  ])
    expect((await one.call("PATCH", path, { body })).status).toBe(400);
  expect((await one.call("GET", path)).body.phone_number_ids).toEqual(limits.phone_number_ids);
});
