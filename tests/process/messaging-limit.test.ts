import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { READY } from "../../packages/server/src/lanes/lane-kinds.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { inParallel, type Order, ordersOf, type Posted, post } from "./posting.ts";

/** People whom the portfolio may write to. */
const LIMIT = 250;
const PEOPLE = 400;
const SETTLED_WITHIN_MS = 90_000;

let deployment: Deployment;
let gateways: Worker[];
let workspaces: Workspace[];
beforeAll(async () => {
  deployment = await startDeployment();
  const first = await deployment.serve();
  gateways = [first, await deployment.serve(), await deployment.serve(), await deployment.serve()];
  const shared = { business_id: "7100", messaging_limit: `TIER_${LIMIT}` };
  workspaces = [await deployment.connect(first, 3, shared), await deployment.connect(first, 3, shared)];
}, 120_000);
afterAll(() => deployment.stop());

/** Each commit of a hot call takes 100 ms, with all locks held. */
const SLOW_COMMITS = `
  create function slow_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return null; end $$;
  create constraint trigger slow_commit after insert on flight deferrable initially deferred
    for each row execute function slow_commit();`;

const people = async (workspace: Workspace): Promise<string[]> =>
  (
    await deployment.rows<{ recipient: string }>(workspace, "select distinct recipient from message where outbound")
  ).map(({ recipient }) => recipient);

test("two workspaces, four processes, commits of 100 ms and a kill: never above the limit, no deadlock, no 503", {
  timeout: SETTLED_WITHIN_MS + 60_000,
}, async () => {
  await withClient(deployment.database.url, (client) => client.query(SLOW_COMMITS));
  const shares = workspaces.map((workspace) => ({ workspace, orders: ordersOf(workspace, PEOPLE / 2) }));
  const all = shares.flatMap(({ workspace, orders }) => orders.map((order) => ({ workspace, order })));
  const posting = inParallel(all, 100, ({ workspace, order }, index) => post(gateways[index % 4]!, workspace, order));
  await deployment.provider.whenSent(20);
  gateways[3]!.signal("SIGKILL");
  const posted = await posting;
  // Only the process that was killed gives no answer.
  const answered = posted.filter(
    (one, index): one is Posted & { reply: object } => one.reply !== null || index % 4 !== 3,
  );
  const statuses = new Set(answered.map(({ reply }) => reply?.status));
  expect([...statuses].toSorted()).toEqual([202, 429]);

  // What was not answered is asked for again, and whoever has not got a place gets none.
  gateways[3] = await deployment.serve();
  const again = await inParallel(all, 100, ({ workspace, order }, index) =>
    post(gateways[index % 4]!, workspace, order),
  );
  const granted = new Set(again.flatMap(({ order, reply }) => (reply?.status === 202 ? [order.to] : [])));
  expect(new Set(again.map(({ reply }) => reply?.status))).toEqual(new Set([202, 429]));
  expect(granted.size).toBe(LIMIT);
  const stored = (await Promise.all(workspaces.map(people))).flat();
  expect(new Set(stored)).toEqual(granted);
  const earlier = posted.filter(({ reply }) => reply?.status === 202).map(({ order }: { order: Order }) => order.to);
  expect(earlier.filter((to) => !granted.has(to))).toEqual([]);

  // They reach the provider, which counts for itself and refuses nobody: all but those whose attempts the killed process had begun.
  const reached = (): Set<string> =>
    new Set([...deployment.requests()].flatMap(([to, requests]) => (requests.some((one) => one.accepted) ? [to] : [])));
  const left = async (): Promise<{ state: number }[]> =>
    (
      await Promise.all(workspaces.map((one) => deployment.rows<{ state: number }>(one, "select state from dispatch")))
    ).flat();
  await vi.waitFor(async () => expect((await left()).filter(({ state }) => state === READY)).toEqual([]), {
    timeout: SETTLED_WITHIN_MS,
    interval: 250,
  });
  const begun = (await left()).length;
  await vi.waitFor(() => expect(reached().size + begun).toBeGreaterThanOrEqual(LIMIT), {
    timeout: SETTLED_WITHIN_MS,
    interval: 250,
  });
  expect(deployment.provider.stats().refused).toEqual({});
  const [database] = await withClient(deployment.database.url, async (client) => {
    const { rows } = await client.query(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    );
    return rows;
  });
  expect(database).toEqual({ deadlocks: 0 });
});
