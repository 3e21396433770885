import { setTimeout as sleep } from "node:timers/promises";
import { callbackBody, statusOf } from "../bench/callback.ts";
import { monotonicMs } from "../bench/monotonic.ts";
import { inParallel } from "../tests/process/posting.ts";
import { postCallback } from "./callbacks.ts";
import { atLeast, type Experiment, none } from "./experiment.ts";
import type { Lab } from "./lab.ts";
import { startLoad } from "./load.ts";
import type { Delivered, Sent } from "./outside.ts";

/** As many as a workspace may have: the statuses of one callback are then a long piece of work. */
const ENDPOINTS = 100;
const KINDS = ["sent", "delivered", "read"];
/** Of two statuses of one message. */
const BETWEEN_MS = 300;
const GIVE_UP_AFTER_MS = 300_000;

export const ordered: Experiment = {
  promise: "an ordered endpoint hears of a message's statuses in the order in which their callbacks were answered",
  async run(lab) {
    const each = lab.short ? 10 : 130;
    const tenants = await lab.furnish(2, 1);
    const messages = each * tenants.length;
    const [first] = [await lab.serve(), await lab.serve()];
    for (const { key } of tenants)
      await inParallel(Array.from({ length: ENDPOINTS }), 8, async (_, n) => {
        const { status, text } = await first.call(key, "POST", "/v1/webhook-endpoints", {
          body: { url: lab.outside.receiverUrl(`o${n}`), events: KINDS, ordered: true },
        });
        if (status !== 201) throw new Error(`the endpoint was refused: ${text}`);
      });
    const rounds: Round[] = [];
    for (const commitsMs of lab.short ? [100] : [0, 100]) {
      const before = await lab.outside.counts();
      await startLoad(lab, { tenants, perSecond: 200, most: messages, through: lab.running }).stop();
      await lab.outside.reached("sends", before.sends + messages);
      const sends = await lab.outside.sends(before.sends);
      await lab.server.delayCommits(commitsMs);
      const taken = await report(lab, sends);
      const deliveries = await arrived(lab, before.deliveries, taken * ENDPOINTS);
      await lab.server.delayCommits(0);
      rounds.push({ commitsMs, ...pairsOf(deliveries), missing: taken * ENDPOINTS - distinct(deliveries) });
    }
    const sum = (key: "pairs" | "inversions" | "missing"): number =>
      rounds.reduce((total, round) => total + round[key], 0);
    return {
      figures: { accepted: sum("pairs"), lost: sum("missing"), inversions: sum("inversions") },
      bounds: [
        ...rounds.map(({ commitsMs, inversions }) => none(`commits of ${commitsMs} ms: inversions`, inversions)),
        none("events that did not arrive", sum("missing")),
        atLeast("pairs", sum("pairs"), lab.short ? 1_000 : 50_000),
      ],
    };
  },
};

type Round = { commitsMs: number; pairs: number; inversions: number; missing: number };

/** The statuses of a number's messages in one callback; the next ones follow its 200 soon, through either process. How many were taken. */
async function report(lab: Lab, sends: readonly Sent[]): Promise<number> {
  const byNumber = new Map<string, Sent[]>();
  for (const sent of sends) byNumber.set(sent.number, [...(byNumber.get(sent.number) ?? []), sent]);
  const taken = [...byNumber].map(async ([number, mine]) => {
    let count = 0;
    for (const kind of KINDS) {
      const body = callbackBody(number, { statuses: mine.map(({ id, to, opaque }) => statusOf(id, kind, to, opaque)) });
      if ((await postCallback(lab.random.pick(lab.running()).url, body)) === 200) count += mine.length;
      await sleep(BETWEEN_MS);
    }
    return count;
  });
  return (await Promise.all(taken)).reduce((sum, count) => sum + count, 0);
}

async function arrived(lab: Lab, from: number, expected: number): Promise<Delivered[]> {
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  while (monotonicMs() < until && (await lab.outside.counts()).deliveries - from < expected) await sleep(200);
  return await lab.outside.deliveries(from);
}

const distinct = (deliveries: readonly Delivered[]): number =>
  new Set(deliveries.map(({ receiver, event }) => `${receiver} ${event}`)).size;

/** Neighbours at one receiver about one message, and those of them that came the other way round. Repetitions do not count. */
function pairsOf(deliveries: readonly Delivered[]): { pairs: number; inversions: number } {
  const heard = new Map<string, number[]>();
  const seen = new Set<string>();
  for (const { receiver, mark, event, kind } of deliveries) {
    if (seen.has(`${receiver} ${event}`)) continue;
    seen.add(`${receiver} ${event}`);
    const key = `${receiver} ${mark}`;
    heard.set(key, [...(heard.get(key) ?? []), KINDS.indexOf(kind)]);
  }
  let pairs = 0;
  let inversions = 0;
  for (const ranks of heard.values())
    for (const [index, rank] of ranks.entries()) {
      if (index === 0) continue;
      pairs += 1;
      if ((ranks[index - 1] as number) > rank) inversions += 1;
    }
  return { pairs, inversions };
}
