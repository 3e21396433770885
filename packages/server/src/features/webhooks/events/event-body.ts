import { Buffer } from "node:buffer";
import { formatTime } from "../../../http/timestamps.ts";
import { formatId } from "../../../lib/ids.ts";
import type { LoadAnswer } from "../deliver/deliver.store.ts";
import { renderEndpointSnapshot } from "../render.ts";
import { categoryOf } from "./event-kinds.ts";

/** A row as `row_to_json` writes it, or a part of one. */
export type JsonRow = Record<string, unknown>;

/**
 * How other features render their resources in events. The same input must give the same output, because an event's body is
 * rendered again by each process and for each retry.
 */
export type EventDeps = {
  /** `message` row and the snapshot of its state at the event's commit → the message resource. */
  renderMessage(message: JsonRow, state: JsonRow): JsonRow;
  renderContact(contact: JsonRow): JsonRow;
  /** The whole `data` of a template, account or number event. */
  renderResource(
    kind: string,
    workspaceId: string,
    resourceId: string | null,
    state: JsonRow,
  ): JsonRow | Promise<JsonRow>;
};

/** The answer to a load whose event exists: `kind` and the times are set. */
export type LoadedEvent = LoadAnswer & { kind: string; occurred_at: number; created_at: number };

/** False when the event was deleted, or was not asked for. */
export const isLoaded = (loaded: LoadAnswer): loaded is LoadedEvent =>
  loaded.kind !== null && loaded.created_at !== null && loaded.occurred_at !== null;

/** The body that endpoints get, as the bytes that are signed. */
export async function renderEvent(
  workspaceId: string,
  eventId: string,
  event: LoadedEvent,
  deps: EventDeps,
): Promise<Buffer> {
  const body = {
    id: formatId("evt", eventId),
    kind: event.kind,
    category: categoryOf(event.kind),
    workspace_id: formatId("ws", workspaceId),
    created_at: formatTime(event.created_at),
    data: await renderData(workspaceId, event, deps),
  };
  return Buffer.from(JSON.stringify(body));
}

async function renderData(workspaceId: string, event: LoadedEvent, deps: EventDeps): Promise<JsonRow> {
  const state = event.state ?? {};
  // Null when retention or an erasure removed it before the delivery.
  const message = event.message ? deps.renderMessage(event.message, state) : null;
  switch (categoryOf(event.kind)) {
    case "inbound_message":
      return { message, contact: contactOf(event, deps) };
    case "message_status":
      return {
        message,
        status: event.kind,
        occurred_at: occurredAt(event, message),
        error: CARRY_ERROR.has(event.kind) ? (message?.["error"] ?? null) : null,
      };
    case "contact":
      return { contact: contactOf(event, deps), source: state["source"] ?? null };
    case "operational":
      return operational(state);
    default:
      return await deps.renderResource(event.kind, workspaceId, event.resource_id, state);
  }
}

/** The field of the message that shows the time of a status. */
const SHOWN_TIME: Readonly<Record<string, string>> = {
  accepted: "accepted_at",
  sent: "sent_at",
  delivered: "delivered_at",
  read: "read_at",
  played: "read_at",
  failed: "failed_at",
};

// A message shows no time that is earlier than those of its earlier statuses; the event of a status must show the same time.
function occurredAt(event: LoadedEvent, message: JsonRow | null): string {
  const own = formatTime(event.occurred_at);
  const shown = message?.[SHOWN_TIME[event.kind] ?? ""];
  return typeof shown === "string" && shown > own ? shown : own;
}

/** Statuses that carry the error of the message: one that failed and was delivered all the same keeps its error, but the event `delivered` has none. */
const CARRY_ERROR = new Set(["failed", "unknown", "canceled", "expired"]);

// A contact may change later; where the event has a snapshot of it, that is rendered.
function contactOf(event: LoadedEvent, deps: EventDeps): JsonRow | null {
  const kept = event.state?.["contact"];
  const row = isRow(kept) ? kept : event.contact;
  return row ? deps.renderContact(row) : null;
}

function operational(state: JsonRow): JsonRow {
  const endpoint = state["webhook_endpoint"];
  return {
    webhook_endpoint: isRow(endpoint) ? renderEndpointSnapshot(endpoint) : null,
    reason: state["reason"] ?? null,
  };
}

const isRow = (value: unknown): value is JsonRow =>
  typeof value === "object" && value !== null && !Array.isArray(value);
