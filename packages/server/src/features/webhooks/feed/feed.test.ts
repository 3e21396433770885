import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../../../testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";

// Who reads the feed has each event once, whatever was committed when.

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 20_000, interval: 20 };
const DAY_MS = 86_400_000;

type Item = { id: string; kind: string; data: Record<string, unknown> };
type Page = { data: Item[]; next_cursor: string; has_more: boolean; gap: boolean };

async function pageOf(of: Pick<Sender, "call">, cursor: string | null, query = "limit=100"): Promise<Page> {
  const path = `/v1/events?${query}${cursor === null ? "" : `&cursor=${cursor}`}`;
  const { status, body } = await of.call("GET", path);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}

/** A reader that goes on from where it was. */
class Reader {
  readonly seen: Item[] = [];
  cursor: string | null = null;
  readonly #of: Pick<Sender, "call">;
  readonly #query: string;

  constructor(of: Pick<Sender, "call">, query = "limit=100") {
    this.#of = of;
    this.#query = query;
  }

  async follow(): Promise<string[]> {
    for (let more = true; more; ) {
      const page = await pageOf(this.#of, this.cursor, this.#query);
      this.seen.push(...page.data);
      this.cursor = page.next_cursor;
      more = page.has_more;
    }
    return this.seen.map(({ id }) => id);
  }
}

let people = 0;
const newContact = async (of = mine): Promise<string> =>
  (await of.call("POST", "/v1/contacts", { body: { phone: `+1555900${1000 + ++people}`, name: "Ana" } })).body.id;

type Client = Parameters<Parameters<typeof withClient>[1]>[0];
/** As the engine, which writes events: a row of this kind. */
const insertEvent = (
  client: Client,
  workspace: string,
  kind: string,
  { era = 1, xid }: { era?: number; xid?: string | undefined } = {},
): Promise<unknown> =>
  client.query(
    `insert into event (workspace_id, id, era, xid, kind, sequence, occurred_at, state, created_at)
     values ($1, new_uuid($3::timestamptz), $4, coalesce($5::xid8, pg_current_xact_id()), $2, nextval('conversation_sequence'), now(), '{}', $3)`,
    [workspace, kind, new Date(gateway.clock.now()).toISOString(), era, xid],
  );
const asWriter = (work: (client: Client) => Promise<void>, of: Sender = mine): Promise<void> =>
  withClient(gateway.database.url, async (client) => {
    const { rows } = await client.query("select app_role from installation");
    await client.query(`set role "${rows[0].app_role}"`);
    await client.query("select set_config('app.workspace_id', $1, false)", [of.uuid]);
    await work(client);
  });

test("events are listed oldest first, each once, with a cursor to go on from for ever, to their own workspace alone", async () => {
  const [reader, other] = [new Reader(mine), new Reader(theirs)];
  await reader.follow();
  const before = reader.seen.length;
  const ids = [await newContact(), await newContact(), await newContact()];
  const contacts = (): unknown[] =>
    reader.seen.slice(before).flatMap(({ data }) => (data["contact"] as { id: string }).id);
  await expect.poll(async () => (await reader.follow(), contacts()), PATIENCE).toEqual(ids);
  expect(new Set(reader.seen.map(({ id }) => id)).size).toBe(reader.seen.length);
  const known = new Set(reader.seen.map(({ id }) => id));
  expect((await other.follow()).filter((id) => known.has(id))).toEqual([]);

  const last = reader.seen.at(-1)!;
  const { status, body } = await mine.call("GET", `/v1/events/${last.id}`);
  expect([status, body]).toEqual([200, last]);
  expect((await theirs.call("GET", `/v1/events/${last.id}`)).status).toBe(404);
  // Page by page it is the same.
  const small = new Reader(mine, "limit=1");
  expect(await small.follow()).toEqual(reader.seen.map(({ id }) => id));
  // A list of others, one with other filters, and a made-up one know no such cursor.
  expect((await theirs.call("GET", `/v1/events?cursor=${reader.cursor}`)).status).toBe(400);
  expect((await mine.call("GET", `/v1/events?kind=sent&cursor=${reader.cursor}`)).status).toBe(400);
  expect((await mine.call("GET", "/v1/events?cursor=MS45MDEyLjAxOTQ")).status).toBe(400);
});

const lag = async (): Promise<number> =>
  Number(/^waypost_feed_lag_seconds (\S+)$/m.exec(await gateway.app.metrics.text())?.[1]);

test("what a transaction commits late comes behind what was read, and what others commit meanwhile is held back", async () => {
  const reader = new Reader(mine);
  await reader.follow();
  const before = reader.seen.length;
  const kinds = async (): Promise<string[]> => (
    await reader.follow(), reader.seen.slice(before).map(({ kind }) => kind)
  );
  await asWriter(async (slow) => {
    await slow.query("begin");
    await insertEvent(slow, mine.uuid, "late");
    await asWriter(async (quick) => {
      await insertEvent(quick, mine.uuid, "quick one");
      await insertEvent(quick, mine.uuid, "quick two");
    });
    expect(await kinds()).toEqual([]);
    await expect.poll(lag, PATIENCE).toBeGreaterThan(0.2);
    // By its id it is there at once.
    await slow.query("commit");
  });
  await expect.poll(kinds, PATIENCE).toEqual(["late", "quick one", "quick two"]);
  await expect.poll(lag, PATIENCE).toBeLessThan(0.2);
});

test("a number that was given and is given again after a crash is behind what was read before", async () => {
  const reader = new Reader(mine);
  await newContact();
  let lost: string | undefined;
  await asWriter(async (client) => {
    for (const _ of [1, 2]) {
      await client.query("begin");
      const { rows } = await client.query<{ xid: string }>("select pg_current_xact_id()::text as xid");
      lost ??= rows[0]?.xid;
      await client.query("rollback");
    }
  });
  await reader.follow();
  await asWriter((client) => insertEvent(client, mine.uuid, "again", { xid: lost }).then(() => {}));
  await expect.poll(async () => (await reader.follow(), reader.seen.at(-1)?.kind), PATIENCE).toBe("again");
});

test("none of many is lost or doubled while writers commit in another order than they began", async () => {
  const reader = new Reader(theirs, "limit=7");
  await reader.follow();
  const before = reader.seen.length;
  const [writers, each] = [12, 15];
  let writing = true;
  const work = Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      asWriter(async (client) => {
        for (let n = 0; n < each; n++) {
          await client.query("begin");
          await insertEvent(client, theirs.uuid, `w${writer}`);
          await client.query("select pg_sleep(random() * 0.02)");
          await insertEvent(client, theirs.uuid, `w${writer}`);
          await client.query("commit");
        }
      }, theirs),
    ),
  ).then(() => (writing = false));
  while (writing) await reader.follow();
  await work;
  const count = async (): Promise<number> => (await reader.follow(), reader.seen.length - before);
  await expect.poll(count, PATIENCE).toBe(writers * each * 2);
  const ids = reader.seen.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a page of a rare kind, a message or a person ends after what it may look at, and the reader loses none", async () => {
  const rare = new Reader(mine, "kind=rare");
  await asWriter(async (client) => {
    await insertEvent(client, mine.uuid, "rare");
    await client.query(
      `insert into event (workspace_id, id, era, kind, sequence, occurred_at, created_at)
       select $1, new_uuid($2), 1, 'usual', nextval('conversation_sequence'), now(), $2 from generate_series(1, 9000)`,
      [mine.uuid, new Date(gateway.clock.now()).toISOString()],
    );
    await insertEvent(client, mine.uuid, "rare");
  });
  await expect.poll(async () => (await rare.follow()).length, PATIENCE).toBe(2);
  const first = await pageOf(mine, null, "kind=rare");
  expect([first.data.length, first.has_more]).toEqual([1, true]);
  expect((await pageOf(mine, null, "kind=none")).data).toEqual([]);

  const { body: sent } = await mine.send("+15559100001");
  const ofMessage = new Reader(mine, `message_id=${sent.id}`);
  await expect
    .poll(async () => (await ofMessage.follow(), ofMessage.seen.map(({ kind }) => kind)), PATIENCE)
    .toEqual(["accepted"]);
  const ofPerson = new Reader(mine, `contact_id=${sent.contact_id}`);
  await expect
    .poll(async () => (await ofPerson.follow(), ofPerson.seen.map(({ kind }) => kind)), PATIENCE)
    .toEqual(["contact_created", "accepted"]);
  for (const filter of ["message_id", "contact_id"])
    for (const value of [sent.id, sent.contact_id, "x"])
      expect((await new Reader(theirs, `${filter}=${value}`).follow()).length).toBe(0);
  const after = encodeURIComponent(new Date(gateway.clock.now() + 60_000).toISOString());
  expect(await pageOf(mine, null, `created_after=${after}`)).toMatchObject({ data: [], has_more: false });
});

test("a caller without messages:read gets messages without their content, and of an erased person nothing is left", async () => {
  const { id, contact_id: person } = await mine.inbound("15559200001", "My secret words");
  const narrow = await mine.call("POST", "/v1/api-keys", { body: { name: "n", scopes: ["webhooks:read"] } });
  const blind = { call: gateway.as(narrow.body.key) };
  const query = `message_id=${id}`;
  const eventsOf = async (of: Pick<Sender, "call">, about = query): Promise<Item[]> => {
    const reader = new Reader(of, about);
    await reader.follow();
    return reader.seen;
  };
  await expect.poll(async () => (await eventsOf(mine)).length, PATIENCE).toBeGreaterThan(0);
  const texts = async (of: Pick<Sender, "call">): Promise<string> => {
    const events = await eventsOf(of);
    return JSON.stringify([events, (await of.call("GET", `/v1/events/${events[0]?.id}`)).body]);
  };
  expect(await texts(mine)).toContain("My secret words");
  const seen = await texts(blind);
  expect(seen).not.toContain("secret");
  expect(seen).toContain(id);

  expect((await mine.call("DELETE", `/v1/contacts/${person}`)).status).toBe(204);
  const erased = await texts(mine);
  expect([erased.includes("secret"), erased.includes("15559200001"), erased.includes(id)]).toEqual([
    false,
    false,
    true,
  ]);
  const kinds = async (): Promise<string[]> => (await eventsOf(mine, `contact_id=${person}`)).map(({ kind }) => kind);
  await expect.poll(kinds, PATIENCE).toContain("contact_deleted");
});

test("events of a restored database come behind those of before, though its transactions begin again", async () => {
  const reader = new Reader(theirs);
  await reader.follow();
  const before = reader.seen.length;
  await asWriter((client) => insertEvent(client, theirs.uuid, "before").then(() => {}), theirs);
  // As after a restore in a cluster whose transactions are far below those that the rows were written by.
  await withClient(gateway.database.url, async (client) => {
    await client.query("alter table event no force row level security; alter table event disable row level security");
    await client.query("update event set xid = (xid::text::bigint + 1000000)::text::xid8 where workspace_id = $1", [
      theirs.uuid,
    ]);
    await client.query("alter table event enable row level security; alter table event force row level security");
    await client.query("update installation set era = era + 1");
  });
  await asWriter((client) => insertEvent(client, theirs.uuid, "after", { era: 2 }).then(() => {}), theirs);
  const all = new Reader(theirs);
  await expect
    .poll(async () => (await all.follow(), all.seen.slice(before).map(({ kind }) => kind)), PATIENCE)
    .toEqual(["before", "after"]);
  const cursor = all.cursor;
  await asWriter((client) => insertEvent(client, theirs.uuid, "later", { era: 2 }).then(() => {}), theirs);
  await expect
    .poll(async () => (await pageOf(theirs, cursor)).data.map(({ kind }) => kind), PATIENCE)
    .toEqual(["later"]);
});

test("a cursor whose events are no longer kept goes on from the oldest that are, and says so", async () => {
  const { next_cursor: old } = await pageOf(mine, null, "limit=1");
  const reader = new Reader(mine);
  await reader.follow();
  gateway.clock.advance(20 * DAY_MS);
  await gateway.partitionsAhead();
  // A reader who had read all has missed nothing, however long nothing happened.
  const kept = (await pageOf(mine, reader.cursor)).next_cursor;
  gateway.clock.advance(12 * DAY_MS);
  await gateway.partitionsAhead();
  const id = await newContact();
  const idsOf = (page: Page): unknown[] =>
    page.data.map(({ data }) => (data["contact"] as { id?: string } | undefined)?.id);
  await expect.poll(async () => idsOf(await pageOf(mine, kept)), PATIENCE).toEqual([id]);
  expect((await pageOf(mine, kept)).gap).toBe(false);
  const page = await pageOf(mine, old, "limit=1");
  expect([idsOf(page), page.gap]).toEqual([[id], true]);
  expect((await pageOf(mine, page.next_cursor, "limit=1")).gap).toBe(false);
});
