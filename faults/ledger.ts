import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../bench/figures.ts";
import { monotonicMs } from "../bench/monotonic.ts";
import { statusesOf } from "../tests/process/posting.ts";
import type { Figures } from "./experiment.ts";
import type { Lab, Process } from "./lab.ts";
import type { Placed } from "./load.ts";

export type Judged = Required<
  Pick<Figures, "accepted" | "lost" | "doubled" | "inversions" | "unknownReached" | "unknownUnsent">
>;

/** A lost attempt is settled 45 s after its start, by an owner who may come 15 s later; and who waits for it goes then. */
const SETTLED_WITHIN_MS = 150_000;
const LOOK_EVERY_MS = 500;

/** Waits until nothing is waiting or under way any more, and lays what was accepted beside what arrived. */
export async function judge(
  lab: Lab,
  process: Process,
  placed: readonly Placed[],
  withinMs = SETTLED_WITHIN_MS,
): Promise<Judged> {
  await settled(lab, withinMs);
  const sends = await lab.outside.sends();
  const statuses = new Map<string, string[]>();
  for (const tenant of new Set(placed.map((order) => order.tenant)))
    for (const [reference, found] of await statusesOf(process, tenant)) statuses.set(reference, found);
  const arrivals = new Map<string, number[]>();
  for (const [place, { mark }] of sends.entries()) arrivals.set(mark, [...(arrivals.get(mark) ?? []), place]);
  const accepted = placed.filter(({ answeredAt }) => answeredAt !== null);
  const isUnknown = ({ mark }: Placed): boolean => statuses.get(mark)?.includes("unknown") ?? false;
  const reached = ({ mark }: Placed): boolean => arrivals.has(mark);
  return {
    accepted: accepted.length,
    lost: accepted.filter((order) => !reached(order) && !isUnknown(order)).length,
    doubled: [...arrivals.values()].filter((places) => places.length > 1).length,
    inversions: inversionsOf(placed, arrivals),
    unknownReached: placed.filter((order) => isUnknown(order) && reached(order)).length,
    unknownUnsent: placed.filter((order) => isUnknown(order) && !reached(order)).length,
  };
}

/** Pairs of neighbours to one person, the second posted after the first was answered, that arrived the other way round. */
function inversionsOf(placed: readonly Placed[], arrivals: ReadonlyMap<string, number[]>): number {
  const before = new Map<string, Placed>();
  let inversions = 0;
  for (const order of placed) {
    const earlier = before.get(order.to);
    const [first, second] = [earlier && arrivals.get(earlier.mark)?.[0], arrivals.get(order.mark)?.[0]];
    if (first !== undefined && second !== undefined && first > second) inversions += 1;
    // One that never arrived stands aside: the pair is made of those around it.
    if (second !== undefined) before.set(order.to, order);
  }
  return inversions;
}

/** Resolves when no send waits or is under way, or when that takes longer than it may: what is left then counts as lost. */
async function settled(lab: Lab, withinMs: number): Promise<void> {
  const until = monotonicMs() + withinMs;
  while (monotonicMs() < until) {
    const [row] = await lab.query<{ open: number }>("select count(*)::int as open from dispatch where state in (0, 1)");
    if (row?.open === 0) return;
    await sleep(LOOK_EVERY_MS);
  }
}

export type Stretch = { from: number; to: number };

/** The stretch of so many milliseconds from now on, when they are over. */
export async function stretch(ms: number): Promise<Stretch> {
  const from = monotonicMs();
  await sleep(ms);
  return { from, to: monotonicMs() };
}

/** The 99th percentile of the milliseconds from what began within a stretch (a 202, a callback's 200) to its first arrival. */
export function delayP99(
  begun: readonly { mark: string; at: number }[],
  arrived: readonly { mark: string; at: number }[],
  { from, to }: Stretch,
): number {
  const arrival = new Map(arrived.toReversed().map(({ mark, at }) => [mark, at]));
  const delays = begun
    .filter(({ at }) => at >= from && at < to)
    // One that has not arrived has waited at least until now.
    .map(({ mark, at }) => Math.max(0, (arrival.get(mark) ?? monotonicMs()) - at));
  return quantile(delays, 0.99);
}

/** Of the messages that were posted within a stretch: milliseconds from the post to the 202, endless where none came. */
export const acceptDelays = (placed: readonly Placed[], { from, to }: Stretch): number[] =>
  placed
    .filter(({ postedAt }) => postedAt >= from && postedAt < to)
    .map(({ postedAt, answeredAt }) => (answeredAt ?? Number.POSITIVE_INFINITY) - postedAt);

/** As it is said of a stretch. */
export const delaysLine = (delays: readonly number[]): string =>
  `p50 ${quantile(delays, 0.5).toFixed(0)} ms, p99 ${quantile(delays, 0.99).toFixed(0)} ms`;

/** What the fault does not concern is not delayed. Measured in the full form only: a few seconds show a stall, and no percentile. */
export const P99_WITHIN_MS = 250;

/** Far less than it takes until what hangs is given up (15 s and more), and more than a busy machine delays anything. */
const STANDING_MS = 5_000;

/** How many began in a stretch and had not arrived when they had been under way for long: this holds at any speed of the machine. */
export function stoodStill(
  begun: readonly { mark: string; at: number }[],
  arrived: readonly { mark: string; at: number }[],
  { from, to }: Stretch,
): number {
  const arrival = new Map(arrived.toReversed().map(({ mark, at }) => [mark, at]));
  return begun.filter(
    ({ mark, at }) => at >= from && at < to - STANDING_MS && (arrival.get(mark) ?? to) - at > STANDING_MS,
  ).length;
}

/** Of a rate without the fault. Within a few seconds only a collapse is significant. */
export const rateBound = ({ short }: Lab): number => (short ? 0.5 : 0.9);

/** The messages that were accepted, by the time of their 202. */
export const answeredOf = (placed: readonly Placed[]): { mark: string; at: number }[] =>
  placed.flatMap(({ mark, answeredAt }) => (answeredAt === null ? [] : [{ mark, at: answeredAt }]));

/** What arrived in a stretch: how many a second, and the longest time without any. */
export function paceOf(
  arrived: readonly { at: number }[],
  { from, to }: Stretch,
): { perSecond: number; gapMs: number } {
  const times = arrived.map(({ at }) => at).filter((at) => at >= from && at < to);
  const gapMs = [...times, to].reduce(
    ({ last, longest }, at) => ({ last: at, longest: Math.max(longest, at - last) }),
    { last: from, longest: 0 },
  ).longest;
  return { perSecond: (times.length * 1_000) / (to - from), gapMs };
}
