import type { Ctx, TxCtx } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { ALL_SLOTS } from "../../../lanes/lane-kinds.ts";
import { formatId } from "../../../lib/ids.ts";
import { advanceLane, askReceiver, selectEndpointRow } from "../endpoints/endpoint.store.ts";
import { askRedeliveries } from "../redeliver/ask.store.ts";
import { renderDelivery } from "../render.ts";
import { findDelivery, withoutResponses } from "./find-delivery.ts";
import type { Delivery } from "./schema.ts";

/**
 * Asks for an attempt now: one that waits is not attempted at its old time too, one that has ended is open again. One that was asked for
 * already, or is about to be attempted, is returned as it is. 404 for an unknown one; 409 when its endpoint takes none, or its event is
 * not kept.
 */
export async function retryDelivery(ctx: TxCtx, { params }: ById): Promise<Answer<Delivery>> {
  const { sql, workspaceId, now } = ctx;
  const delivery = await findDelivery(ctx, uuidOfPath("dlv", params.id));
  if (!delivery) throw notFound();
  const endpoint = await selectEndpointRow(sql, workspaceId, delivery.webhook_endpoint_id);
  if (!endpoint) throw new Problem("conflict", "The endpoint of this delivery was deleted.");
  if (!endpoint.enabled) throw new Problem("conflict", "The endpoint is disabled; enable it to retry its deliveries.");
  const ask = {
    workspace_id: workspaceId,
    endpoint_id: endpoint.id,
    lane: endpoint.lane,
    delivery_id: delivery.id,
    event_id: delivery.event_id,
    replay_id: null,
    reopens: ["succeeded", "failed"],
    creates: false,
    advances: true,
    in_order: endpoint.ordered,
    ahead: !endpoint.ordered,
  };
  await (endpoint.ordered ? advanceLane : askReceiver)(sql, workspaceId, endpoint.id, now);
  const [answer] = await callWithin(sql, askRedeliveries, [ask], now);
  const hasEnded = delivery.status === "succeeded" || delivery.status === "failed";
  if (answer?.outcome === "none" && hasEnded)
    throw new Problem("conflict", "The event of this delivery is no longer kept.");
  // An answer is kept for repetitions of its request, by any key of the workspace, and longer than a person may be.
  const body = renderDelivery(withoutResponses((await findDelivery(ctx, delivery.id)) ?? delivery));
  return { body, resource: { type: "delivery", id: formatId("dlv", delivery.id) } };
}

/** The `after` of a route whose verb asks for attempts. */
export function hintRedeliveries<Body>(ctx: Ctx, answer: Answer<Body>): Promise<Answer<Body>> {
  ctx.notifier.hint("redeliver", ALL_SLOTS);
  return Promise.resolve(answer);
}
