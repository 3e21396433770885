import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../bench/monotonic.ts";
import { atLeast, atMost, type Experiment, none } from "./experiment.ts";
import { answeredOf, delayP99, P99_WITHIN_MS, paceOf, stoodStill } from "./ledger.ts";
import { startLoad } from "./load.ts";

const OTHERS_PER_SECOND = 80;
/** More than a process may have in flight. */
const BACKLOG = 1_500;

export const hangingNumber: Experiment = {
  promise: "a number whose provider hangs, with its full backlog, slows no other number's messages",
  async run(lab) {
    const [hanging, ...others] = await lab.furnish(5, 1);
    if (!hanging) throw new Error("no workspaces");
    await lab.serve();
    const through = lab.running;
    const quiet = startLoad(lab, { tenants: others, perSecond: OTHERS_PER_SECOND, through });
    await sleep(3_000); // until connections and code are warm
    const calmFrom = monotonicMs();
    await sleep(lab.short ? 1_000 : 20_000);
    const calm = { from: calmFrom, to: monotonicMs() };

    await lab.outside.behave({ hangingNumbers: hanging.providerNumbers });
    const stuck = startLoad(lab, { tenants: [hanging], perSecond: 500, through, most: BACKLOG });
    await stuck.stop();
    const hungFrom = monotonicMs();
    // Twice the time after which all that hang are given up together, and the next ones take their places.
    await sleep(lab.short ? 8_000 : 62_000);
    const hung = { from: hungFrom, to: monotonicMs() };
    await quiet.stop();
    const marks = new Set(quiet.placed.map(({ mark }) => mark));
    const sends = (await lab.outside.sends()).filter(({ mark }) => marks.has(mark));
    const accepted = answeredOf(quiet.placed);
    const [before, during] = [paceOf(sends, calm), paceOf(sends, hung)];
    const p99Ms = delayP99(accepted, sends, hung);
    lab.say(
      `others before: ${before.perSecond.toFixed(1)}/s, p99 ${delayP99(accepted, sends, calm).toFixed(0)} ms; with it: ${during.perSecond.toFixed(1)}/s`,
    );
    const measured = [
      atLeast("the others' rate, of the one before", during.perSecond / before.perSecond, 0.9),
      atMost("the others' p99 from 202 to the provider", p99Ms, P99_WITHIN_MS, "ms"),
    ];
    return {
      figures: { accepted: accepted.length, stallP99Ms: p99Ms, longestGapMs: during.gapMs },
      bounds: [
        none("messages of the others that stood still", stoodStill(accepted, sends, { from: calm.to, to: hung.to })),
        none("posts of the others that were not accepted", quiet.placed.length - accepted.length),
        ...(lab.short ? [] : measured),
      ],
    };
  },
};
