import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../bench/monotonic.ts";
import type { Tenant } from "../bench/tenants.ts";
import { type Network, openNetwork } from "../tests/process/network.ts";
import { post, strangers } from "../tests/process/posting.ts";
import { atMost, type Bound, type Experiment, none, type Result } from "./experiment.ts";
import { never } from "./kills.ts";
import type { Lab, Process } from "./lab.ts";
import { judge } from "./ledger.ts";
import type { Placed } from "./load.ts";
import { steadily } from "./rate.ts";

const ANSWER_WITHIN_S = 12;
const BACK_WITHIN_S = 30;
const EMPTY_STOP_WITHIN_S = 10;
const FULL_STOP_WITHIN_S = 35;
/** Longer than everything that is promised: what takes this long would take for ever. */
const PATIENCE_MS = 45_000;
const POSTS_PER_SECOND = 4;

export const silence: Experiment = {
  promise: "connections to the database that fall silent cost seconds, and the process mends itself",
  async run(lab) {
    const tenants = await lab.furnish(1, 4);
    const [tenant] = tenants;
    if (!tenant) throw new Error("no workspace");
    const results = [await fallSilent(lab, tenant, 0)];
    if (!lab.short) {
      results.push(await fallSilent(lab, tenant, 20_000));
      results.push({ figures: {}, bounds: [await stop(lab, tenant, false), await stop(lab, tenant, true)] });
    }
    return { figures: results[0]?.figures ?? {}, bounds: results.flatMap(({ bounds }) => bounds) };
  },
};

async function overNetwork(lab: Lab): Promise<{ network: Network; process: Process }> {
  const network = await openNetwork(lab.server.url);
  return { network, process: await lab.serve({ DATABASE_URL: network.url }) };
}

/** What is open falls silent; new connections do for so long too. */
async function fallSilent(lab: Lab, tenant: Tenant, newSilentMs: number): Promise<Result> {
  const { network, process } = await overNetwork(lab);
  const words = newSilentMs === 0 ? "open connections silent" : `all silent for ${newSilentMs / 1_000} s`;
  const posting = keepPosting(process, tenant);
  await sleep(3_000);
  network.swallow("open");
  if (newSilentMs > 0) {
    network.swallow("all");
    await sleep(newSilentMs);
    network.pass();
  }
  const mended = monotonicMs();
  const back = await recovered(lab, process, posting, mended);
  await posting.stop();
  const longest = Math.max(...posting.answers.map(({ ms }) => ms));
  await process.end("SIGKILL");
  await network.close();
  // Another process reports the result: this one may not answer.
  const witness = await lab.serve();
  const judged = await judge(lab, witness, posting.placed);
  await witness.end("SIGTERM");
  return {
    figures: judged,
    bounds: [
      atMost(`${words}: longest wait for an answer`, longest / 1_000, ANSWER_WITHIN_S, "s"),
      none(`${words}: requests without an answer`, posting.answers.filter(({ status }) => status === null).length),
      atMost(`${words}: ready, accepting and sending again`, back / 1_000, BACK_WITHIN_S, "s"),
      ...never(judged),
    ],
  };
}

type Answer = { status: number | null; ms: number };

/** A post now and then, each to a new person and each with one try. */
function keepPosting(process: Process, tenant: Tenant) {
  const answers: Answer[] = [];
  const placed: Placed[] = [];
  const rate = steadily(POSTS_PER_SECOND, async () => {
    const order: Placed = {
      mark: `s${process.name}-${placed.length}`,
      tenant,
      from: tenant.numbers[placed.length % tenant.numbers.length] as string,
      to: strangers(1)[0] as string,
      postedAt: monotonicMs(),
      answeredAt: null,
    };
    placed.push(order);
    const { reply } = await post(process, tenant, { ...order, key: order.mark }, AbortSignal.timeout(PATIENCE_MS));
    const now = monotonicMs();
    if (reply?.status === 202) order.answeredAt = now;
    answers.push({ status: reply?.status ?? null, ms: now - order.postedAt });
  });
  return { answers, placed, stop: rate.stop };
}

/** Milliseconds from `since` until the process is ready and something posted since then was accepted and sent. */
async function recovered(lab: Lab, process: Process, posting: { placed: Placed[] }, since: number): Promise<number> {
  while (monotonicMs() - since < PATIENCE_MS) {
    const sent = new Set((await lab.outside.sends()).map(({ mark }) => mark));
    const through = posting.placed.some(
      ({ mark, postedAt, answeredAt }) => postedAt > since && answeredAt !== null && sent.has(mark),
    );
    if (through && (await process.ready())) return monotonicMs() - since;
    await sleep(100);
  }
  return PATIENCE_MS;
}

/** SIGTERM while nothing passes, with and without sends whose answer is waited for. */
async function stop(lab: Lab, tenant: Tenant, inFlight: boolean): Promise<Bound> {
  const { network, process } = await overNetwork(lab);
  const posting = keepPosting(process, tenant);
  if (inFlight) await lab.outside.behave({ hangingNumbers: tenant.providerNumbers });
  const { sends } = await lab.outside.counts();
  await lab.outside.reached("sends", sends + 4);
  await posting.stop();
  if (!inFlight) {
    await lab.outside.reached("sends", sends + posting.placed.length);
    await sleep(1_000); // until what became of them is stored
  }
  network.swallow("all");
  const asked = monotonicMs();
  await process.end("SIGTERM");
  const seconds = (monotonicMs() - asked) / 1_000;
  await lab.outside.behave({ hangingNumbers: [] });
  await network.close();
  return inFlight
    ? atMost("SIGTERM while silent, with sends in flight: end", seconds, FULL_STOP_WITHIN_S, "s")
    : atMost("SIGTERM while silent: end", seconds, EMPTY_STOP_WITHIN_S, "s");
}
