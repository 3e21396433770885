import { finished, Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../ctx.ts";
import { causeFields } from "../../../lib/error-fields.ts";
import { type OpenedStream, textOfComment, textOfEvent } from "../../event-stream.ts";
import type { ListCursor } from "../cursor.ts";
import { type Pace, watchPace } from "./pace.ts";

export type LiveLimits = {
  /** A comment is sent this often: proxies close what is silent for a minute. */
  beatMs: number;
  /** A reader that is slower is cut off; it goes on from its last event when it comes again. */
  slowest: Pace;
  /** What the reader has not taken so long after the end is dropped. */
  endMs: number;
};

/**
 * `gone`: the reader left, `stalled`: it was cut off, `refused`: its caller has lost a right, `stopped`: the process stops, `failed`.
 */
type End = "gone" | "stalled" | "refused" | "stopped" | "failed";

/** Given to the connection at once; what is given beyond waits here until it is taken, and then the next is asked for. */
const PIECE_BYTES = 16 * 1024;

/**
 * One stream of events. It gives while the rights of its caller are *confirmed*; while they cannot be looked at (*unconfirmed*) it waits;
 * once it is *ended* nothing is given any more.
 */
export class LiveStream {
  readonly request: FastifyRequest;
  /** Resolves when the response has ended, in whatever way. */
  readonly over: Promise<void>;
  readonly #app: App;
  readonly #response: FastifyReply["raw"];
  readonly #limits: LiveLimits;
  readonly #startedAt: number;
  readonly #controller = new AbortController();
  readonly #whenOver: (() => void)[] = [];
  readonly #body = new Readable({ read: () => this.#resume(), highWaterMark: PIECE_BYTES });
  #comment: () => string = () => "";
  #beatAt: number;
  #isConfirmed = true;
  #isChecking = false;
  #hasRoom = true;
  #end: End | null = null;
  #resumed: (() => void) | null = null;
  #events = 0;
  #bytes = 0;
  #fault: unknown = null;

  constructor(app: App, request: FastifyRequest, { raw: response }: FastifyReply, limits: LiveLimits) {
    this.request = request;
    this.#app = app;
    this.#response = response;
    this.#limits = limits;
    this.#startedAt = app.clock.monotonic();
    this.#beatAt = this.#startedAt;
    this.over = new Promise((resolve) => {
      finished(response, () => {
        this.#stop("gone");
        for (const step of this.#whenOver) step();
        resolve();
      });
    });
  }

  /** Aborts at the end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  whenOver(step: () => void): void {
    this.#whenOver.push(step);
  }

  /** The body of the answer, which begins with the place of the reader. */
  begin(opened: OpenedStream, cursor: ListCursor, retryMs: number): Readable {
    this.#comment = () => textOfComment(cursor.of(opened.position()));
    const waiting = (): number => this.#body.readableLength + this.#response.writableLength;
    const taken = (): number => this.#bytes - waiting();
    const endWatch = watchPace(this.#limits.slowest, { waiting, taken }, () => this.#cut("stalled"));
    this.whenOver(() => {
      endWatch();
      this.#writeLine();
    });
    this.#push(`retry: ${retryMs}\n${this.#comment()}`);
    void this.#give(opened, cursor).catch((error: unknown) => {
      this.#fault = error;
      this.#cut("failed");
    });
    return this.#body;
  }

  /** Sends a comment when it is time; not to a reader for whom something waits anyway. */
  beat(): void {
    const now = this.#app.clock.monotonic();
    if (now - this.#beatAt < this.#limits.beatMs) return;
    this.#beatAt = now;
    if (this.#body.readableLength + this.#response.writableLength === 0) this.#push(this.#comment());
  }

  /** Looks whether the caller still has its rights. `isAdmitted` rejects while that cannot be found out. */
  async check(isAdmitted: () => Promise<boolean>): Promise<void> {
    // The look before this one has no answer yet.
    if (this.#isChecking) return void (this.#isConfirmed = false);
    this.#isChecking = true;
    try {
      this.#isConfirmed = await isAdmitted();
      if (!this.#isConfirmed) this.end("refused");
      else if (this.#hasRoom) this.#wake();
    } catch {
      this.#isConfirmed = false;
    } finally {
      this.#isChecking = false;
    }
  }

  /** Ends the answer behind what was given. */
  end(end: End): void {
    if (this.#end !== null) return;
    this.#stop(end);
    this.#body.push(null);
    const timer = setTimeout(() => this.#response.destroy(), this.#limits.endMs).unref();
    this.whenOver(() => clearTimeout(timer));
  }

  #cut(end: End): void {
    this.#stop(end);
    this.#response.destroy();
  }

  #stop(end: End): void {
    this.#end ??= end;
    this.#controller.abort();
    this.#wake();
  }

  async #give({ batches }: OpenedStream, cursor: ListCursor): Promise<void> {
    for await (const batch of batches) {
      let text = "";
      let events = 0;
      for (const [index, event] of batch.entries()) {
        text += textOfEvent(event.position === null ? null : cursor.of(event.position), event);
        events += 1;
        if (text.length < PIECE_BYTES && index < batch.length - 1) continue;
        while (this.#end === null && !(this.#isConfirmed && this.#hasRoom)) await this.#resumption();
        if (this.#end !== null) return;
        this.#push(text);
        this.#events += events;
        text = "";
        events = 0;
      }
    }
    if (this.#end === null) throw new Error("the events have ended");
  }

  #push(text: string): void {
    if (this.#end !== null) return;
    const bytes = Buffer.from(text);
    this.#bytes += bytes.length;
    this.#hasRoom = this.#body.push(bytes);
  }

  /** The connection has taken what was given. */
  #resume(): void {
    this.#hasRoom = true;
    this.#wake();
  }

  #resumption(): Promise<void> {
    return new Promise((resolve) => {
      this.#resumed = resolve;
    });
  }

  #wake(): void {
    this.#resumed?.();
    this.#resumed = null;
  }

  #writeLine(): void {
    const { requestId, workspaceId, match } = this.request.state;
    const line = {
      route: match.route,
      request_id: requestId,
      workspace_id: workspaceId,
      ended: this.#end,
      events: this.#events,
      bytes: this.#bytes,
      ms: Math.round(this.#app.clock.monotonic() - this.#startedAt),
      ...(this.#fault === null ? {} : { cause: causeFields(this.#fault) }),
    };
    this.#app.log[this.#end === "failed" ? "error" : "info"](line, "events streamed");
  }
}
