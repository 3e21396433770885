import type { SentEntry } from "@waypost/simulator";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { formatId } from "../../packages/server/src/lib/ids.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { idOf, inParallel, type Order, type Posted, post, strangers } from "./posting.ts";

/** Messages that a number may send in a second, and the tolerance: every sliding window counts. */
const RATE = 80;
const TOLERANCE = 1.05;
const WINDOW_MS = 1_000;
/** Eight messages each: within the burst for one recipient, also after a change of owner. */
const RECIPIENTS = 120;
const EACH = 8;
/** Provider overloaded: tried again after 2 s. */
const OVERLOADED = { kind: "refuse", code: 131016 } as const;

let deployment: Deployment;
let workspace: Workspace;
let gateways: Worker[];
/** When a request of a number, by the provider's id, was written to its socket by any of the processes. */
type Departure = { departed: string; atMs: number };
const departures: Departure[] = [];
beforeAll(async () => {
  deployment = await startDeployment();
  const serve = async (): Promise<Worker> => {
    const worker = await deployment.serve({}, { preload: [new URL("departures.mjs", import.meta.url).href] });
    worker.hear((message) => void departures.push(message as Departure));
    return worker;
  };
  const first = await serve();
  workspace = await deployment.connect(first, 2);
  gateways = [first, await serve(), await serve(), await serve()];
  await deployment.shared(4);
});
afterAll(async () => {
  await deployment.stop();
});

test("four processes, then three, then two: the rate of a number and the order of a recipient hold", {
  timeout: 120_000,
}, async () => {
  const people = strangers(RECIPIENTS);
  const refuseOnce = (some: readonly string[]): void => {
    for (const recipient of some) deployment.provider.addFault({ ...OVERLOADED, recipient });
  };
  refuseOnce(people.slice(0, 30));
  // Half of the recipients get their messages one after the other, through every process; half all at once through one.
  const posting = inParallel(people, RECIPIENTS, async (to, index) => {
    const from = workspace.numbers[index % 2]!.phone;
    const orders = Array.from({ length: EACH }, (_, n): Order => ({ to, from, key: `${to}-${n}` }));
    if (index % 4 < 2) return await Promise.all(orders.map((order) => post(gateways[0]!, workspace, order)));
    return await inParallel(orders, 1, (order, n) => post(gateways[n % gateways.length]!, workspace, order));
  });
  const posted = (await posting).flat();
  expect(posted.map(({ reply }) => reply?.status)).toEqual(posted.map(() => 202));

  // Each number changes its owner while it has work, with retries of some recipients waiting and others starting.
  for (const [index, number] of workspace.numbers.entries()) {
    await deployment.provider.whenSent(((index + 1) * posted.length) / 4, (entry) => entry.accepted);
    refuseOnce(people.slice(30 + 30 * index, 60 + 30 * index));
    const owner = await ownerOf(number.slot);
    expect((await owner.end("SIGTERM")).code).toBe(0);
  }

  await vi.waitFor(() => expect(deployment.provider.stats().accepted).toBe(posted.length), {
    timeout: 60_000,
    interval: 100,
  });
  // The last reports of a process that ends may be lost.
  expect(departures.length).toBeGreaterThan(0.95 * posted.length);
  for (const { providerId } of workspace.numbers)
    expect(fastestWindow(providerId)).toBeLessThanOrEqual(RATE * TOLERANCE);
  await expectInOrder(posted);
});

async function ownerOf(slot: number): Promise<Worker> {
  const owners = await deployment.owners();
  return gateways.find(({ worker }) => owners.get(worker)?.includes(slot))!;
}

/** Most sends of a number in any second, refused ones too: the provider counts what reaches it. */
function fastestWindow(providerId: string): number {
  const times = departures
    .filter(({ departed }) => departed === providerId)
    .map(({ atMs }) => atMs)
    .toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [index, at] of times.entries()) {
    while (at - times[first]! >= WINDOW_MS) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/**
 * Order of arrival: a message posted after the answer to another arrives after it, and so does one behind another in the same
 * batch. Of two posts at the same time in different batches, either may be first.
 */
async function expectInOrder(posted: readonly Posted[]): Promise<void> {
  const batches = new Map(
    (
      await deployment.rows<{ id: string; batch: string }>(workspace, "select id, xmin::text as batch from message")
    ).map(({ id, batch }) => [formatId("msg", id), batch]),
  );
  const entries = deployment.provider.sent({ accepted: true, limit: 100_000 }).data;
  const place = new Map(entries.map((entry, index) => [idOfOpaque(entry), index]));
  const wrong: string[] = [];
  let inOneBatch = 0;
  for (const [index, one] of posted.entries()) {
    const person = index - (index % EACH);
    for (const other of posted.slice(person, person + EACH)) {
      const follows = batches.get(idOf(one)) === batches.get(idOf(other)) && sequenceOf(one) < sequenceOf(other);
      if (follows) inOneBatch += 1;
      if (!follows && one.answeredAt >= other.postedAt) continue;
      if (place.get(idOf(one))! > place.get(idOf(other))!) wrong.push(`${idOf(other)} before ${idOf(one)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(inOneBatch).toBeGreaterThan(0);
}

const idOfOpaque = ({ opaque }: SentEntry): string => /msg_[0-9a-z]{26}/.exec(opaque ?? "")?.[0] ?? "";
const sequenceOf = ({ reply }: Posted): number => Number(reply?.body["sequence"]);
