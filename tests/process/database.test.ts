import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../packages/server/src/testing/database-proxy.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import {
  accepted,
  idOf,
  inParallel,
  isReplay,
  type Order,
  ordersOf,
  type Posted,
  post,
  statusesOf,
} from "./posting.ts";

let deployment: Deployment;
let proxy: DatabaseProxy;
let gateway: Worker;
let other: Worker;
let workspace: Workspace;
beforeAll(async () => {
  deployment = await startDeployment();
  proxy = await openDatabaseProxy(deployment.database.url);
  gateway = await deployment.serve({ DATABASE_URL: proxy.url });
  workspace = await deployment.connect(gateway, 5);
  other = await deployment.serve();
});
afterAll(async () => {
  await deployment.stop();
  await proxy.close();
});

const TWINS = 50;

test("50 twins over two processes: one message, one provider call, 50 identical answers", async () => {
  // Several rounds, because the order of the calls is random.
  const rounds = ordersOf(workspace, 5);
  for (const order of rounds) {
    const twins = await Promise.all(
      Array.from({ length: TWINS }, (_, index) => post(index % 2 ? gateway : other, workspace, order)),
    );
    expect(twins.map(({ reply }) => reply?.status)).toEqual(twins.map(() => 202));
    expect(new Set(twins.map(({ reply }) => reply?.text)).size).toBe(1);
    expect(twins.filter((twin) => !isReplay(twin))).toHaveLength(1);
  }
  await expectSentOnce(rounds);
});

/** Each is one message, accepted, and reached the provider once. */
async function expectSentOnce(orders: readonly Order[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const statuses = await statusesOf(gateway, workspace);
      const found = orders.map(({ to }) => [to, statuses.get(to)?.join()]);
      expect(found.filter(([, status]) => status !== "accepted")).toEqual([]);
    },
    { timeout: 30_000, interval: 250 },
  );
  const requests = deployment.requests();
  const times = orders.map(({ to }) => [to, requests.get(to.slice(1))?.filter((entry) => entry.accepted).length]);
  expect(times.filter(([, count]) => count !== 1)).toEqual([]);
}

/** Posts until `trouble` has ended, half of the messages without keys. */
async function postDuring(trouble: Promise<void>): Promise<Posted[]> {
  let over = false;
  void trouble.finally(() => (over = true));
  const posted: Posted[] = [];
  const poster = async (_: unknown, index: number): Promise<void> => {
    while (!over) posted.push(await post(gateway, workspace, ordersOf(workspace, 1, { keyed: index % 2 === 0 })[0]!));
  };
  await inParallel(Array.from({ length: 20 }), 20, poster);
  await trouble;
  return posted;
}

/** 202 for stored messages, 503 for others, and no other status; then repeating with the keys stores the rest. */
async function expectTruth(posted: readonly Posted[]): Promise<void> {
  expect(posted.filter(({ reply }) => reply?.status !== 202 && reply?.status !== 503)).toEqual([]);
  const statuses = await statusesOf(gateway, workspace);
  const lies = posted.filter(
    ({ order, reply }) => (statuses.get(order.to)?.length ?? 0) !== (reply?.status === 202 ? 1 : 0),
  );
  expect(lies.map(({ order, reply }) => [order, reply?.text, statuses.get(order.to)])).toEqual([]);

  const keyed = posted.filter(({ order }) => order.key !== null);
  const again = await inParallel(keyed, 20, ({ order }) => post(gateway, workspace, order));
  expect(accepted(again)).toHaveLength(keyed.length);
  expect(again.map(isReplay)).toEqual(keyed.map(({ reply }) => reply?.status === 202));
  expect(new Set(again.map(idOf)).size).toBe(keyed.length);
  await expectSentOnce([...new Set([...keyed, ...accepted(posted)].map(({ order }) => order))]);
}

/** Rounds of killing every backend of the gateway; in the pause it works again. */
const CUTS = 20;
const BETWEEN_CUTS_MS = 150;

test("connections cut again and again: no 503 for what happened, no 202 for what did not", {
  timeout: 60_000,
}, async () => {
  const posted = await postDuring(
    withClient(deployment.database.url, async (client) => {
      for (let cut = 0; cut < CUTS; cut++) {
        await client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = any($1)",
          [["waypost work", "waypost solo", "waypost control"]],
        );
        await client.query("select pg_sleep($1)", [BETWEEN_CUTS_MS / 1_000]);
      }
    }),
  );
  expect(posted.length).toBeGreaterThan(CUTS);
  await expectTruth(posted);
});

const AWAY_MS = 2_000;

test("the database away for two seconds: the same, and the process goes on by itself", {
  timeout: 60_000,
}, async () => {
  const posted = await postDuring(
    (async () => {
      const before = deployment.provider.stats().requests;
      await deployment.provider.whenSent(before + 20);
      proxy.cut();
      await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      expect(await gateway.ready()).toBe(false);
      proxy.mend();
      await vi.waitFor(async () => expect(await gateway.ready()).toBe(true), { timeout: 20_000, interval: 50 });
    })(),
  );
  await expectTruth(posted);
});
