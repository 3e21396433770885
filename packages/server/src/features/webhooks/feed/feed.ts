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
import { type FeedEvent, loadEvents, readFeed } from "./feed.store.ts";
import { type FeedFilters, pageBehind } from "./page.ts";
import { beginning, positionOf, reached, textOf } from "./place.ts";
import { withoutContent } from "./without-content.ts";

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
      const { now } = ctx;
      const createdAfter = query.created_after === undefined ? null : timeOf(query.created_after, "?created_after");
      const page = await pageBehind(ctx, (row) => callWithin(ctx.sql, readFeed, [row], now), {
        from: query.cursor === undefined ? beginning(now) : positionOf(query.cursor),
        filters: await filtersOf(ctx, query),
        most: query.limit ?? DEFAULT_LIMIT,
        createdAfter,
        now,
      });
      return {
        body: {
          data: page.events.map((event) => shownTo(ctx, groups, event)),
          next_cursor: textOf(reached(page.place, now, page.more)),
          has_more: page.more,
          gap: page.gap,
        },
      };
    },
    async getEvent(ctx, { params }) {
      const id = uuidOfPath("evt", params.id);
      const [found] = await callWithin(
        ctx.sql,
        loadEvents,
        [{ workspace_id: ctx.workspaceId, id, numbers: ctx.actor.phoneNumberIds }],
        ctx.now,
      );
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

/** The filters as the feed takes them, and what the caller is limited to. What cannot be an id fits no event. */
export async function filtersOf(
  { sql, workspaceId, actor }: Pick<TxCtx, "sql" | "workspaceId" | "actor">,
  { kind, message_id: message, contact_id: contact }: Pick<EventListQuery, "kind" | "message_id" | "contact_id">,
): Promise<FeedFilters> {
  const person = contact === undefined ? null : uuidOfFilter("con", contact);
  // Of one who was erased the id is left, and events that have it.
  const records = person === null ? [] : [person, ...(await recordIdsOf(sql, workspaceId, person))];
  return {
    kind,
    message_id: message === undefined ? null : (uuidOfFilter("msg", message) ?? NO_ID),
    contact_ids: contact === undefined ? null : records,
    numbers: actor.phoneNumberIds,
  };
}

const NO_ID = "00000000-0000-0000-0000-000000000000";
