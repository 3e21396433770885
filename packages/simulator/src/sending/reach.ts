import { refusal } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Person } from "../world/people.ts";
import type { Chat, PhoneNumber } from "../world/world.ts";

/** The messaging limit counts people of a moving 24 hours (provider reference 6.1). */
const COUNTS_MS = 24 * 3_600_000;

/** People a portfolio may reach, from `TIER_250` or `TIER_2K`; without a number there is no limit. */
function tierLimit(tier: string): number {
  const [, count, thousands] = /^TIER_(\d+)(K?)$/.exec(tier) ?? [];
  return count === undefined ? Number.POSITIVE_INFINITY : Number(count) * (thousands === "K" ? 1_000 : 1);
}

/**
 * Counts a person to whom a template goes outside the window, for all numbers of the portfolio; refuses one too many. The
 * documentation says neither by which code nor whether at once. What fails later is never counted, since deliveries are.
 */
export function takeReach(sim: Simulation, number: PhoneNumber, person: Person, chat: Chat): void {
  const now = sim.clock.nowMs();
  if (chat.windowUntil > now) return;
  const reached = sim.world.reachedBy(number.account.businessId);
  for (const [one, at] of reached) {
    if (at > now - COUNTS_MS) break;
    reached.delete(one);
  }
  if (!reached.has(person) && reached.size >= tierLimit(number.account.messagingLimit) && sim.settings.messagingLimit)
    throw refusal(sim.settings.messagingLimitCode, "The messaging limit of the business portfolio is reached.");
  // To the end: the map is in the order of the times.
  reached.delete(person);
  reached.set(person, now);
}
