import type { Sql } from "../../../db/database.ts";
import { type Headroom, headroom } from "../../limits/headroom.ts";
import { type ServiceAllowance, serviceAllowances } from "../../usage/allowance.ts";
import { selectTimeZoneRows } from "../store.ts";
import type { NumberRow } from "./number.store.ts";

/** What is counted of numbers, and changes with every message. */
export type Counts = {
  /** By the ids of their accounts. */
  headroom: ReadonlyMap<string, Headroom>;
  /** By their own ids. */
  allowances: ReadonlyMap<string, ServiceAllowance>;
};

/** Of events, which show nothing that is counted. */
export const NO_COUNTS: Counts = { headroom: new Map(), allowances: new Map() };

/** What is counted of numbers of a workspace, in the running transaction. */
export async function countsOf(
  sql: Sql,
  workspaceId: string,
  numbers: readonly Pick<NumberRow, "id" | "business_account_id">[],
  now: number,
): Promise<Counts> {
  const accountIds = [...new Set(numbers.map((number) => number.business_account_id))];
  const zones = new Map(
    (await selectTimeZoneRows(sql, workspaceId, accountIds)).map(({ id, time_zone }) => [id, time_zone]),
  );
  const placed = numbers.map(({ id, business_account_id }) => ({
    id,
    timeZone: zones.get(business_account_id) ?? null,
  }));
  return {
    headroom: await headroom(sql, workspaceId, accountIds, now),
    allowances: await serviceAllowances(sql, workspaceId, placed, now),
  };
}
