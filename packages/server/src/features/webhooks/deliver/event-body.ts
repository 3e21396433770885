import { Buffer } from "node:buffer";
import { LRUCache } from "lru-cache";
import { formatId } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { EventGroups } from "../../events/event-groups.ts";
import type { LoadAnswer } from "./deliver.store.ts";
import type { EventBody } from "./event-shape.ts";
import { MOST_BODY_BYTES, truncated } from "./truncated.ts";

/** A rendered event: the bytes that are signed and posted, and what else a delivery of it needs. `createdAt` in milliseconds. */
export type RenderedEvent = {
  kind: string;
  createdAt: number;
  messageId: string | null;
  contactId: string | null;
  isErased: boolean;
  body: Buffer;
};

/** A few seconds of events at full speed. */
const MOST_EVENTS = 5_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Renders events and keeps the recent ones: the endpoints of a workspace share them, and are served within seconds of each other. */
export class EventBodies {
  readonly #groups: EventGroups;
  // When the least recently used event is dropped, its other endpoints have it, or wait for a retry, which loads it again.
  readonly #events = new LRUCache<string, RenderedEvent>({
    max: MOST_EVENTS,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });

  constructor(groups: EventGroups) {
    this.#groups = groups;
  }

  /** Drops the body of an event whose contact was erased since it was rendered. */
  forget(eventId: string): void {
    this.#events.delete(eventId);
  }

  get(eventId: string): RenderedEvent | undefined {
    return this.#events.get(eventId);
  }

  /** Renders an event from what was loaded of it and keeps it; null when the event no longer exists. */
  render(workspaceId: string, eventId: string, loaded: LoadedBody): RenderedEvent | null {
    if (!isLoaded(loaded)) return null;
    const { text } = renderEvent(this.#groups, workspaceId, eventId, loaded);
    const event = {
      kind: loaded.kind,
      createdAt: loaded.created_at,
      messageId: (loaded.message?.["id"] as string | undefined) ?? null, // a column of type uuid
      contactId: loaded.contact_id,
      isErased: loaded.is_erased,
      body: Buffer.from(text),
    };
    this.#events.set(eventId, event);
    return event;
  }
}

/** The body of an event and its JSON, of `MOST_BODY_BYTES` at the most; `eventId` is its uuid. */
export function renderEvent(
  groups: EventGroups,
  workspaceId: string,
  eventId: string,
  loaded: LoadedEvent,
): { body: EventBody; text: string } {
  const body = eventBody(groups, workspaceId, eventId, loaded);
  const text = JSON.stringify(body);
  // A character is three bytes at the most: few texts are measured.
  if (text.length * 3 <= MOST_BODY_BYTES || Buffer.byteLength(text) <= MOST_BODY_BYTES) return { body, text };
  const short = truncated(body);
  return { body: short, text: JSON.stringify(short) };
}

function eventBody(groups: EventGroups, workspaceId: string, eventId: string, loaded: LoadedEvent): EventBody {
  const group = groups.of(loaded.kind);
  return {
    id: formatId("evt", eventId),
    kind: loaded.kind,
    category: group.category,
    workspace_id: formatId("ws", workspaceId),
    created_at: isoTime(loaded.created_at),
    sequence: loaded.sequence,
    data: group.data({
      kind: loaded.kind,
      occurredAt: loaded.occurred_at,
      resourceId: loaded.resource_id,
      state: loaded.state ?? {},
      // Added to a copy instead, the field made the message slow to read: 2 µs for each event.
      message: loaded.message && { is_erased: loaded.is_erased, ...loaded.message },
      contact: loaded.contact,
      isErased: loaded.is_erased,
    }),
  };
}

/** What a body is rendered from. */
type LoadedBody = Pick<LoadAnswer, "resource_id" | "state" | "message" | "contact" | "contact_id" | "is_erased"> &
  Record<"kind", string | null> &
  Record<"sequence" | "occurred_at" | "created_at", number | null>;
/** That of an event that exists: `kind` and the times are set. */
export type LoadedEvent = LoadedBody & { kind: string; sequence: number; occurred_at: number; created_at: number };

/** False when the event was deleted, or was not asked for. */
const isLoaded = (loaded: LoadedBody): loaded is LoadedEvent =>
  loaded.kind !== null && loaded.sequence !== null && loaded.created_at !== null && loaded.occurred_at !== null;
