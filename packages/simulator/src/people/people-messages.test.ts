import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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
const messages = () => pair.receiver.changes().flatMap((change) => change.value["messages"] ?? []);
const userIdOf = (person: string) => pair.simulator.person(person).user_ids["7001"]!;
const outcomes = () =>
  pair.receiver.statuses().map((status) => [status["status"], status["errors"]?.[0].code ?? ""].join(" ").trim());

test("the own number as asked for, and another person's card", async () => {
  pair.simulator.setPerson({ person: "+5531987654321", username: "ana", name: "Ana" });
  const own = { phone_number_id: NUMBER, from: userIdOf("553187654321"), origin: "contact_request" };
  expect((await pair.call("POST", "/sim/contact-cards", { ...own, quotes: "wamid.SIM1" })).status).toBe(201);
  const card = { phone_number_id: NUMBER, from: OLD, origin: "other", timestamp: "1790000001" };
  expect((await pair.call("POST", "/sim/contact-cards", card)).status).toBe(400);
  await pair.call("POST", "/sim/contact-cards", { ...card, phone: "+525512345678", card_name: "Bo" });
  await pair.simulator.idle();
  const [asked, other] = messages();
  expect(asked).toMatchObject({ type: "contacts", context: { from: "15559990000", id: "wamid.SIM1" } });
  expect(asked).not.toHaveProperty("from");
  expect(asked.contacts).toEqual([
    {
      name: { formatted_name: "Ana", first_name: "Ana" },
      phones: [{ phone: "+553187654321", wa_id: "553187654321", type: "CELL" }],
      origin: "contact_request",
    },
  ]);
  expect(other).toMatchObject({ from: "15550001111", timestamp: "1790000001" });
  expect(other.contacts).toMatchObject([{ phones: [{ wa_id: "5215512345678" }], origin: "other" }]);
});

test("marketing stopped and resumed: 131050 for marketing templates of this number only", async () => {
  const prefer = (value: string, more = {}) =>
    pair.call("PUT", "/sim/marketing", { phone_number_id: NUMBER, person: OLD, value, ...more });
  await prefer("stop", { timestamp: 1_790_000_200 });
  await pair.simulator.idle();
  const ids = { wa_id: "15550001111", user_id: userIdOf(OLD) };
  expect(pair.receiver.changes()).toEqual([
    {
      field: "user_preferences",
      value: {
        messaging_product: "whatsapp",
        metadata: { display_phone_number: "15559990000", phone_number_id: NUMBER },
        contacts: [{ profile: { name: "Person 1111" }, ...ids }],
        user_preferences: [
          {
            ...ids,
            detail: "User requested to stop marketing messages",
            category: "marketing_messages",
            value: "stop",
            timestamp: 1_790_000_200,
          },
        ],
      },
    },
  ]);
  const outcomeOf = async (name: string) => {
    pair.receiver.posts.length = 0;
    await pair.send(template(OLD, name));
    await pair.simulator.idle();
    return outcomes().at(-1);
  };
  expect(await outcomeOf("promo_spring")).toBe("failed 131050");
  expect(await outcomeOf("order_ready")).toBe("read");
  await prefer("resume");
  expect(await outcomeOf("promo_spring")).toBe("read");
});

test("a reply quotes a message, from any form of the number, at any time", async () => {
  const { body } = await pair.call("POST", "/sim/inbound", {
    phone_number_id: NUMBER,
    from: "+55 31 98765-4321",
    text: "Thanks",
    quotes: "wamid.SIM1",
    timestamp: "1780000000",
    number_hidden: true,
  });
  expect(body).toMatchObject({ wa_id: "553187654321", user_id: userIdOf("553187654321"), reported: true });
  await pair.simulator.idle();
  expect(messages()).toEqual([
    {
      from_user_id: body.user_id,
      id: body.id,
      timestamp: "1780000000",
      type: "text",
      context: { from: "15559990000", id: "wamid.SIM1" },
      text: { body: "Thanks" },
    },
  ]);
  expect((await pair.call("POST", "/sim/inbound", { phone_number_id: NUMBER, from: "ana" })).status).toBe(400);
});

test("traits are set and read over HTTP; what is misspelt or unknown is refused", async () => {
  const set = await pair.call("PUT", "/sim/people", { person: OLD, name: "Ana", username: "ana" });
  expect(set.body).toEqual({
    wa_id: "15550001111",
    name: "Ana",
    username: "ana",
    number_hidden: null,
    on_whatsapp: true,
    parent_user_id: null,
    user_ids: { "7001": userIdOf(OLD) },
  });
  expect((await pair.call("GET", `/sim/people/${userIdOf(OLD)}`)).body).toEqual(set.body);
  expect((await pair.call("GET", "/sim/people/US.unknown")).status).toBe(404);
  expect((await pair.call("PUT", "/sim/people", { person: OLD, user_name: "ana" })).status).toBe(400);
  const changes = await pair.call("POST", "/sim/number-changes", { phone_number_id: NUMBER, person: OLD, to: NEW });
  expect(changes.body.data).toMatchObject([{ previous_wa_id: "15550001111", reported: true }]);
  const ids = await pair.call("POST", "/sim/user-id-changes", { phone_number_id: NUMBER, person: NEW });
  expect(ids.body.data).toMatchObject([{ previous_user_id: changes.body.data[0].user_id }]);
});
