import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../packages/server/src/testing/client.ts";
import { POISON } from "./callback.ts";
import { startHelper } from "./children.ts";
import { quantile } from "./figures.ts";
import type { Question } from "./load.ts";
import { newRecipients, type Part, type Run } from "./part.ts";
import type { Tenant } from "./tenants.ts";
import { drive, receiveAll, resetStub, settled } from "./work.ts";

const QUIET = { perSecond: 20, seconds: 20 };
const POISONED = { perSecond: 300, seconds: 30, poisoned: true };
/** The first of them have been set aside, and the look for what is due again has come by. */
const UNDER_WAY_MS = 6_000;
const P99 = "p99 ms to the subscriber";

/** A callback now and then, from its request until its signed delivery arrives. */
export const inbound: Part = {
  name: "inbound",
  title: `inbound message → signed delivery at ${QUIET.perSecond}/s; beside a number with ${POISONED.perSecond} callbacks a second, half of them poisoned`,
  events: ["messages"],
  workspaces: 2,
  rounds: 1,
  onlyNamed: true,
  bounds: { "p50 ms to the subscriber, alone": { atMost: 25 }, "ms later at p99": { atMost: 250 } },
  work: receiveAll,
  async round(run) {
    const [quiet, poisoned] = run.tenants as [Tenant, Tenant];
    const alone = await inboundDelays(run, quiet);
    const neighbour = await startHelper("load");
    await refusePoison(run);
    const beside = drive({ ...run.bench, load: neighbour }, loadOf(run, poisoned, POISONED));
    await sleep(UNDER_WAY_MS);
    const disturbed = await inboundDelays(run, quiet);
    await beside;
    await neighbour.stop();
    const [before, after] = [quantile(alone, 0.99), quantile(disturbed, 0.99)];
    return {
      "p50 ms to the subscriber, alone": quantile(alone, 0.5),
      [`${P99}, alone`]: before,
      "p50 ms to the subscriber, beside it": quantile(disturbed, 0.5),
      [`${P99}, beside it`]: after,
      "ms later at p99": after - before,
    };
  },
};

type Load = { perSecond: number; seconds: number; poisoned?: boolean };

const loadOf = ({ urls }: Run, tenant: Tenant, { perSecond, seconds, poisoned = false }: Load): Question => ({
  kind: "open callbacks",
  urls,
  tenants: [tenant],
  ...newRecipients(perSecond * seconds),
  perSecond,
  seconds,
  poisoned,
});

/** Milliseconds of each message from its callback's request until the subscriber has it. */
export async function inboundDelays(run: Run, tenant: Tenant, load: Load = QUIET): Promise<number[]> {
  const question = loadOf(run, tenant, load);
  await resetStub(run.bench, { timesDeliveries: true });
  const { times } = await drive(run.bench, question);
  const people = Object.keys(times);
  for (;;) {
    const { times: heard } = await settled(run.bench, people.length, "times");
    const missing = people.some((person) => heard[person] === undefined);
    if (!missing) return people.map((person) => (heard[person] ?? 0) - (times[person]?.[0] ?? 0));
    await sleep(20);
  }
}

const refusePoison = ({ databaseUrl }: Run): Promise<unknown> =>
  withClient(databaseUrl, (client) =>
    client.query(`alter table message add constraint poison check (content::text not like '%${POISON}%') not valid`),
  );
