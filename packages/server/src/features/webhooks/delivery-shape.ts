import { formatTime } from "../../http/timestamps.ts";
import { formatId } from "../../lib/ids.ts";
import type { DeliveryRow, DeliveryWithAttempts } from "./deliveries/delivery.store.ts";
import type { Delivery, DeliverySummary } from "./schema.ts";

const timeOrNull = (at: Date | null): string | null => (at === null ? null : formatTime(at.getTime()));

export function summarizeDelivery(row: DeliveryRow): DeliverySummary {
  return {
    id: formatId("dlv", row.id),
    event_id: formatId("evt", row.event_id),
    webhook_endpoint_id: formatId("whe", row.webhook_endpoint_id),
    kind: row.kind,
    status: row.status,
    attempt: row.attempt,
    next_attempt_at: timeOrNull(row.next_attempt_at),
    created_at: formatTime(row.created_at.getTime()),
    completed_at: timeOrNull(row.completed_at),
  };
}

export function renderDelivery(row: DeliveryWithAttempts): Delivery {
  return { ...summarizeDelivery(row), attempts: row.attempts };
}
