import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { golden, shapeOf } from "./testing/golden.ts";
import { type Pair, startPair, template } from "./testing/provider.ts";

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
const emitted = async () => {
  await pair.simulator.idle();
  return pair.receiver.posts.map((post) => post.payload);
};

test("callback-status-both-ids and callback-status-username", async () => {
  pair.simulator.setSettings({ updatesPerCallback: 1, callbacksInFlight: 1 });
  const opaque = { biz_opaque_callback_data: "m_01J9Z" };
  pair.simulator.setPerson({ person: ANA, name: "Ana", parent_user_id: true });
  pair.simulator.addFault({ kind: "statuses", statuses: ["delivered"] });
  await pair.send({ ...template(ANA), ...opaque });
  expect((await emitted()).map(shapeOf)).toEqual([shapeOf(golden("callback-status-both-ids").payload)]);
  pair.receiver.posts.length = 0;
  const hidden = { username: "ana", number_hidden: true, parent_user_id: false };
  const { user_ids } = pair.simulator.setPerson({ person: ANA, ...hidden });
  // The second of them, as the first repeats the price.
  pair.simulator.addFault({ kind: "statuses", statuses: ["delivered", "read"] });
  await pair.send({ ...template(""), to: undefined, recipient: user_ids["7001"], ...opaque });
  expect((await emitted()).slice(1).map(shapeOf)).toEqual([shapeOf(golden("callback-status-username").payload)]);
});

test.each([
  ["callback-message-system-number-user-ids", {}],
  ["callback-message-system-number-older", { kind: "customer_changed_number" as const }],
])("%s", async (name, kind) => {
  const { payload } = golden(name);
  const { id, timestamp } = payload.entry[0].changes[0].value.messages[0];
  pair.simulator.setPerson({ person: ANA, name: "Ana", parent_user_id: true });
  const change = { phone_number_id: "1055", person: ANA, to: "+15550003333", id, timestamp };
  pair.simulator.changeNumber({ ...change, ...kind });
  const [sent] = await emitted();
  expect(shapeOf(sent)).toEqual(shapeOf(payload));
  const { user_id: _new, parent_user_id: _parent, ...system } = payload.entry[0].changes[0].value.messages[0].system;
  const { previous_user_id: _id, previous_parent_user_id: _previous, ...said } = system;
  expect(sent?.entry[0]?.changes[0]?.value["messages"][0].system).toMatchObject(said);
});

test("callback-message-system-user-id-previous", async () => {
  pair.simulator.changeUserId({ phone_number_id: "1055", person: ANA });
  expect((await emitted()).map(shapeOf)).toEqual([shapeOf(golden("callback-message-system-user-id-previous").payload)]);
});

test("callback-message-contact-request", async () => {
  const { payload } = golden("callback-message-contact-request");
  pair.simulator.setPerson({ person: ANA, name: "Ana", username: "ana" });
  const { id, timestamp, context } = payload.entry[0].changes[0].value.messages[0];
  const card = { phone_number_id: "1055", from: ANA, origin: "contact_request" as const, quotes: context.id };
  const { user_id } = pair.simulator.contactCard({ ...card, id, timestamp });
  expect(JSON.parse(JSON.stringify(await emitted()).replaceAll(user_id, "US.13490000000000000001"))).toEqual([payload]);
});

test.each(["stop", "resume", "signup"] as const)("callback-preferences-%s", async (value) => {
  const { payload } = golden(`callback-preferences-${value}`);
  pair.simulator.setPerson({ person: ANA, name: "Ana" });
  const { timestamp, signup_id, detail } = payload.entry[0].changes[0].value.user_preferences[0];
  const more = signup_id === undefined ? {} : { signup_id, detail };
  const { user_id } = pair.simulator.setMarketing({ phone_number_id: "1055", person: ANA, value, timestamp, ...more });
  expect(JSON.parse(JSON.stringify(await emitted()).replaceAll(user_id, "US.13490000000000000001"))).toEqual([payload]);
});

test("callback-message-no-number", async () => {
  const { payload } = golden("callback-message-no-number");
  const { id, timestamp, from_user_id, text } = payload.entry[0].changes[0].value.messages[0];
  pair.simulator.inbound({ phone_number_id: "1055", from: from_user_id });
  await emitted();
  pair.receiver.posts.length = 0;
  pair.simulator.setPerson({ person: from_user_id, name: "Kim", username: "kim" });
  pair.simulator.inbound({ phone_number_id: "1055", from: from_user_id, id, timestamp, text });
  expect(await emitted()).toEqual([payload]);
});
