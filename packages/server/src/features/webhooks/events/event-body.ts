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

/** A rendered event: the bytes that are signed and posted, and what else a delivery of it needs. `createdAt` in milliseconds. */
export type RenderedEvent = { kind: string; createdAt: number; messageId: string | null; body: Buffer };

/** A few seconds of events at full speed. */
const MOST_EVENTS = 5_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Renders events and keeps the recent ones: the endpoints of a workspace share them, and are served within seconds of each other. */
export class EventBodies {
  readonly #deps: EventDeps;
  readonly #events = new Map<string, RenderedEvent>();
  #bytes = 0;

  constructor(deps: EventDeps) {
    this.#deps = deps;
  }

  get(eventId: string): RenderedEvent | undefined {
    return this.#events.get(eventId);
  }

  /** Renders an event from what was loaded of it and keeps it; null when the event no longer exists. */
  async render(workspaceId: string, eventId: string, loaded: LoadAnswer): Promise<RenderedEvent | null> {
    if (!isLoaded(loaded)) return null;
    const body = {
      id: formatId("evt", eventId),
      kind: loaded.kind,
      category: categoryOf(loaded.kind),
      workspace_id: formatId("ws", workspaceId),
      created_at: formatTime(loaded.created_at),
      data: await renderData(workspaceId, loaded, this.#deps),
    };
    const event = {
      kind: loaded.kind,
      createdAt: loaded.created_at,
      messageId: (loaded.message?.["id"] as string | undefined) ?? null, // a column of type uuid
      body: Buffer.from(JSON.stringify(body)),
    };
    this.#keep(eventId, event);
    return event;
  }

  #keep(eventId: string, event: RenderedEvent): void {
    const events = this.#events;
    if (events.has(eventId)) return;
    events.set(eventId, event);
    this.#bytes += event.body.length;
    // The oldest goes first: by then its other endpoints have it, or wait for a retry, which loads it again.
    for (const [id, old] of events) {
      if (events.size <= MOST_EVENTS && this.#bytes <= MOST_BYTES) break;
      events.delete(id);
      this.#bytes -= old.body.length;
    }
  }
}

/** The answer to a load whose event exists: `kind` and the times are set. */
type LoadedEvent = LoadAnswer & { kind: string; occurred_at: number; created_at: number };

/** False when the event was deleted, or was not asked for. */
const isLoaded = (loaded: LoadAnswer): loaded is LoadedEvent =>
  loaded.kind !== null && loaded.created_at !== null && loaded.occurred_at !== null;

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
