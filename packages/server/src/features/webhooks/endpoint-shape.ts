import { formatTime } from "../../http/timestamps.ts";
import { formatId } from "../../lib/ids.ts";
import type { EndpointRow } from "./endpoints/endpoint.store.ts";
import type { WebhookEndpoint } from "./schema.ts";

/** A row of `webhook_endpoint` as clients see it. */
export function renderEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: formatId("whe", row.id),
    url: row.url,
    events: row.events,
    description: row.description,
    ordered: row.ordered,
    enabled: row.enabled,
    status: row.status,
    disabled_reason: row.disabled_reason,
    created_at: formatTime(row.created_at.getTime()),
    updated_at: formatTime(row.updated_at.getTime()),
  };
}

/** The same from a snapshot in an event, where `row_to_json` wrote the times as texts. */
export function shownEndpoint(snapshot: Record<string, unknown>): WebhookEndpoint {
  // Written by this feature's own statements from the table's columns.
  const row = snapshot as Omit<EndpointRow, "created_at" | "updated_at"> & { created_at: string; updated_at: string };
  return renderEndpoint({ ...row, created_at: new Date(row.created_at), updated_at: new Date(row.updated_at) });
}
