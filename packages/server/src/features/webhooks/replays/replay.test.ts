import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { retain } from "../../retention/retention.ts";
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

const PATIENCE = { timeout: 30_000 };
const HOUR_MS = 3_600_000;

type Subscribed = Workspace & { receiver: Receiver; endpointId: string };

async function subscribe(workspace: Workspace, more: object = {}): Promise<Subscribed> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const body = { url: receiver.url, events: ["contact_created"], ...more };
  const { body: endpoint } = await workspace.call("POST", PATH, { body });
  return { ...workspace, receiver, endpointId: endpoint.id };
}

let last = 0;
async function addContacts({ call }: Workspace, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    expect((await call("POST", "/v1/contacts", { body: { phone: `+1555${2_000_000 + ++last}` } })).status).toBe(201);
}

const anHourAgo = (): string => new Date(gateway.clock.now() - HOUR_MS).toISOString();
const replay = ({ call, endpointId }: Subscribed, body: object) =>
  call("POST", `${PATH}/${endpointId}/replays`, { body: { created_after: anHourAgo(), ...body } });

/** Waits until a replay has ended, while the clock goes on. */
async function ended({ call, endpointId }: Subscribed, id: string) {
  const path = `${PATH}/${endpointId}/replays/${id}`;
  let body = (await call("GET", path)).body;
  await expect
    .poll(async () => {
      gateway.clock.advance(1_000);
      body = (await call("GET", path)).body;
      return body.completed_at;
    }, PATIENCE)
    .not.toBeNull();
  return body;
}

async function replayed(of: Subscribed, body: object) {
  const created = await replay(of, body);
  expect(created.status).toBe(202);
  expect(created.headers["location"]).toBe(`${PATH}/${of.endpointId}/replays/${created.body.id}`);
  return await ended(of, created.body.id);
}

const idsOf = ({ received }: Receiver): unknown[] => received.map(({ headers }) => headers["webhook-id"]);
const eventIds = async ({ call }: Workspace): Promise<string[]> =>
  (await call("GET", "/v1/events?kind=contact_created&limit=100")).body.data.map(({ id }: { id: string }) => id);

test("events from before an endpoint was created are sent to it once, in their order and with their ids", async () => {
  const workspace = await gateway.workspace();
  await addContacts(workspace, 5);
  const mine = await subscribe(workspace);
  await expect.poll(async () => (await eventIds(mine)).length, PATIENCE).toBe(5);
  const counted = await replayed(mine, { only: "missing", dry_run: true });
  expect(counted).toMatchObject({
    status: "completed",
    events: ["contact_created"],
    only: "missing",
    dry_run: true,
    progress: { matched: 5, scheduled: 0, succeeded: 0, failed: 0 },
    error: null,
  });
  expect(mine.receiver.received).toEqual([]);
  const done = await replayed(mine, { only: "missing" });
  expect(done).toMatchObject({ status: "completed", progress: { matched: 5, scheduled: 5, succeeded: 5, failed: 0 } });
  expect(idsOf(mine.receiver).toSorted()).toEqual((await eventIds(mine)).toSorted());
  expect(mine.receiver.received.map(({ headers }) => headers["x-service-replay"])).toEqual(Array(5).fill("true"));
  expect((await replayed(mine, { only: "missing" })).progress.matched).toBe(0);
  expect((await replayed(mine, { only: "failed" })).progress.matched).toBe(0);
  expect((await replayed(mine, { only: "all", events: ["contact_deleted"] })).progress.matched).toBe(0);
  // All: each once more, as another attempt of the same delivery.
  expect((await replayed(mine, { only: "all" })).progress).toMatchObject({ scheduled: 5, succeeded: 5 });
  expect(new Set(idsOf(mine.receiver)).size).toBe(5);
  expect(mine.receiver.received.length).toBe(10);
  const { data } = (await mine.call("GET", `${PATH}/${mine.endpointId}/deliveries`)).body;
  expect(data.map(({ attempt, status }: { attempt: number; status: string }) => [attempt, status])).toEqual(
    Array(5).fill([2, "succeeded"]),
  );
  const { attempts } = (await mine.call("GET", `/v1/deliveries/${data[0].id}`)).body;
  expect(attempts.map(({ request }: { request: { headers: object } }) => request.headers)).toMatchObject([
    { "x-service-replay": "true", "x-service-attempt": "1" },
    { "x-service-replay": "true", "x-service-attempt": "2" },
  ]);
});

test("deliveries that were given up are sent again, and those that wait for their next attempt are not", async () => {
  const mine = await subscribe(await gateway.workspace());
  await addContacts(mine, 4);
  await mine.receiver.got(4);
  const succeeded = async () => (await mine.call("GET", "/v1/deliveries?status=succeeded")).body.data;
  await expect.poll(async () => (await succeeded()).length, PATIENCE).toBe(4);
  const text = "update delivery set status = 'failed' where id in (select d.id from delivery d order by d.id limit 2)";
  await gateway.app.db.transaction(mine.uuid, (sql) => sql.run(text));
  mine.receiver.answer((response) => response.writeHead(500).end());
  await addContacts(mine, 1);
  await mine.receiver.got(5);
  await expect
    .poll(async () => (await mine.call("GET", "/v1/deliveries?status=pending")).body.data[0]?.attempt, PATIENCE)
    .toBe(1);
  mine.receiver.answer((response) => response.end());
  const done = await replayed(mine, {});
  expect(done).toMatchObject({
    only: "failed",
    progress: { matched: 2, scheduled: 2, succeeded: 2, failed: 0 },
  });
  expect(mine.receiver.received.filter(({ headers }) => headers["x-service-replay"] === "true").length).toBe(2);
});

test("live events are posted while a replay runs at the endpoint's rate, and it goes on behind a disabled time", async () => {
  const workspace = await gateway.workspace();
  await addContacts(workspace, 40);
  const mine = await subscribe(workspace, { rate_per_second: 5 });
  await expect.poll(async () => (await eventIds(mine)).length, PATIENCE).toBe(40);
  const { body: running } = await replay(mine, { only: "missing" });
  await mine.receiver.got(1);
  await addContacts(mine, 1);
  const isLive = ({ headers }: Receiver["received"][number]): boolean => headers["x-service-replay"] === undefined;
  await expect.poll(() => mine.receiver.received.filter(isLive).length, PATIENCE).toBe(1);
  expect(mine.receiver.received.length).toBeLessThan(41);
  await mine.call("PATCH", `${PATH}/${mine.endpointId}`, { body: { enabled: false } });
  const state = async () => (await mine.call("GET", `${PATH}/${mine.endpointId}/replays/${running.id}`)).body;
  expect((await state()).status).toBe("running");
  expect((await replay(mine, {})).status).toBe(409);
  expect((await replayed(mine, { only: "all", dry_run: true })).progress.matched).toBeGreaterThan(0);
  await mine.call("PATCH", `${PATH}/${mine.endpointId}`, { body: { enabled: true, rate_per_second: null } });
  expect(await ended(mine, running.id)).toMatchObject({ status: "completed", progress: { succeeded: 40, failed: 0 } });
  expect(new Set(idsOf(mine.receiver)).size).toBe(41);
});

test("a test event and a retry do not wait until a receiver has recovered that failed a replay", async () => {
  const workspace = await gateway.workspace();
  await addContacts(workspace, 13);
  const asksOf: ((of: Subscribed) => Promise<string>)[] = [
    async (of) => (await of.call("POST", `${PATH}/${of.endpointId}/test`)).body.id,
    async ({ call, receiver }) => {
      const id = String(receiver.received[0]?.headers["x-service-delivery"]);
      expect((await call("POST", `/v1/deliveries/${id}/retry`)).status).toBe(202);
      return id;
    },
  ];
  for (const ask of asksOf) {
    const mine = await subscribe(workspace);
    mine.receiver.answer((response) => response.writeHead(500).end());
    await replay(mine, { only: "missing" });
    // After so many its lane leaves an endpoint alone.
    await expect.poll(() => mine.receiver.received.length, PATIENCE).toBeGreaterThanOrEqual(10);
    mine.receiver.answer((response) => response.end());
    const asked = await ask(mine);
    const status = async () => (await mine.call("GET", `/v1/deliveries/${asked}`)).body.status;
    await expect.poll(status, { timeout: 15_000 }).toBe("succeeded");
  }
});

test("a replay ends as completed when its endpoint is deleted behind the last delivery", async () => {
  const workspace = await gateway.workspace();
  await addContacts(workspace, 2);
  const mine = await subscribe(workspace);
  await expect.poll(async () => (await eventIds(mine)).length, PATIENCE).toBe(2);
  // Older than what is kept: it is left out.
  const created_after = new Date(gateway.clock.now() - 40 * 24 * HOUR_MS).toISOString();
  const { body: taken } = await replay(mine, { created_after, only: "missing" });
  await mine.receiver.got(2);
  const succeeded = async () =>
    (await mine.call("GET", `${PATH}/${mine.endpointId}/replays/${taken.id}`)).body.progress;
  await expect.poll(succeeded, PATIENCE).toMatchObject({ matched: 2, succeeded: 2 });
  await mine.call("DELETE", `${PATH}/${mine.endpointId}`);
  expect(await ended(mine, taken.id)).toMatchObject({ status: "completed", error: null });
});

test("what is scheduled for an endpoint that is deleted fails, and another workspace sees no replay", async () => {
  const workspace = await gateway.workspace();
  await addContacts(workspace, 3);
  const [mine, theirs] = [await subscribe(workspace), await subscribe(await gateway.workspace())];
  mine.receiver.answer((response) => response.writeHead(500).end());
  await expect.poll(async () => (await eventIds(mine)).length, PATIENCE).toBe(3);
  const { body: running } = await replay(mine, { only: "missing" });
  await mine.receiver.got(3);
  expect((await theirs.call("GET", `${PATH}/${mine.endpointId}/replays/${running.id}`)).status).toBe(404);
  expect((await theirs.call("GET", `${PATH}/${theirs.endpointId}/replays/${running.id}`)).status).toBe(404);
  expect((await replay({ ...theirs, endpointId: mine.endpointId }, {})).status).toBe(404);
  await mine.call("DELETE", `${PATH}/${mine.endpointId}`);
  expect(await ended(mine, running.id)).toMatchObject({
    status: "failed",
    error: { code: "endpoint_deleted" },
    progress: { scheduled: 3, succeeded: 0, failed: 3 },
  });
  for (const body of [
    { created_after: new Date(gateway.clock.now() + HOUR_MS).toISOString() },
    { created_after: anHourAgo(), created_before: new Date(gateway.clock.now() - 2 * HOUR_MS).toISOString() },
    { created_after: anHourAgo(), only: "some" },
    { only: "all" },
  ])
    expect((await theirs.call("POST", `${PATH}/${theirs.endpointId}/replays`, { body })).status).toBe(400);
});

// The last one: nothing can be written so far ahead.
test("a replay ends as failed when its endpoint stays disabled for longer than deliveries wait for it", async () => {
  const workspace = await gateway.workspace();
  await addContacts(workspace, 2);
  const mine = await subscribe(workspace);
  await expect.poll(async () => (await eventIds(mine)).length, PATIENCE).toBe(2);
  mine.receiver.answer((response) => response.writeHead(410).end());
  const { body: parked } = await replay(mine, { only: "missing" });
  const endpoint = async () => (await mine.call("GET", `${PATH}/${mine.endpointId}`)).body;
  await expect.poll(async () => (await endpoint()).enabled, PATIENCE).toBe(false);
  gateway.clock.advance(31 * 24 * HOUR_MS);
  const places = new Map();
  for (let round = 0; round < 24; round++) await retain(gateway.app, places);
  expect(await ended(mine, parked.id)).toMatchObject({
    status: "failed",
    error: { code: "endpoint_disabled" },
    progress: { scheduled: 2, succeeded: 0, failed: 2 },
  });
});
