import { afterAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../lib/duration.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import { PATIENCE, peopleOf } from "../identity/testing/people.ts";
import { REPORTED_PATIENCE, reportingOf } from "../messages/testing/reported.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { threadsOf } from "./testing/threads.ts";

// Who owns a conversation, by what the provider says of it.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { events, close } = reportingOf(gateway);
afterAll(close);
const { post, message, otherWrote, passed, taken, owner, conversation, changesOf } = threadsOf(gateway, mine);

let people = 0;
const someone = () => `1555744${String((people += 1)).padStart(4, "0")}`;
const UNKNOWN = { role: "none", since: null };

describe("the owner of a conversation", () => {
  it("is not known where nothing but messages came, and nothing is announced", async () => {
    const ana = someone();
    await post(message("messages", ana, "wamid.w.1"));
    expect((await conversation(ana)).owner).toEqual(UNKNOWN);
    expect(await changesOf(ana)).toEqual([]);
  });

  it("changes with copies, with messages of its own and with handovers, each change with one event", async () => {
    const [ana, seen] = [someone(), await events(mine)];
    await post(message("standby", ana, "wamid.w.2"));
    await owner(ana, "other");
    await post(message("messages", ana, "wamid.w.3"));
    await owner(ana, "self");
    await post(message("messages", ana, "wamid.w.4"), taken(ana));
    await owner(ana, "other");
    await post(
      passed(ana, { said: { metadata: "asks for Ben", conversation_context: { summary: { text: "Parcel" } } } }),
    );
    const { since } = await owner(ana, "self");
    await post(otherWrote(ana, "wamid.w.5"));
    await owner(ana, "other");
    expect(await changesOf(ana)).toEqual([
      "thread_released none→other",
      "thread_taken other→self",
      "thread_released self→other",
      "thread_taken other→self",
      "thread_released self→other",
    ]);
    const { contact_id } = await conversation(ana);
    const told = () => seen().filter(({ category }) => category === "conversation");
    await expect.poll(() => told().length, REPORTED_PATIENCE).toBe(5);
    expect(told().find(({ data }) => data.owner.role === "self" && data.owner.since === since)?.data).toEqual({
      conversation: {
        contact_id,
        phone_number_id: mine.phoneNumberId,
        contact: { id: contact_id, name: "Ana", phone: `+${ana}` },
      },
      previous_owner: { role: "other", since: expect.any(String) },
      owner: { role: "self", since },
    });
    expect(JSON.stringify(told())).not.toMatch(/Ben|Parcel/);
  });

  it("is by the provider's time, whatever arrives late or twice", async () => {
    const ana = someone();
    const [first, second] = [taken(ana, { ago: 60 }), passed(ana, { ago: 30 })];
    await post(message("messages", ana, "wamid.w.6", { ago: 90 }));
    await post(second);
    const { since } = await owner(ana, "self");
    await post(first);
    await post(message("standby", ana, "wamid.w.7", { ago: 61 }));
    await post(second, first, message("standby", ana, "wamid.w.7", { ago: 61 }));
    expect(await owner(ana, "self")).toEqual({ role: "self", since });
    expect(await changesOf(ana)).toEqual(["thread_taken none→self"]);
    // Of one second the later arrival counts, and a repetition is none.
    const [third, fourth] = [taken(ana), passed(ana)];
    await post(third);
    await post(fourth);
    await post(third);
    await post(fourth);
    expect((await conversation(ana)).owner.role).toBe("self");
    expect(await changesOf(ana)).toEqual([
      "thread_taken none→self",
      "thread_released self→other",
      "thread_taken other→self",
    ]);
  });

  it("is found where copies and a handover are in one callback, in their order", async () => {
    const [ana, ben] = [someone(), someone()];
    await post(
      message("standby", ana, "wamid.w.8"),
      message("messages", ben, "wamid.w.9"),
      passed(ana),
      message("messages", ana, "wamid.w.10"),
      message("standby", ben, "wamid.w.11"),
    );
    await owner(ana, "self");
    await owner(ben, "other");
    expect(await changesOf(ana)).toEqual(["thread_released none→other", "thread_taken other→self"]);
    expect(await changesOf(ben)).toEqual(["thread_released none→other"]);
  });

  it("of a person who is not known creates the contact, and of another form of a number is theirs", async () => {
    const ana = someone();
    await post(passed(ana));
    const [contact] = (await mine.call("GET", `/v1/contacts?phone=%2B${ana}`)).body.data;
    expect(contact).toMatchObject({ phone: `+${ana}` });
    expect((await mine.call("GET", `/v1/conversations?contact_id=${contact.id}`)).body.data).toEqual([]);
    await post(message("messages", ana, "wamid.w.12"));
    expect((await conversation(ana)).owner).toMatchObject({ role: "self" });
    await mine.inbound("+5511987650002");
    await post(taken("551187650002"));
    await owner("5511987650002", "other");
    const [byId] = [{ userId: "US.13490000000000000888" }];
    await post(taken("", byId));
    expect(await mine.rows("select 1 from contact where user_id = $1", [byId.userId])).toHaveLength(1);
  });

  it("may answer at once what was passed, though nothing that the person wrote came here", async () => {
    const [ana, ben] = [someone(), someone()];
    await post(passed(ana));
    const window = async (of: string) => {
      const [contact] = (await mine.call("GET", `/v1/contacts?phone=%2B${of}`)).body.data;
      return contact?.windows ?? [];
    };
    await expect.poll(() => window(ana), PATIENCE).toMatchObject([{ phone_number_id: mine.phoneNumberId, open: true }]);
    const text = { to: `+${ana}`, type: "text", text: { body: "How can I help?" } };
    expect((await mine.call("POST", "/v1/messages", { body: text })).status).toBe(202);
    // What is known better stays, and being taken from opens nothing.
    await post(message("standby", ben, "wamid.w.20", { ago: 7_200 }));
    const before = await window(ben);
    await post(passed(ben));
    await owner(ben, "self");
    expect(await window(ben)).toEqual(before);
    const eve = someone();
    await post(taken(eve));
    await expect.poll(() => changesOf(eve), PATIENCE).toHaveLength(1);
    expect(await window(eve)).toEqual([]);
  });

  it("is nobody a day after the person's last message, and is announced again when somebody takes it then", async () => {
    const ana = someone();
    await post(message("standby", ana, "wamid.w.13"));
    const { since } = await owner(ana, "other");
    gateway.clock.advance(DAY_MS);
    expect((await conversation(ana)).owner).toEqual({
      role: "none",
      since: new Date(Date.parse(since ?? "") + DAY_MS).toISOString(),
    });
    await post(message("standby", ana, "wamid.w.14"));
    expect(Date.parse((await owner(ana, "other")).since ?? "")).toBeGreaterThan(Date.parse(since ?? ""));
    expect(await changesOf(ana)).toEqual(["thread_released none→other", "thread_released none→other"]);
  });

  it("is that of the newer record when two are merged, and goes with the person", async () => {
    const { hear, get } = peopleOf(gateway, mine);
    const heard = formatId("con", await hear("5491112340077"));
    await post(passed("5491112340077", { ago: 30 }));
    const sent = (await mine.send("+541112340077")).body;
    await post(taken("541112340077"));
    await expect.poll(async () => (await get(sent.contact_id)).id, PATIENCE).toBe(heard);
    const of = async () => (await mine.call("GET", `/v1/conversations?contact_id=${heard}`)).body.data[0];
    expect((await of()).owner.role).toBe("other");
    await mine.call("DELETE", `/v1/contacts/${heard}`);
    expect(await mine.rows("select 1 from conversation where contact_id = $1", [parseId("con", heard)])).toEqual([]);
    const told = await mine.rows("select state from event where kind like 'thread_%' and contact_id = $1", [
      parseId("con", heard),
    ]);
    expect(JSON.stringify(told)).not.toContain("112340077");
  });

  it("is another workspace's own affair", async () => {
    const ana = someone();
    await mine.inbound(`+${ana}`);
    await theirs.inbound(`+${ana}`);
    const other = threadsOf(gateway, theirs);
    await other.post(other.taken(ana));
    await other.owner(ana, "other");
    expect((await conversation(ana)).owner).toEqual(UNKNOWN);
  });
});
