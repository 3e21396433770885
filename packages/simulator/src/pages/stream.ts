import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Change } from "../simulation/news.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { InboundEntry } from "../world/received.ts";
import type { SentEntry } from "../world/sent.ts";
import { type PhoneMessage, phoneMessages, phoneWorld, receivedMessage, sentMessage } from "./phone-view.ts";

/** Changes of so long share an event, so that a load test beside an open page draws it ten times a second at most. */
const JOINED_MS = 100;
/** More changed messages than this, and the page gets the newest of all instead. */
const MOST_CHANGED = 200;
const BEAT_MS = 15_000;

/**
 * `GET /sim/stream`: server-sent events for pages. It begins with `state` (businesses, people, chats and the newest messages), then come
 * `messages` that are new or changed, and `world` when anything else did. Nothing is lost by a page that connects again: it gets `state`.
 */
export function registerStream(app: FastifyInstance, sim: Simulation): void {
  const open = new Set<ServerResponse>();
  app.get("/sim/stream", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    open.add(reply.raw);
    const reader = new Reader(sim, reply.raw);
    const unfollow = sim.news.follow((change) => reader.note(change));
    reply.raw.once("close", () => {
      open.delete(reply.raw);
      unfollow();
      reader.stop();
    });
  });
  // What a call changes is shown, whatever it was; sends and reads report each message by itself.
  app.addHook("onResponse", (request, _reply, done) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead && request.routeOptions.url !== "/:version/:id/messages") sim.news.report({ kind: "world" });
    done();
  });
  app.addHook("preClose", (done) => {
    for (const raw of open) raw.destroy();
    done();
  });
}

class Reader {
  readonly #sim: Simulation;
  readonly #raw: ServerResponse;
  readonly #changed = new Set<SentEntry | InboundEntry>();
  #world = false;
  #all = true;
  #timer: NodeJS.Timeout | null = null;
  readonly #beat: NodeJS.Timeout;

  constructor(sim: Simulation, raw: ServerResponse) {
    this.#sim = sim;
    this.#raw = raw;
    this.#beat = setInterval(() => void (raw.writableNeedDrain || raw.write(": beat\n\n")), BEAT_MS);
    this.#send();
  }

  note(change: Change): void {
    if (change.kind === "all") this.#all = true;
    else this.#world = true;
    if ("entry" in change && !this.#all) this.#changed.add(change.entry);
    if (this.#changed.size > MOST_CHANGED) this.#all = true;
    if (this.#all) this.#changed.clear();
    this.#timer ??= setTimeout(() => this.#send(), JOINED_MS);
  }

  stop(): void {
    clearInterval(this.#beat);
    if (this.#timer !== null) clearTimeout(this.#timer);
    // A change that is reported after the end starts no other timer.
    this.#timer = setTimeout(() => {}, 0);
  }

  #send(): void {
    this.#timer = null;
    // A page that does not read, as one in the background, gets everything at once when it does.
    if (this.#raw.writableNeedDrain) {
      this.#all = true;
      this.#changed.clear();
      this.#timer = setTimeout(() => this.#send(), JOINED_MS);
      return;
    }
    if (this.#all) {
      const messages = phoneMessages(this.#sim);
      this.#write("state", { ...phoneWorld(this.#sim, messages), messages });
    } else {
      const messages = [...this.#changed].flatMap((entry) => this.#shown(entry) ?? []);
      if (messages.length > 0) this.#write("messages", { messages });
      if (this.#world) this.#write("world", phoneWorld(this.#sim, phoneMessages(this.#sim)));
    }
    this.#changed.clear();
    this.#world = false;
    this.#all = false;
  }

  #shown(entry: SentEntry | InboundEntry): PhoneMessage | null {
    return "accepted" in entry ? sentMessage(this.#sim, entry) : receivedMessage(entry);
  }

  #write(event: string, data: unknown): void {
    this.#raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
