import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DatabaseProxy, openDatabaseProxy } from "../../packages/server/src/testing/database-proxy.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { statementsEnded } from "./killed.ts";
import { type Order, ordersOf, statusesOf } from "./posting.ts";

/** A lost attempt is settled 45 s after its start; the rest is the lease and a busy machine. */
const SETTLED_WITHIN_MS = 70_000;

let deployment: Deployment;
let proxy: DatabaseProxy;
let first: Worker;
let workspace: Workspace;
beforeAll(async () => {
  deployment = await startDeployment();
  proxy = await openDatabaseProxy(deployment.database.url);
  first = await deployment.serve({ DATABASE_URL: proxy.url });
  // Five numbers: a thousand sends in some seconds.
  workspace = await deployment.connect(first, 5);
});
afterAll(async () => {
  await deployment.stop();
  await proxy.close();
});

const MESSAGES = 1_000;

const storedRows = async (): Promise<number> => (await deployment.rows(workspace, "select from message")).length;

/** The batch of all orders under one key in the header; null without an answer. */
const postBatch = (gateway: Worker, orders: readonly Order[]) =>
  gateway
    .call(workspace.key, "POST", "/v1/messages/batch", {
      key: "the-batch",
      body: {
        messages: orders.map(({ to, from }) => ({
          to,
          from,
          reference: to,
          type: "template",
          template: { name: "order_ready", language: { code: "en_US" } },
        })),
      },
    })
    .catch(() => null);

type Entry = { index: number; message: { id: string; to: string }; error?: { code: string; retryable: boolean } };

/** Repeats the batch while the database of a busy machine keeps some of it waiting for too long, as a client does. */
async function postPatiently(gateway: Worker, orders: readonly Order[]) {
  for (;;) {
    const reply = await postBatch(gateway, orders);
    const entries = reply?.body.data as Entry[] | undefined;
    if (reply?.status === 202 && entries?.every(({ error }) => error?.retryable !== true)) return reply;
  }
}

test("kill -9 in the midst of a batch of 1,000 and the same request again: 1,000 messages, none twice", {
  timeout: SETTLED_WITHIN_MS + 30_000,
}, async () => {
  const orders = ordersOf(workspace, MESSAGES);
  // Its first rows have committed, and the process does not know it yet.
  const caught = proxy.hold("accept_messages", "answer");
  const posting = postBatch(first, orders);
  await caught;
  first.signal("SIGKILL");
  await first.end("SIGKILL");
  expect(await posting).toBeNull();
  await statementsEnded(deployment);
  const before = await storedRows();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(MESSAGES);

  const second = await deployment.serve();
  const reply = await postPatiently(second, orders);
  const entries = reply.body.data as Entry[];
  expect(new Set(entries.map(({ error }) => error?.code))).toEqual(new Set([undefined]));
  expect(entries.map(({ message }) => message?.to)).toEqual(orders.map(({ to }) => to));
  expect(new Set(entries.map(({ message }) => message.id)).size).toBe(MESSAGES);
  expect(await storedRows()).toBe(MESSAGES);
  const again = await postPatiently(second, orders);
  expect([again.headers.get("idempotent-replayed"), again.text === reply.text]).toEqual(["true", true]);

  await vi.waitFor(
    async () => expect(await deployment.rows(workspace, "select from dispatch where state in (0, 1)")).toHaveLength(0),
    { timeout: SETTLED_WITHIN_MS, interval: 250 },
  );
  expect(await storedRows()).toBe(MESSAGES);
  const requests = deployment.requests();
  const statuses = await statusesOf(second, workspace);
  const reached = ({ to }: Order): number => (requests.get(to.slice(1)) ?? []).filter((one) => one.accepted).length;
  expect(orders.filter((order) => reached(order) > 1)).toEqual([]);
  expect(orders.filter((order) => reached(order) === 0 && statuses.get(order.to)?.join() !== "unknown")).toEqual([]);
});
