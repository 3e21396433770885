import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../bench/figures.ts";
import { monotonicMs } from "../bench/monotonic.ts";
import { subscribe, type Tenant } from "../bench/tenants.ts";
import { withClient } from "../packages/server/src/testing/client.ts";
import { atLeast, type Bound, type Experiment } from "./experiment.ts";
import type { Lab } from "./lab.ts";
import { rateBound } from "./ledger.ts";
import { startLoad } from "./load.ts";

const ROUNDS = 3;
/** What was written in the last 15 s is looked through each second, for rows that commit late; dead rows are older, as a rule. */
const RECENT_MS = 16_000;

export const deadRows: Experiment = {
  promise: "300,000 dead rows in each queue, which a long transaction keeps, slow nothing down",
  async run(lab) {
    const rows = lab.short ? 50_000 : 300_000;
    const [tenant] = await lab.furnish(1, 2);
    if (!tenant) throw new Error("no workspace");
    const { url } = await lab.serve();
    await subscribe(url, [tenant], lab.outside.receiverUrl("w"), ["accepted"]);
    await rate(lab, tenant); // warm
    const bounds: Bound[] = [];
    for (const { words, analyze } of lab.short ? STATES.slice(-1) : STATES) {
      if (analyze)
        for (const table of ["dispatch", "deliver", "ingest", "held"]) await lab.query(`vacuum analyze ${table}`);
      // Again each time: the tables of what lasts grow, which takes its own part of the rate.
      const before = await rates(lab, tenant);
      const pinned = await withDeadRows(lab, rows, () => rates(lab, tenant));
      lab.say(`${words}: messages a second before ${shownRates(before)}; with dead rows ${shownRates(pinned)}`);
      bounds.push(atLeast(`${words}: of the rate before`, median(pinned) / median(before), rateBound(lab)));
    }
    return { figures: {}, bounds };
  },
};

const STATES = [
  { words: "queues as they are", analyze: false },
  // The usual state of queues that have been drained: statistics that say they are empty.
  { words: "after vacuum analyze of empty queues", analyze: true },
];

const shownRates = (rates: readonly number[]): string => rates.map((one) => `${Math.round(one)}`).join(" ");

async function rates(lab: Lab, tenant: Tenant): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) found.push(await rate(lab, tenant));
  return found;
}

/** Messages a second from the first post to the last webhook. */
async function rate(lab: Lab, tenant: Tenant): Promise<number> {
  const most = lab.short ? 400 : 4_000;
  const { deliveries: before } = await lab.outside.counts();
  const from = monotonicMs();
  await startLoad(lab, { tenants: [tenant], perSecond: 5_000, most, through: lab.running }).stop();
  await lab.outside.reached("deliveries", before + most);
  return (most * 1_000) / (monotonicMs() - from);
}

/** Fills each queue in the lanes that are in use and empties it again, while a transaction keeps vacuum away. */
async function withDeadRows<Value>(lab: Lab, rows: number, work: () => Promise<Value>): Promise<Value> {
  return await withClient(lab.server.adminUrl, async (pin) => {
    await pin.query("begin isolation level repeatable read");
    await pin.query("select pg_current_xact_id()");
    await withClient(lab.server.adminUrl, async (client) => {
      for (const fill of FILLS) {
        await client.query("begin");
        await client.query(fill.insert, [rows]);
        await client.query(`delete from ${fill.table} where due = 'infinity'`);
        await client.query("commit");
      }
      // What it costs to bring a million rows to the disk is not the question.
      await client.query("checkpoint");
    });
    await sleep(RECENT_MS);
    const value = await work();
    await pin.query("rollback");
    return value;
  });
}

const FILLS = [
  {
    table: "dispatch",
    insert: `insert into dispatch (slot, lane, due, workspace_id, message_id, recipient)
      select n.lane % 64, n.lane, 'infinity', n.workspace_id, gen_random_uuid(), i
        from generate_series(1, $1::int) i
        join (select lane, workspace_id, row_number() over () - 1 as at, count(*) over () as most from phone_number) n
          on i % n.most = n.at`,
  },
  {
    table: "deliver",
    insert: `insert into deliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation)
      select e.lane % 64, e.lane, 'infinity', e.workspace_id, gen_random_uuid(), gen_random_uuid(), i
        from generate_series(1, $1::int) i cross join webhook_endpoint e`,
  },
  {
    table: "ingest",
    insert: `insert into ingest (slot, lane, due, callback_id)
      select i % 64, i % 64, 'infinity', gen_random_uuid() from generate_series(1, $1::int) i`,
  },
];
