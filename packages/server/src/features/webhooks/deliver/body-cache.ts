import type { Buffer } from "node:buffer";

/** A rendered event, with what a delivery of it needs beside the bytes. */
export type RenderedEvent = { kind: string; createdAt: number; messageId: string | null; body: Buffer };

/** Bodies of recent events: endpoints of one workspace share them, and they leave within seconds of each other. */
export type BodyCache = {
  get(eventId: string): RenderedEvent | undefined;
  put(eventId: string, event: RenderedEvent): void;
};

/** Some seconds of events at full speed. */
const MOST_EVENTS = 5_000;
const MOST_BYTES = 32 * 1024 * 1024;

export function createBodyCache(mostEvents = MOST_EVENTS, mostBytes = MOST_BYTES): BodyCache {
  const events = new Map<string, RenderedEvent>();
  let bytes = 0;
  return {
    get: (eventId) => events.get(eventId),
    put(eventId, event) {
      if (events.has(eventId)) return;
      events.set(eventId, event);
      bytes += event.body.length;
      // Oldest first: by then its other endpoints have it or wait for a retry, which reads it again.
      for (const [id, old] of events) {
        if (events.size <= mostEvents && bytes <= mostBytes) break;
        events.delete(id);
        bytes -= old.body.length;
      }
    },
  };
}
