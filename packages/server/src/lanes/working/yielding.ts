import { type Clock, pause } from "../../lib/clock.ts";

/** The scheduler of work that yields. */
export type Starter = {
  /** Starts what may start now. */
  startMore(): void;
};
/** Other work of this process, with the rows that it has started so far. */
export type OtherWork = { readonly starts: number };

export type YieldingOptions = {
  clock: Clock;
  /** Sends the database an empty query. */
  ask(): Promise<unknown>;
};

const LOOK_EVERY_MS = 20;
/**
 * Rows may start beside the others' traffic, after it (what a burst has left behind), or as a flood: many more than the
 * others' traffic brings. An answer of the database that takes longer than `quickMs` is a sign that others wait, unless it
 * takes half as long at the best of times. When answers are quick the rate grows by a part and a step each time.
 */
const TRAFFIC = {
  beside: { quickMs: 1, part: 1.15, step: 100 },
  after: { quickMs: 10, part: 2, step: 100 },
  flood: { quickMs: 1, part: 1.03, step: 20 },
};
const USUAL_SHARE = 2;
/** The usual answer time doubles in an hour, so that a database that moved away is not called slow for ever. */
const USUAL_GROWS = 2 ** (1 / 180_000);
/** Rows a second. */
const FIRST_RATE = 1_000;
const MOST_RATE = 20_000;
/** However slow the database is, so that waiting rows never stand still: this rate, or so many for each row of the others. */
const LEAST_RATE = 250;
/** So many starts between two looks may be the beginning of more: the first rate. */
const BURST_A_LOOK = (FIRST_RATE * LOOK_EVERY_MS) / 1_000;
/** A burst is taken in first and its deliveries follow; of traffic that goes on for longer, all that it brings must leave meanwhile. */
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
/** After so long without any start the database is not asked any more. */
const IDLE_MS = 500;
/** A flood that is held back falls below its measure again and again: it is one for so long after the last time. */
const FLOOD_MS = 1_000;
/** Rows that were held back so short a time ago are held back still. */
const MOMENT_MS = 100;

/**
 * Limits work that can wait to a rate at which other work is not slowed down. While more than a few rows start, the database is sent an
 * empty query every 20 ms: its answer takes as long as an accept waits, for this event loop and for the database. Beyond some
 * milliseconds fewer rows start, and more again when it is quick: increase by steps, decrease by a part (Chiu and Jain,
 * Computer Networks and ISDN Systems 17, 1989).
 */
export class Yielding {
  readonly #clock: Clock;
  readonly #ask: () => Promise<unknown>;
  #starter: Starter = { startMore: () => {} };
  #others: readonly OtherWork[] = [];
  #rate = FIRST_RATE;
  /** Rows that may start now. */
  #credit = (FIRST_RATE * SAVED_MS) / 1_000;
  #usualMs = Number.POSITIVE_INFINITY;
  /** Starts a second, of this work and the others', smoothed; the others' over a longer time too, which remembers a burst. */
  readonly #lately = { ours: 0, others: 0, othersLong: 0 };
  /** For how long none of the others' rows has started. */
  #aloneMs = 0;
  #starts = 0;
  #refused = false;
  /** For how long rows have been held back without a moment when none waited. */
  #heldMs = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #floodAt = Number.NEGATIVE_INFINITY;
  #startedAt = Number.NEGATIVE_INFINITY;
  #looking = false;
  #stopped = false;

  constructor({ clock, ask }: YieldingOptions) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** The scheduler that starts the rows, and the work that goes first; called once, before any row starts. */
  attach(starter: Starter, others: readonly OtherWork[]): void {
    this.#starter = starter;
    this.#others = others;
  }

  /** Rows that may start now; the starter is called when that may have grown. */
  get granted(): number {
    return Math.floor(this.#credit);
  }

  /** So many rows were started; `heldBack`: more would have been if more had been granted. */
  started(rows: number, heldBack: boolean): void {
    if (heldBack) {
      this.#refused = true;
      this.#refusedAt = this.#clock.monotonic();
    }
    if (rows === 0) return;
    this.#credit -= rows;
    this.#starts += rows;
    this.#startedAt = this.#clock.monotonic();
    if (!this.#looking) void this.#look();
  }

  /** True while a flood is held back, or was a moment ago. */
  get holdsBack(): boolean {
    const now = this.#clock.monotonic();
    return now - this.#refusedAt < MOMENT_MS && now - this.#floodAt < FLOOD_MS;
  }

  async #look(): Promise<void> {
    this.#looking = true;
    let lookedAt = this.#clock.monotonic();
    let then = { ours: this.#starts, others: this.#startsOfOthers() };
    while (!this.#stopped && (this.#refused || this.#clock.monotonic() - this.#startedAt < IDLE_MS)) {
      await pause(this.#clock, LOOK_EVERY_MS);
      const took = this.#isQuiet(this.#starts - then.ours) ? null : await this.#answerTime();
      const passed = this.#clock.monotonic() - lookedAt;
      lookedAt += passed;
      const now = { ours: this.#starts, others: this.#startsOfOthers() };
      this.#measure(now.ours - then.ours, now.others - then.others, passed);
      then = now;
      if (took !== null) this.#adapt(took);
      const mostCredit = (this.#rate * Math.max(SAVED_MS, passed)) / 1_000;
      this.#credit = Math.min(mostCredit, this.#credit + (this.#rate * passed) / 1_000);
      this.#refused = false;
      this.#starter.startMore();
    }
    this.#looking = false;
  }

  /** Fewer start than may start at the worst of times, so an answer would change nothing. */
  #isQuiet(startsSinceLook: number): boolean {
    return !this.#refused && this.#lately.ours < LEAST_RATE && startsSinceLook < BURST_A_LOOK;
  }

  #startsOfOthers(): number {
    return this.#others.reduce((sum, { starts }) => sum + starts, 0);
  }

  /** Null when there was none: the work itself meets that failure too. */
  async #answerTime(): Promise<number | null> {
    const askedAt = this.#clock.monotonic();
    try {
      await this.#ask();
      return this.#clock.monotonic() - askedAt;
    } catch {
      return null;
    }
  }

  #measure(ours: number, others: number, passedMs: number): void {
    const lately = this.#lately;
    const othersRate = (others * 1_000) / passedMs;
    this.#heldMs = this.#refused ? this.#heldMs + passedMs : 0;
    this.#aloneMs = others > 0 ? 0 : this.#aloneMs + passedMs;
    lately.ours += ((ours * 1_000) / passedMs - lately.ours) / SMOOTH_LOOKS;
    lately.others += (othersRate - lately.others) / SMOOTH_LOOKS;
    lately.othersLong += (othersRate - lately.othersLong) / LONG_LOOKS;
  }

  #adapt(tookMs: number): void {
    this.#usualMs = Math.min(tookMs, this.#usualMs * USUAL_GROWS);
    const traffic = this.#traffic();
    if (traffic === "flood") this.#floodAt = this.#clock.monotonic();
    const { quickMs, part, step } = TRAFFIC[traffic];
    if (tookMs > Math.max(quickMs, this.#usualMs * USUAL_SHARE)) this.#rate *= PART_DOWN;
    else if (this.#refused) this.#rate = this.#rate * part + step;
    const forEach = this.#heldMs < BURST_MS ? FOR_EACH_OTHER.burst : FOR_EACH_OTHER.lasting;
    const least = Math.max(LEAST_RATE, forEach * this.#lately.others);
    this.#rate = Math.min(MOST_RATE, Math.max(least, this.#rate));
  }

  #traffic(): keyof typeof TRAFFIC {
    const { ours, others, othersLong } = this.#lately;
    if (this.#aloneMs < OVER_MS && ours < FLOOD * others) return "beside";
    return ours < FLOOD * othersLong ? "after" : "flood";
  }

  /** Looks no more. */
  stop(): void {
    this.#stopped = true;
  }
}
