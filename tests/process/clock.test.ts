import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { parseId } from "../../packages/server/src/lib/ids.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { idOf, inParallel, type Order, ordersOf, type Posted, post, statusesOf, strangers } from "./posting.ts";

const STEPPING = { preload: [new URL("clock-steps.mjs", import.meta.url).href] };
const MINUTES_5_MS = 5 * 60_000;
/** How far a process's estimate of the database's clock may be off, on a busy machine. */
const TRUE_WITHIN_MS = 2_000;
const NUMBERS = 4;

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

async function serve(offsetMs = 0): Promise<Worker> {
  const gateway = await deployment.serve({ CLOCK_OFFSET_MS: String(offsetMs) }, STEPPING);
  running.push(gateway);
  return gateway;
}

const setClock = (gateway: Worker, clockOffsetMs: number): void => gateway.send({ clockOffsetMs });

test("a process whose clock is more than a minute off refuses to start and says so in a line", async () => {
  await expect(serve(MINUTES_5_MS)).rejects.toThrow(/^waypost: .*clock is 300 s ahead of the database's/m);
  await expect(serve(-MINUTES_5_MS)).rejects.toThrow(/^waypost: .*clock is 300 s behind the database's/m);
});

test("clocks 50 s ahead and 50 s behind make the same times and ids as a true one", {
  timeout: 90_000,
}, async () => {
  const [ahead, behind] = [await serve(50_000), await serve(-50_000)];
  const orders = ordersOf(workspace, 20);
  const posted = await inParallel(orders, 1, (order, n) => timedPost(n % 2 === 0 ? ahead : behind, order));
  expectTrueTimes(posted);
  await expectSentOnceInOrder(behind, posted);
});

/** Of one process; the other's clock steps in the other direction at the same moments. */
const STEPS_MS = [MINUTES_5_MS, -MINUTES_5_MS, 0] as const;

test("clocks that step by five minutes under load: sent once, in order, at true times, and nothing given up early", {
  timeout: 90_000,
}, async () => {
  const [one, other] = [await serve(), await serve()];
  await deployment.shared(2);
  const people = strangers(24);
  // Attempts that are in flight when the clocks step.
  for (const to of people.slice(0, 8)) deployment.provider.addFault({ kind: "delay", delayMs: 2_500, recipient: to });
  const posting = inParallel(people, people.length, async (to, person) => {
    const posted: TimedPost[] = [];
    const from = workspace.numbers[person % NUMBERS]!.phone;
    for (let n = 0; n < 12; n += 1) {
      posted.push(await timedPost(n % 2 === 0 ? one : other, { to, from, key: `${to}-${n}` }));
      await sleep(500);
    }
    return posted;
  });
  for (const offsetMs of STEPS_MS) {
    await sleep(1_500);
    setClock(one, offsetMs);
    setClock(other, -offsetMs);
  }
  const posted = (await posting).flat();
  expect(posted.map(({ reply }) => reply?.status)).toEqual(posted.map(() => 202));
  expectTrueTimes(posted);
  expect(await one.ready()).toBe(true);
  expect(await other.ready()).toBe(true);
  await expectSentOnceInOrder(one, posted);
});

type TimedPost = Posted & { began: number; ended: number };

async function timedPost(gateway: Worker, order: Order): Promise<TimedPost> {
  const began = Date.now();
  const posted = await post(gateway, workspace, order);
  return { ...posted, began, ended: Date.now() };
}

/** The times of a message and of its id are the database's, whatever the process's own clock is. */
function expectTrueTimes(posted: readonly TimedPost[]): void {
  const wrong = posted.flatMap((one) => {
    const created = Date.parse(String(one.reply?.body["created_at"]));
    const id = Number.parseInt(parseId("msg", idOf(one))!.replace("-", "").slice(0, 12), 16);
    const isTrue = (time: number): boolean => time > one.began - TRUE_WITHIN_MS && time < one.ended + TRUE_WITHIN_MS;
    return isTrue(created) && isTrue(id) ? [] : [{ created: created - one.began, id: id - one.began }];
  });
  expect(wrong.slice(0, 5)).toEqual([]);
}

async function expectSentOnceInOrder(gateway: Worker, posted: readonly Posted[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const statuses = await statusesOf(gateway, workspace);
      const open = posted.filter(({ order }) => statuses.get(order.to)?.some((status) => status !== "accepted"));
      expect(open.map(({ order }) => [order.to, statuses.get(order.to)])).toEqual([]);
    },
    { timeout: 30_000, interval: 250 },
  );
  const requests = deployment.requests();
  for (const to of new Set(posted.map(({ order }) => order.to))) {
    const taken = requests.get(to.slice(1))?.filter(({ accepted }) => accepted);
    const arrived = taken?.map(({ opaque }) => /msg_[0-9a-z]{26}/.exec(opaque ?? "")?.[0]);
    expect(arrived).toEqual(posted.filter(({ order }) => order.to === to).map(idOf));
  }
}
