import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { MediaRow } from "./media.store.ts";
import type { Media } from "./schema.ts";

/** A row of `media` as the API returns it, without a signed address. */
export const renderMedia = (row: MediaRow): Media => ({
  id: formatId("med", row.id),
  type: row.type,
  mime_type: row.mime_type,
  size: row.size,
  sha256: row.sha256?.toString("hex") ?? null,
  filename: row.filename,
  status: row.status,
  error: row.error,
  source: row.source,
  message_id: row.message_id === null ? null : formatId("msg", row.message_id),
  content_url: null,
  content_url_expires_at: null,
  created_at: isoTime(row.created_at.getTime()),
});
