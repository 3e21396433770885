import type { TxCtx } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import { hasScope } from "../../../http/caller.ts";
import { type ById, uuidOfFilter, uuidOfPath } from "../../../http/ids.ts";
import { DEFAULT_LIMIT } from "../../../http/pagination.ts";
import { notFound } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { formatId } from "../../../lib/ids.ts";
import type { EventGroups } from "../../events/event-groups.ts";
import { recordIdsOf } from "../../identity/find-contact.ts";
import { renderEvent } from "../deliver/event-body.ts";
import type { EventBody } from "../deliver/event-shape.ts";
import type { EventList, EventListQuery } from "../schema.ts";
import { type FeedEvent, type FeedRow, loadEvents, readFeed } from "./feed.store.ts";
import { beginning, keptSince, lowestOf, positionOf, reached, textOf } from "./place.ts";
import { withoutContent } from "./without-content.ts";

/** Events that a page looks at, of which few may fit its filters; some 2 µs each. */
export const LOOK = 4_000;
/** After this time a page ends. What its events are rendered from is read on top. */
export const BUDGET_MS = 8;

/** The verbs of the feed; they render events, and so need the groups of all features. */
export type Feed = {
  /** Events from a place on, oldest first. */
  listEvents(ctx: TxCtx, input: { query: EventListQuery }): Promise<Answer<EventList>>;
  /** One event; 404 when the workspace has none of this id, or no longer. */
  getEvent(ctx: TxCtx, input: ById): Promise<Answer<EventBody>>;
};

export function feedOf(groups: EventGroups): Feed {
  return {
    async listEvents(ctx, { query }) {
      const { now, workspaceId, config } = ctx;
      const from = query.cursor === undefined ? beginning(now) : positionOf(query.cursor);
      const since = keptSince(now, config.RETENTION_DAYS.events);
      const createdAfter = query.created_after === undefined ? null : timeOf(query.created_after, "?created_after");
      const row: FeedRow = {
        workspace_id: workspaceId,
        ...from.place,
        lowest: lowestOf(since, createdAfter),
        ...(await filtersOf(ctx, query)),
        most: query.limit ?? DEFAULT_LIMIT,
        look: LOOK,
        budget_ms: BUDGET_MS,
      };
      const [answer] = await callWithin(ctx.sql, readFeed, [row], now);
      if (!answer) throw new Error("the feed has no answer");
      const { events, more, ...place } = answer;
      const next = reached({ era: place.era, xid: place.xid, id: place.id }, now);
      return {
        body: {
          data: events.map((event) => shownTo(ctx, groups, event)),
          next_cursor: textOf(next),
          has_more: more,
          gap: from.at < since,
        },
      };
    },
    async getEvent(ctx, { params }) {
      const id = uuidOfPath("evt", params.id);
      const [found] = await callWithin(ctx.sql, loadEvents, [{ workspace_id: ctx.workspaceId, id }], ctx.now);
      if (!found?.event) throw notFound();
      return { body: shownTo(ctx, groups, found.event), resource: { type: "event", id: formatId("evt", id) } };
    },
  };
}

/** The body of an event for this caller. */
export function shownTo(
  { workspaceId, actor }: Pick<TxCtx, "workspaceId" | "actor">,
  groups: EventGroups,
  event: FeedEvent,
): EventBody {
  const { body } = renderEvent(groups, workspaceId, event.id, event);
  return hasScope(actor, "messages:read") ? body : withoutContent(body);
}

/** The filters as the feed takes them. What cannot be an id fits no event. */
export async function filtersOf(
  { sql, workspaceId }: Pick<TxCtx, "sql" | "workspaceId">,
  { kind, message_id: message, contact_id: contact }: Pick<EventListQuery, "kind" | "message_id" | "contact_id">,
): Promise<Pick<FeedRow, "kind" | "message_id" | "contact_ids">> {
  const person = contact === undefined ? null : uuidOfFilter("con", contact);
  // Of one who was erased the id is left, and events that have it.
  const records = person === null ? [] : [person, ...(await recordIdsOf(sql, workspaceId, person))];
  return {
    kind,
    message_id: message === undefined ? null : (uuidOfFilter("msg", message) ?? NO_ID),
    contact_ids: contact === undefined ? null : records,
  };
}

const NO_ID = "00000000-0000-0000-0000-000000000000";
