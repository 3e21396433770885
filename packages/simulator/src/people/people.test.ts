import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

let now = 1_790_000_000_000;
let pair: Pair;
beforeAll(async () => {
  pair = await startPair({ clock: { nowMs: () => now } });
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const NUMBER = "1055";
const ANA = "+15550001111";
/** One mobile of Minas Gerais in both forms: the provider routes by the short one. */
const LONG = "+5531987654321";
const SHORT = "553187654321";
const text = (to: Record<string, unknown>) => ({ ...to, type: "text", text: { body: "x" } });
const messages = () => pair.receiver.changes().flatMap((change) => change.value["messages"] ?? []);
const contacts = () => pair.receiver.changes().flatMap((change) => change.value["contacts"] ?? []);
const userIdOf = (person: string) => pair.simulator.person(person).user_ids["7001"]!;
const failures = () =>
  pair.receiver.statuses().map((status) => [status["status"], status["errors"]?.[0].code ?? null].join(" "));

describe("both forms of a number", () => {
  test.each([
    ["Brazil", LONG, SHORT],
    ["Brazil, area up to 28", "551187654321", "5511987654321"],
    ["Mexico", "+525512345678", "5215512345678"],
    ["Argentina", "+541112345678", "5491112345678"],
    ["Ivory Coast", "+2250777123456", "22577123456"],
  ])("%s: one person, one user id, one window", async (_name, written, waId) => {
    pair.simulator.setSettings({ outsideWindow: "refused" });
    pair.simulator.inbound({ phone_number_id: NUMBER, from: waId, text: "hi" });
    expect((await pair.send(text({ to: written }))).body.contacts).toEqual([{ input: written, wa_id: waId }]);
    expect((await pair.send(text({ to: waId }))).body.contacts).toEqual([{ input: waId, wa_id: waId }]);
    pair.simulator.inbound({ phone_number_id: NUMBER, from: written, text: "hi" });
    await pair.simulator.idle();
    expect(new Set(messages().map((message) => [message.from, message.from_user_id].join(" "))).size).toBe(1);
    expect(messages()[0]).toMatchObject({ from: waId, from_user_id: userIdOf(written) });
    const seen = pair.receiver.statuses().map((status) => [status["recipient_id"], status["recipient_user_id"]]);
    expect(new Set(seen.map(String))).toEqual(new Set([`${waId},${userIdOf(waId)}`]));
  });

  test("the form of a person is another by control", async () => {
    pair.simulator.setPerson({ person: "+5511987654321", wa_id: "551187654321" });
    pair.simulator.setPerson({ person: SHORT, wa_id: "5531987654321" });
    pair.simulator.setPerson({ person: "+2290197123456", forms: ["+22997123456"] });
    for (const [to, wa_id] of [
      ["+5511987654321", "551187654321"],
      ["551187654321", "551187654321"],
      [LONG, "5531987654321"],
      ["+22997123456", "2290197123456"],
    ]) {
      expect((await pair.send(template(to!))).body.contacts).toEqual([{ input: to, wa_id }]);
    }
  });

  test.each([
    ["Argentina", "+541112345678", "541112345678", "5491112345678"],
    ["Brazil", "+551178123456", "551178123456", "5511978123456"],
  ])("%s: a landline is a person apart from the mobile", async (_name, landline, waId, mobile) => {
    pair.simulator.setPerson({ person: landline, landline: true });
    expect((await pair.send(template(landline))).body.contacts[0].wa_id).toBe(waId);
    expect((await pair.send(template(mobile))).body.contacts[0].wa_id).toBe(mobile);
    expect(userIdOf(landline)).not.toBe(userIdOf(mobile));
  });

  test("Mexico: a landline lacks the 1 and is the same line in both forms", async () => {
    pair.simulator.setPerson({ person: "+525512345678", landline: true });
    expect((await pair.send(template("+5215512345678"))).body.contacts[0].wa_id).toBe("525512345678");
  });

  test("a fault and the list of sends find the person by either form", async () => {
    pair.simulator.addFault({ kind: "refuse", code: 131000, recipient: SHORT });
    expect((await pair.send(template(LONG))).body.error.code).toBe(131000);
    expect(pair.simulator.sent({ to: SHORT }).data).toMatchObject([{ to: LONG, wa_id: SHORT, user_id: null }]);
  });
});

describe("user ids", () => {
  test("one for each portfolio, the same each time, of the person's country", async () => {
    pair.simulator.addAccount({ waba_id: "9002", name: "B", business_id: "7002", token: "T2", phone_numbers: [] });
    const { user_ids } = pair.simulator.person(LONG);
    expect(Object.keys(user_ids)).toEqual(["7001", "7002"]);
    expect(new Set(Object.values(user_ids)).size).toBe(2);
    for (const userId of Object.values(user_ids)) expect(userId).toMatch(/^BR\.[A-Za-z0-9]{1,128}$/);
    pair.simulator.reset();
    expect(pair.simulator.person(SHORT).user_ids["7001"]).toBe(user_ids["7001"]);
  });

  test("a message to one reaches the person: no number in the answer, nor as recipient", async () => {
    pair.simulator.inbound({ phone_number_id: NUMBER, from: ANA, text: "hi", name: "Ana" });
    const recipient = userIdOf(ANA);
    expect((await pair.send(text({ recipient }))).body.contacts).toEqual([{ input: recipient, user_id: recipient }]);
    await pair.simulator.idle();
    expect(failures()).toEqual(["sent ", "delivered ", "read "]);
    for (const status of pair.receiver.statuses()) {
      expect(status).toMatchObject({ recipient_user_id: recipient });
      expect(status).not.toHaveProperty("recipient_id");
    }
    expect(contacts().at(-1)).toEqual({ profile: { name: "Ana" }, wa_id: "15550001111", user_id: recipient });
    expect(pair.simulator.sent({ to: recipient }).data).toMatchObject([{ wa_id: null, user_id: recipient }]);
  });

  test("with both, the number wins", async () => {
    const { body } = await pair.send({ ...template(ANA), recipient: userIdOf(LONG) });
    expect(body.contacts).toEqual([{ input: ANA, wa_id: "15550001111" }]);
  });

  test("one that is unknown is a person's; one of another portfolio is refused", async () => {
    pair.simulator.addAccount({ waba_id: "9002", name: "B", business_id: "7002", token: "T2", phone_numbers: [] });
    const foreign = pair.simulator.person(ANA).user_ids["7002"];
    expect((await pair.send({ ...template(""), to: undefined, recipient: foreign })).body.error.code).toBe(131009);
    const recipient = "US.13490000000000000001";
    expect((await pair.send({ ...template(""), to: undefined, recipient })).status).toBe(200);
    pair.simulator.inbound({ phone_number_id: NUMBER, from: recipient, text: "hi" });
    expect((await pair.send(text({ recipient }))).status).toBe(200);
    await pair.simulator.idle();
    expect(messages()).toMatchObject([{ from_user_id: recipient }]);
    expect(messages()[0]).not.toHaveProperty("from");
  });

  test("templates that fill in a code on the phone need a number: 131062", async () => {
    const components = [
      { type: "BODY", text: "{{1}} is your code." },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE" }] },
    ];
    const login = { waba_id: "9001", name: "login", language: "en_US", category: "AUTHENTICATION", components };
    pair.simulator.addTemplate(login);
    const code = [{ type: "text", text: "123456" }];
    const message = template(ANA, "login", [
      { type: "body", parameters: code },
      { type: "button", sub_type: "url", index: "0", parameters: code },
    ]);
    expect((await pair.send(message)).status).toBe(200);
    const { status, body } = await pair.send({ ...message, to: undefined, recipient: userIdOf(ANA) });
    expect([status, body.error.code]).toEqual([400, 131062]);
  });

  test("a parent id is in every callback, and a message may be sent to it", async () => {
    const { parent_user_id } = pair.simulator.setPerson({ person: ANA, parent_user_id: true });
    expect(parent_user_id).toMatch(/^US\.ENT\.[A-Za-z0-9]{1,128}$/);
    pair.simulator.inbound({ phone_number_id: NUMBER, from: ANA, text: "hi" });
    const { body } = await pair.send(text({ recipient: parent_user_id }));
    expect(body.contacts).toEqual([{ input: parent_user_id, user_id: parent_user_id }]);
    await pair.simulator.idle();
    expect(messages()).toMatchObject([{ from_user_id: userIdOf(ANA), from_parent_user_id: parent_user_id }]);
    expect(pair.receiver.statuses()[0]).toMatchObject({
      recipient_user_id: userIdOf(ANA),
      recipient_parent_user_id: parent_user_id,
    });
    expect(contacts().every((contact) => contact.parent_user_id === parent_user_id)).toBe(true);
  });
});

describe("usernames", () => {
  const write = async () => {
    pair.receiver.posts.length = 0;
    pair.simulator.inbound({ phone_number_id: NUMBER, from: ANA, text: "hi" });
    await pair.simulator.idle();
    return { from: messages()[0].from ?? null, wa_id: contacts()[0].wa_id ?? null };
  };
  const HIDDEN = { from: null, wa_id: null };
  const SEEN = { from: "15550001111", wa_id: "15550001111" };

  test("the number is hidden until the business writes to it, and again 30 days later", async () => {
    const userId = userIdOf(ANA);
    expect(pair.simulator.setPerson({ person: ANA, username: "ana", name: "Ana" }).user_ids["7001"]).toBe(userId);
    expect(await write()).toEqual(HIDDEN);
    expect(contacts()).toEqual([{ profile: { name: "Ana", username: "ana" }, user_id: userId }]);
    await pair.send(text({ recipient: userId }));
    expect(await write()).toEqual(HIDDEN);
    await pair.send(template(ANA));
    expect(await write()).toEqual(SEEN);
    now += 31 * 24 * 3_600_000;
    expect(await write()).toEqual(HIDDEN);
    pair.simulator.setPerson({ person: userId, username: null });
    expect(await write()).toEqual(SEEN);
  });

  test("hidden or not by control, for the person and for one message", async () => {
    pair.simulator.setPerson({ person: ANA, username: "ana", number_hidden: false });
    expect(await write()).toEqual(SEEN);
    pair.simulator.setPerson({ person: ANA, username: null, number_hidden: true });
    expect(await write()).toEqual(HIDDEN);
    const { update } = pair.simulator.inbound({ phone_number_id: NUMBER, from: ANA, number_hidden: false });
    expect(update.value["messages"]).toMatchObject([{ from: "15550001111" }]);
    await pair.send(template(ANA));
    await pair.simulator.idle();
    expect(pair.receiver.statuses()[0]).toMatchObject({ recipient_id: "15550001111" });
    expect(contacts().at(-1)).not.toHaveProperty("wa_id");
  });
});

test("several statuses of one person in one POST name the person once", async () => {
  pair.simulator.setDelays({ sentMs: 0, deliveredMs: 0, readMs: 0 });
  const sharing = () =>
    pair.receiver.changes().filter(({ value }) => ((value["statuses"] as unknown[] | undefined)?.length ?? 0) > 1);
  // Statuses of one message go out together, unless a millisecond ends between them.
  for (let n = 0; n < 10 && sharing().length === 0; n += 1) {
    pair.simulator.addFault({ kind: "early", delayMs: 50 });
    await pair.send(template(ANA));
    await pair.simulator.idle();
  }
  const [change] = sharing();
  expect(change?.value["contacts"]).toHaveLength(1);
});

test("a number without an account is answered with its form, and fails with 131026", async () => {
  pair.simulator.setPerson({ person: LONG, on_whatsapp: false });
  expect((await pair.send(template(LONG))).body.contacts).toEqual([{ input: LONG, wa_id: SHORT }]);
  await pair.simulator.idle();
  expect(failures()).toEqual(["failed 131026"]);
  expect(contacts()).toEqual([]);
});
