import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../packages/server/src/testing/client.ts";
import { quantile } from "./figures.ts";
import { FILLED_MESSAGES, fillDatabase } from "./filled-database.ts";
import type { Part, Run } from "./part.ts";
import type { Tenant } from "./tenants.ts";

/** Questions of a round, for each second that a timed one lasts. */
const A_SECOND = 50;
/** The longest span that can be asked for. */
const yearAgo = (): string => new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);

/** Questions for a year's usage and a month's in turns, while nothing else happens. */
export const usage: Part = {
  name: "usage",
  title: `GET /v1/usage, at ${FILLED_MESSAGES.toLocaleString("en-US")} messages`,
  bounds: { "p99 ms": { atMost: 100 } },
  timed: true,
  onlyNamed: true,
  async prepare(run) {
    await fillDatabase(run.databaseUrl, FILLED_MESSAGES, run.known);
    // Slices that were counted while they filled would be counted again when they are twice as old.
    await withClient(run.databaseUrl, (client) => client.query("truncate usage_day, usage_slice, usage_frontier"));
    await counted(run);
    return { items: 0, figures: {} };
  },
  async work(run, extent) {
    const asks = "seconds" in extent ? extent.seconds * A_SECOND : extent.amount;
    const times: number[] = [];
    for (let asked = 0; asked < asks; asked += 1) {
      const begun = performance.now();
      await usageOf(run, tenantAt(run, asked), asked % 2 === 0 ? `?day_after=${yearAgo()}` : "");
      times.push(performance.now() - begun);
    }
    return { items: asks, figures: { "p50 ms": quantile(times, 0.5), "p99 ms": quantile(times, 0.99) } };
  },
};

const tenantAt = ({ tenants }: Run, place: number): Tenant => {
  const tenant = tenants[place % tenants.length];
  if (!tenant) throw new Error("there is no workspace");
  return tenant;
};

async function usageOf({ urls }: Run, { key }: Tenant, query: string): Promise<{ count: number }[]> {
  const reply = await fetch(`${urls[0]}/v1/usage${query}`, { headers: { authorization: `Bearer ${key}` } });
  if (!reply.ok) throw new Error(`usage was answered with ${reply.status}`);
  return ((await reply.json()) as { data: { count: number }[] }).data;
}

/** Waits until the background task has counted all messages; gives up when it adds none for three minutes. */
async function counted(run: Run): Promise<void> {
  let last = { count: -1, at: performance.now() };
  for (;;) {
    let count = 0;
    for (const tenant of run.tenants)
      for (const entry of await usageOf(run, tenant, `?day_after=${yearAgo()}`)) count += entry.count;
    if (count >= FILLED_MESSAGES) return;
    if (count > last.count) last = { count, at: performance.now() };
    else if (performance.now() - last.at > 180_000) throw new Error(`${count} messages were counted`);
    await sleep(1_000);
  }
}
