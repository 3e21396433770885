import type { Figures } from "./figures.ts";
import { metered, type Part, type Run, type Work } from "./part.ts";
import { drive, resetStub, sendAll, settled } from "./work.ts";

const SECONDS = 10;
/** Of the machine's and of a number's own speed a good part, and as many requests for both. */
const PER_SECOND = 200;
const RATIO = "CPU ÷ own API";
/** Both answers to as many clients: those of the front wait for the provider, so that fewer messages share each call of the database. */
const BUSY = "with 64 connections busy, ";

/**
 * Templates by the provider's own API, whose answers wait for the provider, in turns with the same by ours: at one rate, and as fast as
 * 64 connections with one request each can.
 */
export const front: Part = {
  name: "front",
  title: `accepted and sent by the Cloud API front at ${PER_SECOND}/s; beside \`POST /v1/messages\``,
  bounds: { [RATIO]: { atMost: 1.15 } },
  prepare: (run) => sendAll(run, { amount: run.known.recipients }),
  work: (run, extent) => sendAll(run, extent, { front: true }),
  async round(run) {
    const extent = { amount: run.bench.options.amount };
    const own = await metered(run, () => sendAtRate(run, false));
    const fronted = await metered(run, () => sendAtRate(run, true));
    const busy = await metered(run, () => sendAll(run, extent));
    const busyFront = await metered(run, () => sendAll(run, extent, { front: true }));
    return {
      ...fronted,
      ...ratio("", own, fronted),
      ...ratio(BUSY, busy, busyFront),
    };
  },
};

async function sendAtRate(run: Run, isFront: boolean): Promise<Work> {
  const { bench, urls, tenants, known } = run;
  await resetStub(bench);
  const question = { urls, tenants, ...known, front: isFront, perSecond: PER_SECOND, seconds: SECONDS };
  const { done } = await drive(bench, { kind: "open", ...question });
  await settled(bench, done, "sends");
  return { items: done, figures: {} };
}

const ratio = (words: string, own: Figures, fronted: Figures): Figures => ({
  [`${words}own API, CPU µs`]: cpuOf(own),
  [words + RATIO]: cpuOf(fronted) / cpuOf(own),
});

const cpuOf = (figures: Figures): number =>
  (figures["gateway µs"] ?? Number.NaN) + (figures["PostgreSQL µs"] ?? Number.NaN);
