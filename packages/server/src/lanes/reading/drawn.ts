import type { RunnerState } from "../runner-state.ts";
import type { LastDrawn } from "./last-drawn.ts";

/** How often the sequence is asked which numbers were drawn, beyond those of rows that were read. */
const ASK_EVERY_MS = 250;
/** How close moments are for which it is known which numbers were drawn. */
const MARK_EVERY_MS = 10;
/** Such moments are kept longer than the time between two reads of a slot. */
const KEPT_MS = 5_000;

/** Numbers up to `watermark` had been drawn, or read, at `at` on the monotonic clock. */
export type Mark = { at: number; watermark: number };

/** Which numbers of a queue's rows had been drawn at which moment. */
export class Drawn {
  readonly #state: RunnerState;
  readonly #lastDrawn: LastDrawn;
  /** The oldest first. */
  readonly #marks: Mark[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The last answer of the sequence that differed from the one before. */
  #latest: Mark = { at: Number.POSITIVE_INFINITY, watermark: -1 };

  constructor(state: RunnerState, lastDrawn: LastDrawn) {
    this.#state = state;
    this.#lastDrawn = lastDrawn;
  }

  /** The last number that the sequence is known to have given, and when that was known first; at Infinity before it was asked. */
  get latest(): Mark {
    return this.#latest;
  }

  /** Asks the sequence, never max(seq), which walks dead rows. */
  async ask(): Promise<number> {
    this.#askedAt = this.#state.clock.monotonic();
    const watermark = await this.#lastDrawn.of(this.#state.kind.queue.table);
    this.mark(watermark);
    if (watermark !== this.#latest.watermark) this.#latest = { at: this.#state.clock.monotonic(), watermark };
    return watermark;
  }

  /** The same, where the last time was long ago. */
  async askNowAndThen(): Promise<void> {
    if (this.#state.clock.monotonic() - this.#askedAt >= ASK_EVERY_MS) await this.ask();
  }

  /** Whether the last mark is old enough for another one. */
  get wantsMark(): boolean {
    return this.#state.clock.monotonic() - (this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= MARK_EVERY_MS;
  }

  /** Numbers up to this one have been drawn by now. */
  mark(seq: number): void {
    const at = this.#state.clock.monotonic();
    this.#marks.push({ at, watermark: Math.max(seq, this.#marks.at(-1)?.watermark ?? 0) });
    while ((this.#marks[1]?.at ?? at) < at - KEPT_MS) this.#marks.shift();
  }

  /** Up to which number all had been drawn at that moment; null: not known. */
  by(moment: number): number | null {
    return this.#marks.findLast(({ at }) => at <= moment)?.watermark ?? null;
  }

  /** The same, of the oldest moment that is known. */
  get oldest(): number | undefined {
    return this.#marks[0]?.watermark;
  }

  /** Forgets all but the last answer of the sequence. */
  clear(): void {
    this.#marks.length = 0;
  }
}
