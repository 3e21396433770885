import { beforeAll, describe, expect, it } from "vitest";
import type { PageRequest } from "../../http/pagination.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import type { Sender } from "../../testing/gateway.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { type Found, findConversations } from "./find.ts";

const { gateway, mine, theirs } = await startSenders();

type Listed = { contact_id: string; unread_count: number; window: { open: boolean }; last_message: { id: string } };

async function pageOf(query: string, of: Sender = mine): Promise<{ data: Listed[]; next_cursor: string | null }> {
  const { status, body } = await of.call("GET", `/v1/conversations?${query}`);
  expect(status).toBe(200);
  return body;
}

/** The people of every page, two conversations at a time. */
async function peopleOf(query: string, of: Sender = mine): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await pageOf(`limit=2&${query}${cursor && `&cursor=${cursor}`}`, of);
    found.push(...page.data.map(({ contact_id }) => contact_id));
    cursor = page.next_cursor;
  }
  return found;
}

/** Contacts by the names that they get here; the last who was written to or wrote comes first in the list. */
const people: Record<string, string> = {};
const namesOf = (ids: string[]) => ids.map((id) => Object.entries(people).find(([, one]) => one === id)?.[0] ?? id);
const list = async (query: string, of?: Sender) => namesOf(await peopleOf(query, of));

async function named(name: string, contactId: string): Promise<void> {
  people[name] = contactId;
  const { status } = await mine.call("PATCH", `/v1/contacts/${contactId}`, { body: { name } });
  expect(status).toBe(200);
}

const phones = { ana: person(), ben: person(), eve: person(), dan: person(), zoe: person() };
beforeAll(async () => {
  // In the order in which they are listed, the last first: Zoe and Ben wrote long ago, Eve and Ana today, Dan never.
  for (const [name, phone] of [
    ["Zoe Old", phones.zoe],
    ["Ben Old", phones.ben],
  ] as const) {
    const { id, contact_id } = await mine.inbound(phone);
    await named(name, contact_id);
    if (name === "Ben Old") await mine.call("POST", `/v1/messages/${id}/read`);
  }
  gateway.clock.advance(DAY_MS);
  await named("Dan Never", (await mine.send(phones.dan)).body.contact_id);
  const eve = await mine.inbound(phones.eve);
  await named("Eve New", eve.contact_id);
  expect((await mine.call("POST", `/v1/messages/${eve.id}/read`)).status).toBe(200);
  await named("Ana New", (await mine.inbound(phones.ana)).contact_id);
});

describe("filters of conversations", () => {
  it("are the window, as each conversation shows it", async () => {
    expect(await list("window=open")).toEqual(["Ana New", "Eve New"]);
    expect(await list("window=closed")).toEqual(["Dan Never", "Ben Old", "Zoe Old"]);
    const { data } = await pageOf("window=open");
    expect(data.map(({ window }) => window.open)).toEqual([true, true]);
  });

  it("are what was not read, as each counts it", async () => {
    expect(await list("unread=true")).toEqual(["Ana New", "Zoe Old"]);
    expect(await list("unread=false")).toEqual(["Eve New", "Dan Never", "Ben Old"]);
    expect((await pageOf("unread=true")).data.map(({ unread_count }) => unread_count)).toEqual([1, 1]);
  });

  it("are a part of a name or of a number", async () => {
    expect(await list("q=old")).toEqual(["Ben Old", "Zoe Old"]);
    expect(await list(`q=${encodeURIComponent(phones.dan)}`)).toEqual(["Dan Never"]);
    expect(await list(`q=${phones.eve.slice(-7)}`)).toEqual(["Eve New"]);
    expect(await list("q=nobody")).toEqual([]);
    expect((await mine.call("GET", "/v1/conversations?q=ab")).body.errors).toMatchObject([{ pointer: "?q" }]);
  });

  it("hold together, with number and person too", async () => {
    expect(await list("q=new&unread=true&window=open")).toEqual(["Ana New"]);
    expect(await list("q=old&unread=true&window=open")).toEqual([]);
    expect(await list(`q=old&contact_id=${people["Zoe Old"]}`)).toEqual(["Zoe Old"]);
    expect(await list(`q=old&contact_id=${people["Ana New"]}`)).toEqual([]);
    expect(await list(`window=open&phone_number_id=${mine.phoneNumberId}`)).toEqual(["Ana New", "Eve New"]);
    expect(await list(`window=open&phone_number_id=${theirs.phoneNumberId}`)).toEqual([]);
  });

  it("find nothing of another workspace", async () => {
    for (const query of ["window=open", "unread=true", "q=new", "window=closed"])
      expect(await list(query, theirs)).toEqual([]);
  });

  it("give each once in pages that end at the last one looked at, whatever its number", async () => {
    const workspaceId = parseId("ws", mine.id) ?? "";
    for (const query of [{ unread: true }, { window: "closed" }, { q: "old" }] as const)
      for (const parts of [[1], [2], [1, 1], [1, 2, 5]]) {
        const found: string[] = [];
        for (let before: string | null = null, pages = 0; pages === 0 || before !== null; pages++) {
          expect(pages).toBeLessThan(20);
          const request: PageRequest = { limit: 1, before, fetch: 2 };
          const page: Found = await gateway.app.db.read(workspaceId, (sql) =>
            findConversations(
              { sql, workspaceId, now: gateway.clock.now(), actor: { phoneNumberIds: null } },
              query,
              request,
              parts,
            ),
          );
          expect(page.rows.length).toBeLessThanOrEqual(1);
          found.push(...page.rows.map(({ contact_id }) => formatId("con", contact_id)));
          before = page.next;
        }
        const asked = Object.entries(query).map(([name, value]) => `${name}=${value}`);
        expect(found).toEqual(await peopleOf(asked.join("&")));
      }
  });
});
