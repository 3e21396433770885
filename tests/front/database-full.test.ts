import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../packages/server/src/testing/callback.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { person, rowsOf } from "./requests.ts";

// A full disk refuses some writes, none of which caused it: nothing is half-written, no row is blamed, and
// what waits goes on when there is room.
let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const DISK_FULL = "53100";

/** Inserts into the table fail in this way until `mend`; a sequence counts them, because it is not rolled back. */
async function fail(table: string, state: string): Promise<void> {
  await outside(`
    create sequence if not exists tries;
    grant usage on sequence tries to public;
    create function refuse() returns trigger language plpgsql as $$ begin
      perform nextval('tries');
      raise exception 'could not extend file: No space left on device' using errcode = '${state}';
    end $$;
    create trigger refuse before insert on ${table} for each row execute function refuse()`);
}

const mend = (): Promise<unknown> => outside("drop function if exists refuse() cascade; drop sequence if exists tries");

async function tries(): Promise<number> {
  const [row] = await outside<{ n: string }>("select case when is_called then last_value else 0 end as n from tries");
  return Number(row?.n);
}

const outside = <Row extends object>(text: string): Promise<Row[]> =>
  withClient(gateway.database.url, async (client) => (await client.query<Row>(text)).rows);

/** Resolves when all rows of these sends are there: of their attempts, and of what was learned by the answers. */
async function settled(sends: readonly { body: { id: string } }[]): Promise<void> {
  for (const { body } of sends) await mine.becomes(body.id, "accepted");
  await gateway.features.services.identityResolver.resolve();
}

afterEach(() => mend());

const REFUSED = { status: 503, code: "unavailable", retryable: true };
/** Subscribed to an event that does not happen here: each try of a delivery would be a row, and failed ones are tried again. */
const endpoint = { url: "https://example.com/hooks", events: ["paused"] };

describe("without room on the disk", () => {
  it("messages are 503 by batches, nothing of them stays, and the same keys are accepted afterwards", async () => {
    const first = await mine.send(person());
    expect(first.status).toBe(202);
    await settled([first]);
    const people = Array.from({ length: 60 }, () => person());
    const send = (to: string) => mine.send(to, {}, { "x-idempotency-key": `full-${to}` });
    const before = await rowsOf(gateway);
    await fail("message", DISK_FULL);
    const replies = await Promise.all(people.map(send));
    expect(replies.map(({ body }) => body)).toEqual(replies.map(() => expect.objectContaining(REFUSED)));
    expect(new Set(replies.map(({ headers }) => headers["retry-after"]))).toEqual(new Set(["1"]));
    // It is no row's fault, so none is tried alone.
    expect(await tries()).toBeLessThan(people.length / 2);
    expect(await rowsOf(gateway)).toEqual(before);
    await mend();
    const accepted = await Promise.all(people.map(send));
    expect(accepted.map(({ status }) => status)).toEqual(people.map(() => 202));
    await settled(accepted);
    expect(await mine.rows("select from message where recipient = any($1)", [people])).toHaveLength(people.length);
  });

  it("other writes are 503 too, and nothing of them stays", async () => {
    await fail("webhook_endpoint", DISK_FULL);
    const post = () =>
      mine.call("POST", "/v1/webhook-endpoints", { body: endpoint, headers: { "x-idempotency-key": "full" } });
    expect((await post()).body).toMatchObject(REFUSED);
    await mend();
    const made = await post();
    expect([made.status, made.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  });

  // For its bytes, and for its effect, which is stored with them.
  it.each(["callback", "event"])("in %s a callback is 503, so that the provider posts it again", async (table) => {
    await fail(table, DISK_FULL);
    const text = `Hello ${table}`;
    const callback = callbackOf(mine.account, textFrom("15558880001", `wamid.${table}`, text, gateway.clock.now()));
    expect((await postCallback(gateway, callback)).status).toBe(503);
    await mend();
    expect((await postCallback(gateway, callback)).status).toBe(200);
    await expect.poll(() => inboundOf(text)).toHaveLength(1);
  });

  it("a callback that was stored is parsed when there is room, however long it takes", async () => {
    await fail("event", DISK_FULL);
    // More changes than are applied before the 200.
    const ids = Array.from({ length: 51 }, (_, index) => `wamid.later.${index}`);
    const later = ids.map((id) => textFrom("15558880002", id, "Later", gateway.clock.now()));
    const callback = callbackOf(mine.account, ...later);
    expect((await postCallback(gateway, callback)).status).toBe(200);
    for (let round = 1; round <= 8; round += 1) {
      await expect.poll(tries).toBeGreaterThanOrEqual(round);
      gateway.clock.advance(10 * 60_000);
    }
    expect(await outside("select reason from quarantine")).toEqual([]);
    expect(await inboundOf("Later")).toEqual([]);
    await mend();
    await expect.poll(() => inboundOf("Later")).toHaveLength(ids.length);
  });
});

const inboundOf = async (text: string) =>
  (await mine.call("GET", "/v1/messages?direction=inbound&limit=100")).body.data.filter(
    (message: { text?: { body?: string } }) => message.text?.body === text,
  );

describe("a passing trouble of the database", () => {
  // Memory, files, the disk itself; then a statement that took too long, a deadlock, a conflicting commit.
  it.each(["53200", "53400", "58030", "57014", "40P01", "40001"])("%s is 503 and nothing was done", async (state) => {
    const before = await rowsOf(gateway);
    for (const table of ["message", "webhook_endpoint"]) {
      await fail(table, state);
      const reply =
        table === "message"
          ? await mine.send(person())
          : await mine.call("POST", "/v1/webhook-endpoints", { body: endpoint });
      expect(reply.body).toMatchObject(REFUSED);
      await mend();
    }
    expect(await rowsOf(gateway)).toEqual(before);
  });
});
