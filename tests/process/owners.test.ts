import type { SentEntry } from "@waypost/simulator";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { accepted, type Order, ordersOf, type Posted, post, statusesOf } from "./posting.ts";

/** Enough numbers that each of two processes owns some. */
const NUMBERS = 20;
/** Length of a lease where nothing else is configured. */
const REAL_LEASE_S = 12;

let deployment: Deployment;
let workspace: Workspace;
let running: Worker[] = [];
beforeAll(async () => {
  deployment = await startDeployment();
  const first = await deployment.serve();
  workspace = await deployment.connect(first, NUMBERS);
  await first.end("SIGTERM");
});
afterEach(async () => {
  deployment.provider.clearFaults();
  await Promise.all(running.map((gateway) => gateway.end("SIGTERM")));
  running = [];
});
afterAll(() => deployment.stop());

/** Two processes, each with half of the lanes, and a number of each. */
async function twoOwners(leaseSeconds?: number) {
  const env = leaseSeconds === undefined ? {} : { WAYPOST_LEASE_SECONDS: String(leaseSeconds) };
  const [one, other] = [await deployment.serve(env), await deployment.serve(env)];
  running = [one, other];
  await deployment.shared(2);
  const owners = await deployment.owners();
  const numberOf = ({ worker }: Worker): string =>
    workspace.numbers.find(({ slot }) => owners.get(worker)!.includes(slot))!.phone;
  return { one, other, numberOfOne: numberOf(one), numberOfOther: numberOf(other) };
}

const orderFrom = (from: string): Order => ({ ...ordersOf(workspace, 1)[0]!, from });

/** Resolves with the provider's record of a message when it arrives. */
async function arrival({ to }: Order): Promise<SentEntry> {
  const [entry] = await deployment.provider.whenSent(1, (sent) => sent.to?.replace("+", "") === to.slice(1));
  return entry!;
}

/** Posts one message after the other through `gateway` until stopped; returns the results. */
function keepPosting(gateway: Worker, from: readonly string[]) {
  const posted: Promise<Posted>[] = [];
  const timer = setInterval(() => {
    posted.push(post(gateway, workspace, orderFrom(from[posted.length % from.length]!)));
  }, 20);
  return {
    async stop(): Promise<Posted[]> {
      clearInterval(timer);
      return await Promise.all(posted);
    },
  };
}

/** Every message was answered 202, is accepted, and arrived once. */
async function expectAllSentOnce(gateway: Worker, posted: readonly Posted[]): Promise<void> {
  expect(accepted(posted)).toHaveLength(posted.length);
  await vi.waitFor(
    async () => {
      const statuses = await statusesOf(gateway, workspace);
      const open = posted.filter(({ order }) => statuses.get(order.to)?.join() !== "accepted");
      expect(open.map(({ order }) => [order, statuses.get(order.to)])).toEqual([]);
    },
    { timeout: 20_000, interval: 250 },
  );
  const requests = deployment.requests();
  const times = posted.map(({ order }) => requests.get(order.to.slice(1))?.filter((entry) => entry.accepted).length);
  expect(times).toEqual(posted.map(() => 1));
}

test("SIGTERM: slots released within a second, their new owner sends at once, exit code 0, nothing lost or doubled", {
  timeout: 60_000,
}, async () => {
  const { one, other, numberOfOne, numberOfOther } = await twoOwners();
  // Some answers come while the process drains, some only after its slots are gone.
  deployment.provider.addFault({ kind: "delay", delayMs: 150, count: null });
  const load = keepPosting(other, [numberOfOne, numberOfOther]);
  await deployment.provider.whenSent(20);
  const late = orderFrom(numberOfOne);
  deployment.provider.clearFaults();
  deployment.provider.addFault({ kind: "delay", delayMs: 1_500, recipient: late.to });
  const lately = post(other, workspace, late);
  await arrival(late);

  const asked = performance.now();
  const ended = one.end("SIGTERM");
  await vi.waitFor(async () => expect((await deployment.owners()).has(one.worker)).toBe(false), {
    timeout: 10_000,
    interval: 10,
  });
  const released = performance.now();
  expect(released - asked).toBeLessThan(1_000);
  const next = orderFrom(numberOfOne);
  const posting = post(other, workspace, next);
  await arrival(next);
  expect(performance.now() - released).toBeLessThan(1_000);
  expect(await ended).toEqual({ code: 0, signal: null });
  await expectAllSentOnce(other, [...(await load.stop()), await lately, await posting]);
});

test("a lone process that starts on waiting work takes it up", { timeout: 60_000 }, async () => {
  const one = await deployment.serve();
  running = [one];
  // Several seconds of work for one number, most of which is left when the process stops.
  const orders = Array.from({ length: 200 }, () => orderFrom(workspace.numbers[0]!.phone));
  const posted = await Promise.all(orders.map((order) => post(one, workspace, order)));
  await one.end("SIGTERM");
  const next = await deployment.serve();
  running = [next];
  await expectAllSentOnce(next, posted);
});

test("SIGSTOP past the lease, then SIGCONT: nothing is sent twice and both go on", { timeout: 60_000 }, async () => {
  const { one, other, numberOfOne, numberOfOther } = await twoOwners();
  // Answers arrive at the stopped process, and its sockets hold requests that it had started to send.
  deployment.provider.addFault({ kind: "delay", delayMs: 150, count: null });
  const load = keepPosting(other, [numberOfOne, numberOfOther]);
  await deployment.provider.whenSent(deployment.provider.stats().requests + 20);
  one.signal("SIGSTOP");
  await vi.waitFor(async () => expect([...(await deployment.owners()).keys()]).toEqual([other.worker]), {
    timeout: 20_000,
    interval: 50,
  });
  const meanwhile = orderFrom(numberOfOne);
  const posting = post(other, workspace, meanwhile);
  await arrival(meanwhile);

  one.signal("SIGCONT");
  await deployment.shared(2);
  await vi.waitFor(async () => expect(await one.ready()).toBe(true), { timeout: 10_000, interval: 50 });
  // It works again: each process sends for its numbers.
  const more = workspace.numbers.map(({ phone }) => orderFrom(phone));
  const later = await Promise.all(more.map((order, index) => post(index % 2 ? one : other, workspace, order)));
  await expectAllSentOnce(other, [...(await load.stop()), await posting, ...later]);
});

test("kill -9 of one of two: its lanes go on in the other within 15 s, the other's meanwhile", {
  timeout: 60_000,
}, async () => {
  const { one, other, numberOfOne, numberOfOther } = await twoOwners(REAL_LEASE_S);
  await one.end("SIGKILL");
  const killed = performance.now();
  const [orphan, neighbour] = [orderFrom(numberOfOne), orderFrom(numberOfOther)];
  const posted = await Promise.all([post(other, workspace, orphan), post(other, workspace, neighbour)]);
  await arrival(neighbour);
  expect(performance.now() - killed).toBeLessThan(1_000);
  await arrival(orphan);
  expect(performance.now() - killed).toBeLessThan(15_000);
  await expectAllSentOnce(other, posted);
});
