import type { TxCtx } from "../../ctx.ts";
import { callMergeNamed, type MergeOutcome } from "./resolving/merge-by-client.store.ts";

/** Merges two contacts, by uuid, because the workspace says that they are one person; `survivor` stays. Both must be locked. */
export const mergeByClient = (
  { sql, workspaceId, now }: Pick<TxCtx, "sql" | "workspaceId" | "now">,
  pair: { survivor: string; other: string },
): Promise<MergeOutcome> => callMergeNamed(sql, workspaceId, pair, now);
