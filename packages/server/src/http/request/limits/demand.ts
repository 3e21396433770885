import type { App } from "../../../ctx.ts";
import { DEMAND_HOLDS_MS, exchangeDemand } from "./demand.store.ts";

/** This process among those that answer the API. */
export type Peers = {
  /** Its id in the table `worker`. */
  worker: string;
  /** Live ones, itself included. */
  live: number;
};

/** How often busy processes share their demand: a client of one of them waits this long for its whole limit. */
const ROUND_MS = 1_000;
/** Part of its equal share that a process may use without sharing its demand, and that the others leave to it. */
const UNSHARED_PART = 0.05;
/** A process is granted at most this many times its demand, so that not all of them jump to the whole limit at once. */
const GROWTH = 2;
/** Workspaces shared in a round, the busiest ones: some 10 KiB. The rest keep their equal share. */
const MOST_SHARED = 200;

/**
 * Shares a workspace's limit between processes by demand: a client that calls one of them alone may use all of it but 5 %.
 *
 * Each process counts the requests for each workspace. Once a workspace passes 5 % of an equal share (the limit ÷ live
 * processes), the process shares its demand once a second, in one row and one statement, off the path of any request, and
 * reads the demand of the others for the same workspaces. It grants what they leave: each gets its own demand, and none more
 * than an equal part of what is scarce. The equal share is granted in any case, and no more than it while no demand is shared
 * or the database is away.
 *
 * Together they grant the limit while demand is steady. A change reaches the others within two seconds; until then two
 * processes may let through half as much again as the limit, and many of them, if all jump at once, less than three times as
 * much. A full bucket of one second's worth comes on top, as it does with one process.
 *
 * States: *quiet* (no timer; counts restart every second), *sharing* (a timer every second, set when a workspace passes
 * its 5 % and not renewed once none does), *stopped*.
 */
export class Demand {
  readonly #app: Pick<App, "db" | "clock" | "log">;
  readonly #perSecond: number;
  readonly #peers: () => Peers;
  /** Requests of this round, by workspace. */
  #counts = new Map<string, number>();
  /** Monotonic milliseconds: when this round began. */
  #since: number;
  /** Requests a second of the round before. */
  #ratesBefore = new Map<string, number>();
  /** Requests a second that this process may let through, by workspace; valid while `#isFresh`. */
  #grants = new Map<string, number>();
  #receivedAt = Number.NEGATIVE_INFINITY;
  /** Other processes that shared their demand then. */
  #others = 0;
  /** Cancels the timer of the state *sharing*; null in *quiet*. */
  #cancel: (() => void) | null = null;
  #exchange: Promise<void> | null = null;

  constructor(app: Pick<App, "db" | "clock" | "log">, perSecond: number, peers: () => Peers) {
    this.#app = app;
    this.#perSecond = perSecond;
    this.#peers = peers;
    this.#since = app.clock.monotonic();
  }

  /** Counts a request; returns how many a second this process may let through for the workspace just now. */
  ask(workspaceId: string): number {
    const now = this.#app.clock.monotonic();
    const live = this.#liveAt(now);
    if (live <= 1) return this.#perSecond;
    this.#count(workspaceId, live, now);
    const equal = this.#perSecond / live;
    return this.#isFresh(now) ? Math.max(equal, this.#grants.get(workspaceId) ?? 0) : equal;
  }

  // A process whose lease has lapsed on a busy machine still answers requests.
  #liveAt(now: number): number {
    return Math.max(this.#peers().live, this.#isFresh(now) ? this.#others + 1 : 1);
  }

  #isFresh(now: number): boolean {
    return now - this.#receivedAt < DEMAND_HOLDS_MS;
  }

  #count(workspaceId: string, live: number, now: number): void {
    if (this.#cancel === null && now - this.#since >= ROUND_MS) this.#beginRound(now);
    const count = (this.#counts.get(workspaceId) ?? 0) + 1;
    this.#counts.set(workspaceId, count);
    if (this.#cancel === null && count >= unsharedRate(this.#perSecond, live)) this.#startTimer();
  }

  #beginRound(now: number): void {
    this.#counts = new Map();
    this.#since = now;
  }

  #startTimer(): void {
    this.#cancel = this.#app.clock.after(ROUND_MS, () => this.#endRound());
  }

  #endRound(): void {
    this.#cancel = null;
    const now = this.#app.clock.monotonic();
    const seconds = Math.max(ROUND_MS, now - this.#since) / 1_000;
    const rates = new Map([...this.#counts].map(([workspaceId, count]) => [workspaceId, count / seconds]));
    this.#beginRound(now);
    const live = this.#liveAt(now);
    const mine = busiest(rates, this.#ratesBefore, unsharedRate(this.#perSecond, live));
    this.#ratesBefore = rates;
    if (mine.size === 0) {
      // Quiet: the others do not hear of this process any more, so it goes back to its equal share.
      this.#grants = new Map();
      return;
    }
    this.#startTimer();
    // A database that takes longer than a round gets no second call meanwhile; what was received expires by itself.
    this.#exchange ??= this.#share(live, mine, now).finally(() => {
      this.#exchange = null;
    });
  }

  /** Stores the demand of this process, reads that of the others and computes the grants. Never rejects. */
  async #share(live: number, mine: Map<string, number>, now: number): Promise<void> {
    const { db, clock, log } = this.#app;
    try {
      const row = { worker: this.#peers().worker, demand: Object.fromEntries(mine) };
      const others = await exchangeDemand(db, row, clock.now());
      this.#grants = new Map(
        [...mine].map(([workspaceId, own]) => {
          const theirs = others.flatMap(({ demand }) => demand[workspaceId] ?? []);
          return [workspaceId, grantOf({ perSecond: this.#perSecond, live, own, theirs })];
        }),
      );
      this.#receivedAt = now;
      this.#others = others.length;
    } catch (error) {
      log.warn(
        { err: error },
        "the demand for the API could not be shared; each process grants an equal share meanwhile",
      );
    }
  }

  /** Resolves when no exchange is running any more, and starts no other one. */
  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = () => undefined; // not null: no timer starts again
    await this.#exchange;
  }
}

/** Requests a second that a process may let through for a workspace without sharing its demand. */
const unsharedRate = (perSecond: number, live: number): number => (UNSHARED_PART * perSecond) / live;

/** The demand to share: the busiest workspaces past `least`, each with the larger of its last two seconds, because demand is uneven. */
function busiest(rates: Map<string, number>, before: Map<string, number>, least: number): Map<string, number> {
  const larger = new Map(rates);
  for (const [workspaceId, rate] of before) larger.set(workspaceId, Math.max(rate, rates.get(workspaceId) ?? 0));
  const shared = [...larger].filter(([, rate]) => rate >= least);
  return new Map(shared.toSorted(([, a], [, b]) => b - a).slice(0, MOST_SHARED));
}

export type Asked = {
  perSecond: number;
  /** Live processes, this one included. */
  live: number;
  /** Demand of this process, and of each other one that has shared it, in requests a second. */
  own: number;
  theirs: readonly number[];
};

/**
 * Requests a second that this process grants: all that the others leave when each of them gets what it needs, and none more
 * than an equal part.
 */
export function grantOf({ perSecond, live, own, theirs }: Asked): number {
  const silent = Math.max(0, live - 1 - theirs.length);
  const needs = [...theirs, ...Array<number>(silent).fill(unsharedRate(perSecond, live))].toSorted((a, b) => a - b);
  let left = perSecond;
  let sharers = needs.length + 1;
  for (const need of needs) {
    if (need >= left / sharers) break;
    left -= need;
    sharers -= 1;
  }
  return Math.min(left / sharers, Math.max(perSecond / live, GROWTH * own));
}
