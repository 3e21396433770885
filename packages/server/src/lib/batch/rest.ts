import type { Clock } from "../clock.ts";

/** Rows of a flush that come from a crowd, which the next ones are likely to follow soon: at 200 messages a second there are one or two. */
const CROWD = 8;
/** So many ready rows end a rest: of more, a call costs hardly less for each. */
const ROWS_THAT_END_IT = 100;
/** Where the database is so slow that a call takes longer, a rest would only add to what its callers wait for. */
const LONGEST_MS = 20;

/** The rest of a batcher after a flush; see `rests` in options.ts. */
export class Rest {
  readonly #clock: Pick<Clock, "monotonic" | "after">;
  readonly #ended: () => void;
  /** Null while there is none. */
  #cancel: (() => void) | null = null;

  /** `ended` is called when the time is over, not when rows have ended the rest. */
  constructor(clock: Pick<Clock, "monotonic" | "after">, ended: () => void) {
    this.#clock = clock;
    this.#ended = ended;
  }

  /** Whether so many ready rows must wait. */
  holds(readyRows: number): boolean {
    return this.#cancel !== null && readyRows < ROWS_THAT_END_IT;
  }

  /** Rests as long as a flush of so many rows took that was begun at `begun`; a few are followed by no rest. */
  begin(rows: number, begun: number): void {
    this.#cancel?.();
    this.#cancel = null;
    const ms = Math.min(LONGEST_MS, this.#clock.monotonic() - begun);
    if (rows < CROWD || ms < 1) return;
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = null;
      this.#ended();
    });
  }
}
