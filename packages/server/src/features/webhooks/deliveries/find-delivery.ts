import type { TxCtx } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import { hasScope } from "../../../http/caller.ts";
import { loadEvents } from "../feed/feed.store.ts";
import {
  type DeliveryWithAttempts,
  selectDeliveryEndpoints,
  selectOriginOfDelivery,
  selectStoredRow,
} from "./delivery.store.ts";
import { asItStands, findWaitingDelivery } from "./list.ts";

type Stores = Pick<TxCtx, "sql" | "workspaceId" | "now">;

/** A delivery as it stands and as this caller may read it, attempted or not; null: there is none of this id for the caller. */
export async function findDelivery(
  ctx: Stores & Pick<TxCtx, "actor">,
  id: string,
): Promise<DeliveryWithAttempts | null> {
  const found = await findAsItStands(ctx, id);
  if (found !== null && !(await maySee(ctx, found))) return null;
  if (!found?.attempts.some(({ response }) => response !== null) || (await mayReadResponses(ctx, found))) return found;
  return withoutResponses(found);
}

/** A limited key sees the deliveries of the endpoints that it sees, and of none that was deleted. */
async function maySee(
  { sql, workspaceId, actor }: Stores & Pick<TxCtx, "actor">,
  { webhook_endpoint_id: id }: DeliveryWithAttempts,
): Promise<boolean> {
  const { phoneNumberIds } = actor;
  if (phoneNumberIds === null) return true;
  return (await selectDeliveryEndpoints(sql, workspaceId, id, phoneNumberIds)).length > 0;
}

export const withoutResponses = (delivery: DeliveryWithAttempts): DeliveryWithAttempts => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, response: null })),
});

/**
 * A receiver may repeat in its response what it was sent. So its responses are read by those who may read the event, as long as it is kept
 * and its person was not erased.
 */
async function mayReadResponses(
  { sql, workspaceId, actor, now }: Stores & Pick<TxCtx, "actor">,
  { event_id: id }: DeliveryWithAttempts,
): Promise<boolean> {
  const [found] = await callWithin(sql, loadEvents, [{ workspace_id: workspaceId, id, numbers: null }], now);
  if (!found?.event || found.event.is_erased) return false;
  return found.event.message_id === null || hasScope(actor, "messages:read");
}

async function findAsItStands(ctx: Stores, id: string): Promise<DeliveryWithAttempts | null> {
  const { sql, workspaceId } = ctx;
  const stored = await selectStoredRow(sql, workspaceId, id);
  if (stored) {
    const [endpoint] = await selectDeliveryEndpoints(sql, workspaceId, stored.webhook_endpoint_id, null);
    return asItStands(stored, endpoint?.enabled === true);
  }
  const endpoint = await selectOriginOfDelivery(sql, workspaceId, id);
  const row = endpoint && (await findWaitingDelivery(ctx, endpoint, id));
  if (row) return { ...asItStands(row, endpoint.enabled), attempts: [] };
  // Its first outcome may have been stored between the two looks.
  const settled = endpoint && (await selectStoredRow(sql, workspaceId, id));
  return settled && asItStands(settled, endpoint.enabled);
}
