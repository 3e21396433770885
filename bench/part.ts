import type { Build, BuiltGateway, Helper } from "./children.ts";
import { type Bound, costs, difference, type Figures, type Spent } from "./figures.ts";
import type { Options } from "./options.ts";
import type { Place } from "./place.ts";
import { cpuMs } from "./processes.ts";
import type { Tenant } from "./tenants.ts";

/** What all parts of a run share. */
export type Bench = { place: Place; load: Helper; stub: Helper; bare: Helper; options: Options };

/** A part of the benchmark in one form: what surrounds a slice is the same for all of them. */
export type Part = {
  name: string;
  /** What is measured, in a line. */
  title: string;
  /** Default: all. */
  roles?: string;
  /** Default: one, with two numbers. Many have one number each. */
  workspaces?: number;
  /** What the one receiving endpoint of each workspace subscribes to; without, nothing is delivered. */
  events?: readonly string[];
  /** Rounds without BENCH_ROUNDS, where they are not the usual ones. */
  rounds?: number;
  bounds?: Record<string, Bound>;
  /** Warms the gateway up. */
  prepare(run: Run): Promise<void>;
  /** One round. */
  slice(run: Run): Promise<Figures>;
  /** Where this build is measured alone: what is measured after each of its slices, to be compared with it. */
  beside?(bench: Bench): Promise<(slice: Figures) => Promise<Figures>>;
};

/** One build at work for one part: its processes, on a database of their own. */
export type Run = {
  bench: Bench;
  build: Build;
  databaseUrl: string;
  gateways: BuiltGateway[];
  urls: string[];
  tenants: Tenant[];
  /** Recipients that `prepare` makes known: the first, and how many. */
  known: { firstRecipient: number; recipients: number };
  /** Measured so far. */
  items: number;
};

/** What one slice did, and its figures by themselves. */
export type Work = { items: number; figures: Figures };

/** Does the work, and adds what it cost. */
export async function metered(run: Run, work: () => Promise<Work>): Promise<Figures> {
  const before = await spentBy(run);
  const { items, figures } = await work();
  const after = await spentBy(run);
  run.items += items;
  return { ...figures, ...costs(difference(after, before), items) };
}

async function spentBy({ bench: { place, load, stub }, gateways }: Run): Promise<Spent> {
  const wal = await place.walBytes();
  return {
    gateway: cpuMs(gateways.map(({ pid }) => pid)),
    database: place.cpuMs(),
    load: cpuMs([load.pid, stub.pid]),
    wal,
  };
}

let recipientsUsed = 2_000_000;
/** The first of `count` recipients that have received no message yet. */
export function nextRecipients(count: number): number {
  recipientsUsed += count;
  return recipientsUsed - count;
}
