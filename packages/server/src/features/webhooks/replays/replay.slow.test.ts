import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { sized } from "../../../testing/size.ts";
import { PATH } from "../testing/app.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";

let gateway: Gateway;
const receivers: Receiver[] = [];
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await gateway.stop();
});

async function receiverOfItsOwn(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

const PATIENCE = { timeout: 180_000, interval: 100 };
/** At 50 a second most of them wait for far longer than the live events take. */
const EVENTS = sized(3_000, 10_000);
const PEOPLE = 100;
/** Deliveries that may wait of a replay where two seconds of its endpoint's rate are fewer; at this rate they are as many. */
const LEAST_AHEAD = 500;
const RATE = LEAST_AHEAD / 2;

type Call = Workspace["call"];

/** A workspace with people, and events of them in turn from a minute ago, a millisecond apart. */
async function withHistory(): Promise<{ call: Call; people: string[] }> {
  const { uuid, call } = await gateway.workspace();
  const people: string[] = [];
  for (let n = 0; n < PEOPLE; n++)
    people.push((await call("POST", "/v1/contacts", { body: { phone: `+1555888${1_000 + n}` } })).body.id);
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
  return { call, people };
}

/** Replays what happened before to a new endpoint that keeps the order: the paths of both. */
async function replayTo({ url }: Receiver, call: Call, rate_per_second: number) {
  const of = { events: ["contact_created", "contact_updated"], ordered: true, rate_per_second };
  const { body: endpoint } = await call("POST", PATH, { body: { url, ...of } });
  const created_after = new Date(gateway.clock.now() - 3_600_000).toISOString();
  const created_before = new Date(gateway.clock.now() - 60_000).toISOString();
  const path = `${PATH}/${endpoint.id}`;
  const asked = await call("POST", `${path}/replays`, { body: { created_after, created_before, only: "missing" } });
  expect(asked.status).toBe(202);
  const replay = async () => (await call("GET", `${path}/replays/${asked.body.id}`)).body;
  return { path, replay };
}

/** Each conversation of the replay came whole and in its order. */
function expectOrdered({ received }: Receiver): void {
  const sequences = new Map<string, number[]>();
  for (const { headers, body: event } of received)
    if (headers["x-service-replay"] === "true") {
      const { id } = event.data.contact;
      sequences.set(id, [...(sequences.get(id) ?? []), event.sequence]);
    }
  for (const those of sequences.values()) {
    expect(new Set(those).size).toBe(EVENTS / PEOPLE);
    expect(those).toEqual(those.toSorted((a, b) => a - b));
  }
  expect(sequences.size).toBe(PEOPLE);
}

test("live events are posted while a replay of thousands waits, and each conversation of it keeps its order", {
  timeout: 600_000,
}, async () => {
  const receiver = await receiverOfItsOwn();
  const { call, people } = await withHistory();
  // Slow, so that much is left of the replay on a busy machine too.
  const { path, replay } = await replayTo(receiver, call, 10);
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
  const ahead = async (): Promise<number> => {
    const { scheduled, succeeded } = (await replay()).progress;
    return scheduled - succeeded;
  };
  expect(await ahead()).toBeGreaterThan(0);
  expect(await ahead()).toBeLessThanOrEqual(LEAST_AHEAD);

  expect((await call("PATCH", path, { body: { rate_per_second: 1_000 } })).status).toBe(200);
  let most = 0;
  const status = async (): Promise<string> => {
    most = Math.max(most, await ahead());
    return (await replay()).status;
  };
  await expect.poll(status, PATIENCE).toBe("completed");
  expect(most).toBeLessThanOrEqual(2 * 1_000);
  expect((await replay()).progress).toEqual({ matched: EVENTS, scheduled: EVENTS, succeeded: EVENTS, failed: 0 });
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(EVENTS + 5);
  expectOrdered(receiver);
});

test("conversations of a replay that its receiver refuses hold up no other", {
  timeout: 600_000,
}, async () => {
  const receiver = await receiverOfItsOwn();
  const { call, people } = await withHistory();
  const failing = new Set(people.filter((_, n) => n % 4 === 0));
  const kept = (EVENTS * (PEOPLE - failing.size)) / PEOPLE;
  let isMended = false;
  receiver.answer((response, { body: { data } }) =>
    response.writeHead(!isMended && failing.has(data.contact.id) ? 400 : 200).end(),
  );
  const { replay } = await replayTo(receiver, call, RATE);
  const progress = async () => (await replay()).progress;
  // Behind the first of a conversation that fails its others wait, which are more than may wait at once.
  await expect.poll(async () => (await progress()).succeeded, PATIENCE).toBe(kept);
  await expect.poll(progress, PATIENCE).toEqual({ matched: EVENTS, scheduled: EVENTS, succeeded: kept, failed: 0 });

  isMended = true;
  const status = async (): Promise<string> => {
    gateway.clock.advance(5_000);
    return (await replay()).status;
  };
  await expect.poll(status, PATIENCE).toBe("completed");
  expect(await progress()).toMatchObject({ succeeded: EVENTS, failed: 0 });
  expectOrdered(receiver);
});
