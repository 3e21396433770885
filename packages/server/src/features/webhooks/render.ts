import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { DeliveryRow, DeliveryWithAttempts } from "./deliveries/delivery.store.ts";
import type { Delivery, DeliverySummary } from "./deliveries/schema.ts";
import type { EndpointRow } from "./endpoints/endpoint.store.ts";
import { DEFAULT_TIMEOUT_SECONDS } from "./endpoints/setting-fields.ts";
import type { WebhookEndpoint } from "./schema.ts";

/** What an endpoint had before there were these settings. */
const SETTINGS_BEFORE = {
  fields: null,
  header_names: [],
  timeout_seconds: DEFAULT_TIMEOUT_SECONDS,
  rate_per_second: null,
  phone_number_ids: null,
  business_account_ids: null,
  front_of: null,
};

/** A row of `webhook_endpoint` as the API returns it; without secrets. */
export function renderEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: formatId("whe", row.id),
    url: row.url,
    format: row.fields === null ? "waypost" : "provider",
    // Those of the other format are its kinds, for the statements that write events.
    events: row.fields === null ? row.events : [],
    fields: row.fields ?? [],
    description: row.description,
    ordered: row.ordered,
    phone_number_ids: row.phone_number_ids?.map((id) => formatId("num", id)) ?? null,
    business_account_ids: row.business_account_ids?.map((id) => formatId("acc", id)) ?? null,
    headers: row.header_names,
    timeout_seconds: row.timeout_seconds,
    rate_per_second: row.rate_per_second,
    enabled: row.enabled,
    status: row.status,
    disabled_reason: row.disabled_reason,
    created_at: isoTime(row.created_at.getTime()),
    updated_at: isoTime(row.updated_at.getTime()),
  };
}

/**
 * The same from the snapshot in an event, where `row_to_json` wrote the times as texts. Those of older versions lack the settings that
 * there were not yet.
 */
export function renderEndpointSnapshot(snapshot: Record<string, unknown>): WebhookEndpoint {
  // Written by this feature's own statements from the table's columns.
  const row = snapshot as Omit<EndpointRow, "created_at" | "updated_at"> & { created_at: string; updated_at: string };
  return renderEndpoint({
    ...SETTINGS_BEFORE,
    ...row,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
  });
}

/** A delivery as a list returns it. */
export function renderDeliverySummary(row: DeliveryRow): DeliverySummary {
  return {
    id: formatId("dlv", row.id),
    event_id: formatId("evt", row.event_id),
    webhook_endpoint_id: formatId("whe", row.webhook_endpoint_id),
    kind: row.kind,
    status: row.status,
    attempt: row.attempt,
    next_attempt_at: timeOrNull(row.next_attempt_at),
    created_at: isoTime(row.created_at.getTime()),
    completed_at: timeOrNull(row.completed_at),
  };
}

/** A delivery with its attempts. */
export function renderDelivery(row: DeliveryWithAttempts): Delivery {
  return { ...renderDeliverySummary(row), attempts: row.attempts };
}

const timeOrNull = (at: Date | null): string | null => (at === null ? null : isoTime(at.getTime()));
