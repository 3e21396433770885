import type { TxCtx } from "../../../ctx.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { type Page, page, pageRequest } from "../../../http/pagination.ts";
import { notFound } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { formatId, uuidFloor } from "../../../lib/ids.ts";
import { requireEndpoint } from "../endpoints/endpoint.ts";
import { renderDelivery, renderDeliverySummary } from "../render.ts";
import type { Delivery, DeliveryListQuery, DeliverySummary } from "../schema.ts";
import { type DeliveryFilter, selectDeliveryRow, selectDeliveryRows } from "./delivery.store.ts";

/** A page of an endpoint's deliveries without their attempts, newest first; 404 for an unknown endpoint. */
export async function listDeliveries(
  ctx: TxCtx,
  { params, query }: ById & { query: DeliveryListQuery },
): Promise<Answer<Page<DeliverySummary>>> {
  const endpoint = await requireEndpoint(ctx, params.id);
  const request = pageRequest(query);
  const filter = filterOf(query);
  const rows = await selectDeliveryRows(ctx.sql, ctx.workspaceId, endpoint, filter, request.before, request.fetch);
  return { body: page(rows, request, renderDeliverySummary) };
}

/** One delivery with its attempts; 404 when the workspace has none of this id. */
export async function getDelivery(ctx: TxCtx, { params }: ById): Promise<Answer<Delivery>> {
  const row = await selectDeliveryRow(ctx.sql, ctx.workspaceId, uuidOfPath("dlv", params.id));
  if (!row) throw notFound();
  return { body: renderDelivery(row), resource: { type: "delivery", id: formatId("dlv", row.id) } };
}

// Ids begin with the millisecond of the event, so a filter by time is a range of the key.
function filterOf(query: DeliveryListQuery): DeliveryFilter {
  return {
    status: query.status ?? null,
    kind: query.kind ?? null,
    from: query.created_after === undefined ? null : uuidFloor(timeOf(query.created_after, "?created_after") + 1),
    below: query.created_before === undefined ? null : uuidFloor(timeOf(query.created_before, "?created_before")),
  };
}
