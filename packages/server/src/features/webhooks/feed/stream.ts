import { callWithin } from "../../../db/call-within.ts";
import { hasScope, mayUseNumber } from "../../../http/caller.ts";
import type { EventStream, OpenedStream, StreamCtx, StreamedEvent } from "../../../http/event-stream.ts";
import { MOST_ROWS } from "../../../http/pagination.ts";
import { passingFault } from "../../../http/passing-fault.ts";
import { Problem } from "../../../http/problem.ts";
import { pause } from "../../../lib/clock.ts";
import type { EventGroups } from "../../events/event-groups.ts";
import type { EventStreamQuery } from "../schema.ts";
import { type Place, readFeed, selectLastPlace } from "./feed.store.ts";
import { filtersOf, shownTo } from "./feed.ts";
import { type FeedFilters, type FeedPage, pageBehind } from "./page.ts";
import { FIRST, keptSince, lowestOf, type Position, positionOf, reached, textOf } from "./place.ts";
import type { FeedReader, Follower } from "./reader.ts";
import type { TailEvent } from "./tail.ts";

/** After a page that could not be read, and up to twice that: many streams may wait for the same fault to pass. */
const AGAIN_MS = 1_000;

/** Says that events behind the reader's place are no longer kept. */
const GAP: StreamedEvent = { position: null, event: "gap", data: '{"gap":true}' };
/** After it a person has other records. */
const MERGED = "contact_merged";

/** The feed as a stream: pages of it up to its end, then what the one reader of the process finds there. */
export function eventStreamOf(groups: EventGroups, reader: FeedReader): EventStream<{ query: EventStreamQuery }> {
  async function streamEvents(ctx: StreamCtx, { query }: { query: EventStreamQuery }): Promise<OpenedStream> {
    const from = query.cursor === undefined ? await endOfFeed(ctx) : positionOf(query.cursor);
    const stream = new FeedStream({ ctx, groups, reader, query, from });
    return { batches: stream.batches(), position: () => stream.position() };
  }
  return { cursorsOf: "/v1/events", open: streamEvents };
}

/** The place behind all that is settled. */
async function endOfFeed({ workspaceId, now, config, read }: StreamCtx): Promise<Position> {
  const lowest = lowestOf(keptSince(now, config.RETENTION_DAYS.events), null);
  return reached((await read((sql) => selectLastPlace(sql, workspaceId, lowest))) ?? FIRST, now, false);
}

type Parts = {
  ctx: StreamCtx;
  groups: EventGroups;
  reader: FeedReader;
  query: EventStreamQuery;
  from: Position;
};

class FeedStream {
  readonly #parts: Parts;
  readonly #isBlind: boolean;
  readonly #isLimited: boolean;
  #filters: FeedFilters | null = null;
  /** Behind all that the reader was given. */
  #position: Position;
  #follower: Follower | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#isBlind = !hasScope(parts.ctx.actor, "messages:read");
    this.#isLimited = parts.ctx.actor.phoneNumberIds !== null;
    this.#position = parts.from;
  }

  position(): string {
    const { place } = this.#position;
    const further = this.#follower?.reached(place) ?? place;
    return textOf(further === place ? this.#position : this.#reached(further, false));
  }

  async *batches(): AsyncGenerator<readonly StreamedEvent[]> {
    const { ctx, reader } = this.#parts;
    while (!ctx.signal.aborted) {
      yield* this.#pages();
      if (ctx.signal.aborted) return;
      this.#follower ??= reader.follow(ctx.workspaceId, this.#position.place, ctx.signal);
      yield* this.#live(this.#follower);
    }
  }

  /** Up to the end of the feed. */
  async *#pages(): AsyncGenerator<readonly StreamedEvent[]> {
    const { ctx, groups } = this.#parts;
    for (let more = true; more; ) {
      const page = await this.#page();
      if (page === null) return;
      const shown = page.events.map((event) =>
        this.#streamed(event, event.kind, JSON.stringify(shownTo(ctx, groups, event))),
      );
      const batch = page.gap ? [GAP, ...shown] : shown;
      if (batch.length > 0) yield batch;
      this.#position = this.#reached(page.place, page.more);
      more = page.more;
    }
  }

  /** The next page, after what passes has passed; null at the end of the stream. */
  async #page(): Promise<FeedPage | null> {
    const { ctx, query } = this.#parts;
    while (!ctx.signal.aborted) {
      try {
        return await ctx.read(async (sql) => {
          const now = ctx.clock.now();
          const filters = await filtersOf({ sql, workspaceId: ctx.workspaceId, actor: ctx.actor }, query);
          this.#filters = filters;
          const asked = { from: this.#position, filters, most: MOST_ROWS, createdAfter: null, now };
          return await pageBehind(ctx, (row) => callWithin(sql, readFeed, [row], now), asked);
        });
      } catch (error) {
        // A refusal by the turns at the database is one that passes.
        if (passingFault(error) === null && !(error instanceof Problem)) throw error;
        await pause(ctx.clock, AGAIN_MS * (1 + ctx.random()), ctx.signal);
      }
    }
    return null;
  }

  /** At the end of the feed; until the stream is behind it again. */
  async *#live(follower: Follower): AsyncGenerator<readonly StreamedEvent[]> {
    for (;;) {
      const batch = await follower.behind(this.#position.place);
      if (batch === null) return;
      // A page finds out which records the person has now.
      if (this.#parts.query.contact_id !== undefined && batch.events.some(({ kind }) => kind === MERGED)) return;
      // And which numbers an event is of that is of no message.
      if (this.#isLimited && batch.events.some(({ messageId }) => messageId === null)) return;
      const shown = batch.events
        .filter((event) => this.#fits(event))
        .map((event) => this.#streamed(event.place, event.kind, this.#isBlind ? event.blindText : event.text));
      if (shown.length > 0) yield shown;
      this.#position = this.#reached(batch.place, false);
    }
  }

  /** As `read_feed` filters. */
  #fits({ kind, messageId, contactId, phoneNumberId }: TailEvent): boolean {
    const { kind: ofKind, message_id: ofMessage, contact_ids: ofContacts } = this.#filters ?? {};
    return (
      (ofKind == null || kind === ofKind) &&
      (ofMessage == null || messageId === ofMessage) &&
      (ofContacts == null || (contactId !== null && ofContacts.includes(contactId))) &&
      mayUseNumber(this.#parts.ctx.actor, phoneNumberId)
    );
  }

  #streamed({ era, xid, id }: Place, kind: string, data: string): StreamedEvent {
    return { position: textOf(this.#reached({ era, xid, id }, true)), event: kind, data };
  }

  #reached(place: Place, more: boolean): Position {
    return reached(place, this.#parts.ctx.clock.now(), more);
  }
}
