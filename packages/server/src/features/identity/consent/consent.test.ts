import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, preferencesOf, textFrom } from "../../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { type Receiver, startReceiver } from "../../webhooks/testing/receiver.ts";

const PATIENCE = { timeout: 30_000, interval: 15 };
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let receiver: Receiver;
/** Seconds: times of evidence count from here. */
let start: number;

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  receiver = await startReceiver();
  const body = { url: receiver.url, events: ["opted_out", "opted_in", "contact_created"] };
  await mine.call("POST", "/v1/webhook-endpoints", { body });
  start = Math.floor(gateway.clock.now() / 1_000) - 10_000;
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

let people = 0;
/** Digits of a person whom no other test uses. */
const stranger = (): string => `1555210${String((people += 1)).padStart(4, "0")}`;

const contactOf = async (digits: string, of = mine) =>
  (await of.call("GET", `/v1/contacts?phone=%2B${digits}`)).body.data[0];

async function consentOf(digits: string, of = mine): Promise<[string, string | null] | undefined> {
  const contact = await contactOf(digits, of);
  return contact && [contact.marketing_consent, contact.consent_source];
}

/** Kinds and sources of what was announced about a person. */
async function announced(digits: string, of = mine): Promise<string[]> {
  const events = await of.rows<{ said: string }>(
    `select concat_ws(' ', e.kind, e.state->>'source') as said from event e
     join contact c on c.id = e.contact_id where c.phone = $1 and e.kind <> 'messages' order by e.sequence`,
    [`+${digits}`],
  );
  return events.map(({ said }) => said);
}

async function set(digits: string, value: "stop" | "resume", after: number, more: object = {}): Promise<void> {
  const preference = { wa_id: digits, value, timestamp: start + after, ...more };
  expect((await postCallback(gateway, preferencesOf(mine.account, preference))).status).toBe(200);
}

let texts = 0;
async function write(digits: string, text: string, after: number): Promise<void> {
  const message = textFrom(digits, `wamid.consent.${(texts += 1)}`, text, (start + after) * 1_000);
  expect((await postCallback(gateway, callbackOf(mine.account, message))).status).toBe(200);
}

/** The value of a pressed button of a template. */
const pressed = (digits: string, button: object, after: number): object => {
  const id = `wamid.consent.${(texts += 1)}`;
  const message = { from: digits, id, timestamp: String(start + after), type: "button", button };
  return { contacts: [{ wa_id: digits, profile: { name: "Ana" } }], messages: [message] };
};

describe("the setting in the person's app", () => {
  it("is the consent of the contact, announced once per change, in this workspace alone", async () => {
    const ana = stranger();
    await theirs.inbound(ana);
    const { id } = await mine.inbound(ana);
    const control = { phone_number_id: mine.account.providerPhoneNumberId, person: ana };
    gateway.simulator.setMarketing({ ...control, value: "stop" });
    await expect.poll(() => consentOf(ana), PATIENCE).toEqual(["opted_out", "preference"]);
    gateway.simulator.setMarketing({ ...control, value: "stop" });
    gateway.clock.advance(2_000);
    gateway.simulator.setMarketing({ ...control, value: "resume" });
    await expect.poll(() => consentOf(ana), PATIENCE).toEqual(["opted_in", "preference"]);
    expect(await announced(ana)).toEqual([
      "contact_created inbound_message",
      "opted_out preference",
      "opted_in preference",
    ]);
    expect(await consentOf(ana, theirs)).toEqual(["unknown", null]);
    expect((await mine.call("GET", `/v1/messages/${id}`)).status).toBe(200);
    expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toEqual([]);
    // The contact as it was then, also in an event that is rendered later.
    await receiver.got(3);
    expect(receiver.received.slice(1, 3).map(({ body }) => body)).toMatchObject([
      {
        kind: "opted_out",
        category: "contact",
        data: { contact: { phone: `+${ana}`, marketing_consent: "opted_out" }, source: "preference" },
      },
      { kind: "opted_in", data: { contact: { marketing_consent: "opted_in", consent_source: "preference" } } },
    ]);
  });

  it("is announced with the provider's words for it, and with nothing else that stood beside them", async () => {
    type Data = { contact: { phone?: string; id: string; deleted?: true }; provider_fields?: object };
    const told = (): Data[] =>
      receiver.received.flatMap(({ body }) => (body.kind.startsWith("opted") ? [body.data as Data] : []));
    const words = (digits: string) =>
      told().flatMap(({ contact, provider_fields }) => (contact.phone === `+${digits}` ? [provider_fields] : []));
    const eve = stranger();
    const control = { phone_number_id: mine.account.providerPhoneNumberId, person: eve };
    gateway.simulator.setMarketing({ ...control, value: "stop", timestamp: start + 1 });
    await expect.poll(() => consentOf(eve), PATIENCE).toEqual(["opted_out", "preference"]);
    gateway.simulator.setMarketing({ ...control, value: "signup", signup_id: "s1", timestamp: start + 2 });
    await expect.poll(() => consentOf(eve), PATIENCE).toEqual(["opted_in", "signup"]);
    await set(eve, "stop", 3, { detail: "", note: `Ana +${eve}`, signup_id: 7 });
    await set(eve, "resume", 4, { detail: { text: "Resumed" } });
    await set(eve, "stop", 5, { detail: "x".repeat(5_000) });
    await write(eve, "START", 6);
    const said = [
      { detail: "User requested to stop marketing messages" },
      { detail: "User signed up for marketing messages", signup_id: "s1" },
      { signup_id: "7" },
      undefined,
      { detail: "x".repeat(512) },
      undefined,
    ];
    await expect.poll(() => words(eve).length, PATIENCE).toBe(said.length);
    expect(words(eve)).toEqual(expect.arrayContaining(said));
    // With the person goes what the provider said of them, also where it is told again.
    const { id } = await contactOf(eve);
    receiver.answer((response) => void response.writeHead(500).end());
    await set(eve, "stop", 7, { detail: "Eve asked to stop" });
    await expect.poll(() => words(eve).at(-1), PATIENCE).toEqual({ detail: "Eve asked to stop" });
    expect((await mine.call("DELETE", `/v1/contacts/${id}`)).status).toBe(204);
    receiver.answer((response) => void response.end());
    gateway.clock.advance(60_000);
    await expect.poll(() => told().at(-1)?.contact, PATIENCE).toEqual({ id, deleted: true });
    expect(told().at(-1)).not.toHaveProperty("provider_fields");
    expect(JSON.stringify((await theirs.call("GET", "/v1/contacts")).body)).not.toContain(eve);
  });

  it("creates the contact of a stranger, known by number and user id from then on", async () => {
    const bob = stranger();
    await set(bob, "stop", 1, { user_id: "US.55500001" });
    expect(await contactOf(bob)).toMatchObject({ user_id: "US.55500001", marketing_consent: "opted_out" });
    expect(await announced(bob)).toEqual(["contact_created preference", "opted_out preference"]);
    await postCallback(
      gateway,
      preferencesOf(mine.account, { user_id: "US.55500001", value: "resume", timestamp: start + 2 }),
    );
    expect(await consentOf(bob)).toEqual(["opted_in", "preference"]);
    const proofs = "select consent_proof as proof from contact where phone = $1";
    const [row] = await mine.rows<{ proof: string }>(proofs, [`+${bob}`]);
    expect(row?.proof).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("goes with the number to somebody else, whose own word counts from then on", async () => {
    const number = stranger();
    await set(number, "stop", 1, { user_id: "US.55500011" });
    await set(number, "resume", 2, { user_id: "US.55500012" });
    expect(await contactOf(number)).toMatchObject({ user_id: "US.55500012", marketing_consent: "opted_in" });
    await set(number, "stop", 3, { user_id: "US.55500012" });
    const message = textFrom(number, "wamid.consent.reassigned", "Hello", (start + 4) * 1_000) as {
      messages: object[];
    };
    const said = {
      contacts: [{ wa_id: number, user_id: "US.55500013" }],
      messages: [{ ...message.messages[0], from_user_id: "US.55500013" }],
    };
    expect((await postCallback(gateway, callbackOf(mine.account, said))).status).toBe(200);
    expect(await contactOf(number)).toMatchObject({
      user_id: "US.55500013",
      marketing_consent: "opted_out",
      consent_source: "preference",
    });
    expect((await announced(number)).slice(-2)).toEqual(["contact_created inbound_message", "opted_out preference"]);
  });

  it("is found by every form of a number that is one person's", async () => {
    const { contact_id } = await mine.inbound("553181230001");
    await set("5531981230001", "stop", 1);
    expect((await mine.call("GET", `/v1/contacts/${contact_id}`)).body.marketing_consent).toBe("opted_out");
  });

  it("and a STOP count against what a client said in the same second, and nothing later", async () => {
    for (const say of [set, (digits: string, _: string, after: number) => write(digits, "STOP", after)]) {
      const person = stranger();
      const { contact_id } = await mine.inbound(person);
      const optIn = async (): Promise<number> => {
        // Within a second: ours are milliseconds, the provider's are not.
        gateway.clock.advance(2_300 - (gateway.clock.now() % 1_000));
        const second = Math.floor(gateway.clock.now() / 1_000) - start;
        await mine.call("PATCH", `/v1/contacts/${contact_id}`, { body: { marketing_consent: "opted_in" } });
        return second;
      };
      const second = await optIn();
      await say(person, "stop", second - 1);
      expect(await consentOf(person)).toEqual(["opted_in", "client"]);
      await say(person, "stop", second);
      expect((await consentOf(person))?.[0]).toBe("opted_out");
      // The same once more changes nothing, and a client's later word counts.
      await say(person, "stop", second);
      expect((await announced(person)).filter((said) => said.startsWith("opted_out"))).toHaveLength(1);
      const later = await optIn();
      await say(person, "stop", later - 1);
      expect(await consentOf(person)).toEqual(["opted_in", "client"]);
    }
  });

  it("counts by its time, whatever comes late, twice or at the same second", async () => {
    const eve = stranger();
    await set(eve, "stop", 100);
    const first = await contactOf(eve);
    await set(eve, "stop", 100); // repeated
    await set(eve, "resume", 90); // late
    await set(eve, "resume", 100); // of one second the opt-out counts
    expect(await contactOf(eve)).toEqual(first);
    await set(eve, "stop", 120); // says the same, and is newer
    await set(eve, "resume", 110);
    expect(await contactOf(eve)).toEqual(first);
    await set(eve, "resume", 130);
    await set(eve, "stop", 130);
    expect(await announced(eve)).toEqual([
      "contact_created preference",
      "opted_out preference",
      "opted_in preference",
      "opted_out preference",
    ]);
  });

  it("keeps its order with what the number reports beside it, at once and through the queue", async () => {
    for (const detail of ["short", "x".repeat(40_000)]) {
      const dan = stranger();
      const message = textFrom(dan, `wamid.consent.${(texts += 1)}`, "Hi", (start + 5) * 1_000);
      const { entry: messages } = callbackOf(mine.account, message) as { entry: object[] };
      const stop = { wa_id: dan, value: "stop", timestamp: start + 6, detail };
      const { entry: settings } = preferencesOf(mine.account, stop, {
        ...stop,
        value: "resume",
        timestamp: start + 7,
      }) as {
        entry: object[];
      };
      const last = textFrom(dan, `wamid.consent.${(texts += 1)}`, "STOP", (start + 8) * 1_000);
      const { entry: more } = callbackOf(mine.account, last) as { entry: object[] };
      const callback = { object: "whatsapp_business_account", entry: [...messages, ...settings, ...more] };
      expect((await postCallback(gateway, callback)).status).toBe(200);
      await expect.poll(() => consentOf(dan), PATIENCE).toEqual(["opted_out", "keyword"]);
      const events = await mine.rows<{ kind: string }>(
        "select e.kind from event e join contact c on c.id = e.contact_id where c.phone = $1 order by e.sequence",
        [`+${dan}`],
      );
      expect(events.map(({ kind }) => kind)).toEqual([
        "contact_created",
        "messages",
        "opted_out",
        "opted_in",
        "messages",
        "opted_out",
      ]);
    }
  });
});

describe("keywords", () => {
  it("opt out and in by the whole message, which arrives like any other", async () => {
    const ana = stranger();
    const stop = await mine.inbound(ana, " Stop! ");
    expect(stop).toMatchObject({ type: "text", text: { body: " Stop! " } });
    expect(await consentOf(ana)).toEqual(["opted_out", "keyword"]);
    gateway.clock.advance(2_000);
    await mine.inbound(ana, "please don't stop");
    expect(await consentOf(ana)).toEqual(["opted_out", "keyword"]);
    await mine.inbound(ana, "START");
    expect(await consentOf(ana)).toEqual(["opted_in", "keyword"]);
    expect(await announced(ana)).toEqual(["contact_created inbound_message", "opted_out keyword", "opted_in keyword"]);
    const [proof] = await mine.rows(
      "select 1 from contact c join message m on m.id = c.consent_proof where phone = $1",
      [`+${ana}`],
    );
    expect(proof).toBeDefined();
  });

  it("of a late message do not outweigh what was said since", async () => {
    const bob = stranger();
    await write(bob, "STOP", 30);
    await write(bob, "START", 50);
    await write(bob, "STOP", 40);
    await set(bob, "stop", 45);
    expect(await consentOf(bob)).toEqual(["opted_in", "keyword"]);
    await set(bob, "stop", 60);
    await write(bob, "Alta", 55);
    expect(await consentOf(bob)).toEqual(["opted_out", "preference"]);
    expect(await announced(bob)).toEqual([
      "contact_created inbound_message",
      "opted_out keyword",
      "opted_in keyword",
      "opted_out preference",
    ]);
  });

  it("that resume are no consent of a person who had not opted out", async () => {
    const words = ["Start", "UNSTOP", "Subscribe", "ALTA", "ابدأ", "Başlat"];
    const asked = await Promise.all(
      words.map(async (word) => {
        const person = stranger();
        await write(person, word, 10);
        return { person, said: [await consentOf(person), await announced(person)] };
      }),
    );
    for (const { said } of asked) expect(said).toEqual([["unknown", null], ["contact_created inbound_message"]]);
    const [ana, bob, eve] = asked.map(({ person }) => person) as [string, string, string];
    const before = await contactOf(ana);
    await write(ana, "STOP", 5); // late: Ana has resumed since
    await set(ana, "stop", 9);
    expect(await contactOf(ana)).toMatchObject({ ...before, last_inbound_at: expect.anything() });
    await set(ana, "resume", 7); // an opt-in that comes late is one
    expect(await consentOf(ana)).toEqual(["opted_in", "preference"]);
    await write(bob, "STOP", 20);
    await write(bob, "start", 30);
    expect(await consentOf(bob)).toEqual(["opted_in", "keyword"]);
    const { id } = await contactOf(eve);
    await mine.call("PATCH", `/v1/contacts/${id}`, { body: { marketing_consent: "opted_in" } });
    gateway.clock.advance(2_000);
    await mine.inbound(eve, "Start");
    expect(await consentOf(eve)).toEqual(["opted_in", "client"]);
  });

  it("are the buttons by which people leave, as the provider's editor names them", async () => {
    const buttons = [
      { text: "Stop promotions", payload: "Stop promotions" },
      { text: "Parar promoções", payload: "Parar promoções" },
      { text: "Genug davon", payload: "STOP_PROMOTIONS" },
    ];
    for (const button of buttons) {
      const person = stranger();
      const callback = callbackOf(mine.account, pressed(person, button, 10));
      expect((await postCallback(gateway, callback)).status).toBe(200);
      expect(await consentOf(person)).toEqual(["opted_out", "keyword"]);
    }
    const typed = stranger();
    await write(typed, "stop promotions.", 10);
    expect(await consentOf(typed)).toEqual(["opted_out", "keyword"]);
    const queued = stranger();
    const long = { ...buttons[0], more: "x".repeat(40_000) }; // goes through the queue
    await postCallback(gateway, callbackOf(mine.account, pressed(queued, long, 10)));
    await expect.poll(() => consentOf(queued), PATIENCE).toEqual(["opted_out", "keyword"]);
  });

  it("are those of the workspace", async () => {
    const body = { opt_out_keywords: { de: ["Schluss damit"], tr: ["İSTEMİYORUM"] } };
    expect((await mine.call("GET", "/v1/workspace")).body.opt_out_keywords.en).toContain("STOP");
    const before = gateway.clock.now();
    const patched = await mine.call("PATCH", "/v1/workspace", { body });
    expect(patched).toMatchObject({ status: 200, body: { ...body, opt_in_keywords: { en: expect.anything() } } });
    expect(Date.parse(patched.body.updated_at)).toBeGreaterThanOrEqual(before);
    expect((await mine.call("GET", "/v1/workspace")).body).toEqual(patched.body);
    expect((await theirs.call("GET", "/v1/workspace")).body.opt_out_keywords.en).toContain("STOP");
    const [ana, bob] = [stranger(), stranger()];
    await mine.inbound(ana, "SCHLUSS  DAMIT.");
    await mine.inbound(bob, "STOP");
    await theirs.inbound(bob, "STOP");
    expect([await consentOf(ana), await consentOf(bob), await consentOf(bob, theirs)]).toEqual([
      ["opted_out", "keyword"],
      ["unknown", null],
      ["opted_out", "keyword"],
    ]);
    const audit = await mine.rows("select changes from audit where action = 'workspace.update'");
    expect(audit).toMatchObject([{ changes: { opt_out_keywords: { before: null, after: body.opt_out_keywords } } }]);
    // An empty set is none; null are the defaults again. Of both lists the opt-out counts.
    await mine.call("PATCH", "/v1/workspace", { body: { opt_out_keywords: {}, opt_in_keywords: { en: ["OK"] } } });
    gateway.clock.advance(2_000);
    await mine.inbound(ana, "ok");
    await mine.inbound(bob, "STOP");
    expect([await consentOf(ana), await consentOf(bob)]).toEqual([
      ["opted_in", "keyword"],
      ["unknown", null],
    ]);
    await mine.call("PATCH", "/v1/workspace", { body: { opt_out_keywords: null, opt_in_keywords: { en: ["STOP"] } } });
    gateway.clock.advance(2_000);
    await mine.inbound(bob, "STOP");
    expect(await consentOf(bob)).toEqual(["opted_out", "keyword"]);
    const reset = await mine.call("PATCH", "/v1/workspace", { body: { opt_in_keywords: null } });
    const { opt_out_keywords, opt_in_keywords } = (await theirs.call("GET", "/v1/workspace")).body;
    expect(reset.body).toMatchObject({ opt_out_keywords, opt_in_keywords });
  });

  it("are refused with the place of each fault, and then nothing changes", async () => {
    const many = Array.from({ length: 21 }, (_, index) => `word ${index}`);
    const languages = Object.fromEntries(
      Array.from({ length: 61 }, (_, index) => [
        `a${String.fromCharCode(97 + (index % 26))}${"abc"[Math.trunc(index / 26)]}`,
        ["x"],
      ]),
    );
    const cases: [object, string][] = [
      [{ opt_out_keywords: { en: ["STOP", "!!!"] } }, "/opt_out_keywords/en/1"],
      [{ opt_out_keywords: { en: ["STOP", " "] } }, "/opt_out_keywords/en/1"],
      [{ opt_out_keywords: { en: ["x".repeat(51)] } }, "/opt_out_keywords/en/0"],
      [{ opt_in_keywords: { en: ["\ufdfa".repeat(10)] } }, "/opt_in_keywords/en/0"],
      [{ opt_out_keywords: { en: many } }, "/opt_out_keywords/en"],
      [{ opt_out_keywords: { "not a tag": ["STOP"] } }, "/opt_out_keywords/not a tag"],
      [{ opt_out_keywords: { "x/y~": ["STOP"] } }, "/opt_out_keywords/x~1y~0"],
      [{ opt_out_keywords: languages }, "/opt_out_keywords"],
      [{ opt_out_keywords: { en: "STOP" } }, "/opt_out_keywords/en"],
      [{ opt_out_keywords: ["STOP"] }, "/opt_out_keywords"],
      [{ stop_words: {} }, "/stop_words"],
    ];
    const before = (await mine.call("GET", "/v1/workspace")).body;
    for (const [body, pointer] of cases) {
      const reply = await mine.call("PATCH", "/v1/workspace", { body });
      expect([pointer, reply.status, reply.body.code]).toEqual([pointer, 400, "invalid_request"]);
      expect(reply.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    }
    expect((await mine.call("GET", "/v1/workspace")).body).toEqual(before);
    const reader = await gateway.workspace(["contacts:read"]);
    expect((await reader.call("PATCH", "/v1/workspace", { body: {} })).status).toBe(403);
  });
});
