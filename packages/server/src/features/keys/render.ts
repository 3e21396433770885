import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { ApiKey } from "./schema.ts";
import type { KeyRow } from "./store.ts";

/** A row of `api_key` as the API returns it; without the key's text, which is not stored. */
export const renderKey = (row: KeyRow): ApiKey => ({
  id: formatId("key", row.id),
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  phone_number_ids: toNumbers(row.phone_number_ids),
  dedupe_by: row.dedupe_by,
  expires_at: toTime(row.expires_at),
  revoked_at: toTime(row.revoked_at),
  replaced_by: row.replaced_by === null ? null : formatId("key", row.replaced_by),
  last_used_at: toTime(row.last_used_at),
  created_at: isoTime(row.created_at.getTime()),
});

export const toNumbers = (uuids: readonly string[] | null): string[] | null =>
  uuids?.map((id) => formatId("num", id)) ?? null;

export const toTime = (date: Date | null): string | null => date?.toISOString() ?? null;
