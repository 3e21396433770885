import { afterAll, beforeAll, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { createWorkspace } from "../../packages/server/src/testing/workspace.ts";
import { type Deployment, OPERATOR_KEY, startDeployment, type Worker } from "./deployment.ts";

// A replay goes on in another process when its own is killed.

const PATIENCE = { timeout: 60_000, interval: 100 };
const EVENTS = 300;
const PER_SECOND = 60;

let deployment: Deployment;
let receiver: Receiver;
beforeAll(async () => {
  deployment = await startDeployment();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await deployment.stop();
});

const serve = (): Promise<Worker> => deployment.serve({ EGRESS_ALLOW_CIDRS: "127.0.0.0/8" });

it("posts every delivery of its range, over a kill as it begins and one while they are posted", {
  timeout: 180_000,
}, async () => {
  const first = await serve();
  const { id, key } = await createWorkspace(callAs(first.url, OPERATOR_KEY));
  const call = async (by: Worker, method: "GET" | "POST", path: string, body?: object) => {
    const { status, body: answer } = await by.call(key, method, path, body === undefined ? {} : { body });
    expect(status).toBeLessThan(300);
    return answer;
  };
  const contacts = Array.from({ length: EVENTS }, (_, n) => ({ phone: `+1555777${1_000 + n}` }));
  await call(first, "POST", "/v1/contacts/batch", { contacts });
  const body = { url: receiver.url, events: ["contact_created"], rate_per_second: PER_SECOND };
  const endpoint = await call(first, "POST", "/v1/webhook-endpoints", body);
  const events = await deployment.rows<{ id: string }>({ id }, "select id from event where kind = 'contact_created'");
  expect(events).toHaveLength(EVENTS);

  const path = `/v1/webhook-endpoints/${endpoint.id}/replays`;
  const created_after = new Date(Date.now() - 3_600_000).toISOString();
  const replay = await call(first, "POST", path, { created_after, only: "missing" });
  await first.end("SIGKILL");

  const second = await serve();
  await receiver.got(EVENTS / 4);
  await second.end("SIGKILL");
  const before = receiver.received.length;
  expect(before).toBeLessThan(EVENTS);

  const third = await serve();
  const now = () => call(third, "GET", `${path}/${replay.id}`);
  await expect.poll(async () => (await now()).completed_at, PATIENCE).not.toBeNull();
  expect(await now()).toMatchObject({
    status: "completed",
    progress: { matched: EVENTS, scheduled: EVENTS, succeeded: EVENTS, failed: 0 },
  });
  const posted = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(posted).size).toBe(EVENTS);
  // Those whose answers the killed process had no time to store are posted again.
  expect(posted.length - EVENTS).toBeLessThan(before);
  expect(receiver.received.filter(({ headers }) => headers["x-service-replay"] !== "true")).toEqual([]);
  const deliveries = await deployment.rows({ id }, "select from delivery where status = 'succeeded'");
  expect(deliveries).toHaveLength(EVENTS);
});
