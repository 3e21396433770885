import { callWithin } from "../../db/call-within.ts";
import type { Sql } from "../../db/database.ts";
import { enqueueCount } from "../limits/count-task.ts";
import { setPortfolioLimits } from "./limit.store.ts";

export type ReportedLimits = {
  businessAccountId: string;
  /** The account is connected for the first time. */
  isNew: boolean;
  /** It was in another portfolio until now, or in none that was known. */
  hasMoved: boolean;
  /** What the provider says of each of the account's numbers, which share the limit of their portfolio. */
  limits: readonly (number | "unlimited" | null)[];
  now: number;
};

/** Takes the messaging limit of an account's portfolio, as a step of the transaction that imports the account's numbers. */
export async function takeLimit(
  sql: Sql,
  workspaceId: string,
  { businessAccountId, isNew, hasMoved, limits, now }: ReportedLimits,
): Promise<void> {
  const known = limits.filter((limit) => limit !== null);
  const numbers = known.filter((limit) => limit !== "unlimited");
  const most = numbers.length === 0 ? null : Math.min(...numbers);
  const account = {
    workspace_id: workspaceId,
    business_account_id: businessAccountId,
    is_new: isNew,
    has_moved: hasMoved,
  };
  const row = { ...account, is_known: known.length > 0, most };
  for (const { portfolio_id, must_count } of await callWithin(sql, setPortfolioLimits, [row], now))
    if (must_count) await enqueueCount(sql, workspaceId, portfolio_id, now);
}
