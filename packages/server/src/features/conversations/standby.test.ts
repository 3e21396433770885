import { afterAll, describe, expect, it } from "vitest";
import { parseId } from "../../lib/ids.ts";
import { REPORTED_PATIENCE, reportingOf } from "../messages/testing/reported.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { threadsOf } from "./testing/threads.ts";

// A number with several responders: what comes as a copy while another one owns the conversation.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { shown, history, setAside, events, close } = reportingOf(gateway);
afterAll(close);
const { post, message, otherWrote, passed, status, conversation, kindsOf, owner } = threadsOf(gateway, mine);

let people = 0;
const someone = () => `1555743${String((people += 1)).padStart(4, "0")}`;

describe("a person's message while another responder owns the conversation", () => {
  it("is a message that another one handles, with an event of its own kind, and opens the window", async () => {
    const [ana, seen] = [someone(), await events(mine)];
    await post(message("standby", ana, "wamid.s.1"));
    const stored = await shown(mine, "wamid.s.1");
    expect(stored).toMatchObject({ direction: "inbound", status: "received", handled_by: "other", from: `+${ana}` });
    await expect
      .poll(
        () =>
          seen()
            .map(({ kind, category }) => `${category} ${kind}`)
            .toSorted(),
        REPORTED_PATIENCE,
      )
      .toEqual(["contact contact_created", "conversation thread_released", "inbound_message standby_messages"]);
    expect(seen().find(({ kind }) => kind === "standby_messages")?.data).toMatchObject({
      message: stored,
      contact: { phone: `+${ana}`, profile_name: "Ana" },
    });
    expect(await conversation(ana)).toMatchObject({
      last_message: { id: stored.id },
      unread_count: 1,
      window: { open: true },
      owner: { role: "other", since: stored.occurred_at },
    });
    expect(await theirs.rows("select 1 from message")).toEqual([]);
  });

  it("is one message, whichever way it comes and however often", async () => {
    for (const [first, second] of [
      ["standby", "messages"],
      ["messages", "standby"],
    ] as const) {
      const [ana, id] = [someone(), `wamid.s.2.${first}`];
      await post(message(first, ana, id), message(second, ana, id));
      await post(message(second, ana, id));
      await post(message(first, ana, id));
      expect(await kindsOf(id)).toEqual([first === "standby" ? "standby_messages" : "messages"]);
      expect(await shown(mine, id)).toMatchObject({ handled_by: first === "standby" ? "other" : "self" });
    }
  });

  it("says STOP to the business, whoever answers", async () => {
    const ana = someone();
    await post(message("standby", ana, "wamid.s.3", { text: "Stop" }));
    const { contact_id } = await shown(mine, "wamid.s.3");
    expect((await mine.call("GET", `/v1/contacts/${contact_id}`)).body.marketing_consent).toBe("opted_out");
  });

  it("is found by every form of the number, and by a user id alone", async () => {
    await mine.inbound("+5511987650001");
    await post(message("standby", "551187650001", "wamid.s.4"));
    expect((await shown(mine, "wamid.s.4")).contact_id).toBe((await conversation("5511987650001")).contact_id);
    const { field, value } = message("standby", "US.13490000000000000777", "wamid.s.5");
    await post({ field, value: JSON.parse(JSON.stringify(value).replaceAll("wa_id", "user_id")) });
    expect(await shown(mine, "wamid.s.5")).toMatchObject({ from: null, handled_by: "other" });
  });

  it("is in no conversation where it was written in a group", async () => {
    const { field, value } = message("standby", someone(), "wamid.s.6");
    await post({ field, value: JSON.parse(JSON.stringify(value).replace('"type"', '"group_id":"group-1","type"')) });
    const { contact_id } = await shown(mine, "wamid.s.6");
    expect((await mine.call("GET", `/v1/conversations?contact_id=${contact_id}`)).body.data).toEqual([]);
  });

  it("is not marked as read from here until the conversation is ours", async () => {
    const ana = someone();
    await post(message("messages", ana, "wamid.s.7"), message("standby", ana, "wamid.s.8"));
    const ids = [(await shown(mine, "wamid.s.7")).id, (await shown(mine, "wamid.s.8")).id];
    for (const id of ids)
      expect((await mine.call("POST", `/v1/messages/${id}/read`)).body).toMatchObject({ code: "thread_not_owned" });
    const { id } = await mine.inbound(`+${ana}`);
    await owner(ana, "self");
    expect((await mine.call("POST", `/v1/messages/${id}/read`)).status).toBe(200);
    expect(await conversation(ana)).toMatchObject({ unread_count: 0 });
  });

  it("of a number that nobody has is set aside", async () => {
    const { field, value } = message("standby", someone(), "wamid.s.10");
    const number = { display_phone_number: "15557000000", phone_number_id: "700000" };
    await post({ field, value: { ...value, metadata: number } });
    await expect.poll(setAside, REPORTED_PATIENCE).toEqual(["unowned"]);
    expect(await mine.rows("select 1 from message_state where provider_message_id = 'wamid.s.10'")).toEqual([]);
  });
});

describe("what the owner of the conversation wrote", () => {
  it("is an outbound message that another one handles, with its statuses", async () => {
    const ana = someone();
    await post(otherWrote(ana, "wamid.o.1"));
    const stored = await shown(mine, "wamid.o.1");
    expect(stored).toMatchObject({
      direction: "outbound",
      status: "sent",
      handled_by: "other",
      to: `+${ana}`,
      text: { body: "How can I help?" },
    });
    expect(stored).not.toHaveProperty("origin");
    await post(status("standby", "wamid.o.1", "delivered"), status("standby", "wamid.o.1", "read"));
    await mine.becomes(stored.id, "read");
    expect(await kindsOf("wamid.o.1")).toEqual(["sent", "delivered", "read"]);
    expect(await conversation(ana)).toMatchObject({
      unread_count: 0,
      window: { open: false },
      owner: { role: "other" },
    });
  });

  it("says nothing of the owner where it failed, and stays another's when its person is erased", async () => {
    const ana = someone();
    await post(otherWrote(ana, "wamid.o.5", { ago: 30 }));
    await post(passed(ana, { ago: 20 }));
    await post(status("standby", "wamid.o.5", "failed", { errors: [{ code: 131_070, title: "Not yours" }] }));
    const { id, contact_id } = await shown(mine, "wamid.o.5");
    await mine.becomes(id, "failed");
    expect((await conversation(ana)).owner.role).toBe("self");
    expect((await mine.call("DELETE", `/v1/contacts/${contact_id}`)).status).toBe(204);
    const emptied = () =>
      mine.rows("select 1 from message where id = $1 and content::text = 'null'", [parseId("msg", id)]);
    await expect.poll(emptied, REPORTED_PATIENCE).toHaveLength(1);
    expect((await mine.call("GET", `/v1/messages/${id}`)).body).toMatchObject({ to: null, handled_by: "other" });
  });

  it("makes nobody the owner where it is a template", async () => {
    const ana = someone();
    await post(otherWrote(ana, "wamid.o.2", { type: "template" }));
    expect(await shown(mine, "wamid.o.2")).toMatchObject({ type: "template", template: { name: "sale" } });
    expect(await conversation(ana)).toMatchObject({ owner: { role: "none", since: null } });
  });

  it("never moves a message of ours, nor waits for one, nor is set aside", async () => {
    const ana = someone();
    const sent = (await mine.send(`+${ana}`)).body;
    const { provider_message_id: id } = await mine.becomes(sent.id, "accepted");
    const [{ opaque } = { opaque: null }] = gateway.simulator.sent({ to: `+${ana}` }).data;
    const failed = { errors: [{ code: 131_026, title: "Undeliverable" }], biz_opaque_callback_data: opaque };
    await post(
      status("standby", id, "delivered"),
      status("standby", id, "failed", failed),
      status("standby", "wamid.o.nobody", "read"),
      status("standby", "wamid.o.nobody", "captured"),
    );
    await post(status("messages", id, "sent"));
    await mine.becomes(sent.id, "sent");
    expect((await history(mine, id)).history.map((one: { status: string }) => one.status)).toEqual([
      "accepted",
      "sent",
    ]);
    expect(await setAside()).toEqual(["unowned"]);
    const [first, second] = ["wamid.o.3", "wamid.o.4"];
    await post(otherWrote(ana, first), status("standby", second, "read"), status("standby", first, "delivered"));
    await mine.becomes((await shown(mine, first)).id, "delivered");
    // Of one that was not known yet nothing is kept: the message of another one comes before its statuses.
    await post(otherWrote(ana, "wamid.o.nobody"));
    expect(await shown(mine, "wamid.o.nobody")).toMatchObject({ status: "sent" });
    await owner(ana, "other");
  });
});

it("of thousands of copies in one callback each is one message", async () => {
  const one = message("standby", someone(), "wamid.m.0");
  const { standby } = one.value as { standby: { messages: object[]; contacts: object[] } };
  const many = Array.from({ length: 2_000 }, (_, index) => ({ ...standby.messages[0], id: `wamid.m.${index}` }));
  await post({ field: "standby", value: { ...one.value, standby: { ...standby, messages: many } } });
  const kinds = () =>
    mine.rows(
      `select e.kind, count(*)::int as n from message_state s
       join event e on e.message_id = s.id and e.workspace_id = s.workspace_id
       where s.provider_message_id like 'wamid.m.%' group by 1`,
    );
  await expect.poll(kinds, { timeout: 30_000, interval: 100 }).toEqual([{ kind: "standby_messages", n: 2_000 }]);
});
