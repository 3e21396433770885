import type { Clock } from "../clock.ts";
import type { Batcher } from "./batch.ts";

type Options<Row, Answer> = {
  calls: Pick<Batcher<Row, Answer>, "submit">;
  clock: Pick<Clock, "after">;
  /** How long the first of them waits for others. */
  ms: number;
  /** So many rows, or so many characters of them, wait no longer. */
  rows: number;
  characters: number;
  /** About how many characters the row has. */
  size(row: Row): number;
};
type Waiting<Row, Answer> = { row: Row; resolve(answer: Promise<Answer>): void };

/**
 * Rows that hold up no other work, in front of a batcher: they wait a moment for company, and leave together. A batcher by itself sends a lone
 * row at once, and while little happens nearly all rows are alone.
 */
export class Gathering<Row, Answer> {
  readonly #options: Options<Row, Answer>;
  readonly #waiting: Waiting<Row, Answer>[] = [];
  #characters = 0;
  /** Null while none waits. */
  #cancel: (() => void) | null = null;

  constructor(options: Options<Row, Answer>) {
    this.#options = options;
  }

  /** As the batcher's own. */
  submit(row: Row): Promise<Answer> {
    const { clock, ms, rows, characters, size } = this.#options;
    return new Promise((resolve) => {
      this.#waiting.push({ row, resolve });
      this.#characters += size(row);
      if (this.#waiting.length >= rows || this.#characters >= characters) this.leave();
      else this.#cancel ??= clock.after(ms, () => this.leave());
    });
  }

  /** All that wait leave now. */
  leave(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#characters = 0;
    for (const { row, resolve } of this.#waiting.splice(0)) resolve(this.#options.calls.submit(row));
  }
}
