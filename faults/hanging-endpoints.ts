import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../bench/monotonic.ts";
import { subscribe } from "../bench/tenants.ts";
import { postTexts, startTexts } from "./callbacks.ts";
import { atLeast, atMost, type Experiment, none } from "./experiment.ts";
import { delayP99, P99_WITHIN_MS, paceOf, stoodStill } from "./ledger.ts";

const ENDPOINTS = 20;
const OTHERS = 3;
const OTHERS_PER_SECOND = 30;
/** Answers after which each is trusted with as many at once as any endpoint is. */
const ANSWERS_UNTIL_TRUSTED = 150;
/** The deliveries that still wait when the endpoints begin to hang are more than a process may have in flight. */
const EVENTS = 450;

export const hangingEndpoints: Experiment = {
  promise: "20 endpoints that earn trust and then hang delay no other workspace's webhooks",
  async run(lab) {
    const [hanging, ...others] = await lab.furnish(1 + OTHERS, 1);
    if (!hanging) throw new Error("no workspaces");
    const { url } = await lab.serve();
    const names = Array.from({ length: ENDPOINTS }, (_, index) => `hanging-${index}`);
    for (const name of names) await subscribe(url, [hanging], lab.outside.receiverUrl(name), ["messages"]);
    await subscribe(url, others, lab.outside.receiverUrl("quiet"), ["messages"]);
    const quietNumbers = others.flatMap((tenant) => tenant.providerNumbers);
    const quiet = startTexts(() => url, quietNumbers, OTHERS_PER_SECOND);
    await sleep(3_000); // until connections and code are warm
    const calmFrom = monotonicMs();
    await sleep(lab.short ? 1_000 : 15_000);
    const calm = { from: calmFrom, to: monotonicMs() };

    const { deliveries: before } = await lab.outside.counts();
    const posting = postTexts(url, hanging.providerNumbers, EVENTS, 16);
    await lab.outside.reached("deliveries", before + ENDPOINTS * ANSWERS_UNTIL_TRUSTED);
    await lab.outside.behave({ hangingReceivers: names });
    const hungFrom = monotonicMs();
    await posting;
    // Twice the time after which deliveries that hang are given up.
    await sleep(lab.short ? 8_000 : 32_000);
    const hung = { from: hungFrom, to: monotonicMs() };
    await quiet.stop();

    const deliveries = (await lab.outside.deliveries()).filter(({ receiver }) => receiver === "quiet");
    const [calmPace, hungPace] = [paceOf(deliveries, calm), paceOf(deliveries, hung)];
    const p99Ms = delayP99(quiet.taken, deliveries, hung);
    lab.say(
      `others before: ${calmPace.perSecond.toFixed(1)}/s, p99 ${delayP99(quiet.taken, deliveries, calm).toFixed(0)} ms; with them: ${hungPace.perSecond.toFixed(1)}/s`,
    );
    const measured = [
      atLeast("the others' webhooks a second, of those before", hungPace.perSecond / calmPace.perSecond, 0.9),
      atMost("the others' p99 from the callback's 200 to their receiver", p99Ms, P99_WITHIN_MS, "ms"),
    ];
    return {
      figures: { accepted: quiet.taken.length, stallP99Ms: p99Ms, longestGapMs: hungPace.gapMs },
      bounds: [
        none(
          "webhooks of the others that stood still",
          stoodStill(quiet.taken, deliveries, { from: calm.to, to: hung.to }),
        ),
        ...(lab.short ? [] : measured),
      ],
    };
  },
};
