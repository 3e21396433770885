import { isUtf8 } from "node:buffer";
import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { QuarantinedWithCallback, QuarantineRow } from "./quarantine.store.ts";
import type { QuarantinedCallback, QuarantinedChange } from "./schema.ts";

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

export const renderWithCallback = (row: QuarantinedWithCallback): QuarantinedCallback => ({
  ...renderQuarantined(row),
  change: row.change,
  callback:
    row.received_at === null || row.body === null
      ? null
      : { received_at: isoTime(row.received_at.getTime()), ...textOf(row.body) },
});

/** Bytes that are no UTF-8 would not come back as they were. */
const textOf = (bytes: Buffer): Pick<NonNullable<QuarantinedCallback["callback"]>, "encoding" | "body"> =>
  isUtf8(bytes)
    ? { encoding: "utf-8", body: bytes.toString("utf8") }
    : { encoding: "base64", body: bytes.toString("base64") };

const timeOrNull = (time: Date | null): string | null => (time === null ? null : isoTime(time.getTime()));
