import type { EventGroups } from "../../events/event-groups.ts";
import { renderEvent } from "../deliver/event-body.ts";
import type { EventBody } from "../deliver/event-shape.ts";
import type { FeedEvent, Place } from "./feed.store.ts";
import { isAhead } from "./place.ts";
import { withoutContent } from "./without-content.ts";

/** Events behind the place that was asked for, which may be none of those that its reader needs, and the place behind them. */
export type TailBatch = { events: readonly TailEvent[]; place: Place };

/** An event as all streams of its workspace share it. */
export class TailEvent {
  readonly place: Place;
  readonly kind: string;
  readonly messageId: string | null;
  readonly contactId: string | null;
  /** Of its message; null without one, and where that is gone. */
  readonly phoneNumberId: string | null;
  /** Monotonic milliseconds. */
  readonly readAt: number;
  /** The body as JSON. */
  readonly text: string;
  readonly #body: EventBody;
  #blind: string | null = null;

  constructor(groups: EventGroups, workspaceId: string, event: FeedEvent, readAt: number) {
    this.place = { era: event.era, xid: event.xid, id: event.id };
    this.kind = event.kind;
    this.messageId = event.message_id;
    this.contactId = event.contact_id;
    const number = event.message?.["phone_number_id"];
    this.phoneNumberId = typeof number === "string" ? number : null;
    this.readAt = readAt;
    const { body, text } = renderEvent(groups, workspaceId, event.id, event);
    this.#body = body;
    this.text = text;
  }

  /** The body as JSON for a reader without `messages:read`. */
  get blindText(): string {
    this.#blind ??= JSON.stringify(withoutContent(this.#body));
    return this.#blind;
  }
}

type Waiter = { place: Place; take(batch: TailBatch | null): void; fail(fault: unknown): void };

/** Of one workspace. */
const MOST_EVENTS = 1_000;
/** Streams are written within milliseconds. One that is further behind reads pages; what is kept for it may be of a person who is erased. */
const KEPT_MS = 5_000;

/**
 * The end of a workspace's feed as this process has read it: all events behind `from` up to `place`. Streams ask for what is behind their
 * place; one that is not within the tail has to read pages.
 */
export class Tail {
  /** Milliseconds: when all that was settled had been read; 0: never. */
  completeAt = 0;
  /** There is more to read at once. */
  hasMore = true;
  #from: Place;
  #place: Place;
  readonly #events: TailEvent[] = [];
  #bytes = 0;
  readonly #waiting = new Set<Waiter>();
  #fault: { cause: unknown } | null = null;

  constructor(place: Place) {
    this.#from = place;
    this.#place = place;
  }

  /** Up to where it is read. */
  get place(): Place {
    return this.#place;
  }

  /**
   * What is behind a place, as soon as there is something; null when the place is not within the tail, or at the signal. Rejects once the
   * tail is broken.
   */
  behind(place: Place, signal: AbortSignal): Promise<TailBatch | null> {
    if (this.#fault !== null) return Promise.reject(this.#fault.cause);
    if (signal.aborted || isAhead(place, this.#from)) return Promise.resolve(null);
    const batch = this.#batchBehind(place, this.#events);
    if (batch !== null) return Promise.resolve(batch);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(waiter);
        signal.removeEventListener("abort", leave);
      };
      const waiter: Waiter = {
        place,
        take: (found) => {
          end();
          resolve(found);
        },
        fail: (fault) => {
          end();
          reject(fault);
        },
      };
      const leave = (): void => waiter.take(null);
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(waiter);
    });
  }

  /** Takes what was read behind its place, at `now`, and gives it to those that wait. `more`: there is more to read at once. */
  add(events: readonly TailEvent[], place: Place, now: number, more: boolean): void {
    if (!more) this.completeAt = now;
    this.hasMore = more;
    this.#place = place;
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += bytesOf(event);
    }
    for (const waiter of this.#waiting) {
      const batch = this.#batchBehind(waiter.place, events);
      if (batch !== null) waiter.take(batch);
    }
  }

  /** An event of the workspace cannot be rendered: its streams end, and those of others go on. */
  break(cause: unknown): void {
    this.#fault = { cause };
    for (const waiter of this.#waiting) waiter.fail(cause);
  }

  /** Forgets what is old, and the oldest of what is too much. */
  prune(monotonic: number, mostBytes: number): void {
    const isKept = ({ readAt }: TailEvent): boolean =>
      readAt > monotonic - KEPT_MS && this.#bytes <= mostBytes && this.#events.length <= MOST_EVENTS;
    for (let oldest = this.#events[0]; oldest !== undefined && !isKept(oldest); oldest = this.#events[0]) {
      this.#events.shift();
      this.#bytes -= bytesOf(oldest);
      this.#from = oldest.place;
    }
  }

  #batchBehind(place: Place, events: readonly TailEvent[]): TailBatch | null {
    const found = events.slice(events.findLastIndex((event) => !isAhead(place, event.place)) + 1);
    return found.length === 0 ? null : { events: found, place: this.#place };
  }
}

/** Two bytes a character at the most, and the body beside its text. */
const bytesOf = ({ text }: TailEvent): number => 4 * text.length;
