import type { Clock } from "../../lib/clock.ts";

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
  /** True while a flood waits because others come first, or did a moment ago. */
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
/**
 * Rows may start beside the others' traffic, after it (what a burst has left behind), or as a flood: many more than the others'
 * traffic brings. An answer of the database that takes longer than `quickMs` is a sign that others wait, unless it takes half as
 * long at the best of times. When answers are quick the rate grows by a part and a step each time.
 */
const TRAFFIC = {
  beside: { quickMs: 1, part: 1.15, step: 100 },
  after: { quickMs: 10, part: 2, step: 100 },
  flood: { quickMs: 1, part: 1.03, step: 20 },
};
const USUAL_SHARE = 2;
/** What is taken for usual doubles in an hour, so that a database that moved away is not called slow for ever. */
const USUAL_GROWS = 2 ** (1 / 180_000);
/** Rows a second. */
const FIRST_RATE = 1_000;
const MOST_RATE = 20_000;
/** In whatever distress, so that what waits is never left standing: this rate, or so many for each row of the others. */
const LEAST_RATE = 250;
/** A burst is taken in first and told of afterwards; of what goes on for longer, all that it brings must leave meanwhile. */
const FOR_EACH_OTHER = { burst: 1 / 3, lasting: 3 };
const BURST_MS = 15_000;
/** So many starts for each row of the others are more than their traffic brings. */
const FLOOD = 4;
/** Rates are smoothed over so many looks: some hundred milliseconds, and some seconds. */
const SMOOTH_LOOKS = 16;
const LONG_LOOKS = 256;
/** The others' traffic is over when none of their rows has started for so long, two or three looks. */
const OVER_MS = 60;
const PART_DOWN = 0.85;
/** Starts that may be saved up. */
const SAVED_MS = 50;
/** Without any start for so long, nobody is asked any more. */
const IDLE_MS = 500;
/** A flood that is held back falls below its measure again and again: it is one for so long after the last time. */
const FLOOD_MS = 1_000;
/** What was held back so short a time ago is held back still. */
const MOMENT_MS = 100;

export function createYielding({ clock, ask }: YieldingOptions): Yielding {
  let starter: Starter = { again: () => {}, others: () => 0 };
  let rate = FIRST_RATE;
  let credit = (rate * SAVED_MS) / 1_000;
  let usual = Number.POSITIVE_INFINITY;
  /** Starts a second, ours and the others', smoothed; the others' over a longer time too, which remembers a burst. */
  const lately = { ours: 0, others: 0, othersLong: 0 };
  /** For how long none of the others' rows has started. */
  let aloneMs = 0;
  let starts = 0;
  let refused = false;
  /** For how long rows have been held back without a moment when none waited. */
  let heldMs = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let floodAt = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;
  let looking = false;
  let stopped = false;

  async function look(): Promise<void> {
    looking = true;
    let lookedAt = clock.monotonic();
    let then = { ours: starts, others: starter.others() };
    while (!stopped && (refused || clock.monotonic() - startedAt < IDLE_MS)) {
      await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
      const took = await answerTime();
      const passed = clock.monotonic() - lookedAt;
      lookedAt += passed;
      heldMs = refused ? heldMs + passed : 0;
      const now = { ours: starts, others: starter.others() };
      const others = ((now.others - then.others) * 1_000) / passed;
      aloneMs = others > 0 ? 0 : aloneMs + passed;
      lately.ours += (((now.ours - then.ours) * 1_000) / passed - lately.ours) / SMOOTH_LOOKS;
      lately.others += (others - lately.others) / SMOOTH_LOOKS;
      lately.othersLong += (others - lately.othersLong) / LONG_LOOKS;
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
    const now = traffic();
    if (now === "flood") floodAt = clock.monotonic();
    const { quickMs, part, step } = TRAFFIC[now];
    if (took > Math.max(quickMs, usual * USUAL_SHARE)) rate *= PART_DOWN;
    else if (refused) rate = rate * part + step;
    const forEach = heldMs < BURST_MS ? FOR_EACH_OTHER.burst : FOR_EACH_OTHER.lasting;
    const least = Math.max(LEAST_RATE, forEach * lately.others);
    rate = Math.min(MOST_RATE, Math.max(least, rate));
  }

  function traffic(): keyof typeof TRAFFIC {
    if (aloneMs < OVER_MS && lately.ours < FLOOD * lately.others) return "beside";
    return lately.ours < FLOOD * lately.othersLong ? "after" : "flood";
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
      starts += 1;
      startedAt = clock.monotonic();
      if (!looking) void look();
    },
    get holdsBack() {
      const now = clock.monotonic();
      return now - refusedAt < MOMENT_MS && now - floodAt < FLOOD_MS;
    },
    stop() {
      stopped = true;
    },
  };
}
