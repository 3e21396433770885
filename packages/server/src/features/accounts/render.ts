import { formatTime } from "../../http/timestamps.ts";
import { formatId } from "../../lib/ids.ts";
import type { BusinessAccount, PhoneNumber } from "./schema.ts";
import type { AccountRow, NumberRow } from "./store.ts";

const UNKNOWN_LIMIT = { limit: null, used: null, remaining: null, resets_at: null };

export const renderNumber = (row: NumberRow): PhoneNumber => ({
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
  messaging_limit: UNKNOWN_LIMIT,
});

/** `numbers` may include those of other accounts. */
export const renderAccount = (row: AccountRow, numbers: readonly NumberRow[]): BusinessAccount => ({
  id: formatId("acc", row.id),
  provider_account_id: row.provider_account_id,
  name: row.name,
  status: row.status,
  status_reason: row.status_reason,
  phone_numbers: numbers.filter((number) => number.business_account_id === row.id).map(renderNumber),
  portfolio_id: row.portfolio_id,
  created_at: formatTime(row.created_at.getTime()),
});

/** What `disconnect_accounts` keeps with an event: the account as it was at that commit. */
type AccountEventState = {
  business_account: Omit<AccountRow, "created_at"> & { created_at: string };
  provider_event: string | null;
  reason: string | null;
};

/** `data` of an account event, from its `state` alone: the same each time. Without numbers, which may have changed since. */
export function accountEventData(state: unknown): {
  business_account: BusinessAccount;
  provider_event: string | null;
  reason: string | null;
} {
  const { business_account: account, provider_event, reason } = state as AccountEventState; // written by our own function
  const row = { ...account, created_at: new Date(account.created_at) };
  return { business_account: renderAccount(row, []), provider_event, reason };
}
