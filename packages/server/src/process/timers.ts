import type { App } from "../ctx.ts";
import type { Timer } from "../feature.ts";

/** A timer's first round comes no later: in a process that restarts often an hourly timer would never run otherwise. */
const FIRST_ROUND_MS = 60_000;

/** Runs each timer regularly; returns what ends them. A round that runs then still ends by itself. */
export function startTimers({ log }: App, timers: readonly Omit<Timer, "role">[]): () => void {
  const clears = timers.map(({ name, everyMs, run }) => {
    let busy = false;
    const round = (): void => {
      if (busy) return; // a slow round is not joined by a second one
      busy = true;
      run()
        .catch((error: unknown) => log.warn({ err: error, timer: name }, "a timer failed; its next round tries again"))
        .finally(() => {
          busy = false;
        });
    };
    const first = setTimeout(round, Math.min(everyMs, FIRST_ROUND_MS)).unref();
    const rest = setInterval(round, everyMs).unref();
    return () => {
      clearTimeout(first);
      clearInterval(rest);
    };
  });
  return () => {
    for (const clear of clears) clear();
  };
}
