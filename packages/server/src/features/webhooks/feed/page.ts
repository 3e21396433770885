import type { Ctx } from "../../../ctx.ts";
import type { FeedEvent, FeedRow, Place } from "./feed.store.ts";
import { keptSince, lowestOf, type Position } from "./place.ts";

/** Events that a page looks at, of which few may fit its filters; some 2 µs each. */
export const LOOK = 4_000;
/** After this time a page ends. What its events are rendered from is read on top. */
export const BUDGET_MS = 8;

export type FeedFilters = Pick<FeedRow, "kind" | "message_id" | "contact_ids" | "numbers">;

/** Events behind a place. `more`: there may be others at once; `gap`: some are no longer kept. */
export type FeedPage = { events: readonly FeedEvent[]; place: Place; more: boolean; gap: boolean };

/** The page behind a position: up to `most` events that fit the filters. `createdAfter`: milliseconds, null for all. */
export async function pageBehind(
  { workspaceId, config }: Pick<Ctx, "workspaceId" | "config">,
  read: (row: FeedRow) => Promise<readonly FeedAnswer[]>,
  asked: { from: Position; filters: FeedFilters; most: number; createdAfter: number | null; now: number },
): Promise<FeedPage> {
  const { from, filters, most, createdAfter, now } = asked;
  const since = keptSince(now, config.RETENTION_DAYS.events);
  const [answer] = await read({
    workspace_id: workspaceId,
    ...from.place,
    lowest: lowestOf(since, createdAfter),
    ...filters,
    most,
    look: LOOK,
    budget_ms: BUDGET_MS,
  });
  if (!answer) throw new Error("the feed has no answer");
  const { events, more, era, xid, id } = answer;
  return { events, place: { era, xid, id }, more, gap: from.at < since };
}

type FeedAnswer = Place & { events: FeedEvent[]; more: boolean };
