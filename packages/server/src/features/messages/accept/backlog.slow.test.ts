import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { manualClock } from "../../../testing/clock.ts";
import { type Gateway, ORDER_READY, type Sender, startGateway } from "../../../testing/gateway.ts";
import { keyed, person } from "../testing/senders.ts";
import { Backlogs } from "./backlogs.ts";

// No process sends, so what is accepted waits. The number sends one message a second: an hour's work are 3,600. The clock stands still:
// how long the machine takes for thousands of messages is no time in which the number has sent some.
const MOST = 3_600;
const PATIENCE = { timeout: 30_000, interval: 50 };

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway(
    { API_RATE_LIMIT: "off" },
    { roles: ["api", "ingress", "maintenance"], clock: manualClock() },
  );
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  for (const { uuid } of [mine, theirs])
    await gateway.app.db.transaction(uuid, (sql) => sql.run("update phone_number set throughput_per_second = 1"));
  gateway.clock.advance(5_000); // the number's settings are remembered for four seconds
});
afterAll(() => gateway.stop());

const template = () => ({ to: person(), type: "template", template: ORDER_READY });
const batch = (count: number, of = mine) =>
  of.call("POST", "/v1/messages/batch", { body: { messages: Array.from({ length: count }, template) } });
/** Seconds from a message's creation to its estimated dispatch; null while that is not known. */
const waitOf = ({ created_at, estimated_dispatch_at }: { created_at: string; estimated_dispatch_at: string | null }) =>
  estimated_dispatch_at === null ? null : (Date.parse(estimated_dispatch_at) - Date.parse(created_at)) / 1_000;

it("accepts an hour's work of a number, says when each message will be sent, and refuses more", {
  timeout: 120_000,
}, async () => {
  const first = await mine.send(person(), {}, keyed("first"));
  expect(first.status).toBe(202);
  await expect.poll(async () => waitOf((await mine.send(person())).body), PATIENCE).toBeGreaterThan(0);

  // A count beside a batch may have some of it twice, until it is counted again: a second later at the earliest.
  const codes = new Set<string | undefined>();
  const waitingAfter = async (count: number): Promise<number> => {
    gateway.clock.advance(2_000);
    const { status, body } = await batch(count);
    expect(status).toBe(202);
    for (const { error } of body.data as { error?: { code: string } }[]) codes.add(error?.code);
    return (await mine.rows("select 1 from dispatch")).length;
  };
  for (const count of [1_000, 1_000, 1_000, 500]) await waitingAfter(count);
  await expect.poll(() => waitingAfter(100), PATIENCE).toBeGreaterThan(MOST - 100);
  await expect.poll(async () => (await waitingAfter(100)) && codes.size, PATIENCE).toBe(2);
  expect(codes).toEqual(new Set([undefined, "queue_full"]));
  const validate = () => mine.call("POST", "/v1/messages/validate", { body: template() });
  // The last count may have found room for a few more.
  await expect
    .poll(async () => [(await mine.send(person())).status, (await validate()).body.sendable], PATIENCE)
    .toEqual([429, false]);

  const to = person();
  const refused = await mine.send(to, {}, keyed("refused"));
  expect(refused.body).toMatchObject({ code: "queue_full", retryable: true });
  expect(refused.body.detail).toMatch(/About 3[5-9]\d\d messages wait .* at 20\d\d-/);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(await mine.rows("select 1 from contact where phone = $1", [to])).toEqual([]);
  // What the number should have sent since is taken for sent: two seconds for each batch.
  expect((await mine.rows("select 1 from dispatch")).length).toBeLessThan(MOST + 100);

  expect((await validate()).body).toMatchObject({
    sendable: false,
    problems: [{ code: "queue_full" }],
    limits: { queue: { limit: MOST, waiting: expect.any(Number) } },
  });

  // A replay is no new message, a scheduled one counts at its time, and another number is not concerned.
  const replay = await mine.send(first.body.to, {}, keyed("first"));
  expect([replay.status, replay.headers["idempotent-replayed"], replay.text]).toEqual([202, "true", first.text]);
  const send_at = new Date(gateway.clock.now() + HOUR_MS).toISOString();
  expect((await mine.send(to, { send_at })).body).toMatchObject({
    status: "scheduled",
    estimated_dispatch_at: send_at,
  });
  expect((await theirs.send(to)).status).toBe(202);

  // By its rate the number has sent some of them minutes later.
  gateway.clock.advance(10 * 60_000);
  expect((await mine.send(to, {}, keyed("refused"))).status).toBe(202);
});

it("supposes that other processes go on accepting their share for the number", async () => {
  const [number] = await theirs.rows<{ lane: number }>("select lane from phone_number");
  const outlet = { lane: number?.lane ?? 0, throughputPerSecond: 1 };
  // As in a process beside this one, which accepts each third message.
  const beside = new Backlogs(gateway.app);
  const waiting = () => beside.look(outlet, gateway.clock.now()).waiting ?? -1;
  const acceptTogether = async () => {
    expect((await batch(300, theirs)).status).toBe(202);
    for (let i = 0; i < 100; i++) beside.take(outlet, gateway.clock.now());
  };
  await expect.poll(waiting).toBeGreaterThanOrEqual(0);
  const before = waiting();
  await acceptTogether();
  gateway.clock.advance(2_000);
  await expect.poll(waiting).toBeGreaterThanOrEqual(before + 300);
  // Too soon for another count.
  await acceptTogether();
  expect(waiting()).toBeGreaterThan(before + 590);
  expect(waiting()).toBeLessThan(before + 620);
  await beside.stop();
});
