import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

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

const NUMBER = "1055";
const OLD = "+15550001111";
const NEW = "+15550003333";
const LATER = "+15550005555";
const messages = () => pair.receiver.changes().flatMap((change) => change.value["messages"] ?? []);
const userIdOf = (person: string) => pair.simulator.person(person).user_ids["7001"]!;
const change = (person: string, to: string, more: Record<string, unknown> = {}) =>
  pair.simulator.changeNumber({ phone_number_id: NUMBER, person, to, ...more })[0]!;
const outcomes = () =>
  pair.receiver.statuses().map((status) => [status["status"], status["errors"]?.[0].code ?? ""].join(" ").trim());

describe("a change of number", () => {
  test("moves the person with new user ids; the old number and the old id reach no person", async () => {
    const before = userIdOf(OLD);
    pair.simulator.setPerson({ person: OLD, name: "Ana" });
    pair.simulator.setSettings({ outsideWindow: "refused" });
    pair.simulator.setWindow({ phone_number_id: NUMBER, person: OLD, open: true });
    const changed = change(OLD, NEW, { timestamp: "1790000001", id: "wamid.C1" });
    expect(changed).toMatchObject({ wa_id: "15550003333", previous_wa_id: "15550001111", previous_user_id: before });
    expect(changed.user_id).toBe(userIdOf(NEW));
    expect(changed.user_id).not.toBe(before);
    await pair.simulator.idle();
    expect(messages()).toEqual([
      {
        from: "15550001111",
        from_user_id: before,
        id: "wamid.C1",
        timestamp: "1790000001",
        type: "system",
        system: {
          body: "Ana changed from 15550001111 to 15550003333",
          type: "user_changed_number",
          wa_id: "15550003333",
          user_id: changed.user_id,
          previous_user_id: before,
        },
      },
    ]);
    expect((await pair.send({ to: NEW, type: "text", text: { body: "x" } })).status).toBe(200);
    await pair.simulator.idle();
    pair.receiver.posts.length = 0;
    await pair.send(template(OLD));
    await pair.send({ ...template(""), to: undefined, recipient: before });
    await pair.simulator.idle();
    expect(outcomes()).toEqual(["failed 131026", "failed 131026"]);
  });

  test("the old number's next holder is another person", async () => {
    const first = userIdOf(OLD);
    change(OLD, NEW);
    pair.simulator.inbound({ phone_number_id: NUMBER, from: OLD, text: "hi" });
    await pair.simulator.idle();
    const second = messages().at(-1).from_user_id;
    expect(new Set([first, second, userIdOf(NEW)]).size).toBe(3);
    await pair.send(template(OLD));
    await pair.simulator.idle();
    expect(outcomes()).toEqual(["sent", "delivered", "read"]);
  });

  test("onto a number that another person holds: that one is left with the user id", async () => {
    const holder = userIdOf(NEW);
    change(OLD, NEW);
    expect(pair.simulator.person(holder)).toMatchObject({ wa_id: null, user_ids: { "7001": holder } });
    expect(pair.simulator.person(NEW).user_ids["7001"]).not.toBe(holder);
  });

  test("from one form to the other of the same number is none", () => {
    expect(() => change("+5531987654321", "553187654321")).toThrow("has the number 553187654321 already");
  });

  test("the older kind, and the one of before user ids", async () => {
    change(OLD, NEW, { kind: "customer_changed_number", id: "wamid.C1", timestamp: "1790000001" });
    change(NEW, LATER, { user_ids: false });
    await pair.simulator.idle();
    expect(messages()[0]).toEqual({
      from: "15550001111",
      id: "wamid.C1",
      timestamp: "1790000001",
      type: "system",
      system: {
        body: "Person 1111 changed from 15550001111 to 15550003333",
        type: "customer_changed_number",
        new_wa_id: "15550003333",
      },
    });
    expect(messages()[1]).not.toHaveProperty("from_user_id");
    expect(Object.keys(messages()[1].system)).toEqual(["body", "type", "wa_id"]);
  });

  test("of a person with a hidden number is reported by user id", async () => {
    pair.simulator.setPerson({ person: OLD, username: "ana" });
    const { previous_user_id } = change(userIdOf(OLD), NEW);
    await pair.simulator.idle();
    expect(messages()).toMatchObject([{ from_user_id: previous_user_id, system: { wa_id: "15550003333" } }]);
    expect(messages()[0]).not.toHaveProperty("from");
  });

  test("hides the new number of a person with a username, whose old one the business knew", async () => {
    pair.simulator.setPerson({ person: OLD, username: "ana" });
    await pair.send(template(OLD));
    change(OLD, NEW);
    pair.simulator.inbound({ phone_number_id: NUMBER, from: NEW, text: "hi" });
    await pair.simulator.idle();
    expect(messages().map((message) => message.from ?? null)).toEqual(["15550001111", null]);
  });

  test("is reported to each number named, with the user ids of its own portfolio", async () => {
    const phone_numbers = [{ id: "2055", display_phone_number: "+1 555 888 0000" }];
    const other = { waba_id: "9002", name: "B", business_id: "7002", token: "T2", subscribed: true, phone_numbers };
    pair.simulator.addAccount(other);
    const before = pair.simulator.person(OLD).user_ids;
    const changes = pair.simulator.changeNumber({ phone_number_id: NUMBER, also_to: ["2055"], person: OLD, to: NEW });
    expect(changes.map((one) => one.previous_user_id)).toEqual([before["7001"], before["7002"]]);
    await pair.simulator.idle();
    const entries = pair.receiver.posts.flatMap((post) => post.payload.entry.map((entry) => entry.id));
    expect(entries.toSorted()).toEqual(["9001", "9002"]);
  });
});

test("statuses name the person as it was when the message was sent", async () => {
  pair.simulator.setDelays({ deliveredMs: null, readMs: 200 });
  const recipient = userIdOf(OLD);
  await pair.send({ ...template(""), to: undefined, recipient });
  await pair.receiver.until(() => outcomes().length === 1);
  change(OLD, NEW, { report: false });
  await pair.simulator.idle();
  expect(pair.receiver.statuses().map((status) => status["recipient_user_id"])).toEqual([recipient, recipient]);
  const last = pair.receiver.changes().at(-1)?.value["contacts"];
  expect(last).toMatchObject([{ wa_id: "15550001111", user_id: recipient }]);
});

test("a change of user id keeps the number and the chat, and retires the old id", async () => {
  const before = userIdOf(OLD);
  pair.simulator.setPerson({ person: OLD, parent_user_id: true });
  const parent = pair.simulator.person(OLD).parent_user_id;
  const [changed] = pair.simulator.changeUserId({ phone_number_id: NUMBER, person: OLD, timestamp: "1790000001" });
  expect(changed).toMatchObject({ wa_id: "15550001111", user_id: userIdOf(OLD), previous_user_id: before });
  await pair.simulator.idle();
  const [message] = messages();
  expect(message).toMatchObject({ from_user_id: before, from_parent_user_id: parent, timestamp: "1790000001" });
  expect(message).not.toHaveProperty("from");
  expect(message.system).toEqual({
    body: "User ID changed",
    type: "user_changed_user_id",
    user_id: userIdOf(OLD),
    parent_user_id: pair.simulator.person(OLD).parent_user_id,
    previous_user_id: before,
    previous_parent_user_id: parent,
  });
  expect(() => pair.simulator.inbound({ phone_number_id: NUMBER, from: before })).toThrow("no person has the user id");
  pair.simulator.changeUserId({ phone_number_id: NUMBER, person: OLD, with_number: true });
  await pair.simulator.idle();
  expect(messages().at(-1)).toMatchObject({ from: "15550001111" });
});

describe("late, out of order and twice", () => {
  test("changes are sent in another order than they happened, with the times at which they did", async () => {
    const first = change(OLD, NEW, { report: false, timestamp: "1790000001" });
    const second = change(NEW, LATER, { report: false, timestamp: "1790000002" });
    expect([first.reported, second.reported]).toEqual([false, false]);
    await pair.simulator.idle();
    expect(pair.receiver.posts).toEqual([]);
    for (const { update } of [second, first, first]) {
      expect((await pair.call("POST", "/sim/updates", update)).body).toEqual({ reported: true });
      await pair.simulator.idle();
    }
    expect(messages().map((message) => message.timestamp)).toEqual(["1790000002", "1790000001", "1790000001"]);
    expect(messages()[1]).toEqual(messages()[2]);
  });

  test("an update of any field goes where the provider sends it", async () => {
    const value = { metadata: { phone_number_id: NUMBER }, user_id_update: [] };
    pair.simulator.sendUpdate({ waba_id: "9001", field: "user_id_update", value });
    await pair.simulator.idle();
    expect(pair.receiver.changes()).toEqual([{ field: "user_id_update", value }]);
    expect((await pair.call("POST", "/sim/updates", { waba_id: "1", field: "messages", value })).status).toBe(404);
  });

  test("an earlier callback is posted once more with the same bytes", async () => {
    pair.simulator.inbound({ phone_number_id: NUMBER, from: OLD, text: "Zoë" });
    await pair.simulator.idle();
    const { cursor } = pair.simulator.callbacks().data[0]!;
    expect((await pair.call("POST", `/sim/callbacks/${cursor}/repeat`)).status).toBe(200);
    await pair.simulator.idle();
    expect(pair.receiver.posts.map((post) => [post.verified, post.raw])).toEqual([
      [true, pair.receiver.posts[0]!.raw],
      [true, pair.receiver.posts[0]!.raw],
    ]);
    expect((await pair.call("POST", "/sim/callbacks/99/repeat")).status).toBe(404);
  });
});
