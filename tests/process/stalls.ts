/** Times in epoch milliseconds, as the provider's record has them. */
export type Stalls = {
  /** The earliest moment at which something seen at `at` can have happened: the last sign of life before it. */
  earliest(at: number): number;
  stop(): void;
};

const LOOK_EVERY_MS = 2;
/** Less is the timer's own unevenness. */
const LEAST_STALL_MS = 6;
/** What has piled up in a pause is taken in over the next turns: connections first, then what came on them. */
const BACKLOG_MS = 20;

/**
 * Remembers when this process could not look. It imitates the provider, and on a busy machine what arrived in a pause is
 * seen all at once behind it: that is this observer's bunching, not the sender's.
 */
export function watchStalls(): Stalls {
  const stalls: { from: number; to: number }[] = [];
  const now = (): number => performance.timeOrigin + performance.now();
  let alive = now();
  const timer = setInterval(() => {
    const at = now();
    const last = stalls.at(-1);
    if (at - alive > LEAST_STALL_MS) {
      if (last && alive <= last.to) last.to = at + BACKLOG_MS;
      else stalls.push({ from: alive, to: at + BACKLOG_MS });
    }
    alive = at;
  }, LOOK_EVERY_MS);
  return {
    earliest: (at) => stalls.find(({ from, to }) => from < at && at <= to)?.from ?? at,
    stop: () => clearInterval(timer),
  };
}
