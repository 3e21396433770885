/**
 * A pace by the generic cell rate algorithm: at most `ratePerSecond` in the long run and `ratePerSecond × SLACK` at once.
 * Small slack keeps every one-second window within a few percent of the rate, which is what the provider measures.
 */
export type Pace = {
  /** Milliseconds until the next start may happen; 0: now. */
  waitMs(nowMs: number): number;
  /** Counts one start. */
  spend(nowMs: number): void;
  setRate(ratePerSecond: number): void;
  /** Nothing starts for this long. */
  pause(nowMs: number, ms: number): void;
};

/** Part of a second's rate that may be saved up while the event loop or a commit is late. */
const SLACK = 0.03;

/** `nowMs` is monotonic. Starts with nothing saved up: a former owner may have spent this second already. */
export function createPace(ratePerSecond: number, nowMs: number): Pace {
  let interval = 1_000 / ratePerSecond;
  let slack = slackOf(interval);
  // When the next start would fall if all were evenly spread.
  let next = nowMs + slack;
  return {
    waitMs: (now) => Math.max(0, next - slack - now),
    spend(now) {
      next = Math.max(now, next) + interval;
    },
    pause(now, ms) {
      next = Math.max(next, now + ms + slack);
    },
    setRate(rate) {
      const saved = slack;
      interval = 1_000 / rate;
      slack = slackOf(interval);
      // More slack is earned, not given: else each change of the rate would let a burst through.
      next += Math.max(0, slack - saved);
    },
  };
}

const slackOf = (interval: number): number => Math.max(0, SLACK * 1_000 - interval);
