import type { TxCtx } from "../../../ctx.ts";
import type { Condition } from "../search/condition.ts";
import { parseFilter } from "./filter.ts";
import { selectSegmentRow } from "./segment.store.ts";

/** What the contacts of a segment fulfil now; null: there is no such segment. */
export async function conditionOfSegment(
  ctx: Pick<TxCtx, "sql" | "workspaceId" | "now">,
  id: string,
): Promise<Condition | null> {
  const row = await selectSegmentRow(ctx.sql, ctx.workspaceId, id);
  return row && parseFilter(row.filter, ctx.now);
}
