import type { Build, BuiltGateway, Helper } from "./children.ts";
import { type Bound, costs, type Figures, type Spent } from "./figures.ts";
import type { Options } from "./options.ts";
import type { Place } from "./place.ts";
import { cpuMs } from "./processes.ts";
import type { Tenant } from "./tenants.ts";

/** What all parts of a run share. */
export type Bench = { place: Place; load: Helper; stub: Helper; bare: Helper; options: Options };

/** A part of the benchmark in one form: what surrounds the work is the same for all of them. */
export type Part = {
  name: string;
  /** What is measured, in a line. */
  title: string;
  /** Default: all. */
  roles?: string;
  /** Default: one, with two numbers; many have one number each. Not run where BENCH_WORKSPACES says how many. */
  workspaces?: number;
  /** What the one receiving endpoint of each workspace subscribes to; without, nothing is delivered. */
  events?: readonly string[];
  /** Rounds without BENCH_ROUNDS, where they are not the usual ones. */
  rounds?: number;
  bounds?: Record<string, Bound>;
  /** Makes the known recipients known, where the part needs any. */
  prepare?(run: Run): Promise<Work>;
  /** What is measured. */
  work(run: Run, extent: Extent): Promise<Work>;
  /** Whether a round lasts so many seconds; else it is so many messages. */
  timed?: boolean;
  /** A round that is more than the work, metered. */
  round?(run: Run): Promise<Figures>;
  /** Takes long: not run unless it is named. */
  onlyNamed?: boolean;
  /** This build in two states, measured in turns as two builds are; not run beside another commit. */
  cases?: readonly [Case, Case];
  /** Bounds of the ratios of its cases. */
  ratios?: Record<string, Bound>;
  /** Where this build is measured alone: what is measured after each of its slices, to be compared with it. */
  beside?: ((bench: Bench) => Promise<(slice: Figures) => Promise<Figures>>) | undefined;
};

export type Case = { name: string; prepare(run: Run): Promise<void> };

/** How long work lasts: so many items, or so many seconds. */
export type Extent = { amount: number } | { seconds: number };

/** One build at work for one part: its processes, on a database of their own. */
export type Run = {
  bench: Bench;
  build: Build;
  databaseUrl: string;
  gateways: BuiltGateway[];
  urls: string[];
  /** Ends the gateways by SIGTERM and starts them again. */
  restart(): Promise<void>;
  tenants: Tenant[];
  /** Recipients that `prepare` makes known: the first, and how many. */
  known: Recipients;
  /** Measured so far. */
  items: number;
};

/** The first of them, and how many: they follow each other. */
export type Recipients = { firstRecipient: number; recipients: number };

/** What one slice did, and its figures by themselves. */
export type Work = { items: number; figures: Figures };

/** Does the work, and adds what it cost. */
export async function metered(run: Run, work: () => Promise<Work>): Promise<Figures> {
  const before = await spentBy(run);
  const { items, figures } = await work();
  run.items += items;
  return { ...figures, ...costs(before, await spentBy(run), items) };
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

/** Recipients that have received no message yet. */
export function newRecipients(recipients: number): Recipients {
  recipientsUsed += recipients;
  return { firstRecipient: recipientsUsed - recipients, recipients };
}
