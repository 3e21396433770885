import { afterAll, beforeAll, expect, it } from "vitest";
import { reconcileDue } from "../../packages/server/src/features/accounts/reconcile.ts";
import { ROLES } from "../../packages/server/src/process/config/config.ts";
import { start } from "../../packages/server/src/process/runtime.ts";
import { type Gateway, type Sender, startGateway, type Workspace } from "../../packages/server/src/testing/gateway.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LONG_MS = 180_000;
const ACCOUNTS_EACH = 100;

let gateway: Gateway;
const senders: Sender[][] = [];
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  for (let n = 0; n < 2; n++) {
    const workspace = await gateway.workspace();
    const all: Sender[] = [];
    // Four of a workspace are verified at once.
    while (all.length < ACCOUNTS_EACH)
      all.push(...(await Promise.all(Array.from({ length: 4 }, () => gateway.connect(workspace)))));
    senders.push(all);
  }
}, LONG_MS);
afterAll(() => gateway.stop());

const workspaces = (): Workspace[] => senders.map(([first]) => first!);
const calls = (): number[] =>
  senders
    .flat()
    .map(({ account }) =>
      Object.values(gateway.simulator.stats().management_calls[account.wabaId] ?? {}).reduce((a, b) => a + b, 0),
    );

async function msWithoutAccounts(): Promise<number> {
  let begun = 0;
  const empty = await startGateway({}, { prepare: async () => void (begun = performance.now()) });
  const ms = performance.now() - begun;
  await empty.stop();
  return ms;
}

it("a process is ready within three seconds, and asks the provider nothing for it", async () => {
  const before = calls();
  const begun = performance.now();
  const { clock, app } = gateway;
  const second = await start({ config: { ...app.config, PORT: 0 }, roles: ROLES, migrate: false, clock });
  try {
    await expect.poll(async () => (await fetch(`${second.url}/readyz`)).status, PATIENCE).toBe(200);
    const ms = performance.now() - begun;
    // On a machine that is busy with other tests all takes longer: then as long as without any account, but for what the load does to either.
    expect(ms).toBeLessThan(Math.max(3_000, 4 * (await msWithoutAccounts())));
    expect(calls()).toEqual(before);
  } finally {
    await second.stop();
  }
});

it("a page of a hundred accounts has what ten pages of ten have", async () => {
  const { call } = workspaces()[0]!;
  const listed = async (limit: number): Promise<unknown[]> => {
    const rows: unknown[] = [];
    for (let cursor = ""; rows.length < ACCOUNTS_EACH; ) {
      const { body } = await call("GET", `/v1/business-accounts?limit=${limit}${cursor}`);
      for (const one of body.data) expect(one.phone_numbers).toHaveLength(1);
      rows.push(...body.data);
      cursor = `&cursor=${body.next_cursor}`;
    }
    return rows;
  };
  const whole = await listed(ACCOUNTS_EACH);
  expect(new Set(whole.map((one) => (one as { id: string }).id)).size).toBe(ACCOUNTS_EACH);
  expect(await listed(ACCOUNTS_EACH / 10)).toEqual(whole);
});

it(
  "periodic checks of all are done in their time, take a small part of each quota, and are spread the next time",
  async () => {
    const before = calls();
    const { clock } = gateway;
    clock.advance(6 * HOUR_MS + 10 * MINUTE_MS);
    // Two rounds of the timer: a hundred in each.
    for (let round = 0; round < 2; round++) {
      await reconcileDue(gateway.app);
      clock.advance(5 * MINUTE_MS);
    }
    for (const of of workspaces()) {
      await expect.poll(async () => (clock.advance(1_000), await of.rows("select from task")), PATIENCE).toEqual([]);
      const done = await of.rows<{ status: string }>("select status from job where kind = 'account.reconcile'");
      expect(done).toEqual(Array(ACCOUNTS_EACH).fill({ status: "done" }));
    }
    const used = calls().map((count, n) => count - before[n]!);
    // Account, numbers and one page of templates: of at least 200 in an hour.
    expect(new Set(used)).toEqual(new Set([3]));
    const times = await workspaces()[0]!.rows<{ at: Date }>(
      "select reconcile_at as at from business_account order by 1",
    );
    const spread = times.at(-1)!.at.getTime() - times[0]!.at.getTime();
    expect(spread).toBeGreaterThan(20 * MINUTE_MS);
    expect(spread).toBeLessThan(45 * MINUTE_MS);
  },
  LONG_MS,
);
