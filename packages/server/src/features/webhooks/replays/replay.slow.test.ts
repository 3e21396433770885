import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../../testing/gateway.ts";
import { sized } from "../../../testing/size.ts";
import { PATH } from "../testing/app.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";

let gateway: Gateway;
let receiver: Receiver;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await gateway.stop();
});

const PATIENCE = { timeout: 180_000, interval: 100 };
/** At 50 a second most of them wait for far longer than the live events take. */
const EVENTS = sized(3_000, 10_000);
const PEOPLE = 100;

test("live events are posted while a replay of thousands waits, and each conversation of it keeps its order", {
  timeout: 600_000,
}, async () => {
  const { uuid, call } = await gateway.workspace();
  const people: string[] = [];
  for (let n = 0; n < PEOPLE; n++)
    people.push((await call("POST", "/v1/contacts", { body: { phone: `+1555888${1_000 + n}` } })).body.id);
  // What happened before, a millisecond apart.
  const written = await gateway.app.db.transaction(uuid, (sql) =>
    sql.run(
      `insert into event (workspace_id, id, era, kind, sequence, contact_id, occurred_at, state, created_at)
       select e.workspace_id, new_uuid(t.at), e.era, e.kind, nextval('conversation_sequence'), e.contact_id, t.at, e.state, t.at
       from (select v.*, row_number() over (order by v.id) - 1 as person from event v where v.kind = 'contact_created') e
       join generate_series(0, $2::int - 1) g(n) on e.person = g.n % ${PEOPLE}
       cross join lateral (select $1::timestamptz + (g.n - $2::int) * interval '1 millisecond' as at) t
       order by g.n`,
      [new Date(gateway.clock.now() - 60_000), EVENTS],
    ),
  );
  expect(written).toBe(EVENTS);

  // Slow, so that much is left of the replay on a busy machine too.
  const of = { events: ["contact_created", "contact_updated"], ordered: true, rate_per_second: 10 };
  const body = { url: receiver.url, ...of };
  const { body: endpoint } = await call("POST", PATH, { body });
  const path = `${PATH}/${endpoint.id}/replays`;
  const created_after = new Date(gateway.clock.now() - 3_600_000).toISOString();
  const created_before = new Date(gateway.clock.now() - 60_000).toISOString();
  const asked = await call("POST", path, { body: { created_after, created_before, only: "missing" } });
  expect(asked.status).toBe(202);
  const replay = async () => (await call("GET", `${path}/${asked.body.id}`)).body;
  await expect.poll(async () => (await replay()).progress.scheduled, PATIENCE).toBe(EVENTS);
  await receiver.got(1);

  // Of conversations that the replay has most of ahead of it.
  const live = (): string[] =>
    receiver.received.flatMap(({ headers, body: { data } }) =>
      headers["x-service-replay"] === undefined ? [data.contact.id] : [],
    );
  for (const [n, id] of people.slice(0, 5).entries()) {
    expect((await call("PATCH", `/v1/contacts/${id}`, { body: { name: "Ana" } })).status).toBe(200);
    await expect.poll(() => live().length, PATIENCE).toBe(n + 1);
  }
  expect(live()).toEqual(people.slice(0, 5));
  expect(receiver.received.length).toBeLessThan(EVENTS / 2);

  await call("PATCH", `${PATH}/${endpoint.id}`, { body: { rate_per_second: 1_000 } });
  await expect.poll(async () => (await replay()).status, PATIENCE).toBe("completed");
  expect((await replay()).progress).toEqual({ matched: EVENTS, scheduled: EVENTS, succeeded: EVENTS, failed: 0 });
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(EVENTS + 5);
  const sequences = new Map<string, number[]>();
  for (const { headers, body: event } of receiver.received)
    if (headers["x-service-replay"] === "true") {
      const { id } = event.data.contact;
      sequences.set(id, [...(sequences.get(id) ?? []), event.sequence]);
    }
  for (const those of sequences.values()) {
    expect(those).toHaveLength(EVENTS / PEOPLE);
    expect(those).toEqual(those.toSorted((a, b) => a - b));
  }
  expect(sequences.size).toBe(PEOPLE);
});
