import type { Clock } from "../lib/clock.ts";

/**
 * Lets work that can wait start as fast as nobody notices. While rows start, the database is asked for nothing at all: how
 * long that takes shows how long an accept waits, for this event loop and for the database. Beyond some milliseconds fewer
 * rows start, and more again when it is quick: increase by steps, decrease by a part (Chiu and Jain, Computer Networks and
 * ISDN Systems 17, 1989).
 */
export type Yielding = {
  /** Whose starts these are. */
  of(starter: Starter): void;
  /** False while others come first; `again` is called when that may have changed. */
  mayStart(): boolean;
  started(): void;
  /** True while rows wait because others come first, or did a moment ago. */
  readonly holdsBack: boolean;
  stop(): void;
};

export type Starter = {
  /** Starts what may start. */
  again(): void;
  /** Rows of work that does not wait which this process has started so far. */
  others(): number;
};

export type YieldingOptions = {
  clock: Clock;
  /** Asks the database for nothing. */
  ask(): Promise<unknown>;
};

const LOOK_EVERY_MS = 20;
/** An answer that takes longer is a sign that others wait, unless it takes half as long at the best of times. */
const QUICK_MS = 1;
const USUAL_SHARE = 2;
/** What is taken for usual doubles in an hour, so that a database that moved away is not called slow for ever. */
const USUAL_GROWS = 2 ** (1 / 180_000);
/** Rows a second. */
const FIRST_RATE = 1_000;
const MOST_RATE = 20_000;
/** In whatever distress, so that what waits is never left standing. */
const LEAST_RATE = 250;
/** So many starts for each row of the others are what their traffic brings, and no flood: they are never held back. */
const OTHERS_BRING = 6;
const SMOOTH_LOOKS = 16;
const STEP_UP = 20;
const PART_UP = 1.03;
const PART_DOWN = 0.85;
/** Starts that may be saved up. */
const SAVED_MS = 50;
/** Without any start for so long, nobody is asked any more. */
const IDLE_MS = 500;
/** What was held back so short a time ago is held back still. */
const MOMENT_MS = 100;

export function createYielding({ clock, ask }: YieldingOptions): Yielding {
  let starter: Starter = { again: () => {}, others: () => 0 };
  let rate = FIRST_RATE;
  let credit = (rate * SAVED_MS) / 1_000;
  let usual = Number.POSITIVE_INFINITY;
  /** Rows that the others start in a second, smoothed over some hundred milliseconds. */
  let others = 0;
  let refused = false;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;
  let looking = false;
  let stopped = false;

  async function look(): Promise<void> {
    looking = true;
    let lookedAt = clock.monotonic();
    let then = starter.others();
    while (!stopped && (refused || clock.monotonic() - startedAt < IDLE_MS)) {
      await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
      const took = await answerTime();
      const passed = clock.monotonic() - lookedAt;
      lookedAt += passed;
      const now = starter.others();
      others += (((now - then) * 1_000) / passed - others) / SMOOTH_LOOKS;
      then = now;
      adapt(took);
      credit = Math.min((rate * Math.max(SAVED_MS, passed)) / 1_000, credit + (rate * passed) / 1_000);
      refused = false;
      starter.again();
    }
    looking = false;
  }

  /** Null when there was no answer: whoever works hears of that too. */
  async function answerTime(): Promise<number | null> {
    const askedAt = clock.monotonic();
    try {
      await ask();
      return clock.monotonic() - askedAt;
    } catch {
      return null;
    }
  }

  function adapt(took: number | null): void {
    if (took === null) return;
    usual = Math.min(took, usual * USUAL_GROWS);
    if (took > Math.max(QUICK_MS, usual * USUAL_SHARE)) rate *= PART_DOWN;
    else if (refused) rate = rate * PART_UP + STEP_UP;
    rate = Math.min(MOST_RATE, Math.max(LEAST_RATE, OTHERS_BRING * others, rate));
  }

  return {
    of(one) {
      starter = one;
    },
    mayStart() {
      if (credit >= 1) return true;
      refused = true;
      refusedAt = clock.monotonic();
      return false;
    },
    started() {
      credit -= 1;
      startedAt = clock.monotonic();
      if (!looking) void look();
    },
    get holdsBack() {
      return clock.monotonic() - refusedAt < MOMENT_MS;
    },
    stop() {
      stopped = true;
    },
  };
}
