import type { TxCtx } from "../../../ctx.ts";
import {
  type DeliveryWithAttempts,
  selectDeliveryEndpoints,
  selectOriginOfDelivery,
  selectStoredRow,
} from "./delivery.store.ts";
import { asItStands, findWaitingDelivery } from "./list.ts";

/** A delivery as it stands, whether it was attempted or not; null: the workspace has none of this id. */
export async function findDelivery(
  ctx: Pick<TxCtx, "sql" | "workspaceId" | "now">,
  id: string,
): Promise<DeliveryWithAttempts | null> {
  const { sql, workspaceId } = ctx;
  const stored = await selectStoredRow(sql, workspaceId, id);
  if (stored) {
    const [endpoint] = await selectDeliveryEndpoints(sql, workspaceId, stored.webhook_endpoint_id);
    return asItStands(stored, endpoint?.enabled === true);
  }
  const endpoint = await selectOriginOfDelivery(sql, workspaceId, id);
  const row = endpoint && (await findWaitingDelivery(ctx, endpoint, id));
  if (row) return { ...asItStands(row, endpoint.enabled), attempts: [] };
  // Its first outcome may have been stored between the two looks.
  const settled = endpoint && (await selectStoredRow(sql, workspaceId, id));
  return settled && asItStands(settled, endpoint.enabled);
}
