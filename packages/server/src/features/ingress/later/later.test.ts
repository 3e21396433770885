import { afterAll, describe, expect, it } from "vitest";
import { REPORTED_PATIENCE, reportingOf } from "../../messages/testing/reported.ts";
import { startSenders } from "../../messages/testing/senders.ts";
import { countUsage } from "../../usage/usage.store.ts";
import { coexistenceOf, DAY_S } from "../testing/coexistence.ts";

// What is told of the time before a number was connected: its history, and the phone book of its phone.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { tell, text, events, close } = reportingOf(gateway);
afterAll(close);

const { secondsAgo, changeOf, past, chunk, book, post, settled, messagesWith, contactBy, erase } =
  coexistenceOf(gateway);

describe("a history", () => {
  it("is messages of both sides at their own times: no event, no window, nothing unread, no consent, no usage", async () => {
    const seen = await events(mine);
    const person = "15557600001";
    const own = mine.account.phone.slice(1);
    await post(
      chunk(mine, {
        id: person,
        messages: [
          past({ from: person, id: "wamid.h.1", ago: 100 * DAY_S, body: "STOP" }),
          past({ from: own, to: person, id: "wamid.h.2", ago: 99 * DAY_S, status: "READ" }),
          past({ from: own, to: person, id: "wamid.h.3", ago: 3_600, status: "ERROR" }),
          past({ from: own, to: person, id: "wamid.h.4", ago: 60, status: "PENDING" }),
          past({
            from: person,
            id: "wamid.h.5",
            ago: 50,
            more: { type: "hologram", text: undefined, hologram: { of: "cat" } },
          }),
        ],
      }),
    );
    await settled(mine);
    const messages = await messagesWith(mine, `+${person}`);
    expect(
      messages.map((one: Record<string, unknown>) => [one["provider_message_id"], one["status"], one["origin"]]),
    ).toEqual([
      ["wamid.h.5", "received", "history"],
      ["wamid.h.4", "accepted", "history"],
      ["wamid.h.3", "failed", "history"],
      ["wamid.h.2", "read", "history"],
      ["wamid.h.1", "received", "history"],
    ]);
    expect(messages[4]).toMatchObject({
      direction: "inbound",
      from: `+${person}`,
      to: mine.account.phone,
      text: { body: "STOP" },
    });
    expect(messages[4].created_at).toBe(messages[4].occurred_at);
    const age = Number(secondsAgo(100 * DAY_S)) * 1_000 - Date.parse(messages[4].occurred_at);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(120_000);
    expect(messages[0]).toMatchObject({ type: "unsupported", unsupported: { hologram: { of: "cat" } } });
    expect(messages[3]).toMatchObject({ direction: "outbound", to: `+${person}`, from: mine.account.phone });
    const contact = await contactBy(mine, `+${person}`);
    expect(contact).toMatchObject({ marketing_consent: "unknown", last_inbound_at: null, windows: [] });
    await expect.poll(() => seen().map(({ kind }) => kind), REPORTED_PATIENCE).toEqual(["contact_created"]);
    expect(seen()[0]).toMatchObject({ data: { source: "history" } });
    const [conversation] = (await mine.call("GET", `/v1/conversations?contact_id=${contact.id}`)).body.data;
    expect(conversation).toMatchObject({ unread_count: 0, last_message: { id: messages[0].id } });
    const read = (await mine.call("GET", `/v1/conversations/${contact.id}/messages`)).body.data;
    expect(read.map(({ id }: { id: string }) => id)).toEqual(messages.map(({ id }: { id: string }) => id));
    const usage = () => mine.rows<{ outbound: boolean }>("select outbound from usage_day where count > 0");
    await tell(mine, text("15557600099", "wamid.counted"));
    await expect.poll(() => messagesWith(mine, "+15557600099"), REPORTED_PATIENCE).toHaveLength(1);
    gateway.clock.advance(120_000);
    // What came since is counted, and nothing of the history.
    await expect
      .poll(async () => {
        await gateway.app.db.call(countUsage, [], gateway.clock.now());
        return await usage();
      }, REPORTED_PATIENCE)
      .toEqual([{ outbound: false }]);
    expect(await theirs.rows("select 1 from message")).toEqual([]);
  });

  it("that is repeated, or overlaps what is known, writes nothing twice; a conversation stays where its latest message is", async () => {
    const [old, other] = ["15557600002", "15557600003"];
    await tell(mine, text(old, "wamid.live.1"));
    await tell(mine, text(other, "wamid.live.2"));
    await expect.poll(() => messagesWith(mine, `+${other}`), REPORTED_PATIENCE).toHaveLength(1);
    const thread = {
      id: old,
      messages: [
        past({ from: old, id: "wamid.live.1", ago: 5, body: "Changed?" }),
        past({ from: old, id: "wamid.r.1", ago: 9 * DAY_S }),
        past({ from: old, id: "wamid.r.1", ago: 9 * DAY_S, body: "Again" }),
      ],
    };
    for (let time = 0; time < 3; time++) {
      await post(chunk(mine, thread));
      await settled(mine);
    }
    const messages = await messagesWith(mine, `+${old}`);
    expect(messages.map((one: { text: object }) => one.text)).toEqual([{ body: "Hi" }, { body: "Hi" }]);
    expect(messages[0]).not.toHaveProperty("origin");
    const { data } = (await mine.call("GET", "/v1/conversations?limit=2")).body;
    expect(data.map(({ contact }: { contact: { phone: string } }) => contact.phone)).toEqual([`+${other}`, `+${old}`]);
    expect(data[1]).toMatchObject({ unread_count: 1 });
  });

  it("has a place for a file that comes later, or came before", async () => {
    const person = "15557600004";
    const placeholder = (id: string) =>
      past({ from: person, id, ago: DAY_S, more: { type: "media_placeholder", text: undefined } });
    const file = (id: string) => ({
      contacts: [{ profile: { name: "Ana" }, wa_id: person }],
      messages: [
        past({
          from: person,
          id,
          ago: DAY_S,
          more: { type: "image", text: undefined, image: { id: "9", mime_type: "image/jpeg" } },
        }),
      ],
    });
    await post(chunk(mine, { id: person, messages: [placeholder("wamid.f.1")] }));
    await settled(mine);
    expect(await messagesWith(mine, `+${person}`)).toMatchObject([{ type: "unsupported" }]);
    await post(changeOf(mine, "history", file("wamid.f.1")));
    await post(changeOf(mine, "history", file("wamid.f.2")));
    await settled(mine);
    await post(chunk(mine, { id: person, messages: [placeholder("wamid.f.1"), placeholder("wamid.f.2")] }));
    await settled(mine);
    const messages = await messagesWith(mine, `+${person}`);
    expect(messages).toHaveLength(2);
    for (const one of messages) {
      expect(one).toMatchObject({ type: "image", image: { id: expect.stringMatching(/^med_/) }, origin: "history" });
      const { data } = (await mine.call("GET", `/v1/media?message_id=${one.id}`)).body;
      expect(data).toMatchObject([{ id: one.image.id, source: "inbound" }]);
    }
  });

  it("of somebody who was erased since does not bring them back; what was written after the erasure does", async () => {
    const person = "15557600005";
    await tell(mine, text(person, "wamid.e.1"));
    await expect.poll(() => contactBy(mine, `+${person}`), REPORTED_PATIENCE).toBeDefined();
    await erase(mine, `+${person}`);
    await post(
      chunk(mine, {
        id: person,
        messages: [past({ from: person, id: "wamid.e.2", ago: 30 * DAY_S, body: "erased words" })],
      }),
    );
    await settled(mine);
    expect(await contactBy(mine, `+${person}`)).toBeUndefined();
    expect(await mine.rows("select 1 from message where content::text like '%erased words%'")).toEqual([]);
    gateway.clock.advance(60_000);
    await post(chunk(mine, { id: person, messages: [past({ from: person, id: "wamid.e.3", ago: 1 })] }));
    await settled(mine);
    expect(await messagesWith(mine, `+${person}`)).toMatchObject([{ provider_message_id: "wamid.e.3" }]);
    // Another workspace, which erased nobody.
    await post(chunk(theirs, { id: person, messages: [past({ from: person, id: "wamid.e.4", ago: 30 * DAY_S })] }));
    await settled(theirs);
    expect(await messagesWith(theirs, `+${person}`)).toHaveLength(1);
  });

  it("is erased with its person, and told again it stays erased", async () => {
    const person = "15557600006";
    const told = chunk(mine, {
      id: person,
      messages: [
        past({ from: person, id: "wamid.g.1", ago: 40 * DAY_S, body: "old words" }),
        past({ from: mine.account.phone.slice(1), to: person, id: "wamid.g.2", ago: 39 * DAY_S, body: "old words" }),
      ],
    });
    await post(told);
    await settled(mine);
    const [first] = await messagesWith(mine, `+${person}`);
    await erase(mine, `+${person}`);
    await post(told);
    await settled(mine);
    expect(await mine.rows("select 1 from message where content::text like '%old words%'")).toEqual([]);
    expect((await mine.call("GET", `/v1/messages/${first.id}`)).body).toMatchObject({
      to: null,
      text: null,
      origin: "history",
    });
    expect(await contactBy(mine, `+${person}`)).toBeUndefined();
  });

  it("of two numbers in one callback goes to each, and what cannot be read is set aside without the rest", async () => {
    const [first, second] = ["15557600007", "15557600008"];
    await post(
      chunk(mine, {
        id: first,
        messages: [
          past({ from: first, id: "wamid.t.1", ago: DAY_S, body: "\ud83d half \u0000 nul" }),
          { timestamp: secondsAgo(1) },
          7,
        ],
      }),
      chunk(theirs, { id: second, messages: [past({ from: second, id: "wamid.t.3", ago: DAY_S })] }),
    );
    await settled(mine);
    await settled(theirs);
    expect(await messagesWith(mine, `+${first}`)).toMatchObject([{ text: { body: "\ufffd half \ufffd nul" } }]);
    expect(await messagesWith(theirs, `+${second}`)).toHaveLength(1);
    expect(await contactBy(mine, `+${second}`)).toBeUndefined();
    const aside = (await gateway.operator("GET", "/admin/v1/quarantine?limit=100")).body.data.map(
      (one: { reason: string }) => one.reason,
    );
    expect(aside).toEqual(expect.arrayContaining(["message without id", "a message of the history is no object"]));
  });
});

describe("a phone book", () => {
  it("makes contacts, gives a name only where no client gave one, and its removals remove nobody", async () => {
    const seen = await events(mine);
    const given = (await mine.call("POST", "/v1/contacts", { body: { phone: "+15557610001", name: "By client" } }))
      .body;
    await mine.call("POST", "/v1/contacts", { body: { phone: "+15557610002" } });
    const all = ["15557610001", "15557610002", "15557610003"];
    await post(book(mine, ...all.map((phone_number) => ({ phone_number, full_name: "\u202aAna\u2069" }))));
    await settled(mine);
    const names = () => Promise.all(all.map(async (one) => (await contactBy(mine, `+${one}`))?.name));
    expect(await names()).toEqual(["By client", "Ana", "Ana"]);
    await post(book(mine, ...all.map((phone_number) => ({ phone_number, full_name: "Ana Berg" }))));
    await settled(mine);
    expect(await names()).toEqual(["By client", "Ana Berg", "Ana Berg"]);
    await mine.call("PATCH", `/v1/contacts/${(await contactBy(mine, "+15557610003")).id}`, { body: { name: "Mine" } });
    await post(
      book(
        mine,
        { phone_number: all[2]!, full_name: "Ana" },
        { phone_number: all[1]!, action: "remove" },
        { phone_number: "*100#" },
      ),
    );
    await settled(mine);
    expect(await names()).toEqual(["By client", "Ana Berg", "Mine"]);
    await expect
      .poll(
        () =>
          seen()
            .filter(({ data }) => data.source === "phone_app")
            .map(({ kind }) => kind),
        REPORTED_PATIENCE,
      )
      .toEqual(["contact_updated", "contact_created", "contact_updated", "contact_updated"]);
    expect(seen().some(({ data }) => data.contact?.id === given.id && data.source === "phone_app")).toBe(false);
    expect(seen().some(({ kind }) => kind === "account_changed")).toBe(false);
  });

  it("goes on naming a person whom it named before two records were merged", async () => {
    const [first, second] = ["15557610011", "15557610012"];
    const { id } = (await mine.call("POST", "/v1/contacts", { body: { phone: `+${second}` } })).body;
    await post(book(mine, { phone_number: first, full_name: "Ana" }));
    await settled(mine);
    const merged = { contact_id: (await contactBy(mine, `+${first}`)).id };
    expect((await mine.call("POST", `/v1/contacts/${id}/merge`, { body: merged })).body).toMatchObject({
      id,
      name: "Ana",
    });
    await post(book(mine, { phone_number: first, full_name: "Ana Berg" }));
    await settled(mine);
    expect(await contactBy(mine, `+${second}`)).toMatchObject({ id, name: "Ana Berg" });
  });

  it("from before a person was erased does not bring them back, and a later one does", async () => {
    await mine.call("POST", "/v1/contacts", { body: { phone: "+15557610005" } });
    await erase(mine, "+15557610005");
    await post(book(mine, { phone_number: "15557610005", full_name: "Ana", ago: 60 }));
    await settled(mine);
    expect(await contactBy(mine, "+15557610005")).toBeUndefined();
    gateway.clock.advance(10_000);
    await post(book(mine, { phone_number: "15557610005", full_name: "Ana", ago: 1 }));
    await settled(mine);
    expect(await contactBy(mine, "+15557610005")).toMatchObject({ name: "Ana" });
  });
});
