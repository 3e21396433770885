import { afterEach, describe, expect, it } from "vitest";
import { parseId } from "../../lib/ids.ts";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import type { Sender } from "../../testing/gateway.ts";
import { startSenders } from "../messages/testing/senders.ts";

const { gateway, mine, theirs, sentTo } = await startSenders({ API_RATE_LIMIT: "off" });
afterEach(() => gateway.simulator.setSettings({ allowedRecipients: null, outsideWindow: "failed" }));

const text = (to: string, more: object = {}, of = mine) =>
  of.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "Hi" }, ...more } });

async function hear(names: { digits?: string; userId?: string }, of: Sender = mine): Promise<void> {
  const { digits, userId } = names;
  const { messages } = textFrom(digits ?? "", `wamid.${Math.random()}`, "Hello", gateway.clock.now()) as {
    messages: object[];
  };
  const value = {
    contacts: [{ wa_id: digits, user_id: userId }],
    messages: [{ ...messages[0], from: digits, from_user_id: userId }],
  };
  expect((await postCallback(gateway, callbackOf(of.account, value))).status).toBe(200);
}

const contactsOf = async (phones: readonly string[], of = mine): Promise<string[]> =>
  await Promise.all(
    phones.map(async (phone) => (await of.call("GET", `/v1/contacts?phone=%2B${phone}`)).body.data[0]?.id),
  );

describe("a test number, whose list compares exactly", () => {
  it("is sent what the client wrote, once the form that the provider gave was refused", async () => {
    gateway.simulator.setSettings({ allowedRecipients: ["541122340001"] });
    await hear({ digits: "5491122340001" });
    const refused = await text("+5491122340001");
    const failed = await mine.becomes(refused.body.id, "failed");
    expect(failed.error).toMatchObject({ code: "recipient_not_allowed", provider: { code: 131030 } });
    for (const to of ["+541122340001", "+54 11 2234-0001"])
      await mine.becomes((await mine.send(to)).body.id, "accepted");
    // They are known to be one person by now, whose form from the provider would be refused.
    await expect.poll(async () => new Set(await contactsOf(["5491122340001", "541122340001"])).size).toBe(1);
    await mine.becomes((await text("+541122340001")).body.id, "accepted");
    expect(sentTo("+541122340001").map(({ to }) => to)).toContain("+541122340001");
  });
});

describe.each(["123456789012345", "12345678901234@lid"])(
  "a person whom the provider calls %s, which is no number",
  (id) => {
    it("is one contact, whose messages arrive and who cannot be written to", async () => {
      await hear({ digits: id });
      await hear({ digits: id });
      const { body } = await mine.call("GET", "/v1/messages?direction=inbound&limit=2");
      expect(body.data.map(({ from }: { from: string | null }) => from)).toEqual([null, null]);
      const [contact, again] = body.data.map(({ contact_id }: { contact_id: string }) => contact_id);
      expect(again).toBe(contact);
      const shown = await mine.call("GET", `/v1/contacts/${contact}`);
      expect(shown.body).toMatchObject({ phone: null, wa_id: id, user_id: null });
      expect(await contactsOf([id])).toEqual([undefined]);
      const refused = await text(contact);
      expect([refused.status, refused.body.code]).toEqual([422, "reference_not_found"]);
    });
  },
);

describe("the window of a contact that may be the same person", () => {
  it.each([
    ["whom a template was sent to", true],
    ["who is not known", false],
  ])("leaves it to the provider whether a text goes to somebody %s", async (_whom, known) => {
    const [with9, without] = known ? ["5491122340002", "541122340002"] : ["5491122340003", "541122340003"];
    // The provider calls them what they were called: nothing says that they are one.
    gateway.simulator.setPerson({ person: without, wa_id: without });
    gateway.simulator.setSettings({ outsideWindow: "allowed" });
    expect((await text(`+${without}`)).body.code).toBe("window_closed");
    if (known) await mine.becomes((await mine.send(`+${without}`)).body.id, "accepted");
    await hear({ digits: with9 });
    const reply = await text(`+${without}`);
    expect(reply.status).toBe(202);
    await mine.becomes(reply.body.id, "accepted");
    const [one, other] = await contactsOf([with9, without]);
    expect([one, other]).toEqual([expect.any(String), expect.any(String)]);
    expect(one).not.toBe(other);
    expect((await text(`+${without}`, {}, theirs)).body.code).toBe("window_closed");
    gateway.clock.advance(24 * 3_600_000);
    expect((await text(`+${without}`)).body.code).toBe("window_closed");
  });

  it("does not count for another line, or another number of ours", async () => {
    await hear({ digits: "5491122340004" });
    for (const to of ["+541122340005", "+543511234004"]) expect((await text(to)).body.code).toBe("window_closed");
    const other = await gateway.connect(mine);
    expect((await text("+541122340004", { from: other.phoneNumberId })).body.code).toBe("window_closed");
  });
});

describe("a number that is somebody else's by now", () => {
  it("is not sent what was meant for its former owner", async () => {
    await hear({ digits: "15557790201", userId: "US.FORMER" });
    const [former] = await contactsOf(["15557790201"]);
    const sendAt = new Date(gateway.clock.now() + 600_000).toISOString();
    const queued = await text(former ?? "", { send_at: sendAt });
    expect(queued.status).toBe(202);
    const template = await mine.send("+15557790201", { send_at: sendAt });
    await hear({ digits: "15557790201", userId: "US.NEXT" });
    gateway.clock.advance(660_000);
    // By the user id alone, which is theirs still.
    await mine.becomes(queued.body.id, "accepted");
    await mine.becomes(template.body.id, "accepted");
    expect(sentTo("+15557790201")).toEqual([]);
    expect(sentTo("US.FORMER")).toHaveLength(2);
  });

  it("fails where nothing else is known of the person", async () => {
    const sendAt = new Date(gateway.clock.now() + 600_000).toISOString();
    const { body } = await mine.send("+15557790202", { send_at: sendAt });
    const changedAt = Math.floor(gateway.clock.now() / 1_000) + 5;
    gateway.clock.advance(10_000);
    // The new number has another owner already when the notice comes.
    await hear({ digits: "15557790203", userId: "US.OWNER" });
    const system = { type: "user_changed_number", body: "changed", wa_id: "15557790203" };
    const notice = { from: "15557790202", id: "wamid.away", timestamp: String(changedAt), type: "system", system };
    expect((await postCallback(gateway, callbackOf(mine.account, { messages: [notice] }))).status).toBe(200);
    await hear({ digits: "15557790202", userId: "US.NEXT2" });
    gateway.clock.advance(660_000);
    const failed = await mine.becomes(body.id, "failed");
    expect(failed.error).toMatchObject({ code: "recipient_unreachable" });
    expect([...sentTo("+15557790202"), ...sentTo("+15557790203")]).toEqual([]);
  });
});

describe("a person without a number", () => {
  it("is not written to from another portfolio than that of the user id", async () => {
    const other = await gateway.connect(theirs);
    await hear({ userId: "US.REACH1" }, theirs);
    const reply = await text("US.REACH1", { from: theirs.phoneNumberId }, theirs);
    expect(reply.status).toBe(202);
    const template = { from: other.phoneNumberId };
    const refusal = await theirs.send("US.REACH1", template);
    expect([refusal.status, refusal.body.code, refusal.body.errors?.[0]?.pointer]).toEqual([
      422,
      "reference_not_found",
      "/to",
    ]);
    expect((await theirs.send(reply.body.contact_id, template)).body.code).toBe("reference_not_found");
    // Whom nobody knows may be anybody's.
    expect((await theirs.send("US.REACH2", template)).status).toBe(202);
  });

  it("has a user id in each portfolio, of which statuses teach nothing once both are known", async () => {
    const other = await gateway.connect(theirs);
    const [number, ids] = ["15557790301", { [theirs.phoneNumberId]: "US.PORT1", [other.phoneNumberId]: "US.PORT2" }];
    await hear({ digits: number, userId: "US.PORT1" }, theirs);
    await hear({ digits: number, userId: "US.PORT2" }, other);
    const report = async (of: Sender, status: string): Promise<number> => {
      const { body } = await theirs.send(`+${number}`, { from: of.phoneNumberId });
      const { provider_message_id } = await theirs.becomes(body.id, "accepted");
      const value = statusOf(provider_message_id, status, gateway.clock.now(), {
        recipient_id: number,
        recipient_user_id: ids[of.phoneNumberId],
      });
      expect((await postCallback(gateway, callbackOf(of.account, value))).status).toBe(200);
      await theirs.becomes(body.id, status);
      const [row] = await theirs.rows<{ changes: number }>(
        "select xmin::text::int as changes from contact where phone = $1",
        [`+${number}`],
      );
      return row?.changes ?? 0;
    };
    for (const of of [theirs, other]) await report(of, "sent");
    await gateway.features.services.identityResolver.resolve();
    const before = await report(theirs, "delivered");
    expect([await report(other, "delivered"), await report(theirs, "read")]).toEqual([before, before]);
  });

  it("stays in reach when the portfolio of the account becomes known", async () => {
    const of = await gateway.sender();
    const set = (portfolio: string | null) =>
      gateway.app.db.transaction(of.uuid, (sql) =>
        sql.run("update business_account set portfolio_id = $2 where workspace_id = $1", [of.uuid, portfolio]),
      );
    await set(null);
    gateway.clock.advance(60_000); // what was remembered of the account
    await hear({ userId: "US.PORT9" }, of);
    const body = { provider_account_id: of.account.wabaId, access_token: of.account.token };
    expect((await of.call("POST", "/v1/business-accounts", { body })).status).toBe(201);
    gateway.clock.advance(60_000);
    const [account] = await of.rows<{ portfolio_id: string | null }>("select portfolio_id from business_account");
    expect(account?.portfolio_id).not.toBeNull();
    expect((await text("US.PORT9", {}, of)).status).toBe(202);
  });

  it("is somebody else where another portfolio gives the same user id", async () => {
    const other = await gateway.connect(theirs);
    const hearBoth = async (userId: string): Promise<string[]> => {
      for (const of of [theirs, other]) await hear({ userId }, of);
      const rows = await theirs.rows<{ contact_id: string }>(
        `select distinct m.contact_id from message m join identifier i
           on i.workspace_id = m.workspace_id and i.contact_id = m.contact_id
         where i.value = $1 and not m.outbound`,
        [userId],
      );
      return rows.map(({ contact_id }) => contact_id);
    };
    const ids = await hearBoth("US.SAME1");
    expect(ids).toHaveLength(2);
    // And what they write later is filed with the same two.
    expect(new Set(await hearBoth("US.SAME1"))).toEqual(new Set(ids));
    const replies = [theirs, other].map(({ phoneNumberId }) => text("US.SAME1", { from: phoneNumberId }, theirs));
    const contacts = (await Promise.all(replies)).map(({ body }) => parseId("con", body.contact_id));
    expect(new Set(contacts)).toEqual(new Set(ids));
    await gateway.features.services.identityResolver.resolve();
    expect(await theirs.rows("select from contact where id = any($1) and merged_into is null", [ids])).toHaveLength(2);
  });
});
