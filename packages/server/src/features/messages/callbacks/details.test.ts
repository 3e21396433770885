import { afterAll, describe, expect, it } from "vitest";
import { statusOf } from "../../../testing/callback.ts";
import { REPORTED_PATIENCE, reportingOf } from "../testing/reported.ts";
import { startSenders } from "../testing/senders.ts";

// What the provider says of a message beside its content.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { tell, text, shown, forget, events, close } = reportingOf(gateway);
afterAll(close);

describe("a message of a person", () => {
  it("has the provider's time, what it is about, and every field that is not known, in resource and event", async () => {
    const seen = await events(mine);
    const context = {
      forwarded: true,
      from: "15550009999",
      id: "wamid.not.ours",
      referred_product: { catalog_id: "c" },
    };
    const referral = { source_type: "ad", source_id: "7", ctwa_clid: "click", welcome_message: { text: "Hello" } };
    const at = gateway.clock.now() - 90_000;
    await tell(
      mine,
      text(
        "15557400001",
        "wamid.details",
        {
          timestamp: String(Math.floor(at / 1_000)),
          context,
          referral,
          errors: [{ code: 131_052, title: "Media download error" }],
          next_year: { new: [1] },
        },
        { identity_key_hash: "hash", profile: { name: "Ana", badge: "gold" } },
      ),
    );
    const message = await shown(mine, "wamid.details");
    expect(message).toMatchObject({
      direction: "inbound",
      status: "received",
      text: { body: "Hi" },
      occurred_at: new Date(Math.floor(at / 1_000) * 1_000).toISOString(),
      context,
      referral,
      errors: [{ code: 131_052, title: "Media download error" }],
      provider_fields: { next_year: { new: [1] }, contact: { identity_key_hash: "hash", profile: { badge: "gold" } } },
      reply_to: null,
    });
    expect(message).not.toHaveProperty("group_id");
    expect(message).not.toHaveProperty("origin");
    await expect
      .poll(() => seen().find(({ kind }) => kind === "messages")?.data.message, REPORTED_PATIENCE)
      .toEqual(message);
    expect(await theirs.rows("select 1 from message")).toEqual([]);
  });

  it("has nulls where nothing more was said, and none of the rare fields; so has one that was sent", async () => {
    await tell(mine, text("15557400002", "wamid.plain"));
    const plain = await shown(mine, "wamid.plain");
    expect(plain).toMatchObject({ context: null, referral: null, occurred_at: expect.any(String) });
    const answer = (await mine.send("+15557400003")).body;
    const sent = (await mine.call("GET", `/v1/messages/${answer.id}`)).body;
    expect(sent).toMatchObject({ context: null, referral: null, occurred_at: null });
    // As earlier versions answered: its repetition has the same bytes after an upgrade.
    for (const field of ["context", "referral", "occurred_at"]) expect(answer).not.toHaveProperty(field);
    for (const message of [plain, sent])
      for (const field of ["errors", "provider_fields", "group_id", "origin"])
        expect(message).not.toHaveProperty(field);
  });

  it.each(["edit", "revoke"])("that is %s names the earlier one by our id where it is known", async (type) => {
    const from = "15557400004";
    const news = type === "edit" ? { message: { type: "text", text: { body: "Ho" } } } : {};
    await tell(mine, text(from, `wamid.${type}.first`));
    const first = await shown(mine, `wamid.${type}.first`);
    const naming = (id: string) => ({
      type,
      text: undefined,
      [type]: { original_message_id: id, ...news },
    });
    await tell(
      mine,
      text(from, `wamid.${type}.known`, naming(`wamid.${type}.first`)),
      text(from, `wamid.${type}.unknown`, naming("wamid.never.seen")),
    );
    const known = await shown(mine, `wamid.${type}.known`);
    expect(known).toMatchObject({ type, reply_to: null, [type]: { ...news, original_message_id: first.id } });
    const unknown = await shown(mine, `wamid.${type}.unknown`);
    expect(unknown).toMatchObject({ type, reply_to: null, [type]: { original_message_id: "wamid.never.seen" } });
    expect(unknown.contact_id).toBe(first.contact_id);
  });

  it("names by our id what comes after it: a quote, an edit and a reaction that overtook their message", async () => {
    const from = "15557400014";
    const about = "wamid.overtaken";
    await tell(
      mine,
      text(from, "wamid.overtaking.quote", { context: { from, id: about } }),
      text(from, "wamid.overtaking.edit", { type: "edit", text: undefined, edit: { original_message_id: about } }),
      text(from, "wamid.overtaking.reaction", { type: "reaction", text: undefined, reaction: { message_id: about } }),
    );
    expect(await shown(mine, "wamid.overtaking.quote")).toMatchObject({ reply_to: null, context: { id: about } });
    await tell(mine, text(from, about));
    const { id } = await shown(mine, about);
    expect(await shown(mine, "wamid.overtaking.quote")).toMatchObject({ reply_to: id, context: { id: about } });
    expect(await shown(mine, "wamid.overtaking.edit")).toMatchObject({ edit: { original_message_id: id } });
    expect(await shown(mine, "wamid.overtaking.reaction")).toMatchObject({ reaction: { message_id: id } });
    const { data } = (await mine.call("GET", "/v1/messages?direction=inbound&limit=5")).body;
    expect(data.find((one: { type: string }) => one.type === "edit").edit).toEqual({ original_message_id: id });
  });

  it("is the same when its row is of an earlier version, which has none of this, and its statuses work", async () => {
    await tell(mine, text("15557400005", "wamid.older", { context: { forwarded: true } }));
    const inbound = await shown(mine, "wamid.older");
    const sent = (await mine.send("+15557400005")).body;
    const { provider_message_id } = await mine.becomes(sent.id, "accepted");
    await forget(mine);
    const { context: _context, occurred_at: _at, ...rest } = inbound;
    expect(await shown(mine, "wamid.older")).toEqual({ ...rest, context: null, occurred_at: null });
    await tell(mine, statusOf(provider_message_id, "delivered", gateway.clock.now()));
    expect(await mine.becomes(sent.id, "delivered")).toMatchObject({ context: null, occurred_at: null });
  });
});

describe("a message of a group", () => {
  const group = { group_id: "group-1" };
  const conversations = async () => (await mine.call("GET", "/v1/conversations")).body.data;
  const windows = (contact: string) => mine.rows("select 1 from conversation where contact_id::text = $1", [contact]);
  const contactOf = async (digits: string) =>
    (
      await mine.rows<{ id: string; consent: string }>(
        "select id::text, marketing_consent as consent from contact where phone = $1",
        [`+${digits}`],
      )
    )[0];

  it("is its sender's, opens no window, is in no conversation, and is no opt-out", async () => {
    const from = "15557410001";
    await tell(mine, text(from, "wamid.group.1", { ...group, text: { body: "STOP" } }));
    const message = await shown(mine, "wamid.group.1");
    expect(message).toMatchObject({
      direction: "inbound",
      from: `+${from}`,
      group_id: "group-1",
      text: { body: "STOP" },
    });
    const contact = await contactOf(from);
    expect(contact?.consent).toBe("unknown");
    expect(await windows(contact?.id ?? "")).toEqual([]);
    const free = await mine.call("POST", "/v1/messages", {
      body: { to: `+${from}`, type: "text", text: { body: "Hi" } },
    });
    expect([free.status, free.body.code]).toEqual([422, "window_closed"]);
    expect((await mine.call("GET", `/v1/messages?contact_id=${message.contact_id}`)).body.data).toHaveLength(1);
    expect((await mine.call("GET", `/v1/conversations/${message.contact_id}/messages`)).body.data).toEqual([]);
  });

  it("is neither the latest nor an unread one of the conversation with its sender, and reading it reads nothing else", async () => {
    const from = "15557410002";
    await tell(mine, text(from, "wamid.two.1"));
    const between = await shown(mine, "wamid.two.1");
    await tell(mine, text(from, "wamid.group.2", group));
    const inGroup = await shown(mine, "wamid.group.2");
    expect(inGroup.contact_id).toBe(between.contact_id);
    const [latest] = await conversations();
    expect(latest).toMatchObject({ last_message: { id: between.id }, unread_count: 1 });
    const [ofPerson] = (await mine.call("GET", `/v1/conversations?contact_id=${between.contact_id}`)).body.data;
    expect(ofPerson.last_message.id).toBe(between.id);
    const { data } = (await mine.call("GET", `/v1/conversations/${between.contact_id}/messages`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([between.id]);
    // So that the provider knows them; here their ids are repeated ones.
    for (const id of ["wamid.two.1", "wamid.group.2"])
      gateway.simulator.inbound({
        phone_number_id: mine.account.providerPhoneNumberId,
        from: `+${from}`,
        id,
        text: "Hi",
      });
    expect((await mine.call("POST", `/v1/messages/${inGroup.id}/read`, { body: {} })).status).toBe(200);
    expect((await conversations())[0]).toMatchObject({ unread_count: 1 });
    expect((await mine.call("POST", `/v1/messages/${between.id}/read`, { body: {} })).status).toBe(200);
    expect((await conversations())[0]).toMatchObject({ unread_count: 0 });
  });

  it("may quote what was sent to another person, who stays another, and is quoted in no other chat", async () => {
    const to = "+15557410003";
    await mine.inbound(to);
    const sent = (await mine.send(to)).body;
    const { provider_message_id } = await mine.becomes(sent.id, "accepted");
    // Known by a user id alone, who could be the person that was written to.
    const someone = { from: undefined, from_user_id: "US.13491208655302741918" };
    const contact = { wa_id: undefined, user_id: someone.from_user_id };
    const quoting = { ...group, ...someone, context: { from: "15550009999", id: provider_message_id } };
    await tell(mine, text("", "wamid.group.3", quoting, contact));
    const message = await shown(mine, "wamid.group.3");
    expect(message).toMatchObject({ from: null, reply_to: sent.id, context: { id: provider_message_id } });
    expect(message.contact_id).not.toBe(sent.contact_id);
    await tell(mine, text(to.slice(1), "wamid.group.4", group));
    const own = await shown(mine, "wamid.group.4");
    const reply = { to, type: "text", text: { body: "Hi" }, reply_to: own.id };
    const refused = await mine.call("POST", "/v1/messages", { body: reply });
    expect([refused.status, refused.body.code]).toEqual([422, "reference_not_found"]);
  });
});
