import { readdirSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FOLDER, golden, shapeOf } from "./testing/golden.ts";
import { type Pair, startPair, template } from "./testing/provider.ts";
import type { Json } from "./testing/receiver.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const ANA = "+15550001111";
const ANA_ID = "US.13490000000000000001";
const named = (pattern: RegExp) =>
  readdirSync(FOLDER)
    .filter((name) => pattern.test(name))
    .map((name) => name.replace(".json", ""));
const emitted = async () => {
  await pair.simulator.idle();
  return pair.receiver.posts.map((post) => post.payload);
};
const valueOf = (name: string): Record<string, Json> => golden(name).payload.entry[0].changes[0].value;

describe("messages", () => {
  // What reports a change of person or a card is made by calls of its own: see golden-people.test.ts.
  // The simulator's people have no other fields than these.
  const messages = named(
    /^callback-message-(?!system|contact-request|user-id-in-from|no-number|added-fields|identity|parent-user-id|waac)/,
  );

  test.each(messages)("%s", async (name) => {
    const { contacts, messages: list, conversation_context } = valueOf(name);
    const { from_user_id, ...message } = list[0];
    const { user_id } = pair.simulator.inbound({
      phone_number_id: "1055",
      name: contacts?.[0].profile.name,
      user_ids: from_user_id !== undefined || contacts !== undefined,
      with_contacts: contacts !== undefined,
      ...(conversation_context === undefined ? {} : { conversation_context }),
      ...message,
    });
    const [sent] = JSON.parse(JSON.stringify(await emitted()).replaceAll(user_id, ANA_ID));
    // The message of a group was captured before user ids came into messages.
    if (from_user_id === undefined) delete sent.entry[0].changes[0].value.messages[0].from_user_id;
    expect(sent).toEqual(golden(name).payload);
  });
});

describe("statuses", () => {
  test.each(["played", "deleted", "milliseconds", "conversation"])("callback-status-%s", async (name) => {
    pair.simulator.setSettings({ statusContacts: false, callbackVersion: name === "conversation" ? 23 : 26 });
    pair.simulator.setDelays({ statuses: false });
    const { status, timestamp, biz_opaque_callback_data } = valueOf(`callback-status-${name}`)["statuses"][0];
    const opaque = biz_opaque_callback_data === undefined ? {} : { biz_opaque_callback_data };
    const { body } = await pair.send({ ...template(ANA), ...opaque });
    pair.simulator.status({ id: body.messages[0].id, status, timestamp });
    const [sent] = await emitted();
    // One of `delivered` and `read` has the price; in the file it is the other one.
    if (name === "milliseconds") delete sent!.entry[0]!.changes[0]!.value["statuses"][0].pricing;
    expect(shapeOf(sent)).toEqual(shapeOf(golden(`callback-status-${name}`).payload));
    expect(pair.receiver.statuses()[0]).toMatchObject({ status, timestamp });
  });

  test("callback-status-group", async () => {
    pair.simulator.setSettings({ statusContacts: false });
    const { id, status, timestamp, recipient_id } = valueOf("callback-status-group")["statuses"][0];
    const participant = { phone_number_id: "1055", person: ANA, group_id: recipient_id };
    pair.simulator.status({ id, status, timestamp, ...participant });
    const [sent] = await emitted();
    delete sent!.entry[0]!.changes[0]!.value["statuses"][0].pricing;
    expect(sent).toEqual(golden("callback-status-group").payload);
  });

  test("callback-status-payment", async () => {
    pair.simulator.setDelays({ statuses: false });
    const { body } = await pair.send(template(ANA));
    for (const { status, timestamp } of valueOf("callback-status-payment")["statuses"]) {
      pair.simulator.payment({ id: body.messages[0].id, status, timestamp });
      await pair.simulator.idle();
    }
    const [first] = await emitted();
    first!.entry[0]!.changes[0]!.value["statuses"] = pair.receiver.statuses();
    const { payload } = golden("callback-status-payment");
    expect(JSON.parse(JSON.stringify(first).replaceAll(body.messages[0].id, "wamid.SIM0001"))).toEqual(payload);
  });

  test("callback-message-waac", async () => {
    pair.simulator.setNumber("1055", { waac_id: "880001" });
    pair.simulator.inbound({ phone_number_id: "1055", from: ANA, id: "wamid.IN1", text: "Hi" });
    const [sent] = await emitted();
    expect(shapeOf(sent)).toEqual(shapeOf(golden("callback-message-waac").payload));
    expect(sent?.entry[0]?.changes[0]?.value["metadata"]).toEqual(valueOf("callback-message-waac")["metadata"]);
  });
});

describe("what is neither message nor status", () => {
  test("callback-errors-only", async () => {
    const { errors } = valueOf("callback-errors-only");
    pair.simulator.errors({ phone_number_id: "1055" });
    pair.simulator.errors({ phone_number_id: "1055", errors });
    const [sent] = await emitted();
    const [usual, given] = sent!.entry[0]!.changes;
    expect(shapeOf(usual)).toEqual(shapeOf(given));
    expect(given?.value).toEqual(valueOf("callback-errors-only"));
  });

  test("callback-user-actions", async () => {
    const actions = valueOf("callback-user-actions")["user_actions"];
    const number = { phone_number_id: "1055" };
    const click = { ...number, click_id: "click-1", tracking_token: "token-1", product_id: "sku-1" };
    pair.simulator.userAction({ ...click, timestamp: "1790000001" });
    const body = { ...number, click_id: null, tracking_token: "token-2", click_component: "body" as const };
    pair.simulator.userAction({ ...body, timestamp: "1790000002" });
    const view = { ...number, action_type: "landing_page_view", tracking_token: null };
    pair.simulator.userAction({ ...view, timestamp: "1790000003" });
    const sent = (await emitted()).flatMap(({ entry }) => entry.flatMap(({ changes }) => changes));
    const reported = sent.flatMap(({ value }) => value["user_actions"]);
    expect(reported.toSorted((a, b) => a.timestamp - b.timestamp)).toEqual(actions);
  });

  test.each(["callback-echoes", "callback-echo-user-id"])("%s", async (name) => {
    const { contacts, message_echoes } = valueOf(name);
    const { from: _number, to_user_id, ...echo } = message_echoes[0];
    if (contacts !== undefined) pair.simulator.setPerson({ person: ANA, name: contacts[0].profile.name });
    pair.simulator.setSettings({ statusContacts: to_user_id !== undefined });
    pair.simulator.echo({ phone_number_id: "1055", ...echo });
    const { user_ids } = pair.simulator.person(ANA);
    expect(JSON.parse(JSON.stringify(await emitted()).replaceAll(user_ids["7001"]!, ANA_ID))).toEqual([
      golden(name).payload,
    ]);
  });

  test.each(["connect", "terminate", "failed", "status"])("callback-call-%s", async (name) => {
    const { contacts, calls, statuses, errors } = valueOf(`callback-call-${name}`);
    const {
      from,
      to: _to,
      recipient_id: _recipient,
      recipient_user_id,
      to_user_id: _user,
      ...said
    } = (calls ?? statuses)[0];
    pair.simulator.setPerson({ person: ANA, name: "Ana" });
    pair.simulator.setSettings({ statusContacts: contacts !== undefined });
    const by = { from_business: from === "15559990000" };
    pair.simulator.call({ phone_number_id: "1055", person: ANA, ...by, ...said, ...(errors && { errors }) });
    const { user_ids } = pair.simulator.person(ANA);
    const [sent] = JSON.parse(JSON.stringify(await emitted()).replaceAll(user_ids["7001"]!, ANA_ID));
    const { value } = sent.entry[0].changes[0];
    expect(recipient_user_id === undefined || contacts !== undefined).toBe(true);
    expect({ ...value, contacts: contacts && value.contacts }).toMatchObject(valueOf(`callback-call-${name}`));
  });

  test("callback-history-declined", async () => {
    pair.simulator.history({ phone_number_id: "1055", declined: true });
    expect(await emitted()).toEqual([golden("callback-history-declined").payload]);
  });

  test.each(["callback-user-id-update", "callback-unknown-field"])("%s", async (name) => {
    const { field, value } = golden(name).payload.entry[0].changes[0];
    pair.simulator.sendUpdate({ waba_id: "9001", field, value });
    expect((await emitted()).map(shapeOf)).toEqual([shapeOf(golden(name).payload)]);
  });
});

describe("templates", () => {
  const ID = "1689556908129832";
  const cases: [string, () => unknown][] = [
    ["quality", () => pair.simulator.changeQuality(ID, { score: "YELLOW", previous: "GREEN" })],
    ["category", () => pair.simulator.changeCategory(ID, { category: "MARKETING" })],
    [
      "category-impending",
      () => pair.simulator.changeCategory(ID, { category: "MARKETING", impending: true, at: 1_790_086_400 }),
    ],
    [
      "components",
      () =>
        pair.simulator.changeComponents(ID, {
          components: [
            { type: "BODY", text: "Hi {{1}}" },
            { type: "FOOTER", text: "Reply HELP" },
          ],
        }),
    ],
    ["detection", () => pair.simulator.changeCategory(ID, { category: "MARKETING", detected: true })],
    ["reinstated", () => pair.simulator.decideTemplate(ID, { status: "REINSTATED" })],
    ["approved", () => pair.simulator.decideTemplate(ID, { status: "APPROVED" })],
    ["paused", () => pair.simulator.decideTemplate(ID, { status: "PAUSED" })],
    ["rejected", () => pair.simulator.decideTemplate(ID, { status: "REJECTED" })],
  ];
  test.each(cases)("callback-template-%s", async (name, run) => {
    run();
    const { payload } = golden(`callback-template-${name}`);
    const [sent] = await emitted();
    sent!.entry[0]!.time = payload.entry[0].time;
    expect(sent).toEqual(payload);
  });
});

describe("accounts", () => {
  const accounts = named(/^callback-(account|number|capability|security)/);
  const change = (name: string) => {
    const { field, value } = golden(name).payload.entry[0].changes[0];
    return { waba_id: "9001", field, ...(value.event === undefined ? {} : { event: value.event }), value };
  };

  test.each(accounts)("%s as given", async (name) => {
    const { payload } = golden(name);
    const { event: _event, ...value } = change(name).value;
    pair.simulator.accountEvent({ ...change(name), value });
    const [sent] = await emitted();
    sent!.entry[0]!.time = payload.entry[0].time;
    expect(sent).toEqual(payload);
  });

  // The other form of the limit is another version's; the rest have more or less than is usual.
  const unusual = /number$|certification|solution|removed-phone|restriction-phone|restrictions|settings|unknown-event/;
  test.each(accounts.filter((name) => !unusual.test(name)))("%s as usual", async (name) => {
    const { value: _value, ...usual } = change(name);
    // The least of all limits is reported with a field of its own.
    pair.simulator.setMessagingLimit("9001", "TIER_2K", false);
    pair.simulator.accountEvent(usual);
    const [sent] = await emitted();
    expect(shapeOf(sent)).toEqual(shapeOf(golden(name).payload));
    expect(sent?.entry[0]?.id).toBe(golden(name).payload.entry[0].id);
  });

  const fields = named(
    /^callback-(account-settings|automatic-event|business-status|consumer-profile|flow|group-(lifecycle|participants|settings|status)|payment-configuration|standby|tracking-events|username)\.json/,
  );
  test.each(fields)("%s as usual", async (name) => {
    const { field, value } = golden(name).payload.entry[0].changes[0];
    pair.simulator.accountEvent({ waba_id: "9001", field });
    const [sent] = await emitted();
    expect([sent?.entry[0]?.changes[0]?.field, shapeOf(sent?.entry[0]?.changes[0]?.value)]).toEqual([
      field,
      shapeOf(value),
    ]);
  });
});
