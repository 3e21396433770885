import { setTimeout as sleep } from "node:timers/promises";
import { callbackBody, statusOf } from "../bench/callback.ts";
import { quantile } from "../bench/figures.ts";
import { monotonicMs } from "../bench/monotonic.ts";
import { subscribe } from "../bench/tenants.ts";
import { postCallback } from "./callbacks.ts";
import { atMost, type Experiment } from "./experiment.ts";
import { answeredOf, delayP99, paceOf, type Stretch } from "./ledger.ts";
import { type Placed, startLoad } from "./load.ts";

/** As many as a workspace may have. */
const ENDPOINTS = 100;
/** As many as one callback is likely to hold. */
const STATUSES = 200;
const QUIET_PER_SECOND = 20;

export const fanOut: Experiment = {
  promise: "workspaces whose every status goes to 100 endpoints leave a quiet neighbour's answers and webhooks alone",
  async run(lab) {
    const [neighbour, ...noisy] = await lab.furnish(3, 1);
    if (!neighbour) throw new Error("no workspace");
    const { url } = await lab.serve();
    await subscribe(url, [neighbour], lab.outside.receiverUrl("quiet"), ["accepted"]);
    for (let n = 0; n < ENDPOINTS; n += 1)
      await subscribe(url, noisy, lab.outside.receiverUrl(`noisy-${n}`), ["sent", "delivered", "read"]);
    const through = lab.running;
    const sending = startLoad(lab, { tenants: noisy, perSecond: 200, most: STATUSES * noisy.length, through });
    await sending.stop();
    await lab.outside.reached("sends", STATUSES * noisy.length);
    const sends = await lab.outside.sends();

    const quiet = startLoad(lab, { tenants: [neighbour], perSecond: QUIET_PER_SECOND, through });
    await sleep(3_000); // until connections and code are warm
    const calmFrom = monotonicMs();
    await sleep(lab.short ? 5_000 : 20_000);
    const calm = { from: calmFrom, to: monotonicMs() };
    const { deliveries: before } = await lab.outside.counts();
    const kinds = lab.short ? ["delivered"] : ["sent", "delivered", "read"];
    for (const kind of kinds)
      await Promise.all(
        noisy.flatMap(({ providerNumbers }) =>
          providerNumbers.map((number) => {
            const statuses = sends
              .filter((sent) => sent.number === number)
              .map(({ id, to, opaque }) => statusOf(id, kind, to, opaque));
            return postCallback(url, callbackBody(number, { statuses }));
          }),
        ),
      );
    // Until the noise is through, and no longer than is bearable.
    const noise = kinds.length * noisy.length * STATUSES * ENDPOINTS;
    const until = monotonicMs() + (lab.short ? 8_000 : 120_000);
    while (monotonicMs() < until && (await lab.outside.counts()).deliveries - before < noise) await sleep(200);
    const loud = { from: calm.to, to: monotonicMs() };
    await sleep(3_000);
    await quiet.stop();

    const heard = (await lab.outside.deliveries()).filter(({ receiver }) => receiver === "quiet");
    const accepted = answeredOf(quiet.placed);
    const [acceptBefore, acceptDuring] = [acceptP99(quiet.placed, calm), acceptP99(quiet.placed, loud)];
    const webhooks = delayP99(accepted, heard, loud);
    lab.say(
      `accept p99 ${acceptBefore.toFixed(0)} → ${acceptDuring.toFixed(0)} ms, webhooks p99 ${delayP99(accepted, heard, calm).toFixed(0)} → ${webhooks.toFixed(0)} ms over ${((loud.to - loud.from) / 1_000).toFixed(0)} s`,
    );
    return {
      figures: { accepted: accepted.length, stallP99Ms: webhooks, longestGapMs: paceOf(heard, loud).gapMs },
      bounds: [
        // The short form's p99 is its slowest answer but one.
        atMost("the neighbour's p99 of accepting, of the one before", acceptDuring / acceptBefore, lab.short ? 10 : 3),
        atMost("the neighbour's p99 from 202 to its webhook", webhooks / 1_000, 2, "s"),
      ],
    };
  },
};

/** Milliseconds from the first try to the 202, of what was posted in the stretch. */
const acceptP99 = (placed: readonly Placed[], { from, to }: Stretch): number =>
  quantile(
    placed
      .filter(({ postedAt }) => postedAt >= from && postedAt < to)
      .map(({ postedAt, answeredAt }) => (answeredAt ?? monotonicMs()) - postedAt),
    0.99,
  );
