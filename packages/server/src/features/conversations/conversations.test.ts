import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../lib/duration.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import type { Sender } from "../../testing/gateway.ts";
import { PATIENCE, peopleOf } from "../identity/testing/people.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { latestOfWorkspace } from "./latest.ts";

type Reads = Parameters<typeof latestOfWorkspace>[4];

const { gateway, mine, theirs } = await startSenders();

type Listed = {
  contact_id: string;
  phone_number_id: string;
  contact: object;
  last_message: { id: string; type: string };
  unread_count: number;
  window: { open: boolean; expires_at: string | null };
  updated_at: string;
};

const list = async (query = "", of: Sender = mine): Promise<{ data: Listed[]; next_cursor: string | null }> => {
  const { status, body } = await of.call("GET", `/v1/conversations${query}`);
  expect(status).toBe(200);
  return body;
};
/** Of each conversation the last message, whose status may change between two looks. */
const idsOf = (listed: Listed[]) => listed.map(({ last_message }) => last_message.id);
const lastIds = async (query = "", of: Sender = mine) => idsOf((await list(query, of)).data);
/** Every page of the list, `limit` at a time. */
async function pages(of: Sender, limit: number, more = ""): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { data, next_cursor } = await list(`?limit=${limit}${more}${cursor && `&cursor=${cursor}`}`, of);
    found.push(...data);
    cursor = next_cursor;
  }
  return found;
}

describe("GET /v1/conversations", () => {
  const [ana, ben, eve] = [person(), person(), person()];
  let sent: Record<"ana" | "ben" | "eve", { id: string; contact_id: string }>;
  beforeAll(async () => {
    sent = {
      ana: (await mine.send(ana)).body,
      ben: (await mine.send(ben)).body,
      eve: (await mine.send(eve)).body,
    };
  });

  it("has the latest message of each person first, also where two came within a second", async () => {
    expect(await lastIds()).toEqual([sent.eve.id, sent.ben.id, sent.ana.id]);
    const again = (await mine.send(ana)).body;
    expect(await lastIds()).toEqual([again.id, sent.eve.id, sent.ben.id]);
    const reply = await mine.inbound(ben);
    expect(await lastIds()).toEqual([reply.id, again.id, sent.eve.id]);
  });

  it("shows the person, the last message as its own resource, the window and what is unread", async () => {
    const {
      data: [first],
    } = await list("?limit=1");
    const message = (await mine.call("GET", `/v1/messages/${first?.last_message.id}`)).body;
    const { history: _history, ...shown } = message;
    expect(first).toEqual({
      contact_id: sent.ben.contact_id,
      phone_number_id: mine.phoneNumberId,
      contact: { id: sent.ben.contact_id, name: expect.any(String), phone: ben },
      last_message: { ...shown, preview: expect.any(String) },
      unread_count: 1,
      window: { open: true, expires_at: expect.stringMatching(/Z$/) },
      owner: { role: "none", since: null },
      updated_at: message.created_at,
    });
    const { data } = await list();
    expect(data[1]).toMatchObject({ unread_count: 0, window: { open: false, expires_at: null } });
  });

  it("closes the window with time, as the contact's own does", async () => {
    const quiet = person();
    await mine.inbound(quiet);
    gateway.clock.advance(DAY_MS);
    const {
      data: [first],
    } = await list("?limit=1");
    expect(first?.window.open).toBe(false);
    const { windows } = (await mine.call("GET", `/v1/contacts/${first?.contact_id}`)).body;
    expect(windows).toEqual([{ phone_number_id: mine.phoneNumberId, ...first?.window }]);
  });

  it("is of the caller's workspace alone", async () => {
    expect(await list("", theirs)).toEqual({ data: [], next_cursor: null });
    expect(await lastIds(`?contact_id=${sent.ana.contact_id}`, theirs)).toEqual([]);
    expect(await lastIds(`?phone_number_id=${mine.phoneNumberId}`, theirs)).toEqual([]);
  });

  it("is filtered by person and by number; what cannot exist gives an empty list", async () => {
    expect((await list(`?contact_id=${sent.eve.contact_id}`)).data).toMatchObject([
      { last_message: { id: sent.eve.id } },
    ]);
    expect(await lastIds(`?contact_id=${sent.eve.contact_id}&phone_number_id=${mine.phoneNumberId}`)).toHaveLength(1);
    expect(await lastIds(`?phone_number_id=${mine.phoneNumberId}`)).toEqual(await lastIds());
    for (const filter of [`phone_number_id=${theirs.phoneNumberId}`, "phone_number_id=none", "contact_id=none"])
      expect(await lastIds(`?${filter}`)).toEqual([]);
  });
});

describe("conversations of several numbers", () => {
  it("are one for each number and person", async () => {
    const two = await gateway.sender();
    const other = await gateway.connect(two);
    const [to, alone] = [person(), person()];
    const first = (await two.send(to, { from: two.phoneNumberId })).body;
    const second = (await two.send(to, { from: other.phoneNumberId })).body;
    await two.send(alone, { from: other.phoneNumberId });
    expect((await pages(two, 100)).map((one) => [one.contact_id, one.phone_number_id]).slice(1)).toEqual([
      [second.contact_id, other.phoneNumberId],
      [first.contact_id, two.phoneNumberId],
    ]);
    expect(await lastIds(`?phone_number_id=${two.phoneNumberId}`, two)).toEqual([first.id]);
    expect(await lastIds(`?contact_id=${first.contact_id}`, two)).toEqual([second.id, first.id]);
    const messages = `/v1/conversations/${first.contact_id}/messages`;
    const messageIds = async (query = "") =>
      (await two.call("GET", messages + query)).body.data.map(({ id }: Listed["last_message"]) => id);
    expect(await messageIds()).toEqual([second.id, first.id]);
    expect(await messageIds(`?phone_number_id=${two.phoneNumberId}`)).toEqual([first.id]);
    expect(await messageIds("?phone_number_id=none")).toEqual([]);
  });
});

describe("pages", () => {
  it("show each conversation once, while messages arrive between them", async () => {
    const busy = await gateway.sender();
    const people = Array.from({ length: 7 }, person);
    for (const to of people) await busy.send(to);
    const first = await list("?limit=3", busy);
    // Of the next page, of this one, and a new person.
    for (const to of [people[0] ?? "", people[6] ?? "", person()]) await busy.send(to);
    const second = await list(`?limit=3&cursor=${first.next_cursor}`, busy);
    const seen = [first, second].flatMap(({ data }) => data.map(({ contact_id }) => contact_id));
    expect(new Set(seen).size).toBe(seen.length);
    // All but the one that moved to the front before its page was read.
    expect(seen).toHaveLength(6);
    expect(second.next_cursor).toBeNull();
    expect(idsOf(await pages(busy, 3))).toEqual(await lastIds("?limit=100", busy));
    expect(await pages(busy, 2, `&phone_number_id=${busy.phoneNumberId}`)).toHaveLength(8);
  });

  it("are the same when nearly all messages are of a few people, and walking them finds too few", async () => {
    const chatty = await gateway.sender();
    const quiet = Array.from({ length: 5 }, person);
    for (const to of quiet) await chatty.send(to);
    const loud = person();
    for (let i = 0; i < 6; i++) await chatty.send(loud);
    const wanted = { before: null, numbers: null };
    const walk = (fetch: number, mostWalked: number, before: string | null = null, reads?: Reads) =>
      gateway.app.db.read(chatty.uuid, (sql) =>
        latestOfWorkspace(sql, chatty.uuid, { ...wanted, before, fetch }, mostWalked, reads),
      );
    const whole = await walk(10, 1_000);
    expect(whole).toHaveLength(6);
    expect(await walk(10, 3)).toEqual(whole);
    expect(await walk(3, 2)).toEqual(whole.slice(0, 3));
    expect(await walk(10, 2, whole[1]?.id)).toEqual(whole.slice(2));
    // Read piece by piece.
    for (const reads of [
      { first: 1, next: 2 },
      { first: 2, next: 1 },
    ])
      expect([await walk(10, 3, null, reads), await walk(3, 2, null, reads)]).toEqual([whole, whole.slice(0, 3)]);
    const numbers = [parseId("num", chatty.phoneNumberId) ?? ""];
    const ofNumber = await gateway.app.db.read(chatty.uuid, (sql) =>
      latestOfWorkspace(sql, chatty.uuid, { before: null, fetch: 10, numbers }, 2),
    );
    expect(ofNumber).toEqual(whole);
  });

  it.each(["cursor=x", "limit=0", "limit=101", "unread=perhaps", "window=ajar"])(
    "with %s are refused",
    async (query) => {
      expect((await mine.call("GET", `/v1/conversations?${query}`)).status).toBe(400);
    },
  );
});

describe("GET /v1/conversations/{contact_id}/messages", () => {
  it("lists both directions, newest first, in pages and filtered", async () => {
    const to = person();
    const out = (await mine.send(to)).body;
    const back = await mine.inbound(to);
    const path = `/v1/conversations/${out.contact_id}/messages`;
    const get = async (query = "") => (await mine.call("GET", path + query)).body;
    expect((await get()).data.map(({ id }: { id: string }) => id)).toEqual([back.id, out.id]);
    expect((await get("?direction=inbound")).data).toMatchObject([{ id: back.id, direction: "inbound" }]);
    const page = await get("?limit=1");
    expect((await get(`?limit=1&cursor=${page.next_cursor}`)).data).toMatchObject([{ id: out.id }]);
    expect((await get(`?created_before=${encodeURIComponent(out.created_at)}`)).data).toEqual([]);
    // Of a list whose person is another, the cursor is none.
    const other = (await mine.send(person())).body.contact_id;
    expect((await mine.call("GET", `/v1/conversations/${other}/messages?cursor=${page.next_cursor}`)).status).toBe(400);
  });

  it("is 404 for a person of another workspace, of nobody, and for another kind of id", async () => {
    const { contact_id } = (await theirs.send(person())).body;
    for (const id of [contact_id, "con_01jd0000000000000000000000", mine.phoneNumberId])
      expect((await mine.call("GET", `/v1/conversations/${id}/messages`)).status).toBe(404);
  });
});

describe("two records of one person", () => {
  it("are one conversation from their merge on, and both ids answer for it", async () => {
    const { hear, get } = peopleOf(gateway, mine);
    const heard = formatId("con", await hear("5491112340001"));
    const sent = (await mine.send("+541112340001")).body;
    await expect.poll(async () => (await get(sent.contact_id)).id, PATIENCE).toBe(heard);
    const [shown, ...others] = (await list(`?contact_id=${sent.contact_id}`)).data;
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ contact_id: heard, last_message: { id: sent.id }, unread_count: 1 });
    expect(shown?.window.open).toBe(true);
    const listed = (await list("?limit=100")).data.filter((one) => [heard, sent.contact_id].includes(one.contact_id));
    expect(listed).toEqual([shown]);
    const answers = await Promise.all(
      [heard, sent.contact_id].map((id) => mine.call("GET", `/v1/conversations/${id}/messages`)),
    );
    expect(answers[0]?.body.data).toHaveLength(2);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });
});
