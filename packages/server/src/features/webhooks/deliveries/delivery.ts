import type { TxCtx } from "../../../ctx.ts";
import { type ById, uuidOfFilter } from "../../../http/ids.ts";
import { type Page, pageRequest } from "../../../http/pagination.ts";
import type { Answer } from "../../../http/route.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { timeOfUuid, uuidFloor } from "../../../lib/ids.ts";
import { recordIdsOf } from "../../identity/find-contact.ts";
import { requireEndpoint } from "../endpoints/endpoint.ts";
import { renderDeliverySummary } from "../render.ts";
import { type DeliveryEndpoint, selectDeliveryEndpoints } from "./delivery.store.ts";
import { type DeliveryFilter, findDeliveries, findDeliveriesAbout } from "./list.ts";
import type { AllDeliveriesQuery, DeliveryListQuery, DeliverySummary } from "./schema.ts";

/** A page of an endpoint's deliveries without their attempts, newest first; 404 for an unknown endpoint. */
export async function listDeliveries(
  ctx: TxCtx,
  { params, query }: ById & { query: DeliveryListQuery },
): Promise<Answer<Page<DeliverySummary>>> {
  const endpoint = await requireEndpoint(ctx, params.id);
  return { body: await pageOf(ctx, query, [endpoint], "one") };
}

/** A page of the deliveries of all endpoints, also of deleted ones, or of one. */
export async function listAllDeliveries(
  ctx: TxCtx,
  { query }: { query: AllDeliveriesQuery },
): Promise<Answer<Page<DeliverySummary>>> {
  const { webhook_endpoint_id: asked } = query;
  const within = ctx.actor.phoneNumberIds;
  if (asked === undefined) {
    const all = await selectDeliveryEndpoints(ctx.sql, ctx.workspaceId, null, within);
    return { body: await pageOf(ctx, query, all, within === null ? "all" : "some") };
  }
  const id = uuidOfFilter("whe", asked);
  if (id === null) return { body: { data: [], next_cursor: null } };
  const known = await selectDeliveryEndpoints(ctx.sql, ctx.workspaceId, id, within);
  if (within !== null && known.length === 0) return { body: { data: [], next_cursor: null } };
  // What was delivered to an endpoint that was deleted is kept as long as any delivery.
  return { body: await pageOf(ctx, query, known.length > 0 ? known : [{ id, lane: 0, enabled: false }], "one") };
}

async function pageOf(
  ctx: TxCtx,
  query: DeliveryListQuery,
  endpoints: readonly DeliveryEndpoint[],
  are: DeliveryFilter["are"],
): Promise<Page<DeliverySummary>> {
  const request = pageRequest(query);
  const { message_id: message, contact_id: contact } = query;
  // Ids begin with the millisecond of the event, so a filter by time is a range of the key.
  const after = query.created_after === undefined ? null : timeOf(query.created_after, "?created_after");
  const before = query.created_before === undefined ? null : timeOf(query.created_before, "?created_before");
  const filter = {
    status: query.status ?? null,
    kind: query.kind ?? null,
    from: after === null ? null : uuidFloor(after + 1),
    below: before === null ? null : uuidFloor(before),
    before: request.before,
    endpoints,
    are,
  };
  if (message === undefined && contact === undefined) {
    const { rows, reached } = await findDeliveries(ctx, filter, request.fetch);
    return shown(rows, reached, request.limit);
  }
  const messageId = message === undefined ? null : uuidOfFilter("msg", message);
  const contactId = contact === undefined ? null : uuidOfFilter("con", contact);
  // What cannot be an id fits no event.
  if ((message !== undefined && messageId === null) || (contact !== undefined && contactId === null))
    return { data: [], next_cursor: null };
  // Of one who was erased the id is left, and events that have it.
  const contactIds =
    contactId === null ? null : [contactId, ...(await recordIdsOf(ctx.sql, ctx.workspaceId, contactId))];
  // Nothing happened to a message before it was there.
  const begun = messageId === null ? null : uuidFloor(timeOfUuid(messageId) - CLOCKS_APART_MS);
  const from = begun !== null && (filter.from === null || begun > filter.from) ? begun : filter.from;
  const about = { messageId, contactIds };
  const { rows, reached } = await findDeliveriesAbout(ctx, { ...filter, from }, about, request.fetch);
  return shown(rows, reached, request.limit);
}

/** Processes may write an event of a message by clocks that differ so far. */
const CLOCKS_APART_MS = 60_000;

/** A page, which goes on behind its last row, or behind what was looked at. */
function shown(
  rows: readonly Parameters<typeof renderDeliverySummary>[0][],
  reached: string | null,
  limit: number,
): Page<DeliverySummary> {
  const data = rows.slice(0, limit);
  const next = rows.length > limit ? (data.at(-1)?.id ?? null) : reached;
  return { data: data.map(renderDeliverySummary), next_cursor: next };
}
