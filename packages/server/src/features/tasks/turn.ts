import type { App } from "../../ctx.ts";
import { pause } from "../../lib/clock.ts";
import type { Pace } from "./pace.ts";

/** Then the next has its turn, of this workspace or of another. */
const TURN_MS = 5_000;

/**
 * The time that long work has before the next has its turn: it does steps until there are none left or `isOver`, and rests between
 * them as its pace says.
 */
export class Turn {
  readonly #app: Pick<App, "clock">;
  readonly #pace: Pace;
  readonly #signal: AbortSignal;
  readonly #until: number;

  /** Of `ms` milliseconds; `signal` ends it. */
  constructor(
    app: Pick<App, "clock">,
    { pace, signal, ms = TURN_MS }: { pace: Pace; signal: AbortSignal; ms?: number },
  ) {
    this.#app = app;
    this.#pace = pace;
    this.#signal = signal;
    this.#until = app.clock.monotonic() + ms;
  }

  /** Of the next step. */
  get rows(): number {
    return this.#pace.rows;
  }

  /** The work goes on in another turn, or in another process. */
  get isOver(): boolean {
    return this.#signal.aborted || this.#app.clock.monotonic() >= this.#until;
  }

  /** Does a step of so many rows, and rests. */
  async step<T>(rows: number, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const done = await work();
    await pause(this.#app.clock, await this.#pace.afterStep(performance.now() - began, rows), this.#signal);
    return done;
  }

  /** Rests after other work than a step that took so many milliseconds. */
  async rest(tookMs: number): Promise<void> {
    await pause(this.#app.clock, await this.#pace.after(tookMs), this.#signal);
  }
}
