import type { TxCtx } from "../../../ctx.ts";
import { uuidOfPath } from "../../../http/ids.ts";
import { page, pageRequest } from "../../../http/pagination.ts";
import { notFound } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { formatId, uuidFloor } from "../../../lib/ids.ts";
import { renderDelivery, summarizeDelivery } from "../delivery-shape.ts";
import { requireEndpoint } from "../endpoints/endpoint.ts";
import type { Delivery, DeliveryListQuery, DeliverySummary } from "../schema.ts";
import { type DeliveryFilter, findDelivery, listDeliveries } from "./delivery.store.ts";

export async function readDeliveries(
  ctx: TxCtx,
  endpointId: string,
  query: DeliveryListQuery,
): Promise<Answer<{ data: DeliverySummary[]; next_cursor: string | null }>> {
  const endpoint = await requireEndpoint(ctx, endpointId);
  const request = pageRequest(query);
  const rows = await listDeliveries(ctx.sql, ctx.workspaceId, endpoint, filterOf(query), request.before, request.fetch);
  return { body: page(rows, request, summarizeDelivery) };
}

export async function readDelivery(ctx: TxCtx, id: string): Promise<Answer<Delivery>> {
  const row = await findDelivery(ctx.sql, ctx.workspaceId, uuidOfPath("dlv", id));
  if (!row) throw notFound();
  return { body: renderDelivery(row), resource: { type: "delivery", id: formatId("dlv", row.id) } };
}

// Ids carry the event's millisecond, so a time filter is a range of the key.
function filterOf(query: DeliveryListQuery): DeliveryFilter {
  return {
    status: query.status ?? null,
    kind: query.kind ?? null,
    from: query.created_after === undefined ? null : uuidFloor(timeOf(query.created_after, "?created_after") + 1),
    below: query.created_before === undefined ? null : uuidFloor(timeOf(query.created_before, "?created_before")),
  };
}
