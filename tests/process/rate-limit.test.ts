import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Deployment, startDeployment, type Workspace } from "./deployment.ts";
import type { GatewayProcess } from "./gateway.ts";

/** Far below the capacity of a busy machine, so that the limit is measured and not the machine. */
const LIMIT = 20;
const AT_ONCE = 4;
/** Between the calls of a client: far above the limit in all, and little of the machine. */
const PAUSE_MS = 40;
/** Longer than two processes need to learn each other's demand. */
const SETTLED_AFTER_MS = 4_000;
const MEASURED_MS = 5_000;

let deployment: Deployment;
let gateways: GatewayProcess[];
let workspace: Workspace;
beforeAll(async () => {
  deployment = await startDeployment();
  const env = { API_RATE_LIMIT: String(LIMIT) };
  const first = await deployment.serve(env);
  workspace = await deployment.connect(first);
  gateways = [first, await deployment.serve(env)];
  for (const gateway of gateways)
    await vi.waitFor(async () => expect(await granted(gateway)).toBe(LIMIT / 2), { timeout: 20_000, interval: 500 });
});
afterAll(() => deployment.stop());

const ask = (gateway: GatewayProcess) => gateway.call(workspace.key, "GET", "/v1/workspace");
const granted = async (gateway: GatewayProcess): Promise<number> =>
  Number(/q=(\d+)/.exec((await ask(gateway)).headers.get("ratelimit-policy") ?? "")?.[1]);

/** Calls far above the limit; returns how many a second were allowed once the rate had settled. */
async function flood(gateway: GatewayProcess): Promise<number> {
  const begun = performance.now();
  let passed = 0;
  const client = async (): Promise<void> => {
    for (let now = 0; now < SETTLED_AFTER_MS + MEASURED_MS; ) {
      const { status } = await ask(gateway);
      now = performance.now() - begun;
      if (status === 200 && now >= SETTLED_AFTER_MS && now < SETTLED_AFTER_MS + MEASURED_MS) passed += 1;
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return (passed * 1_000) / MEASURED_MS;
}

test("a client of one process gets the limit, the clients of two get it together", { timeout: 120_000 }, async () => {
  const pinned = await flood(gateways[0]!);
  expect(pinned).toBeGreaterThanOrEqual(0.9 * LIMIT);
  expect(pinned).toBeLessThanOrEqual(1.05 * LIMIT);

  const both = await Promise.all(gateways.map(flood));
  expect(both[0]! + both[1]!).toBeLessThanOrEqual(1.05 * LIMIT);
  for (const own of both) expect(own).toBeGreaterThanOrEqual(0.4 * LIMIT);
});
