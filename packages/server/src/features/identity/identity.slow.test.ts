import { describe, expect, it } from "vitest";
import { parseId } from "../../lib/ids.ts";
import { statusOf } from "../../testing/callback.ts";
import { withClient } from "../../testing/client.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { startReceiver } from "../webhooks/testing/receiver.ts";
import { changeOf, PATIENCE, peopleOf } from "./testing/people.ts";
import { waitingEvidence } from "./testing/waiting-evidence.ts";

const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { post, hear, hearParent, find, get, text } = peopleOf(gateway, mine);

describe("the form on the wire", () => {
  it("is the one that the provider last named; the message shows what was asked for", async () => {
    const first = await mine.send("+5531981000001");
    await mine.becomes(first.body.id, "accepted");
    await expect.poll(async () => (await find("+5531981000001"))?.wa_id, PATIENCE).toBe("553181000001");
    const second = await mine.send("+55 (31) 98100-0001");
    expect(second.body.to).toBe("+5531981000001");
    await mine.becomes(second.body.id, "accepted");
    expect(gateway.simulator.sent({ to: "553181000001" }).data.map(({ to }) => to)).toEqual([
      "+5531981000001",
      "+553181000001",
    ]);
  });

  it("drops a trunk zero", async () => {
    expect((await mine.send("+44 (0)20 7946 0123")).body.to).toBe("+442079460123");
  });
});

describe("two records of one person", () => {
  it("are merged when the provider names the one's number for the other: both ids answer, and the window is one", async () => {
    const heard = await hear("5491112340001");
    const sent = await mine.send("+541112340001");
    expect(await find("+541112340001")).not.toMatchObject({ id: (await find("+5491112340001"))?.id });
    const old = sent.body.contact_id;
    await expect.poll(async () => (await get(old)).windows.length, PATIENCE).toBe(1);
    const survivor = await get(old);
    expect([survivor, await find("+541112340001")]).toEqual([await find("+5491112340001"), survivor]);
    expect((await text("+541112340001")).status).toBe(202);
    expect((await text(old)).body.contact_id).toBe(survivor.id);
    const kinds = await mine.rows("select contact_id from event where kind = 'contact_merged'");
    expect(kinds).toEqual([{ contact_id: heard }]);
    const listed = await mine.call("GET", `/v1/messages?contact_id=${old}`);
    expect(listed.body.data.length).toBeGreaterThan(2);
    expect(await find("+541112340001", theirs)).toBeUndefined();
    expect(await find("5491112340001")).toEqual(survivor);
  });

  it("are announced under the ids that they had, whenever the events are delivered", async () => {
    const receiver = await startReceiver();
    try {
      let isUp = false;
      receiver.answer((response) => void response.writeHead(isUp ? 200 : 503).end());
      const body = { url: receiver.url, events: ["contact_created", "contact_merged"] };
      await mine.call("POST", "/v1/webhook-endpoints", { body });
      await hear("5491112340021");
      const survivor = (await find("+5491112340021"))?.id;
      const { id, contact_id: merged } = (await mine.send("+541112340021")).body;
      await mine.becomes(id, "accepted");
      await expect.poll(async () => (await get(merged)).id, PATIENCE).toBe(survivor);
      isUp = true;
      const heard = new Set<string>();
      await expect
        .poll(() => {
          gateway.clock.advance(60_000);
          for (const { body: event } of receiver.received)
            heard.add([event.kind, event.data.contact.id, event.data.merged_contact_id].join(" "));
          return [...heard].toSorted();
        }, PATIENCE)
        .toEqual(
          [
            `contact_created ${survivor} `,
            `contact_created ${merged} `,
            `contact_merged ${survivor} ${merged}`,
          ].toSorted(),
        );
    } finally {
      await receiver.close();
    }
  });

  it("are learned of although what is said of somebody else cannot be learned, which is tried again", async () => {
    const refused = (sql: string): Promise<unknown> => withClient(gateway.database.url, (client) => client.query(sql));
    await refused(`
      create function refuse_name() returns trigger language plpgsql as 'begin raise division_by_zero; end';
      create trigger refuse_name before insert on identifier for each row when (new.value = '541112340011') execute function refuse_name()`);
    for (const nine of ["5491112340011", "5491112340012"])
      gateway.simulator.setPerson({ person: nine, wa_id: nine.replace("549", "54") });
    const sent = [(await mine.send("+5491112340011")).body.id, (await mine.send("+5491112340012")).body.id];
    for (const id of sent) await mine.becomes(id, "accepted");
    await expect.poll(async () => (await find("+541112340012"))?.wa_id, PATIENCE).toBe("541112340012");
    expect(await find("+541112340011")).toBeUndefined();
    await refused("drop trigger refuse_name on identifier; drop function refuse_name()");
    gateway.clock.advance(60_000);
    await expect.poll(async () => (await find("+541112340011"))?.wa_id, PATIENCE).toBe("541112340011");
  });

  it("of an earlier version get their names, and stay two until there is evidence", async () => {
    const at = new Date();
    const insert = (phone: string, waId: string | null): Promise<unknown> =>
      gateway.app.db.transaction(mine.uuid, (sql) =>
        sql.run(
          "insert into contact (workspace_id, id, phone, wa_id, created_at, updated_at) values ($1, gen_random_uuid(), $2, $3, $4, $4)",
          [mine.uuid, phone, waId, at],
        ),
      );
    await insert("+5531981000002", null);
    await insert("+553181000002", "553181000002");
    expect(await find("+5531981000002")).toMatchObject({ phone: "+5531981000002" });
    const older = (await find("+553181000002"))?.id ?? "";
    expect(await get(older)).toMatchObject({ phone: "+553181000002" });
    const { id, contact_id } = (await mine.send("+5531981000002")).body;
    expect(contact_id).not.toBe(older);
    await mine.becomes(id, "accepted");
    const merged = () =>
      mine.rows(
        "select 1 from event e join contact c on c.id = e.contact_id where e.kind = 'contact_merged' and c.phone like '%31%81000002'",
      );
    await expect.poll(merged, PATIENCE).toHaveLength(1);
    expect(await find("+5531981000002")).toEqual(await get(older));
    expect(await get(contact_id)).toEqual(await get(older));
  });

  it("of an earlier version can each be written to before and after they got their names, whichever is older", async () => {
    const insert = (phone: string, waId: string | null): Promise<unknown> =>
      gateway.app.db.transaction(mine.uuid, (sql) =>
        sql.run(
          "insert into contact (workspace_id, id, phone, wa_id, name, created_at, updated_at) values ($1, gen_random_uuid(), $2, $3, 'Ana', $4, $4)",
          [mine.uuid, phone, waId, new Date()],
        ),
      );
    // The provider says nothing that would join them.
    for (const person of ["5215512340001", "525512340001"]) gateway.simulator.setPerson({ person, wa_id: person });
    await insert("+5215512340001", "5215512340001");
    await insert("+525512340001", null);
    for (const to of ["+525512340001", "+5215512340001"]) await mine.becomes((await mine.send(to)).body.id, "accepted");
    const unnamed = () => mine.rows("select 1 from contact where not is_named");
    await expect.poll(unnamed, PATIENCE).toEqual([]);
    for (const to of ["+525512340001", "+5215512340001"]) await mine.becomes((await mine.send(to)).body.id, "accepted");
    expect(await find("+5215512340001")).toMatchObject({ name: null, profile_name: "Ana" });
  });

  it("who quotes our message is who we wrote to, under a form that nobody has named before", async () => {
    gateway.simulator.setPerson({ person: "541112340003", wa_id: "541112340003" });
    const { id } = (await mine.send("+541112340003")).body;
    const sent = await mine.becomes(id, "accepted");
    await hear("5491112340003", null, { context: { id: sent.provider_message_id } });
    expect(await find("+5491112340003")).toMatchObject({ id: sent.contact_id });
    expect((await text("+541112340003")).status).toBe(202);
  });

  it("with user ids of their own keep the lines that they are heard from, though each may be a form of the other", async () => {
    await mine.becomes((await mine.send("+541112349001")).body.id, "accepted"); // the provider names 549…
    await expect.poll(async () => (await find("+541112349001"))?.wa_id, PATIENCE).toBe("5491112349001");
    await hear("5491112349001", "AR.MOBILE");
    gateway.clock.advance(5_000);
    await hear("541112349001", "AR.LAND");
    await mine.becomes((await mine.send("+5491112349001")).body.id, "accepted");
    expect(gateway.simulator.sent().data.at(-1)?.to).toBe("+5491112349001");
    await post(
      changeOf("5491155550001", "541112349001", Math.floor(gateway.clock.now() / 1_000), {
        old: "AR.M1",
        new: "AR.M2",
      }),
    );
    expect((await find("+5491112349001"))?.user_id).toBe("AR.MOBILE");
    expect((await find("+541112349001"))?.user_id).toBe("AR.M2");
  });

  it("of two numbers that an old form can be of stay two", async () => {
    gateway.simulator.setPerson({ person: "22577123456", wa_id: "22577123456" });
    const send = async () => await mine.becomes((await mine.send("+22577123456")).body.id, "accepted");
    const { id, provider_message_id } = await send();
    await post(statusOf(provider_message_id, "delivered", gateway.clock.now(), { recipient_id: "2250777123456" }));
    await mine.becomes(id, "delivered");
    await gateway.features.services.identityResolver.resolve();
    const [one, other] = [await hear("2250777123456"), await hear("2250577123456")];
    expect(one).not.toBe(other);
    const second = await send();
    await hear("2250577123456", null, { context: { id: second.provider_message_id } });
    await gateway.features.services.identityResolver.resolve();
    expect((await find("+2250777123456"))?.id).not.toBe((await find("+2250577123456"))?.id);
  });

  it("is not one of our own numbers", async () => {
    const { id, provider_message_id } = await mine.becomes((await mine.send("+15550090019")).body.id, "accepted");
    const own = { recipient_id: mine.account.phone.slice(1) };
    await post(statusOf(provider_message_id, "delivered", gateway.clock.now(), own));
    await mine.becomes(id, "delivered");
    await gateway.features.services.identityResolver.resolve();
    expect((await find("+15550090019"))?.wa_id).toBeNull();
  });

  it("is not known from an answer that repeats the number written to, but from the first status", async () => {
    const { id, provider_message_id } = await mine.becomes((await mine.send("+15550090021")).body.id, "accepted");
    await gateway.features.services.identityResolver.resolve();
    expect(await find("+15550090021")).toMatchObject({ wa_id: null });
    await post(statusOf(provider_message_id, "sent", gateway.clock.now(), { recipient_id: "15550090021" }));
    await mine.becomes(id, "sent");
    expect(await find("+15550090021")).toMatchObject({ wa_id: "15550090021" });
  });

  it("of an earlier version whose number comes with another user id is another person, and `from` may be another form", async () => {
    const insert = (phone: string, userId: string | null) =>
      gateway.app.db.transaction(mine.uuid, (sql) =>
        sql.run(
          "insert into contact (workspace_id, id, phone, user_id, created_at, updated_at) values ($1, gen_random_uuid(), $2, $3, now(), now())",
          [mine.uuid, phone, userId],
        ),
      );
    await insert("+15551110001", "US.OLD");
    const [old] = await mine.rows<{ id: string }>("select id from contact where phone = '+15551110001'");
    expect(await hear("15551110001", "US.NEWOWNER")).not.toBe(old?.id);
    await insert("+5531981114444", null);
    const value = {
      contacts: [{ wa_id: "5531981114444", user_id: "BR.FORMS" }],
      messages: [
        {
          from: "553181114444",
          from_user_id: "BR.FORMS",
          id: "wamid.forms",
          timestamp: String(Math.floor(gateway.clock.now() / 1_000)),
          type: "text",
          text: { body: "Hi" },
        },
      ],
    };
    await post(value);
    expect(await mine.rows("select 1 from message_state where provider_message_id = 'wamid.forms'")).toHaveLength(1);
  });

  it("two live user ids of one portfolio are two people, whatever a status says", async () => {
    const one = await hear("5491112340004", "AR.ONE");
    const other = await hear("541112340004", "AR.OTHER");
    expect(one).not.toBe(other);
    const { id } = (await mine.send("+541112340004")).body;
    const { provider_message_id } = await mine.becomes(id, "accepted");
    await post(statusOf(provider_message_id, "delivered", gateway.clock.now(), { recipient_id: "5491112340004" }));
    await mine.becomes(id, "delivered");
    await gateway.features.services.identityResolver.resolve();
    expect((await find("+5491112340004"))?.id).not.toBe((await find("+541112340004"))?.id);
  });
});

describe("people without a visible number", () => {
  it("are reached by user id, and a number that is learned later is theirs", async () => {
    const contact = await hear(null, "US.HIDDEN1");
    expect((await text("US.HIDDEN1")).status).toBe(202);
    expect(await hear("15557770001", "US.HIDDEN1")).toBe(contact);
    expect((await text("+15557770001")).status).toBe(202);
    expect(await find("+15557770001")).toMatchObject({ user_id: "US.HIDDEN1", phone: "+15557770001" });
  });

  it("are known by the parent id alone, also when a user id comes with it later", async () => {
    const { contact_id } = (await mine.send("US.ENT.PARENT1")).body;
    const contact = await get(contact_id);
    const written = await hearParent("US.ENT.PARENT1");
    expect(await hearParent("US.ENT.PARENT2")).toBe(await hearParent("US.ENT.PARENT2"));
    expect(await hearParent("US.ENT.PARENT1", "US.CHILD1")).toBe(written);
    expect(await get(contact_id)).toMatchObject({ id: contact.id, user_id: "US.CHILD1" });
  });

  it("with a record of their number from before become one person", async () => {
    const { contact_id } = (await mine.send("+15557770002")).body;
    await hear(null, "US.HIDDEN2");
    await hear("15557770002", "US.HIDDEN2");
    await expect.poll(async () => (await get(contact_id)).user_id, PATIENCE).toBe("US.HIDDEN2");
    expect((await text("+15557770002")).status).toBe(202);
  });
});

describe("a contact that is deleted", () => {
  it("leaves its number to the next one, also while something is learned of it", async () => {
    const to = "+15558880001";
    const { id, contact_id } = (await mine.send(to)).body;
    const { provider_message_id } = await mine.becomes(id, "accepted");
    const contact = parseId("con", contact_id);
    const evidence = async () =>
      (await waitingEvidence(gateway.database.url)).filter((waiting) => waiting.contact_id === contact);
    await expect.poll(evidence, PATIENCE).toEqual([]);

    await withClient(gateway.database.url, async (observer) => {
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await gateway.app.db.transaction(mine.uuid, async (sql) => {
        await sql.run("delete from contact where workspace_id = $1 and phone = $2", [mine.uuid, to]);
        const named = { recipient_id: to.slice(1), recipient_user_id: "US.deletedmeanwhile" };
        await post(statusOf(provider_message_id, "delivered", gateway.clock.now(), named));
        await expect.poll(async () => (await observer.query(waits)).rowCount, { ...PATIENCE, interval: 1 }).not.toBe(0);
      });
    });
    await expect.poll(evidence, PATIENCE).toEqual([]);
    expect(await mine.rows("select 1 from identifier where contact_id = $1", [contact])).toEqual([]);
    const again = await mine.send(to);
    expect(again.status).toBe(202);
    expect(again.body.contact_id).not.toBe(contact_id);
  });
});
