import type { App } from "../../ctx.ts";
import { DEMAND_HOLDS_MS, exchangeDemand } from "./demand.store.ts";

/** This process among those that answer the API. */
export type Peers = {
  /** Its id in the table `worker`. */
  worker: string;
  /** Live ones, itself included. */
  live: number;
};

export type Demand = {
  /** Takes note of a request; answers how many a second this process may let through for the workspace just now. */
  ask(workspaceId: string): number;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
};

/** How often busy processes tell each other: what a client waits for its whole limit at one of them. */
const ROUND_MS = 1_000;
/** Part of its equal share that a process may use without a word, and that the others leave to it. */
const UNTOLD = 0.05;
/** A process is granted at most this many times what it was asked for, so that all may not jump to the whole limit at once. */
const GROWTH = 2;
/** Workspaces told a round, the busiest ones: some 10 KiB. The rest keep their equal share. */
const MOST_TOLD = 200;

/**
 * Shares a workspace's limit between processes by demand: a client that calls one of them alone may use all of it but 5 %.
 *
 * Each process counts what it is asked for. Once a workspace passes 5 % of an equal share (the limit ÷ live processes) it tells
 * the others, once a second, in one row and one statement, off the path of any request, and reads what they are asked for by
 * the same workspaces. It grants what they leave: each gets what it is asked for, and nobody more than an equal part of what is
 * scarce. The equal share is granted in any case, and no more than it while nothing is told or the database is away.
 *
 * Together they grant the limit while demand is steady. When it changes, the others learn of it within two seconds; until
 * then two processes may let through half as much again as the limit, and many of them, if all jump at once, less than three
 * times as much. A full bucket of one second's worth comes on top, as it does with one process.
 */
export function createDemand(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  perSecond: number,
  peers: () => Peers,
): Demand {
  let asked = new Map<string, number>();
  let since = clock.monotonic();
  let ratesBefore = new Map<string, number>();
  let grants = new Map<string, number>();
  let heardAt = Number.NEGATIVE_INFINITY;
  let heardOf = 0;
  let cancel: (() => void) | null = null;
  let telling: Promise<void> | null = null;

  const heard = (now: number): boolean => now - heardAt < DEMAND_HOLDS_MS;

  // Whose lease has lapsed on a busy machine still answers.
  const liveAt = (now: number): number => Math.max(peers().live, heard(now) ? heardOf + 1 : 1);

  function count(workspaceId: string, live: number, now: number): void {
    if (cancel === null && now - since >= ROUND_MS) beginRound(now);
    const times = (asked.get(workspaceId) ?? 0) + 1;
    asked.set(workspaceId, times);
    if (cancel === null && times >= untold(perSecond, live)) cancel = clock.after(ROUND_MS, endRound);
  }

  function beginRound(now: number): void {
    asked = new Map();
    since = now;
  }

  function endRound(): void {
    cancel = null;
    const now = clock.monotonic();
    const seconds = Math.max(ROUND_MS, now - since) / 1_000;
    const rates = new Map([...asked].map(([workspaceId, times]) => [workspaceId, times / seconds]));
    beginRound(now);
    const live = liveAt(now);
    const mine = busiest(rates, ratesBefore, untold(perSecond, live));
    ratesBefore = rates;
    if (mine.size === 0) {
      // Quiet, so nobody hears of it: what it takes next, it takes of its equal share.
      grants = new Map();
      return;
    }
    cancel = clock.after(ROUND_MS, endRound);
    // A database that takes longer than a round is not asked twice at once; what was heard runs out meanwhile.
    telling ??= tell(live, mine, now).finally(() => {
      telling = null;
    });
  }

  async function tell(live: number, mine: Map<string, number>, now: number): Promise<void> {
    try {
      const told = { worker: peers().worker, demand: Object.fromEntries(mine) };
      const others = await exchangeDemand(db, told, clock.now());
      grants = new Map(
        [...mine].map(([workspaceId, own]) => {
          const theirs = others.flatMap(({ demand }) => demand[workspaceId] ?? []);
          return [workspaceId, grantOf({ perSecond, live, own, theirs })];
        }),
      );
      heardAt = now;
      heardOf = others.length;
    } catch (error) {
      log.warn(
        { err: error },
        "the demand for the API could not be shared; each process grants an equal share meanwhile",
      );
    }
  }

  return {
    ask(workspaceId) {
      const now = clock.monotonic();
      const live = liveAt(now);
      if (live <= 1) return perSecond;
      count(workspaceId, live, now);
      const equal = perSecond / live;
      return heard(now) ? Math.max(equal, grants.get(workspaceId) ?? 0) : equal;
    },
    async stop() {
      cancel?.();
      cancel = () => undefined; // nothing begins anew
      await telling;
    },
  };
}

/** Requests a second that a process may be asked for without telling. */
const untold = (perSecond: number, live: number): number => (UNTOLD * perSecond) / live;

/** What is told: the busiest workspaces past `least`, each with the larger of its last two seconds, for demand is uneven. */
function busiest(rates: Map<string, number>, before: Map<string, number>, least: number): Map<string, number> {
  const larger = new Map(rates);
  for (const [workspaceId, rate] of before) larger.set(workspaceId, Math.max(rate, rates.get(workspaceId) ?? 0));
  const told = [...larger].filter(([, rate]) => rate >= least);
  return new Map(told.toSorted(([, a], [, b]) => b - a).slice(0, MOST_TOLD));
}

export type Asked = {
  perSecond: number;
  /** Live processes, this one included. */
  live: number;
  /** What this process is asked for, and what each other one that told is asked for, requests a second. */
  own: number;
  theirs: readonly number[];
};

/** What this process grants: all that the others leave when each of them gets what it needs, but nobody more than an equal part. */
export function grantOf({ perSecond, live, own, theirs }: Asked): number {
  const silent = Math.max(0, live - 1 - theirs.length);
  const needs = [...theirs, ...Array<number>(silent).fill(untold(perSecond, live))].toSorted((a, b) => a - b);
  let left = perSecond;
  let sharers = needs.length + 1;
  for (const need of needs) {
    if (need >= left / sharers) break;
    left -= need;
    sharers -= 1;
  }
  return Math.min(left / sharers, Math.max(perSecond / live, GROWTH * own));
}
