import type { App } from "../../../ctx.ts";
import { pause } from "../../../lib/clock.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import type { EventGroups } from "../../events/event-groups.ts";
import { type FeedRow, type Place, readFeed } from "./feed.store.ts";
import { isAhead, keptSince, lowestOf } from "./place.ts";
import { Tail, type TailBatch, TailEvent } from "./tail.ts";

const POLL_MS = 200;
/** After a call that failed. */
const AGAIN_MS = 1_000;
/** Of a workspace in a call; what is left follows at once. */
const MOST_EVENTS = 100;
/** For one workspace of a call. */
const BUDGET_MS = 8;
/** In one call: an idle workspace costs some 50 µs in it. */
const MOST_WORKSPACES = 100;
/** Of all tails together. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A stream at the end of the feed of its workspace. */
export type Follower = {
  /** See `Tail.behind`. */
  behind(place: Place): Promise<TailBatch | null>;
  /** Where a stream is that was given all up to `place`, which may be further: what came since was not for it. */
  reached(place: Place): Place;
};

/**
 * The one reader of the feed for all streams of this process: a call each 200 ms for all workspaces that have some, none while there are
 * none.
 */
export class FeedReader {
  readonly #app: App;
  readonly #groups: EventGroups;
  readonly #tails = new Map<string, { tail: Tail; followers: number }>();
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #readAllAt = 0;

  constructor(app: App, groups: EventGroups) {
    this.#app = app;
    this.#groups = groups;
    app.metrics.gauge(
      { name: "waypost_event_streams", help: "Streams of events at the end of the feed.", labels: {} },
      () => [[{}, [...this.#tails.values()].reduce((sum, { followers }) => sum + followers, 0)]],
    );
  }

  /** Follows the feed of a workspace behind a place at its end, until the signal. */
  follow(workspaceId: string, place: Place, signal: AbortSignal): Follower {
    const known = this.#tails.get(workspaceId) ?? { tail: new Tail(place), followers: 0 };
    known.followers += 1;
    this.#tails.set(workspaceId, known);
    const leave = (): void => {
      known.followers -= 1;
      if (known.followers === 0 && this.#tails.get(workspaceId) === known) this.#tails.delete(workspaceId);
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    this.#running ??= this.#run();
    const { tail } = known;
    let isWaiting = false;
    return {
      async behind(from) {
        isWaiting = true;
        const batch = await tail.behind(from, signal);
        isWaiting = false;
        return batch;
      },
      reached: (from) => (isWaiting && isAhead(from, tail.place) ? tail.place : from),
    };
  }

  /** Ends the call that is running. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#app;
    let failures = 0;
    while (this.#tails.size > 0 && !this.#stop.signal.aborted) {
      try {
        const left = await this.#readNext();
        failures = 0;
        if (left > 0) await pause(clock, left, this.#stop.signal);
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, "the feed cannot be read now; streams wait");
        failures += 1;
        await pause(clock, AGAIN_MS, this.#stop.signal);
      }
    }
    this.#running = null;
  }

  /** Reads all workspaces when it is time, and those that have more meanwhile. Returns the milliseconds until the next call. */
  async #readNext(): Promise<number> {
    const { clock } = this.#app;
    const isTime = clock.monotonic() >= this.#readAllAt;
    const due = [...this.#tails].flatMap(([workspaceId, { tail }]) =>
      isTime || tail.hasMore ? [{ workspaceId, tail }] : [],
    );
    if (due.length === 0) return this.#readAllAt - clock.monotonic();
    if (isTime) this.#readAllAt = clock.monotonic() + POLL_MS;
    for (let at = 0; at < due.length; at += MOST_WORKSPACES) await this.#read(due.slice(at, at + MOST_WORKSPACES));
    return 0;
  }

  async #read(due: readonly { workspaceId: string; tail: Tail }[]): Promise<void> {
    const { db, clock } = this.#app;
    const now = clock.now();
    const rows = due.map(({ workspaceId, tail }) => this.#rowOf(workspaceId, tail, now));
    const answers = await db.call(readFeed, rows, now);
    const monotonic = clock.monotonic();
    for (const [index, { workspaceId, tail }] of due.entries()) {
      const answer = answers[index];
      if (answer?.workspace_id !== workspaceId) throw new Error("the feed has no answer");
      const { era, xid, id, more } = answer;
      try {
        const events = answer.events.map((event) => new TailEvent(this.#groups, workspaceId, event, monotonic));
        tail.add(events, { era, xid, id }, now, more);
      } catch (error) {
        this.#tails.delete(workspaceId);
        tail.break(error);
        continue;
      }
      tail.prune(monotonic, MOST_BYTES / this.#tails.size);
    }
  }

  /**
   * What comes behind a place that was the end was written by transactions that had not ended then. None of ours takes a day, so that
   * older partitions need not be looked at: with all thirty of them a call takes ten times as long.
   */
  #rowOf(workspaceId: string, { place, completeAt }: Tail, now: number): FeedRow {
    const since = keptSince(now, this.#app.config.RETENTION_DAYS.events);
    return {
      workspace_id: workspaceId,
      ...place,
      lowest: lowestOf(Math.max(since, completeAt - DAY_MS), null),
      kind: null,
      message_id: null,
      contact_ids: null,
      numbers: null,
      most: MOST_EVENTS,
      look: MOST_EVENTS,
      budget_ms: BUDGET_MS,
    };
  }
}
