import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRoles } from "../../../db/migrate.ts";
import { withClient } from "../../../testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PATIENCE, peopleOf } from "../../identity/testing/people.ts";

// Who keeps a copy of the contacts by `sort=updated_at` ends with the last state of each, whatever was committed when.

/** In all; with 100 ms a commit, 40 at once. */
const UPDATES = Number(process.env["CONTACT_UPDATES"] ?? 5_000);
const WRITERS = 40;
/** Of one transaction: each writer has ten people of its own, so that none waits for another. */
const TOGETHER = 10;
const PEOPLE = WRITERS * TOGETHER;

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let role: string;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  role = (await readRoles(gateway.database.url))?.appRole ?? "";
});
afterAll(() => gateway.stop());

type Item = { id: string; name?: string; deleted?: true };
type Page = { data: Item[]; next_cursor: string; has_more: boolean };
const pageAfter = async (cursor: string | null, of = mine, limit = 100): Promise<Page> => {
  const reply = await of.call(
    "GET",
    `/v1/contacts?sort=updated_at&limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`,
  );
  expect(reply.status).toBe(200);
  return reply.body;
};

/** A copy of a workspace's contacts, as a client keeps it. */
class Copy {
  readonly names = new Map<string, string | null>();
  readonly gone = new Set<string>();
  cursor: string | null = null;
  pages = 0;

  /** Reads until there is no more; returns the ids in their order. */
  async follow(of = mine): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const { data, next_cursor, has_more } = await pageAfter(this.cursor, of);
      this.pages += 1;
      for (const { id, name, deleted } of data) {
        ids.push(id);
        if (deleted) this.gone.add(id);
        if (deleted) this.names.delete(id);
        else this.names.set(id, name ?? null);
      }
      expect(next_cursor).toMatch(/./);
      this.cursor = next_cursor;
      if (!has_more) return ids;
    }
  }
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** A connection of a workspace's own role. */
const asWriter = (work: (client: Client) => Promise<void>, of = mine): Promise<void> =>
  withClient(gateway.database.url, async (client) => {
    await client.query(`set role "${role}"`);
    await client.query("select set_config('app.workspace_id', $1, false)", [of.uuid]);
    await work(client);
  });

const create = async (phone: string, name: string, of = mine): Promise<string> =>
  (await of.call("POST", "/v1/contacts", { body: { phone, name } })).body.id;

describe("the order of changes", () => {
  it("begins with contacts that none has changed since it is kept, and goes on from a cursor without end", async () => {
    const copy = new Copy();
    expect(await copy.follow(theirs)).toEqual([]);
    const [one, two] = [await create("+15558100001", "One", theirs), await create("+15558100002", "Two", theirs)];
    const seen: string[] = [];
    const follow = async (): Promise<string[]> => {
      seen.push(...(await copy.follow(theirs)));
      return seen.splice(0, seen.length, ...seen);
    };
    await expect.poll(follow, PATIENCE).toEqual([one, two]);
    await theirs.call("PATCH", `/v1/contacts/${one}`, { body: { name: "One again" } });
    await expect.poll(follow, PATIENCE).toEqual([one, two, one]);
    expect([...copy.names.values()]).toEqual(["One again", "Two"]);
    // The first message of a person says what the provider calls them; a later one changes nothing but the time of the last.
    await theirs.inbound("15558100002");
    await expect.poll(follow, PATIENCE).toEqual([one, two, one, two]);
    await theirs.inbound("15558100002");
    await theirs.call("PATCH", `/v1/contacts/${one}`, { body: { name: "One at last" } });
    await expect.poll(follow, PATIENCE).toEqual([one, two, one, two, one]);
    // As a migration left it.
    await asWriter(async (client) => {
      await client.query("reset role; alter table contact disable trigger note_contact_change");
      await client.query(`set role "${role}"`);
      await client.query("update contact set changed_era = null, changed_in = null where phone = '+15558100002'");
      await client.query("reset role; alter table contact enable trigger note_contact_change");
    }, theirs);
    await expect
      .poll(async () => (await pageAfter(null, theirs)).data.map(({ id }) => id), PATIENCE)
      .toEqual([two, one]);
    const { data, has_more } = await pageAfter(null, theirs, 1);
    expect([data.map(({ id }) => id), has_more]).toEqual([[two], true]);
  });

  it("waits for a transaction that runs long, and loses nothing of it", async () => {
    const copy = new Copy();
    const late = await create("+15558200001", "Before");
    await expect.poll(async () => (await copy.follow(), copy.names.get(late)), PATIENCE).toBe("Before");
    let quick = "";
    await asWriter(async (slow) => {
      await slow.query("begin");
      await slow.query("update contact set name = 'Late' where phone = '+15558200001'");
      quick = await create("+15558200002", "Quick");
      expect(await copy.follow()).toEqual([]);
      await slow.query("commit");
    });
    await expect
      .poll(async () => (await copy.follow(), [copy.names.get(late), copy.names.get(quick)]), PATIENCE)
      .toEqual(["Late", "Quick"]);
  });

  it("has the id of a record that was merged, whatever the filter", async () => {
    const { get } = peopleOf(gateway, mine);
    const copy = new Copy();
    const { contact_id: survivor } = await mine.inbound("5491112340021");
    const { contact_id: other } = (await mine.send("+541112340021")).body;
    expect(other).not.toBe(survivor);
    const merged = async (): Promise<string[]> => [(await get(survivor)).id, (await get(other)).id];
    await expect.poll(async () => new Set(await merged()).size, PATIENCE).toBe(1);
    const [left = ""] = await merged();
    const ceased = left === survivor ? other : survivor;
    await expect.poll(async () => (await copy.follow(), [...copy.gone]), PATIENCE).toEqual([ceased]);
    expect(copy.names.has(left)).toBe(true);
    const filtered = (await mine.call("GET", "/v1/contacts?sort=updated_at&tag=none")).body;
    expect(filtered.data).toEqual([{ id: ceased, deleted: true }]);
  });

  it("has the ids of a person who was erased, and no other reader's", async () => {
    const [copy, other] = [new Copy(), new Copy()];
    const id = await create("+15558400001", "Erased");
    await expect.poll(async () => (await copy.follow(), copy.names.get(id)), PATIENCE).toBe("Erased");
    expect((await mine.call("DELETE", `/v1/contacts/${id}`)).status).toBe(204);
    await expect
      .poll(async () => (await copy.follow(), [copy.names.has(id), copy.gone.has(id)]), PATIENCE)
      .toEqual([false, true]);
    await other.follow(theirs);
    expect(other.gone.has(id)).toBe(false);
  });

  it(`loses none of ${UPDATES} updates that are committed in another order than they were made`, {
    timeout: 60_000 + UPDATES * 20,
  }, async () => {
    const phones = Array.from({ length: PEOPLE }, (_, n) => `+1555830${1000 + n}`);
    await mine.call("POST", "/v1/contacts/batch", { body: { contacts: phones.map((phone) => ({ phone })) } });
    let left = UPDATES;
    const write = (_: unknown, own: number): Promise<void> =>
      asWriter(async (client) => {
        for (; left > 0; left -= TOGETHER)
          // Each holds its number of a transaction for up to 100 ms before it commits.
          await client.query(
            `begin; update contact set name = gen_random_uuid()::text where phone like '+1555830${100 + own}_';
             select pg_sleep(random() * 0.1); commit`,
          );
      });
    const copy = new Copy();
    let [writing, behind] = [true, 0];
    const writers = Promise.all(Array.from({ length: WRITERS }, write)).then(() => (writing = false));
    while (writing) behind += (await copy.follow()).length;
    await writers;
    expect(behind).toBeGreaterThan(0);
    const truth = await mine.rows<{ name: string }>(
      "select name from contact where phone like '+1555830%' order by phone",
    );
    const ids = new Map<string, string>();
    const copied = async (): Promise<(string | null | undefined)[]> => {
      await copy.follow();
      return phones.map((phone) => copy.names.get(ids.get(phone) ?? ""));
    };
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { data: { id: string; phone: string }[]; next_cursor: string | null } = (
        await mine.call("GET", `/v1/contacts?limit=100${cursor && `&cursor=${cursor}`}`)
      ).body;
      for (const { id, phone } of page.data) ids.set(phone, id);
      cursor = page.next_cursor;
    }
    await expect.poll(copied, PATIENCE).toEqual(truth.map(({ name }) => name));
  });
});
