import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { withClient } from "../../../testing/client.ts";
import { EventReader } from "../../../testing/event-reader.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";

// A reader of the stream has each event once, over all its connections, for as long as it may have them.

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
const open: EventReader[] = [];
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 20_000, interval: 20 };
const DAY_MS = 86_400_000;

async function follow(of: { key: string }, given: Parameters<typeof EventReader.open>[2] = {}): Promise<EventReader> {
  const reader = await EventReader.open(gateway.url, of.key, given);
  open.push(reader);
  await expect.poll(() => reader.lastId, PATIENCE).not.toBe("");
  return reader;
}
const arrived = async (reader: EventReader, count: number): Promise<void> =>
  await expect.poll(() => reader.events.length, PATIENCE).toBe(count);

let people = 0;
const newContact = async (of = mine): Promise<string> => {
  const body = { phone: `+1555800${1000 + ++people}`, name: "Ana" };
  return (await of.call("POST", "/v1/contacts", { body })).body.id;
};
const contactsOf = ({ events }: EventReader): unknown[] =>
  events.flatMap(({ data }) => (data.data as { contact?: { id: string } }).contact?.id ?? []);

/** Writes so many events of a kind, in one transaction, `daysAgo`. */
const insertEvents = (of: Sender, kind: string, count: number, daysAgo = 0): Promise<void> =>
  withClient(gateway.database.url, async (client) => {
    const { rows } = await client.query("select app_role from installation");
    await client.query(`set role "${rows[0].app_role}"`);
    await client.query("select set_config('app.workspace_id', $1, false)", [of.uuid]);
    await client.query(
      `insert into event (workspace_id, id, era, kind, sequence, occurred_at, state, created_at)
       select $1, new_uuid($3::timestamptz), 1, $2, nextval('conversation_sequence'), now(), '{}', $3 from generate_series(1, $4)`,
      [of.uuid, kind, new Date(gateway.clock.now() - daysAgo * DAY_MS).toISOString(), count],
    );
  });

test("a stream has what happens from now on, each event with the body of the list and its cursor, for its workspace alone", async () => {
  const earlier = await newContact();
  // What was not settled when a stream began comes to it too.
  const listed = async () => JSON.stringify((await mine.call("GET", "/v1/events?limit=100")).body.data);
  await expect.poll(listed, PATIENCE).toContain(earlier);
  const [reader, other] = [await follow(mine), await follow(theirs)];
  expect(reader.contentType).toBe("text/event-stream");
  expect(reader.retryMs).toBeGreaterThan(1_000);
  const ids = [await newContact(), await newContact()];
  await arrived(reader, 2);
  expect(contactsOf(reader)).toEqual(ids);
  for (const { event, data } of reader.events) {
    expect(event).toBe(data.kind);
    expect((await mine.call("GET", `/v1/events/${data.id}`)).body).toEqual(data);
  }
  // The cursor behind the first one is one of the list, and the list's is one of the stream.
  const list = await mine.call("GET", `/v1/events?cursor=${reader.events[0]?.id}`);
  expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual(reader.ids.slice(1));
  const again = await follow(mine, { query: `cursor=${list.body.next_cursor}` });
  const third = await newContact();
  await arrived(again, 1);
  expect(contactsOf(again)).toEqual([third]);
  expect(other.events).toEqual([]);
  await expect(EventReader.open(gateway.url, theirs.key, { lastId: reader.lastId })).rejects.toThrow("400");
  await expect(EventReader.open(gateway.url, mine.key, { query: "cursor=x" })).rejects.toThrow("400");
});

test("a reader that comes again goes on behind its last event, through pages and into what happens, without gap or double", async () => {
  let reader = await follow(mine);
  const seen: string[] = [];
  let lastId = reader.lastId;
  const writing = (async () => {
    for (let n = 0; n < 12; n++) await insertEvents(mine, `k${n % 3}`, 60);
  })();
  for (let lives = 0; lives < 6; lives++) {
    await expect.poll(() => reader.events.length + seen.length, PATIENCE).toBeGreaterThan(lives * 100);
    reader.close();
    seen.push(...reader.ids);
    lastId = reader.lastId;
    // The header counts more than the address of the beginning.
    reader = await follow(mine, { lastId, query: `cursor=${lastId}` });
  }
  await writing;
  await arrived(reader, 720 - seen.length);
  seen.push(...reader.ids);
  expect(new Set(seen).size).toBe(720);
});

test("filters are those of the list, and a cursor belongs to its filters; a comment moves the place of a reader for whom nothing came", async () => {
  const rare = await follow(mine, { query: "kind=rare" });
  const first = rare.lastId;
  await insertEvents(mine, "usual", 30);
  await insertEvents(mine, "rare", 1);
  await arrived(rare, 1);
  await insertEvents(mine, "usual", 30);
  const { lastId } = rare;
  await expect(EventReader.open(gateway.url, mine.key, { query: "kind=usual", lastId })).rejects.toThrow("400");
  const before = rare.comments;
  gateway.clock.advance(15_001);
  await expect.poll(() => rare.comments, PATIENCE).toBeGreaterThan(before);
  expect([first, lastId]).not.toContain(rare.lastId);

  const { body: sent } = await mine.send("+15558200001");
  const [ofMessage, ofPerson] = [`message_id=${sent.id}`, `contact_id=${sent.contact_id}`];
  const begun = (await mine.call("GET", `/v1/events?${ofMessage}&limit=1`)).body;
  const streams = [await follow(mine, { query: ofMessage }), await follow(mine, { query: ofPerson })];
  expect(begun.next_cursor).toEqual(expect.any(String));
  expect((await mine.call("PATCH", `/v1/contacts/${sent.contact_id}`, { body: { name: "Bea" } })).status).toBe(200);
  await newContact();
  await expect.poll(() => streams[1]?.events.map(({ event }) => event), PATIENCE).toContain("contact_updated");
  expect(new Set(contactsOf(streams[1] as EventReader))).toEqual(new Set([sent.contact_id]));
  expect(streams[0]?.events.filter(({ event }) => event === "contact_updated")).toEqual([]);
});

test("without messages:read there is no content, at the end of the feed and behind it", async () => {
  const { key } = (await mine.call("POST", "/v1/api-keys", { body: { name: "n", scopes: ["webhooks:read"] } })).body;
  const [blind, seeing] = [await follow({ key }), await follow(mine)];
  const { lastId } = blind;
  const { id } = await mine.inbound("15558300001", "My secret words");
  const about = (reader: EventReader): string => JSON.stringify(reader.events);
  await expect.poll(() => about(seeing), PATIENCE).toContain("My secret words");
  await expect.poll(() => about(blind), PATIENCE).toContain(id);
  const later = await follow({ key }, { lastId });
  await expect.poll(() => about(later), PATIENCE).toContain(id);
  expect(about(blind) + about(later)).not.toContain("secret");
});

test("a stream ends soon after its key is revoked, or its workspace suspended; others go on", async () => {
  const create = { body: { name: "n", scopes: ["webhooks:read"] } };
  const { key, id } = (await mine.call("POST", "/v1/api-keys", create)).body;
  const other = await gateway.workspace(["webhooks:read"]);
  const [revoked, kept, suspended] = [await follow({ key }), await follow(mine), await follow(other)];
  const begun = performance.now();
  expect((await mine.call("DELETE", `/v1/api-keys/${id}`)).status).toBe(204);
  const path = `/admin/v1/workspaces/${other.id}`;
  expect((await gateway.operator("PATCH", path, { body: { status: "suspended" } })).status).toBe(200);
  await expect.poll(() => revoked.isOver && suspended.isOver, PATIENCE).toBe(true);
  expect(performance.now() - begun).toBeLessThan(5_500);
  const contact = await newContact();
  await expect.poll(() => contactsOf(kept), PATIENCE).toContain(contact);
  await expect(EventReader.open(gateway.url, key)).rejects.toThrow("401");
});

test("streams outlast a database that is away, and have what was committed meanwhile", async () => {
  const reader = await follow(mine);
  gateway.databaseProxy.cut();
  await insertEvents(mine, "meanwhile", 3);
  gateway.databaseProxy.mend();
  await expect.poll(() => reader.events.filter(({ event }) => event === "meanwhile").length, PATIENCE).toBe(3);
  expect(reader.isOver).toBe(false);
});

test("all streams of a process are one reader: as many calls for forty of two workspaces as for one", async () => {
  const call = gateway.app.db.call.bind(gateway.app.db);
  let rows: number[] = [];
  gateway.app.db.call = ((fn, given, now) => {
    if (fn.name === "read_feed") rows.push(given.length);
    return call(fn, given, now);
  }) as typeof call;
  const readers = await Promise.all(Array.from({ length: 40 }, (_, index) => follow(index % 2 ? mine : theirs)));
  rows = [];
  const contact = await newContact();
  for (const reader of readers.filter((_, index) => index % 2))
    await expect.poll(() => contactsOf(reader), PATIENCE).toEqual([contact]);
  await expect.poll(() => rows.length, PATIENCE).toBeGreaterThan(4);
  // A workspace that has more is read alone in between.
  expect(Math.max(...rows)).toBe(2);
  expect(rows.filter((count) => count === 1).length).toBeLessThan(5);
  for (const reader of open.splice(0)) reader.close();
  // Nothing is asked once none is open.
  await expect.poll(() => gateway.app.metrics.text(), PATIENCE).toContain("waypost_event_streams 0");
  rows = [];
  for (let n = 0; n < 5; n++) {
    gateway.clock.advance(1_000);
    await newContact();
  }
  expect(rows.length).toBeLessThan(2);
  gateway.app.db.call = call;
});

test("a key has at most twenty streams", async () => {
  const one = await gateway.workspace(["webhooks:read"]);
  await Promise.all(Array.from({ length: 20 }, () => follow(one)));
  await expect(EventReader.open(gateway.url, one.key)).rejects.toThrow("429");
  await follow(theirs);
  open[0]?.close();
  await expect.poll(() => follow(one).then(() => "open", String), PATIENCE).toBe("open");
});

// Last, because it leaves the time for which there are partitions.
test("a cursor whose events are no longer kept begins with a gap", async () => {
  const old = await theirs.call("GET", "/v1/events?limit=1");
  gateway.clock.advance(32 * DAY_MS);
  const reader = await follow(theirs, { lastId: old.body.next_cursor });
  await expect.poll(() => reader.events[0]?.event, PATIENCE).toBe("gap");
  expect(reader.events[0]).toMatchObject({ id: null, data: { gap: true } });
});
