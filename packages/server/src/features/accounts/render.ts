import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { limitOf } from "../limits/headroom.ts";
import { UNCOUNTED_ALLOWANCE } from "../usage/allowance.ts";
import { type Counts, NO_COUNTS } from "./numbers/counts.ts";
import type { NumberRow } from "./numbers/number.store.ts";
import type { BusinessAccount, PhoneNumber } from "./schema.ts";
import type { AccountRow } from "./store.ts";

/** What is not in `counts` is not counted. */
export const renderNumber = (row: NumberRow, counts: Counts): PhoneNumber => ({
  id: formatId("num", row.id),
  provider_phone_number_id: row.provider_phone_number_id,
  business_account_id: formatId("acc", row.business_account_id),
  phone: row.phone,
  verified_name: row.verified_name,
  quality: row.quality,
  status: row.status,
  throughput_per_second: row.throughput_per_second,
  is_default: row.is_default,
  description: row.description,
  messaging_limit: limitOf(counts.headroom.get(row.business_account_id)),
  service_allowance: counts.allowances.get(row.id) ?? UNCOUNTED_ALLOWANCE,
  marketing_stopped_until: row.marketing_stopped_until === null ? null : isoTime(row.marketing_stopped_until.getTime()),
});

/** `numbers` may include those of other accounts. */
export const renderAccount = (row: AccountRow, numbers: readonly NumberRow[], counts: Counts): BusinessAccount => ({
  id: formatId("acc", row.id),
  provider_account_id: row.provider_account_id,
  name: row.name,
  status: row.status,
  status_reason: row.status_reason,
  phone_numbers: numbers
    .filter((number) => number.business_account_id === row.id)
    .map((number) => renderNumber(number, counts)),
  portfolio_id: row.portfolio_id,
  // Events of earlier versions do not have it.
  time_zone: row.time_zone ?? null,
  messaging_account_id: row.messaging_account_id,
  waac_id: row.waac_id,
  created_at: isoTime(row.created_at.getTime()),
});

/** Events that an earlier version has written have none of these. */
type OfTwo = "messaging_account_id" | "waac_id";

/** What our functions keep with an event of an account: the account as it was at that commit. */
type AccountEventState = {
  business_account: Omit<AccountRow, "created_at" | OfTwo> & Partial<Pick<AccountRow, OfTwo>> & { created_at: string };
  provider_event: string | null;
  reason?: string | null;
  detail?: unknown;
  /** What was said of people is not in it: unlike what earlier versions wrote. */
  is_reduced?: true;
};

/** `data` of an account event, from its `state` alone: the same each time. Without numbers, which may have changed since. */
export function accountEventData(state: unknown): Record<string, unknown> {
  const { business_account: account, is_reduced: _reduced, ...said } = state as AccountEventState; // written by our own functions
  const row = { messaging_account_id: null, waac_id: null, ...account, created_at: new Date(account.created_at) };
  return { business_account: renderAccount(row, [], NO_COUNTS), ...said };
}

/** How much of a limit is used changes with every message, and belongs to no event. */
const NOT_COUNTED = { used: null, remaining: null, resets_at: null };

type NumberEventState = {
  phone_number: Omit<NumberRow, "marketing_stopped_until"> & { marketing_stopped_until: string | null };
  changed: string[];
  /** Where that has changed; null: there is none any more. */
  messaging_limit?: number | null;
};

/** `data` of an event of a number, from its `state` alone. */
export function numberEventData(state: unknown): { phone_number: PhoneNumber; changed: string[] } {
  const { phone_number: number, changed, messaging_limit: limit } = state as NumberEventState; // written by our own functions
  const until = number.marketing_stopped_until;
  return {
    phone_number: renderNumber(
      { ...number, marketing_stopped_until: until ? new Date(until) : null },
      {
        ...NO_COUNTS,
        headroom: new Map(
          limit === undefined
            ? []
            : [[number.business_account_id, { ...NOT_COUNTED, limit, unlimited: limit === null }]],
        ),
      },
    ),
    changed,
  };
}
