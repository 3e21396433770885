import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";

/** Time to receive a body that is kept in memory: ends slow drips. */
const BODY_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

type Cut = (problem: Problem) => void;

/** 408 for a request whose body does not arrive. */
export const tooSlow = (detail: string): Problem => new Problem("invalid_request", detail, { status: 408 });

/**
 * Ends requests whose bodies take too long. Node has one limit for all requests of a server, and an upload may take an hour. Node
 * reads a body behind the hooks of its request, even one that came with its headers: so a turn of the event loop later most are whole,
 * and only the others are kept here.
 */
export class SlowBodies {
  readonly #bodyMs: number;
  /** Monotonic milliseconds by which each must be here, and how it is ended. In the order of that time. */
  readonly #watched = new Map<IncomingMessage, { by: number; cut: Cut }>();
  #timer: NodeJS.Timeout | null = null;
  /** Of this turn of the event loop. */
  #fresh: { raw: IncomingMessage; cut: Cut }[] = [];

  constructor(bodyMs = BODY_MS) {
    this.#bodyMs = bodyMs;
  }

  /** Calls `cut` when the body is not here in time. Watched again, the time begins again. */
  watch(raw: IncomingMessage, cut: Cut): void {
    if (this.#fresh.length === 0) setImmediate(() => this.#keep());
    this.#fresh.push({ raw, cut });
  }

  #keep(): void {
    const by = performance.now() + this.#bodyMs;
    for (const { raw, cut } of this.#fresh.splice(0)) {
      this.#watched.delete(raw);
      if (!raw.complete && !raw.destroyed) this.#watched.set(raw, { by, cut });
    }
    if (this.#watched.size > 0)
      this.#timer ??= setInterval(() => this.#look(), Math.min(LOOK_EVERY_MS, this.#bodyMs)).unref();
  }

  #look(): void {
    const now = performance.now();
    for (const [raw, { by, cut }] of this.#watched) {
      const isOver = raw.complete || raw.destroyed;
      if (!isOver && by > now) continue;
      this.#watched.delete(raw);
      if (!isOver) cut(tooSlow("The request took too long to arrive."));
    }
    if (this.#watched.size === 0) this.stop();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
