import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { QuarantineRow } from "./quarantine.store.ts";
import type { QuarantinedChange } from "./schema.ts";

/** A row of `quarantine` as the API returns it. */
export const renderQuarantined = (row: QuarantineRow): QuarantinedChange => ({
  id: formatId("qrn", row.id),
  reason: row.reason,
  detail: row.detail,
  provider_phone_number_id: row.provider_phone_number_id,
  provider_account_id: row.provider_account_id,
  replays: row.tries,
  next_replay_at: timeOrNull(row.replay_at),
  created_at: isoTime(row.created_at.getTime()),
  replayed_at: timeOrNull(row.replayed_at),
});

const timeOrNull = (time: Date | null): string | null => (time === null ? null : isoTime(time.getTime()));
