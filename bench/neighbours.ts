import { quantile } from "./figures.ts";
import { delaysOf, numbersOf } from "./latency.ts";
import { newRecipients, type Part, type Run } from "./part.ts";
import type { Tenant } from "./tenants.ts";
import { drive, resetStub, sendAll } from "./work.ts";

/** Messages that wait at the three neighbours before the quiet one begins. */
const QUEUED = { flood: 200_000, slow: 5_000, refused: 50_000 };
const QUIET = { perSecond: 20, seconds: 20 };
const CONNECTIONS = 64;
const P99 = "p99 ms to the provider";

/** One workspace sends now and then; one has queued a flood, one's provider answers after 20 s, one's every send is refused. */
export const neighbours: Part = {
  name: "neighbours",
  title: `a quiet workspace at ${QUIET.perSecond}/s beside a flood of ${QUEUED.flood.toLocaleString("en-US")}, a slow provider, refused sends`,
  workspaces: 4,
  rounds: 1,
  onlyNamed: true,
  bounds: { [`${P99}, beside them`]: { atMost: 1_000 } },
  work: (run, extent) => sendAll(run, extent, "amount" in extent ? { recipients: newRecipients(extent.amount) } : {}),
  async round(run) {
    const [quiet, flood, slow, refused] = run.tenants as [Tenant, Tenant, Tenant, Tenant];
    const timed = numbersOf([quiet]);
    await resetStub(run.bench, { timed });
    const alone = await delaysOf(run, [quiet], QUIET.perSecond, QUIET.seconds);
    await resetStub(run.bench, { timed, slow: numbersOf([slow]), refused: numbersOf([refused]) });
    await queue(run, slow, QUEUED.slow);
    await queue(run, flood, QUEUED.flood);
    await queue(run, refused, QUEUED.refused);
    const beside = await delaysOf(run, [quiet], QUIET.perSecond, QUIET.seconds);
    return {
      "p50 ms to the provider, alone": quantile(alone.sinceRequest, 0.5),
      [`${P99}, alone`]: quantile(alone.sinceRequest, 0.99),
      "p50 ms to the provider, beside them": quantile(beside.sinceRequest, 0.5),
      [`${P99}, beside them`]: quantile(beside.sinceRequest, 0.99),
    };
  },
};

const queue = ({ bench, urls }: Run, tenant: Tenant, amount: number): Promise<object> =>
  drive(bench, { kind: "closed", urls, tenants: [tenant], ...newRecipients(amount), connections: CONNECTIONS, amount });
