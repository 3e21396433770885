import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sized } from "../../packages/server/src/testing/size.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { ageAttempts, statementsEnded } from "./killed.ts";
import { accepted, idOf, inParallel, isReplay, type Order, ordersOf, post, statusesOf } from "./posting.ts";

/** The lease, the rate of five numbers, and a busy machine. Lost attempts are made older. */
const SETTLED_WITHIN_MS = sized(60_000, 300_000);

let deployment: Deployment;
let first: Worker;
let workspace: Workspace;
beforeAll(async () => {
  deployment = await startDeployment();
  first = await deployment.serve();
  // Five numbers: hundreds of sends in a second.
  workspace = await deployment.connect(first, 5);
});
afterAll(() => deployment.stop());

const SENDS = sized(300, 1_000);

test(`kill -9 in the midst of ${SENDS} sends loses none, doubles none, and hides none`, {
  timeout: SETTLED_WITHIN_MS + sized(30_000, 120_000),
}, async () => {
  // Slow enough that many are in flight when the process is killed.
  deployment.provider.addFault({ kind: "delay", delayMs: 300, count: null });
  const orders = ordersOf(workspace, SENDS);
  let answers = 0;
  const before = await inParallel(orders, 50, async (order) => {
    if (answers >= SENDS / 2) {
      // As soon as half of the posts are answered and some messages are sent.
      await deployment.provider.whenSent(20);
      first.signal("SIGKILL");
    }
    const posted = await post(first, workspace, order);
    if (posted.reply !== null) answers += 1;
    return posted;
  });
  await first.end("SIGKILL");
  await statementsEnded(deployment);
  const started = (await deployment.rows(workspace, "select from dispatch where state = 1")).length;
  await ageAttempts(deployment, workspace, first);
  expect(accepted(before).length).toBeGreaterThanOrEqual(SENDS / 2);
  expect(accepted(before).length).toBeLessThan(SENDS);

  const second = await deployment.serve();
  const after = await inParallel(orders, 50, (order) => post(second, workspace, order));
  expect(accepted(after)).toHaveLength(SENDS);
  expect(new Set(after.map(idOf)).size).toBe(SENDS);
  const answered = before.flatMap(({ reply }, index) => (reply === null ? [] : [{ reply, again: after[index]! }]));
  expect(answered.filter(({ reply }) => reply.status !== 202)).toEqual([]);
  expect(answered.filter(({ again }) => !isReplay(again))).toEqual([]);
  expect(answered.map(({ again }) => again.reply?.text)).toEqual(answered.map(({ reply }) => reply.text));

  await vi.waitFor(async () => expect(await waitingRows()).toBe(0), { timeout: SETTLED_WITHIN_MS, interval: 250 });
  const requests = deployment.requests();
  const statuses = await statusesOf(second, workspace);
  expect(statuses.size).toBe(SENDS);
  const reached = ({ to }: Order): number =>
    requests.get(to.slice(1))?.filter((request) => request.accepted).length ?? 0;
  expect(orders.filter((order) => reached(order) > 1)).toEqual([]);
  expect(orders.filter((order) => reached(order) === 0 && statuses.get(order.to)?.join() !== "unknown")).toEqual([]);
  const unknown = [...statuses.values()].filter(([status]) => status === "unknown").length;
  expect(unknown).toBeLessThanOrEqual(started);
  expect([...statuses.values()].filter(([status]) => status === "accepted")).toHaveLength(SENDS - unknown);
});

/** Rows still to be sent or settled. */
const waitingRows = async (): Promise<number> =>
  (await deployment.rows(workspace, "select from dispatch where state in (0, 1)")).length;
