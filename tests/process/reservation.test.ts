import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DatabaseProxy, openDatabaseProxy } from "../../packages/server/src/testing/database-proxy.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { strangers } from "./posting.ts";

// What is sent later is counted in the messaging limit just before its attempt is begun: the process is killed between the two.

/** A new owner has to wait until the lease of the killed process has lapsed. */
const OWNED_WITHIN = { timeout: 20_000, interval: 50 };

let deployment: Deployment;
let proxy: DatabaseProxy;
let gateway: Worker;
beforeAll(async () => {
  deployment = await startDeployment();
  proxy = await openDatabaseProxy(deployment.database.url);
  gateway = await serve();
});
afterAll(async () => {
  await deployment.stop();
  await proxy.close();
});
const serve = (): Promise<Worker> => deployment.serve({ DATABASE_URL: proxy.url });

const ORDER_READY = { name: "order_ready", language: { code: "en_US" } };
const LATER = {
  scheduled: () => ({
    type: "template",
    template: ORDER_READY,
    send_at: new Date(Date.now() + 1_000).toISOString(),
  }),
  // The window of a stranger is closed.
  fallback: () => ({ type: "text", text: { body: "On our way." }, fallback: { template: ORDER_READY } }),
};

/** Where the process is killed: with how many people counted. */
const POINTS = {
  "before the reservation": { counted: 0, caught: () => proxy.hold("reserve_recipients", "request") },
  "with the reservation committed": { counted: 1, caught: () => proxy.hold("reserve_recipients", "answer") },
  "before the attempt is begun": {
    counted: 1,
    async caught() {
      const reserved = await proxy.hold("reserve_recipients", "answer");
      const beginning = proxy.hold("begin_sends", "request");
      reserved.pass();
      await beginning;
    },
  },
} as const;

const call = (workspace: Workspace, method: "GET" | "POST", path: string, body?: object) =>
  gateway.call(workspace.key, method, path, body === undefined ? {} : { body });
const usedOf = async (workspace: Workspace): Promise<number> =>
  (await call(workspace, "GET", `/v1/phone-numbers/${workspace.numbers[0]!.id}`)).body.messaging_limit.used;

test.each(
  (Object.keys(LATER) as (keyof typeof LATER)[]).flatMap((kind) =>
    (Object.keys(POINTS) as (keyof typeof POINTS)[]).map((point) => ({ kind, point })),
  ),
)("a $kind message whose process is killed $point is counted once and sent once", { timeout: 60_000 }, async (one) => {
  const { counted, caught } = POINTS[one.point];
  const workspace = await deployment.connect(gateway, 1, { messaging_limit: "TIER_2" });
  const [to, second, third] = strangers(3) as [string, string, string];
  const held = caught();
  const { status, body } = await call(workspace, "POST", "/v1/messages", { to, ...LATER[one.kind]() });
  expect(status).toBe(202);
  await held;
  expect(await usedOf(workspace)).toBe(counted);
  await gateway.end("SIGKILL");
  gateway = await serve();
  await vi.waitFor(
    async () => expect((await call(workspace, "GET", `/v1/messages/${body.id}`)).body.status).toBe("accepted"),
    OWNED_WITHIN,
  );
  expect(deployment.requests().get(to.slice(1))).toHaveLength(1);
  expect(await usedOf(workspace)).toBe(1);
  // Neither a place too few nor one too many is left.
  const send = async (to: string) =>
    (await call(workspace, "POST", "/v1/messages", { to, type: "template", template: ORDER_READY })).status;
  expect([await send(second), await send(third)]).toEqual([202, 429]);
});
