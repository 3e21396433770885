import { setTimeout as sleep } from "node:timers/promises";
import type { Figures } from "./figures.ts";
import { metered, type Part, type Run } from "./part.ts";

const SILENCE_MS = 30_000;
const BURST = { seconds: 1.5 };
const COSTS = ["gateway µs", "PostgreSQL µs"] as const;

/** The part's work for 1.5 s after 30 s of silence: what has cooled down meanwhile is paid for by the first messages. */
export function burstOf(part: Part): Part {
  return {
    ...part,
    name: "burst",
    title: `${part.title}; after 30 s of silence, beside warm`,
    rounds: 1,
    beside: undefined,
    bounds: { "burst ÷ warm": { atMost: 1.3 } },
    async round(run) {
      await sleep(SILENCE_MS);
      const burst = await again(run, part);
      await again(run, part);
      const warm = await again(run, part);
      const cold = COSTS.flatMap((name) => (name in burst ? [[`${name}, burst`, burst[name] as number]] : []));
      return { ...warm, ...Object.fromEntries(cold), "burst ÷ warm": sum(burst) / sum(warm) };
    },
  };
}

const again = (run: Run, { work }: Part): Promise<Figures> => metered(run, () => work(run, BURST));
const sum = (figures: Figures): number => COSTS.reduce((total, name) => total + (figures[name] ?? 0), 0);
