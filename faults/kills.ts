import { setTimeout as sleep } from "node:timers/promises";
import { subscribe } from "../bench/tenants.ts";
import { atMost, type Experiment, none } from "./experiment.ts";
import type { Lab } from "./lab.ts";
import { judge } from "./ledger.ts";
import { type Placed, startLoad } from "./load.ts";

const PROCESSES = 3;
const DELIVERED_WITHIN_MS = 60_000;

export const kills: Experiment = {
  promise: "kill -9 at full speed loses nothing, sends nothing twice, keeps the order, and leaves few messages unknown",
  async run(lab) {
    const count = lab.short ? 2 : 40;
    // Slow enough that many are under way whenever a process dies; some answers are lost by themselves.
    await lab.outside.behave({ answerMs: [50, 300], cutShare: 0.02 });
    const { load, tenants } = await underLoad(lab);
    for (let n = 0; n < count; n += 1) {
      await sleep(lab.random.between(2_000, 5_000));
      const killed = lab.random.pick(lab.running());
      await killed.end("SIGKILL");
      if (lab.short) await ageAttempts(lab, killed.name);
      await sleep(lab.random.between(0, 1_500));
      await lab.serve();
    }
    await load.stop();
    const judged = await judge(lab, lab.random.pick(lab.running()), load.placed);
    const missing = await missingEvents(lab, load.placed);
    lab.say(`${count} kills, ${tenants.length} workspaces`);
    return {
      figures: judged,
      bounds: [
        ...never(judged),
        none("accepted messages without a webhook of their outcome", missing),
        // Two kills are no average: one that comes in the midst of a batch leaves as many as the batch has.
        ...(lab.short ? [] : [atMost("unknown that had never left, a kill", judged.unknownUnsent / count, 1)]),
      ],
    };
  },
};

export const rolling: Experiment = {
  promise: "replacing the processes one by one with SIGTERM at full speed is noticed by no client",
  async run(lab) {
    await lab.outside.behave({ answerMs: [50, 300] });
    const { load } = await underLoad(lab);
    let longest = 0;
    let dirty = 0;
    for (let round = 0; round < (lab.short ? 1 : 5); round += 1)
      for (const process of lab.running()) {
        await sleep(lab.random.between(500, 1_500));
        await lab.serve();
        const asked = performance.now();
        const { code } = await process.end("SIGTERM");
        longest = Math.max(longest, performance.now() - asked);
        if (code !== 0) dirty += 1;
      }
    await load.stop();
    const judged = await judge(lab, lab.random.pick(lab.running()), load.placed);
    return {
      figures: judged,
      bounds: [
        ...never(judged),
        none("messages ended as unknown", judged.unknownReached + judged.unknownUnsent),
        none("processes that did not end with 0", dirty),
        atMost("longest stop", longest / 1_000, 35, "s"),
      ],
    };
  },
};

/** What it had begun is settled as soon as its lanes have a next owner, not 45 s after its start. */
export const ageAttempts = (lab: Lab, process: string): Promise<object[]> =>
  lab.query(
    `update dispatch d set started_at = d.started_at - interval '45 seconds' from worker w
     where d.state = 1 and w.id = d.worker and w.process = $1`,
    [process],
  );

/** Three processes, and persons who get several messages each. */
async function underLoad(lab: Lab) {
  const tenants = await lab.furnish(3, 4);
  for (let n = 0; n < PROCESSES; n += 1) await lab.serve();
  const [first] = lab.running();
  for (const [index, tenant] of tenants.entries())
    await subscribe(first?.url ?? "", [tenant], lab.outside.receiverUrl(`w${index}`), [
      "accepted",
      "unknown",
      "failed",
    ]);
  // The short form runs beside others, which take most of the machine.
  const perSecond = lab.short ? 60 : 120;
  const load = startLoad(lab, { tenants, perSecond, perPerson: 8, through: lab.running });
  return { load, tenants };
}

export const never = ({ lost, doubled, inversions }: { lost: number; doubled: number; inversions: number }) => [
  none("lost", lost),
  none("sent twice", doubled),
  none("order inversions of a person", inversions),
];

/** Marks of messages without an event, once deliveries have had their time. */
async function missingEvents(lab: Lab, placed: readonly Placed[]): Promise<number> {
  const until = performance.now() + DELIVERED_WITHIN_MS;
  for (;;) {
    const delivered = new Set((await lab.outside.deliveries()).map(({ mark }) => mark));
    const missing = placed.filter(({ mark, answeredAt }) => answeredAt !== null && !delivered.has(mark)).length;
    if (missing === 0 || performance.now() > until) return missing;
    await sleep(500);
  }
}
