import type { Buffer } from "node:buffer";
import type { QueueRow } from "../../../lanes/kind.ts";
import { type EventDeps, isLoaded, renderEvent } from "../events/event-body.ts";
import type { LoadAnswer } from "./deliver.store.ts";

/** A rendered event: its bytes, and what else a delivery of it needs. `createdAt` in milliseconds. */
export type RenderedEvent = { kind: string; createdAt: number; body: Buffer };

/** A few seconds of events at full speed. */
const MOST_EVENTS = 5_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Renders events and keeps the recent ones: the endpoints of a workspace share them, and are served within seconds of each other. */
export class BodyCache {
  readonly #deps: EventDeps;
  readonly #events = new Map<string, RenderedEvent>();
  #bytes = 0;

  constructor(deps: EventDeps) {
    this.#deps = deps;
  }

  get(eventId: string): RenderedEvent | undefined {
    return this.#events.get(eventId);
  }

  /** Renders the event that was loaded for a row and keeps it; null when the event no longer exists. */
  async render(row: QueueRow, loaded: LoadAnswer): Promise<RenderedEvent | null> {
    if (!isLoaded(loaded)) return null;
    const body = await renderEvent(row.workspaceId, row.eventId, loaded, this.#deps);
    const event = { kind: loaded.kind, createdAt: loaded.created_at, body };
    this.#put(row.eventId, event);
    return event;
  }

  #put(eventId: string, event: RenderedEvent): void {
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
