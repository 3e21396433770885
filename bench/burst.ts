import { setTimeout as sleep } from "node:timers/promises";
import type { Figures } from "./figures.ts";
import { metered, type Part, type Run, type Work } from "./part.ts";
import { acceptAll, acceptFirst, announce, sendAll } from "./work.ts";

const SILENCE_MS = 30_000;
const BURST = { seconds: 1.5 };
const COSTS = ["gateway µs", "PostgreSQL µs"];
const MOST = { atMost: 1.3 };

/** Adds the cost of a message after a silence to that of one when all is warm. */
const afterSilence = async (run: Run, work: () => Promise<Work>): Promise<Figures> => {
  await sleep(SILENCE_MS);
  const burst = await metered(run, work);
  await metered(run, work);
  const warm = await metered(run, work);
  const sum = (figures: Figures): number => COSTS.reduce((total, name) => total + (figures[name] ?? 0), 0);
  return {
    ...Object.fromEntries(COSTS.flatMap((name) => (name in burst ? [[`${name}, burst`, burst[name] as number]] : []))),
    "burst ÷ warm": sum(burst) / sum(warm),
    ...warm,
  };
};

const shared = { name: "burst", rounds: 1, bounds: { "burst ÷ warm": MOST } };
const LIFE = { reported: true, deliveries: 3 };

/** 1.5 s of load after 30 s of silence: what was dropped or has cooled down meanwhile is paid for by the first messages. */
export const burst: Part[] = [
  {
    ...shared,
    title: "accepted after 30 s of silence, recipients known",
    roles: "api",
    prepare: acceptFirst,
    slice: (run) => afterSilence(run, () => acceptAll(run, 64, BURST)),
  },
  {
    ...shared,
    title: "a message's life after 30 s of silence",
    events: ["*"],
    prepare: (run) => announce(run, LIFE, ["*"]),
    slice: (run) => afterSilence(run, () => sendAll(run, BURST, LIFE)),
  },
];
