import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../ctx.ts";
import { EVENT_STREAM_TYPE } from "../../event-stream.ts";
import { invalidAt, Problem } from "../../problem.ts";
import type { AnyRoute } from "../../route.ts";
import type { Admission } from "../admission.ts";
import { inputOf, StreamContext } from "../context.ts";
import { ListCursor } from "../cursor.ts";
import type { DatabaseTurns } from "../limits/database-turns.ts";
import { send } from "../reply.ts";
import { type LiveLimits, LiveStream } from "./live-stream.ts";

export type EventStreamLimits = LiveLimits & {
  /** At once in this process: some 100 KB each. */
  places: number;
  placesOfWorkspace: number;
  placesOfKey: number;
  /** The rights of callers are looked at this often. A key is remembered for 4 s, so that one that was revoked ends its streams within 5 s. */
  checkMs: number;
};
const LIMITS: EventStreamLimits = {
  places: 2_000,
  placesOfWorkspace: 200,
  placesOfKey: 20,
  beatMs: 15_000,
  checkMs: 500,
  slowest: { bytes: 64 * 1024, withinMs: 30_000 },
  endMs: 2_000,
};

/** A place may be free again by then. */
const AGAIN_SECONDS = 5;
/** A browser whose stream ended comes again after so long, and up to twice that: those of a process that stops do not come together. */
const COME_AGAIN_MS = 1_500;

type StreamRow = Extract<AnyRoute, { kind: "stream" }>;
type Parts = { app: App; admission: Admission; turns: DatabaseTurns };

/** The streams of events that this process has open. */
export class EventStreams {
  readonly #parts: Parts;
  readonly #limits: EventStreamLimits;
  readonly #open = new Set<LiveStream>();
  /** Callers of the places that are taken, of streams that have not begun too. */
  readonly #taken = new Set<{ workspaceId: string; actorId: string | null }>();
  #ticks: NodeJS.Timeout | null = null;
  #isEnding = false;

  constructor(parts: Parts, limits = LIMITS) {
    this.#parts = parts;
    this.#limits = limits;
  }

  /** Begins a stream; resolves once the answer has begun. Rejects with the refusal of a request for which nothing was sent. */
  async start(request: FastifyRequest, reply: FastifyReply, row: StreamRow): Promise<void> {
    const { app } = this.#parts;
    const { stream } = row;
    const cursor = new ListCursor(app.secrets, request, stream.cursorsOf);
    const input = inputOf(row, request);
    openCursor(cursor, input.query, request.headers["last-event-id"]);
    const answer = { status: 200, type: EVENT_STREAM_TYPE, headers: HEADERS };
    if (request.state.method === "HEAD") return void send(app, request, reply, { ...answer, body: "" });
    const release = this.#take(request);
    let begun = false;
    try {
      const live = new LiveStream(app, request, reply, this.#limits);
      const opened = await stream.open(this.#contextOf(request, reply, row, live.signal), input);
      this.#open.add(live);
      begun = true;
      live.whenOver(() => {
        this.#open.delete(live);
        release();
      });
      this.#ticks ??= setInterval(() => this.#tick(), this.#limits.checkMs).unref();
      const retryMs = Math.round(COME_AGAIN_MS * (1 + app.random()));
      send(app, request, reply, { ...answer, body: live.begin(opened, cursor, retryMs) });
    } finally {
      if (!begun) release();
    }
  }

  /** Ends all streams; resolves when they have ended. No other begins. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const open = [...this.#open];
    for (const live of open) live.end("stopped");
    await Promise.all(open.map(({ over }) => over));
  }

  #contextOf(request: FastifyRequest, reply: FastifyReply, row: StreamRow, signal: AbortSignal): StreamContext {
    const { app, turns } = this.#parts;
    const { state } = request;
    return new StreamContext(app, request, reply, {
      signal,
      read: (work) => turns.run(row, state, () => app.db.read(state.workspaceId, work)),
    });
  }

  #tick(): void {
    for (const live of this.#open) {
      live.beat();
      void live.check(() => this.#parts.admission.isStillAdmitted(live.request));
    }
    if (this.#open.size > 0 || this.#ticks === null) return;
    clearInterval(this.#ticks);
    this.#ticks = null;
  }

  #take({ state: { workspaceId, actor } }: FastifyRequest): () => void {
    const retry = { retryAfterSeconds: AGAIN_SECONDS };
    const { places, placesOfWorkspace, placesOfKey } = this.#limits;
    if (this.#isEnding) throw new Problem("unavailable", "This process stops: connect again.", retry);
    let [ofWorkspace, ofKey] = [0, 0];
    for (const one of this.#taken) {
      if (one.workspaceId !== workspaceId) continue;
      ofWorkspace += 1;
      if (one.actorId === actor.id) ofKey += 1;
    }
    if (ofKey >= placesOfKey)
      throw new Problem("rate_limited", `This key has ${ofKey} streams open: close one first.`, retry);
    if (ofWorkspace >= placesOfWorkspace)
      throw new Problem("rate_limited", `This workspace has ${ofWorkspace} streams open: close one first.`, retry);
    if (this.#taken.size >= places) throw new Problem("unavailable", "Too many streams are open.", retry);
    const place = { workspaceId, actorId: actor.id };
    this.#taken.add(place);
    return () => void this.#taken.delete(place);
  }
}

/** Proxies that gather an answer before they pass it on would hold back every event. */
const HEADERS = { "x-accel-buffering": "no" };

/** What a reader says that comes again counts more than what its address said at the beginning. */
function openCursor(cursor: ListCursor, query: { cursor?: string }, last: string | string[] | undefined): void {
  if (typeof last !== "string" || last === "") return cursor.open(query);
  query.cursor = last;
  try {
    cursor.open(query);
  } catch {
    throw invalidAt(
      "Last-Event-ID",
      "This is no cursor of these events with these filters; begin without it.",
      "invalid_cursor",
    );
  }
}
