import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
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

const PATIENCE = { timeout: 20_000 };

type Subscribed = Workspace & { receiver: Receiver; endpointId: string };

async function subscribed(more: object = {}): Promise<Subscribed> {
  const workspace = await gateway.workspace();
  const receiver = await startReceiver();
  receivers.push(receiver);
  const body = { url: receiver.url, events: ["contact_created", "contact_updated"], ...more };
  const { body: endpoint } = await workspace.call("POST", PATH, { body });
  return { ...workspace, receiver, endpointId: endpoint.id };
}

const addContact = async ({ call }: Subscribed, n: number): Promise<string> =>
  (await call("POST", "/v1/contacts", { body: { phone: `+1555${1_000_000 + n}` } })).body.id;

type Shown = { id: string; status: string; attempt: number; kind: string; next_attempt_at: string | null };
const deliveries = async ({ call }: Subscribed): Promise<Shown[]> => (await call("GET", "/v1/deliveries")).body.data;
const retry = ({ call }: Subscribed, id: string) => call("POST", `/v1/deliveries/${id}/retry`);

test("a delivery that waits is attempted now, and not at its old time too", async () => {
  const mine = await subscribed();
  mine.receiver.answer((response) => response.writeHead(500).end());
  await addContact(mine, 1);
  await expect.poll(async () => (await deliveries(mine))[0]?.attempt, PATIENCE).toBe(1);
  const [waiting] = await deliveries(mine);
  mine.receiver.answer((response) => response.end());
  const asked = await retry(mine, waiting!.id);
  expect([asked.status, asked.body.status, asked.body.id]).toEqual([202, "pending", waiting?.id]);
  await expect.poll(async () => (await deliveries(mine))[0]?.status, PATIENCE).toBe("succeeded");
  const [first, second] = mine.receiver.received;
  expect(second?.headers).toMatchObject({
    "webhook-id": first?.headers["webhook-id"],
    "x-service-delivery": waiting?.id,
    "x-service-attempt": "2",
  });
  expect(second?.headers["x-service-replay"]).toBeUndefined();
  // A later event passes through the lane after the old time.
  gateway.clock.advance(10_000);
  await addContact(mine, 2);
  await expect.poll(() => mine.receiver.received.length, PATIENCE).toBe(3);
  const states = async () => (await deliveries(mine)).map(({ attempt, status }) => [attempt, status]);
  await expect.poll(states, PATIENCE).toEqual([
    [1, "succeeded"],
    [2, "succeeded"],
  ]);
  const { body } = await mine.call("GET", `/v1/deliveries/${waiting?.id}`);
  expect(body.attempts.map(({ n, outcome }: { n: number; outcome: string }) => [n, outcome])).toEqual([
    [1, "failed"],
    [2, "succeeded"],
  ]);
});

test("one that has ended is open again, once however often it is asked for", async () => {
  const mine = await subscribed();
  await addContact(mine, 3);
  await expect.poll(async () => (await deliveries(mine))[0]?.status, PATIENCE).toBe("succeeded");
  const [done] = await deliveries(mine);
  let release: () => void = () => undefined;
  mine.receiver.answer((response) => {
    release = () => void response.end();
  });
  const answers = await Promise.all(Array.from({ length: 5 }, () => retry(mine, done!.id)));
  expect(answers.map(({ status, body }) => [status, body.status])).toEqual(answers.map(() => [202, "pending"]));
  await expect.poll(() => mine.receiver.received.length, PATIENCE).toBe(2);
  expect((await retry(mine, done!.id)).status).toBe(202);
  release();
  await expect
    .poll(async () => (await deliveries(mine))[0], PATIENCE)
    .toMatchObject({ status: "succeeded", attempt: 2 });
  expect(mine.receiver.received.length).toBe(2);
  // It is tried as any delivery while it fails.
  mine.receiver.answer((response) => response.writeHead(503).end());
  await retry(mine, done!.id);
  await expect.poll(async () => (await deliveries(mine))[0], PATIENCE).toMatchObject({ status: "pending", attempt: 3 });
  mine.receiver.answer((response) => response.end());
  gateway.clock.advance(80_000);
  await expect
    .poll(async () => (await deliveries(mine))[0], PATIENCE)
    .toMatchObject({ status: "succeeded", attempt: 4 });
});

test("of a disabled or deleted endpoint, or of another workspace, no delivery is retried", async () => {
  const [mine, theirs] = [await subscribed(), await subscribed()];
  await addContact(mine, 4);
  await expect.poll(async () => (await deliveries(mine))[0]?.status, PATIENCE).toBe("succeeded");
  const [done] = await deliveries(mine);
  expect((await retry(theirs, done!.id)).status).toBe(404);
  await mine.call("PATCH", `${PATH}/${mine.endpointId}`, { body: { enabled: false } });
  const disabled = await retry(mine, done!.id);
  expect([disabled.status, disabled.body.code]).toEqual([409, "conflict"]);
  await mine.call("DELETE", `${PATH}/${mine.endpointId}`);
  expect((await retry(mine, done!.id)).status).toBe(409);
  expect((await deliveries(mine))[0]?.status).toBe("succeeded");
});

test("a 410 to one disables the endpoint, which parks what was asked for", async () => {
  const mine = await subscribed();
  await addContact(mine, 5);
  await expect.poll(async () => (await deliveries(mine))[0]?.status, PATIENCE).toBe("succeeded");
  const [done] = await deliveries(mine);
  mine.receiver.answer((response) => response.writeHead(410).end());
  await retry(mine, done!.id);
  const endpoint = async () => (await mine.call("GET", `${PATH}/${mine.endpointId}`)).body;
  await expect.poll(async () => (await endpoint()).disabled_reason, PATIENCE).toBe("gone");
  expect((await deliveries(mine))[0]?.status).toBe("parked");
  mine.receiver.answer((response) => response.end());
  await mine.call("PATCH", `${PATH}/${mine.endpointId}`, { body: { enabled: true } });
  await expect
    .poll(async () => {
      gateway.clock.advance(5_000);
      return (await deliveries(mine))[0]?.status;
    }, PATIENCE)
    .toBe("succeeded");
});

test("on an ordered endpoint those that are retried keep their order, and live ones neither wait for them nor are overtaken", async () => {
  const mine = await subscribed({ ordered: true });
  const id = await addContact(mine, 6);
  for (const name of ["a", "b"]) await mine.call("PATCH", `/v1/contacts/${id}`, { body: { name } });
  await expect
    .poll(async () => (await deliveries(mine)).filter(({ status }) => status === "succeeded").length, PATIENCE)
    .toBe(3);
  const done = (await deliveries(mine)).toReversed();
  mine.receiver.answer((response, { headers }) =>
    Number(headers["x-service-attempt"]) > 1 ? response.writeHead(500).end() : response.end(),
  );
  for (const one of done) await retry(mine, one.id);
  await expect.poll(() => mine.receiver.received.length, PATIENCE).toBe(4);
  // The first of them waits for its retry, and holds the others back.
  await mine.call("PATCH", `/v1/contacts/${id}`, { body: { name: "c" } });
  await expect.poll(() => mine.receiver.received.length, PATIENCE).toBe(5);
  expect(mine.receiver.received.at(-1)?.headers["x-service-attempt"]).toBe("1");
  mine.receiver.answer((response) => response.end());
  await expect
    .poll(async () => {
      gateway.clock.advance(3_000);
      return (await deliveries(mine)).filter(({ status }) => status === "succeeded").length;
    }, PATIENCE)
    .toBe(4);
  const again = mine.receiver.received.slice(5).map(({ headers }) => headers["x-service-delivery"]);
  expect(again).toEqual(done.map((one) => one.id));
});

test("on an ordered endpoint one that is attempted now holds back its conversation no longer than that, in order", async () => {
  const mine = await subscribed({ ordered: true });
  mine.receiver.answer((response) => response.writeHead(400, { "retry-after": "600" }).end());
  const id = await addContact(mine, 7);
  await expect.poll(async () => (await deliveries(mine))[0]?.attempt, PATIENCE).toBe(1);
  for (const name of ["a", "b", "c"]) await mine.call("PATCH", `/v1/contacts/${id}`, { body: { name } });
  await expect.poll(async () => (await deliveries(mine)).length, PATIENCE).toBe(4);
  const [first, second, ...more] = (await deliveries(mine)).toReversed();
  mine.receiver.answer((response) => response.end());
  // One that waits behind it does not overtake it.
  expect((await retry(mine, second!.id)).status).toBe(202);
  expect((await retry(mine, first!.id)).status).toBe(202);
  await mine.receiver.got(5);
  const sent = mine.receiver.received.map(({ headers }) => headers["x-service-delivery"]);
  expect(sent).toEqual([first, first, second, ...more].map((one) => one?.id));
  await mine.call("PATCH", `/v1/contacts/${id}`, { body: { name: "d" } });
  await mine.receiver.got(6);
  // The same of those that were asked for before, and failed.
  mine.receiver.answer((response) => response.writeHead(400, { "retry-after": "600" }).end());
  for (const one of [first, second]) await retry(mine, one!.id);
  await mine.receiver.got(7);
  await expect.poll(async () => (await deliveries(mine)).at(-1)?.attempt, PATIENCE).toBe(3);
  mine.receiver.answer((response) => response.end());
  await retry(mine, first!.id);
  await mine.receiver.got(9);
  const again = mine.receiver.received.slice(6).map(({ headers }) => headers["x-service-delivery"]);
  expect(again).toEqual([first, first, second].map((one) => one?.id));
});

const CROWD = 60;

test("on an ordered endpoint a conversation of which many wait goes on at once after a retry, in order", async () => {
  const [mine, other] = [await subscribed({ ordered: true }), await subscribed({ ordered: true })];
  const fail = (to: Subscribed): void =>
    to.receiver.answer((response) => response.writeHead(400, { "retry-after": "600" }).end());
  const crowd = async (to: Subscribed, n: number): Promise<string> => {
    fail(to);
    const contact = await addContact(to, n);
    await expect.poll(async () => (await deliveries(to))[0]?.attempt, PATIENCE).toBe(1);
    for (let one = 0; one < CROWD; one++)
      await to.call("PATCH", `/v1/contacts/${contact}`, { body: { name: `n${one}` } });
    return contact;
  };
  const [contact] = await Promise.all([crowd(mine, 8), crowd(other, 9)]);
  const rename = async (name: string): Promise<void> => {
    expect((await mine.call("PATCH", `/v1/contacts/${contact}`, { body: { name } })).status).toBe(200);
  };
  const first = String(mine.receiver.received[0]?.headers["x-service-delivery"]);
  mine.receiver.answer((response) => response.end());
  other.receiver.answer((response) => response.end());
  // Before its lane knows that it was asked for, and when all of them have gone.
  expect((await retry(mine, first)).status).toBe(202);
  for (const name of ["x", "y", "z"]) await rename(name);
  const sinceRetry = gateway.clock.now();
  const got = async (count: number): Promise<void> => {
    await expect
      .poll(() => {
        if (gateway.clock.now() < sinceRetry + 60_000) gateway.clock.advance(1_000);
        return mine.receiver.received.length;
      }, PATIENCE)
      .toBe(count);
  };
  await got(1 + 1 + CROWD + 3);
  for (const name of ["last", "very last"]) await rename(name);
  await got(1 + 1 + CROWD + 3 + 2);
  const all = (await mine.call("GET", "/v1/deliveries?limit=100")).body.data.toReversed() as Shown[];
  const sent = mine.receiver.received.slice(1).map(({ headers }) => headers["x-service-delivery"]);
  expect(sent).toEqual(all.map(({ id }) => id));
  // Of another workspace nothing was asked for.
  expect(other.receiver.received).toHaveLength(1);
});

const sendTest = async ({ call, endpointId }: Subscribed): Promise<string> => {
  const { status, body } = await call("POST", `${PATH}/${endpointId}/test`);
  expect(status).toBe(202);
  return body.id;
};
const kindsOf = ({ receiver }: Subscribed): unknown[] =>
  receiver.received.map(({ headers }) => headers["x-service-event"]);

test("a test event does not wait until an endpoint that was in trouble has recovered, and shows its attempt", async () => {
  const mine = await subscribed();
  mine.receiver.answer((response) => response.writeHead(500).end());
  for (let n = 0; n < 15; n++) await addContact(mine, 100 + n);
  await mine.receiver.got(10);
  mine.receiver.answer((response) => response.end("taken"));
  const id = await sendTest(mine);
  await mine.receiver.got(11);
  expect(kindsOf(mine)).toEqual([...Array(10).fill("contact_created"), "endpoint_test"]);
  const shown = async () => (await mine.call("GET", `/v1/deliveries/${id}`)).body;
  await expect.poll(async () => (await shown()).status, PATIENCE).toBe("succeeded");
  const { headers, text } = mine.receiver.received[10]!;
  expect(headers).toMatchObject({ "x-service-delivery": id, "x-service-attempt": "1" });
  expect(headers["x-service-replay"]).toBeUndefined();
  expect((await shown()).attempts).toMatchObject([
    { n: 1, status_code: 200, outcome: "succeeded", response: "taken", request: { body: text } },
  ]);
});

test("a test event waits for none of those that failed, also where an order is kept", async () => {
  const mine = await subscribed({ ordered: true });
  mine.receiver.answer((response) => response.writeHead(500).end());
  let failed = "";
  // As many as leave an endpoint alone when they are other events.
  for (let n = 0; n < 12; n++) failed = await sendTest(mine);
  const shown = async (id: string) => (await mine.call("GET", `/v1/deliveries/${id}`)).body;
  await expect.poll(async () => (await shown(failed)).attempt, PATIENCE).toBe(1);
  mine.receiver.answer((response) => response.end());
  const second = await sendTest(mine);
  await expect.poll(async () => (await shown(second)).status, PATIENCE).toBe("succeeded");
  expect(await shown(failed)).toMatchObject({ status: "pending", attempt: 1 });
});

test("what is asked for manually does not wait for what a replay has asked for", async () => {
  const workspace = await subscribed();
  for (let n = 0; n < 30; n++) await addContact(workspace, 200 + n);
  const receiver = await startReceiver();
  receivers.push(receiver);
  const body = { url: receiver.url, events: ["contact_created"], rate_per_second: 2 };
  const { body: endpoint } = await workspace.call("POST", PATH, { body });
  const mine = { ...workspace, receiver, endpointId: endpoint.id };
  await addContact(mine, 230);
  await receiver.got(1);
  const id = String(receiver.received[0]?.headers["x-service-delivery"]);
  await expect
    .poll(async () => (await mine.call("GET", `/v1/deliveries/${id}`)).body.status, PATIENCE)
    .toBe("succeeded");
  const created_after = new Date(gateway.clock.now() - 3_600_000).toISOString();
  await mine.call("POST", `${PATH}/${endpoint.id}/replays`, { body: { created_after, only: "missing" } });
  await receiver.got(2);
  expect((await retry(mine, id)).status).toBe(202);
  await sendTest(mine);
  const isAsked = ({ headers }: (typeof receiver.received)[number]) => headers["x-service-replay"] === undefined;
  await expect.poll(() => receiver.received.slice(1).filter(isAsked).length, PATIENCE).toBe(2);
  // Each second one is of the replay, which goes on while this is looked at.
  expect(receiver.received.findLastIndex(isAsked)).toBeLessThan(10);
});
