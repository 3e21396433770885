import type { App } from "../../../ctx.ts";
import type { LaneClaim } from "../../../lanes/kind.ts";

/** Sends between their intent and their first byte when there was no hurry before. */
const FIRST = 8;
/** Twice as many after so long in which others had to wait. */
const DOUBLES_AFTER_MS = 50;
/** As many as a process has in flight. */
const MOST = 500;
/** The hurry is over. */
const QUIET_MS = 1_000;

/** One send between its intent and its first byte. Both may be called again. */
export type Opening = {
  /** What was opened for it is used now. */
  writing(): void;
  /** Its first byte has left, or it will not be written. */
  end(): void;
};

/**
 * Lets sends begin when their bytes can leave. A process that is killed in between leaves `unknown` messages that nobody sent, so few
 * sends are there at once and none waits for a connection. After a take-over a process has hundreds of rows at once, on a machine that
 * is busy with the same: 64 intents that were begun together came to 3.5 to 7.9 such messages a kill.
 */
export class Openings {
  readonly #app: Pick<App, "provider" | "clock">;
  readonly #waiting: (() => void)[] = [];
  #open = 0;
  #most = FIRST;
  /** Since when some have to wait; null while none does. */
  #crowdedSince: number | null = null;
  #crowdedAt = Number.NEGATIVE_INFINITY;

  constructor(app: Pick<App, "provider" | "clock">) {
    this.#app = app;
  }

  /** Resolves when a connection is open for a send of the claim, and few others are between their intents and their bytes. */
  async begin(claim: LaneClaim): Promise<Opening> {
    const connection = await this.#app.provider.reserveSend(claim.signal);
    if (!this.#mayOpen()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let ended = false;
    return {
      writing: () => connection.end(),
      end: () => {
        connection.end();
        if (!ended) this.#ended();
        ended = true;
      },
    };
  }

  /** Takes a place for a send that has just come; false when it has to wait. */
  #mayOpen(): boolean {
    const now = this.#app.clock.monotonic();
    if (now - this.#crowdedAt > QUIET_MS) this.#most = FIRST;
    if (this.#waiting.length > 0 || this.#open >= this.#most) {
      this.#crowdedSince ??= now;
      this.#crowdedAt = now;
      return false;
    }
    this.#open += 1;
    return true;
  }

  #ended(): void {
    this.#open -= 1;
    if (this.#waiting.length > 0) this.#grow();
    while (this.#waiting.length > 0 && this.#open < this.#most) {
      this.#open += 1;
      this.#waiting.shift()?.();
    }
    if (this.#waiting.length === 0) this.#crowdedSince = null;
  }

  #grow(): void {
    const now = this.#app.clock.monotonic();
    this.#crowdedAt = now;
    this.#crowdedSince ??= now;
    if (now - this.#crowdedSince < DOUBLES_AFTER_MS) return;
    this.#most = Math.min(MOST, this.#most * 2);
    this.#crowdedSince = now;
  }
}
