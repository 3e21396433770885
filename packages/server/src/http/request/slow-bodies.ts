import type { IncomingMessage } from "node:http";
import { answerClientError } from "./errors.ts";

/** Time to receive a body that is kept in memory: ends slow drips. */
const BODY_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Ends requests whose bodies take too long. Node has one limit for all requests of a server, and an upload may take an hour. Only
 * what did not come with its headers is watched, so that most requests cost nothing.
 */
export class SlowBodies {
  readonly #bodyMs: number;
  /** Monotonic milliseconds by which each must be here. In the order of that time. */
  readonly #by = new Map<IncomingMessage, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(bodyMs = BODY_MS) {
    this.#bodyMs = bodyMs;
  }

  watch(raw: IncomingMessage): void {
    this.#by.set(raw, performance.now() + this.#bodyMs);
    this.#timer ??= setInterval(() => this.#look(), Math.min(LOOK_EVERY_MS, this.#bodyMs)).unref();
  }

  #look(): void {
    const now = performance.now();
    for (const [raw, by] of this.#by) {
      if (!raw.complete && !raw.destroyed && by > now) continue;
      this.#by.delete(raw);
      if (!raw.complete && !raw.destroyed)
        answerClientError(Object.assign(new Error("slow body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), raw.socket);
    }
    if (this.#by.size === 0) this.stop();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
