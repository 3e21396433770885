import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../bench/figures.ts";
import { monotonicMs } from "../bench/monotonic.ts";
import { postTexts } from "./callbacks.ts";
import { atLeast, type Experiment, none } from "./experiment.ts";
import type { Lab } from "./lab.ts";
import { rateBound } from "./ledger.ts";

/** More than answers of 100 ms need for 240 a second. */
const AT_ONCE = 64;
const GIVE_UP_AFTER_MS = 120_000;

export const oneNumber: Experiment = {
  promise: "callbacks of one number are worked as fast as those of many, and 240 a second with commits of 100 ms",
  async run(lab) {
    const tenants = await lab.furnish(8, 8);
    const { url } = await lab.serve();
    const numbers = tenants.flatMap(({ providerNumbers }) => providerNumbers);
    const count = lab.short ? 500 : 3_000;
    await worked(lab, url, numbers, count); // warm, and all people known
    const rates = { many: [] as number[], one: [] as number[] };
    for (let round = 0; round < 3; round += 1) {
      rates.many.push(await worked(lab, url, numbers, count));
      rates.one.push(await worked(lab, url, numbers.slice(0, 1), count));
    }
    await lab.server.delayCommits(100);
    const slow = await worked(lab, url, numbers.slice(0, 1), count);
    await lab.server.delayCommits(0);
    lab.say(
      `many ${shownRates(rates.many)}; one ${shownRates(rates.one)}; one with slow commits ${shownRates([slow])}`,
    );
    const [row] = await lab.query<{ messages: number }>(
      "select count(*)::int as messages from message where not outbound",
    );
    const posted = 8 * count;
    return {
      figures: { accepted: posted, lost: Math.max(0, posted - (row?.messages ?? 0)) },
      bounds: [
        atLeast(
          "callbacks of one number a second, of those of many",
          median(rates.one) / median(rates.many),
          rateBound(lab),
        ),
        atLeast("with commits of 100 ms", slow, 240, "/s"),
        none("messages that were not written", posted - (row?.messages ?? 0)),
      ],
    };
  },
};

const shownRates = (rates: readonly number[]): string => rates.map((rate) => `${Math.round(rate)}/s`).join(", ");

/** Callbacks a second, from the first post until nothing waits to be parsed. */
async function worked(lab: Lab, url: string, numbers: readonly string[], count: number): Promise<number> {
  const from = monotonicMs();
  const taken = await postTexts(url, numbers, count, AT_ONCE);
  if (taken.length < count) throw new Error(`${count - taken.length} callbacks were not answered 200`);
  while (monotonicMs() - from < GIVE_UP_AFTER_MS) {
    const [row] = await lab.query<{ open: number }>("select count(*)::int as open from ingest");
    if (row?.open === 0) break;
    await sleep(20);
  }
  return (count * 1_000) / (monotonicMs() - from);
}
