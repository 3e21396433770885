import { LRUCache } from "lru-cache";
import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../../db/batched.ts";
import { Problem } from "../../../http/problem.ts";
import { slotOf } from "../../../lanes/lane-kinds.ts";
import { atMost } from "../../../lib/at-most.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import type { Sender } from "../../accounts/numbers/senders.ts";
import { countBacklog } from "./backlog.store.ts";

/** What a number is asked to send beyond this long a time is refused: it would wait longer than most messages are worth. */
const MOST_WAIT_S = 3_600;
/** A lane is counted again at most this often, and takes at most this part of the database's time: a full one takes 0.1 s. */
const COUNT_EVERY_MS = 1_000;
const COUNT_REST = 50;
/** A lane is counted again when this part as many came as wait: counting a row costs a hundredth of what accepting it did. */
const GROWN_BY = 0.5;
/** A count is good for this long while few messages are accepted, longer where it takes long: other processes may accept for the number. */
const COUNT_HOLDS_MS = 30_000;
const COUNT_HOLDS_REST = 500;
/** Older, it says nothing any more. */
const COUNT_LASTS_MS = 5 * 60_000;
/** Other processes are not believed to take more than so many for each message that this one takes. */
const MOST_OTHERS = 20;
/** Numbers remembered; about 100 bytes each. */
const MOST_LANES = 50_000;

/** The number of a lane, and how many messages a second it sends. */
export type Outlet = Pick<Sender, "lane" | "throughputPerSecond">;

export type Seen = {
  /** Null while it is not known. */
  waiting: number | null;
  /** With so many nothing more is accepted. */
  most: number;
  /** When one more will be sent, as ISO text, in whole seconds. */
  dispatchAt: string | null;
  /** The refusal of one more. */
  full: Problem | null;
};
const UNKNOWN = { waiting: null, dispatchAt: null, full: null };

type Backlog = {
  /** Messages that waited at `at`, by the monotonic clock; fewer wait later, as the number sends. */
  waiting: number;
  at: number;
  /** When it was last counted; never: -Infinity. */
  countedAt: number;
  /** Places taken here since then. */
  taken: number;
  /** How many places other processes took for each one taken here, by the last counts. */
  others: number;
  counting: boolean;
  /** Not counted again before. */
  restUntil: number;
  /** Counted again after this in any case. */
  holdsUntil: number;
};

/**
 * How many messages wait for each number, as far as accepting needs it: counted now and then in the background, and between two
 * counts what was accepted here less what the number has sent by its rate. Accepting asks the database nothing. Other processes
 * are supposed to accept as many for each message accepted here as they did before the last count.
 */
export class Backlogs {
  readonly #app: App;
  readonly #counts: CallsOf<typeof countBacklog>;
  readonly #quiet: QuietLog;
  readonly #lanes = new LRUCache<number, Backlog>(atMost(MOST_LANES));
  #second = Number.NaN;
  #secondText = "";

  constructor(app: App) {
    this.#app = app;
    const { db, clock, log } = app;
    this.#quiet = new QuietLog(log, clock);
    this.#counts = new BatchedCalls({ db, clock, fn: countBacklog, group: (row) => String(row.lane) });
  }

  /** What waits for the number now. */
  look(outlet: Outlet, now: number): Seen {
    const backlog = this.#of(outlet);
    this.#countSoon(outlet, backlog);
    const waiting = this.#drain(outlet, backlog);
    const most = mostOf(outlet);
    if (this.#app.clock.monotonic() - backlog.countedAt > COUNT_LASTS_MS) return { ...UNKNOWN, most };
    const { throughputPerSecond: rate } = outlet;
    const dispatchAt = this.#secondOf(now + (waiting / rate) * 1_000);
    return {
      waiting: Math.round(waiting),
      most,
      dispatchAt,
      full: waiting < most ? null : full(waiting, rate, dispatchAt),
    };
  }

  /**
   * Takes a place for a message that is to be sent now. Returns when it will be sent, as ISO text; null while that is not known.
   * Throws `queue_full` when an hour's work of the number waits already.
   */
  take(outlet: Outlet, now: number): string | null {
    const seen = this.look(outlet, now);
    if (seen.full) throw seen.full;
    const backlog = this.#of(outlet);
    this.#add(backlog, 1);
    return seen.dispatchAt;
  }

  /** The message was not accepted. */
  giveBack(outlet: Outlet): void {
    this.#add(this.#of(outlet), -1);
  }

  #add(backlog: Backlog, places: 1 | -1): void {
    backlog.waiting = Math.max(0, backlog.waiting + places * (1 + backlog.others));
    backlog.taken = Math.max(0, backlog.taken + places);
  }

  // Rounded up, so that one text serves thousands of messages: writing it was a hundredth of the time of accepting one.
  #secondOf(ms: number): string {
    const second = Math.ceil(ms / 1_000);
    if (this.#second !== second) {
      this.#second = second;
      this.#secondText = new Date(second * 1_000).toISOString();
    }
    return this.#secondText;
  }

  #of({ lane }: Outlet): Backlog {
    let backlog = this.#lanes.get(lane);
    if (backlog === undefined) {
      const never = Number.NEGATIVE_INFINITY;
      const at = this.#app.clock.monotonic();
      backlog = {
        waiting: 0,
        at,
        countedAt: never,
        taken: 0,
        others: 0,
        counting: false,
        restUntil: never,
        holdsUntil: never,
      };
      this.#lanes.set(lane, backlog);
    }
    return backlog;
  }

  /** How many wait by now. */
  #drain({ throughputPerSecond }: Outlet, backlog: Backlog): number {
    const now = this.#app.clock.monotonic();
    backlog.waiting = Math.max(0, backlog.waiting - ((now - backlog.at) / 1_000) * throughputPerSecond);
    backlog.at = now;
    return backlog.waiting;
  }

  // A number that is asked for little is counted seldom: what waits for it is little too.
  #countSoon(outlet: Outlet, backlog: Backlog): void {
    const now = this.#app.clock.monotonic();
    if (backlog.counting || now < backlog.restUntil) return;
    const { waiting, taken } = backlog;
    const isFull = waiting >= mostOf(outlet);
    const hasGrown = taken >= Math.max(outlet.throughputPerSecond, waiting * GROWN_BY);
    if (isFull || hasGrown || now > backlog.holdsUntil) void this.#count(outlet, backlog, now);
  }

  async #count(outlet: Outlet, backlog: Backlog, began: number): Promise<void> {
    const { lane } = outlet;
    const { clock } = this.#app;
    const takenBefore = backlog.taken;
    const expected = this.#drain(outlet, backlog);
    backlog.counting = true;
    try {
      const most = mostOf(outlet) + outlet.throughputPerSecond;
      const { waiting } = await this.#counts.submit({ slot: slotOf(lane), lane, most });
      // What was taken meanwhile may be in the count already: that is neither others' nor missing.
      const more = Math.max(0, waiting - this.#drain(outlet, backlog)) - Math.max(0, expected - waiting);
      if (backlog.countedAt > Number.NEGATIVE_INFINITY && takenBefore >= outlet.throughputPerSecond)
        backlog.others = Math.min(Math.max(0, backlog.others + more / takenBefore), MOST_OTHERS);
      // And rather too many than too few.
      backlog.taken = Math.max(0, backlog.taken - takenBefore);
      backlog.waiting = waiting + backlog.taken * (1 + backlog.others);
      backlog.at = clock.monotonic();
      backlog.countedAt = backlog.at;
      const holds = Math.max(COUNT_HOLDS_MS, (backlog.at - began) * COUNT_HOLDS_REST);
      backlog.holdsUntil = backlog.at + Math.min(holds, COUNT_LASTS_MS);
    } catch (error) {
      this.#quiet.warn(
        "backlog",
        { err: error },
        "the messages that wait for a number could not be counted; they are counted again",
      );
    }
    const ended = clock.monotonic();
    backlog.restUntil = ended + Math.max(COUNT_EVERY_MS, (ended - began) * COUNT_REST);
    backlog.counting = false;
  }

  /** Resolves when nothing is being counted. */
  stop(): Promise<void> {
    return this.#counts.drained();
  }
}

const mostOf = ({ throughputPerSecond }: Outlet): number => throughputPerSecond * MOST_WAIT_S;

const full = (waiting: number, rate: number, dispatchAt: string): Problem =>
  new Problem(
    "queue_full",
    `About ${Math.round(waiting)} messages wait for this number, which sends ${rate} a second: one more would be sent at ${dispatchAt} at the earliest.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((waiting + 1) / rate - MOST_WAIT_S)) },
  );
