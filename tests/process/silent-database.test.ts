import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { type Network, openNetwork } from "./network.ts";
import { accepted, isReplay, ordersOf, type Posted, post, statusesOf } from "./posting.ts";

// A network that loses all bytes: no FIN, no RST. Only the process's own timeouts end its waits.
let deployment: Deployment;
let network: Network;
let gateway: Worker;
let workspace: Workspace;
beforeAll(async () => {
  deployment = await startDeployment();
  network = await openNetwork(deployment.database.url);
  gateway = await deployment.serve({ DATABASE_URL: network.url });
  workspace = await deployment.connect(gateway, 5);
});
afterAll(async () => {
  await deployment.stop();
  await network.close();
});

/** The longest time for an answer that clients are promised. */
const ANSWER_WITHIN_MS = 12_000;
const BACK_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;
/** More than there are connections: some wait for a place first. */
const CALLERS = 40;

type Asked = { status: number | null; ms: number };

/** A list takes a connection for itself, where posts share one. */
async function list(): Promise<Asked> {
  const askedAt = performance.now();
  const reply = await gateway.call(workspace.key, "GET", "/v1/messages").catch(() => null);
  return { status: reply?.status ?? null, ms: performance.now() - askedAt };
}

function ask(): { posts: Promise<Posted[]>; lists: Promise<Asked[]> } {
  const orders = [
    ...ordersOf(workspace, CALLERS / 2, { keyed: true }),
    ...ordersOf(workspace, CALLERS / 2, { keyed: false }),
  ];
  return {
    posts: Promise.all(orders.map((order) => post(gateway, workspace, order))),
    lists: Promise.all(Array.from({ length: CALLERS }, list)),
  };
}

/** Each was answered in time: a read by 200 or 503, a post by its true result, or by 503 and then it is not stored. */
async function expectAnswers(posts: readonly Posted[], lists: readonly Asked[]): Promise<void> {
  const slow = [...posts.map(({ postedAt, answeredAt }) => answeredAt - postedAt), ...lists.map(({ ms }) => ms)];
  expect(Math.max(...slow)).toBeLessThan(ANSWER_WITHIN_MS);
  expect(lists.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(posts.filter(({ reply }) => reply?.status !== 202 && reply?.status !== 503)).toEqual([]);
  const statuses = await statusesOf(gateway, workspace);
  // With a key, 503 may also mean that the outcome is unknown: a repeat with the same key returns it.
  const unkeyed = posts.filter(({ order }) => order.key === null);
  const lies = unkeyed.filter(({ order, reply }) => statuses.has(order.to) !== (reply?.status === 202));
  expect(lies.map(({ order, reply }) => [order, reply?.text])).toEqual([]);
  const keyed = posts.filter(({ order }) => order.key !== null);
  const again = await Promise.all(keyed.map(({ order }) => post(gateway, workspace, order)));
  expect(accepted(again)).toHaveLength(keyed.length);
  const repeated = again.filter((_, index) => keyed[index]?.reply?.status === 202);
  expect(repeated.map((twin) => [isReplay(twin), twin.reply?.text])).toEqual(
    accepted(keyed).map(({ reply }) => [true, reply?.text]),
  );
}

/** Ready again without help, and everything that was accepted is sent. */
async function expectBack(posts: readonly Posted[], since: number): Promise<void> {
  const left = (): number => Math.max(1, since + BACK_WITHIN_MS - performance.now());
  await vi.waitFor(async () => expect(await gateway.ready()).toBe(true), { timeout: left(), interval: 100 });
  const fresh = await Promise.all(ordersOf(workspace, 10).map((order) => post(gateway, workspace, order)));
  expect(accepted(fresh)).toHaveLength(10);
  await expectSent([...accepted(posts), ...fresh], left());
}

async function expectSent(posts: readonly Posted[], withinMs: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const statuses = await statusesOf(gateway, workspace);
      expect(posts.filter(({ order }) => statuses.get(order.to)?.join() !== "accepted")).toEqual([]);
    },
    { timeout: withinMs, interval: 250 },
  );
  const requests = deployment.requests();
  const times = posts.map(({ order }) => requests.get(order.to.slice(1))?.filter((one) => one.accepted).length);
  expect(times).toEqual(posts.map(() => 1));
}

/** The connections that will become silent are open, and nothing is being sent. */
async function warm(): Promise<void> {
  await vi.waitFor(async () => expect(await gateway.ready()).toBe(true), { timeout: 20_000, interval: 50 });
  const { posts, lists } = ask();
  expect(accepted(await posts)).toHaveLength(CALLERS);
  expect((await lists).filter(({ status }) => status !== 200)).toEqual([]);
  await expectSent(await posts, 20_000);
}

test("open connections go silent: every call is answered in time, and the process goes on with new ones", {
  timeout: 60_000,
}, async () => {
  await warm();
  network.swallow("open");
  const silentAt = performance.now();
  const { posts, lists } = ask();
  // Some arrive while the first are already waiting.
  await vi.waitFor(() => expect(performance.now() - silentAt).toBeGreaterThan(1_000), {
    interval: 100,
    timeout: 5_000,
  });
  const later = ask();
  const posted = [...(await posts), ...(await later.posts)];
  await expectAnswers(posted, [...(await lists), ...(await later.lists)]);
  await expectBack(posted, silentAt);
});

test("new ones are silent too: the same, and it goes on when the network is back", { timeout: 60_000 }, async () => {
  await warm();
  network.swallow("all");
  const { posts, lists } = ask();
  const [posted, listed] = [await posts, await lists];
  expect(await gateway.ready()).toBe(false);
  // By now the database is known to be unreachable, so calls do not wait for it.
  const quick = await list();
  expect(quick.status).toBe(503);
  expect(quick.ms).toBeLessThan(3_000);
  network.pass();
  const backAt = performance.now();
  await vi.waitFor(async () => expect(await gateway.ready()).toBe(true), { timeout: BACK_WITHIN_MS, interval: 100 });
  await expectAnswers(posted, listed);
  await expectBack(posted, backAt);
});

test("a process whose database is silent ends on SIGTERM", { timeout: 60_000 }, async () => {
  await warm();
  network.swallow("all");
  const { posts, lists } = ask();
  const toldAt = performance.now();
  expect(await gateway.end("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(performance.now() - toldAt).toBeLessThan(STOP_WITHIN_MS);
  const answers = [...(await posts).map(({ reply }) => reply?.status), ...(await lists).map(({ status }) => status)];
  expect(answers.filter((status) => status !== 503)).toEqual([]);
});
