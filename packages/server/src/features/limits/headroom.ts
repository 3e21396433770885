import type { Static } from "typebox";
import { callWithin } from "../../db/call-within.ts";
import type { Sql } from "../../db/database.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { type HeadroomAnswer, readHeadroom } from "./limit.store.ts";
import type { MessagingLimit } from "./limit-schema.ts";

/**
 * What is left of a portfolio's messaging limit. All null: not known. `limit` null with `unlimited`: there is none. Nothing is left
 * either way while the provider's own refusal counts.
 */
export type Headroom = {
  limit: number | null;
  unlimited: boolean;
  /** People written to outside their windows in the last 24 hours. */
  used: number | null;
  remaining: number | null;
  /** ISO 8601: when there is more room. */
  resets_at: string | null;
};

/** The headroom of the accounts of a workspace, by their ids, in the running transaction. Numbers of a portfolio share it. */
export async function headroom(
  sql: Sql,
  workspaceId: string,
  accountIds: readonly string[],
  now: number,
): Promise<Map<string, Headroom>> {
  const ids = [...new Set(accountIds)];
  const rows = ids.map((id) => ({ workspace_id: workspaceId, business_account_id: id }));
  const answers = await callWithin(sql, readHeadroom, rows, now);
  return new Map(ids.map((id, index) => [id, headroomOf(answers[index])]));
}

function headroomOf(answer: HeadroomAnswer | undefined): Headroom {
  const {
    most = null,
    is_unlimited: unlimited = false,
    used = null,
    resets_at = null,
    full_until = null,
  } = answer ?? {};
  const resetsAt = full_until ?? resets_at;
  // The provider has refused a message for its limit: that holds whatever is known of it.
  const left = full_until !== null ? 0 : most === null ? null : Math.max(0, most - (used ?? 0));
  return {
    limit: most,
    unlimited,
    used,
    remaining: left,
    resets_at: resetsAt === null ? null : isoTime(resetsAt.getTime()),
  };
}

/** As it is shown; nothing is known of `undefined`. */
export const limitOf = (room: Headroom | undefined): Static<typeof MessagingLimit> => ({
  limit: room?.limit ?? null,
  used: room?.used ?? null,
  remaining: room?.remaining ?? null,
  resets_at: room?.resets_at ?? null,
});
