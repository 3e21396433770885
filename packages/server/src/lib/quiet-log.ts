import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/**
 * A log with at most one line a second for each key, so that a fault which thousands of rows meet at once does not fill the
 * disk. The first line of a key is written at once; further ones within a second are counted, and the last of them is
 * written at the end of the second with `left_out`, the number of lines left out since the one before.
 *
 * A key names a kind of line: one of a few fixed words, never a value from a row.
 */
export class QuietLog {
  readonly #log: Log;
  readonly #clock: Pick<Clock, "after">;
  /** For each key that wrote a line within the last second, the line that waits; null when none does. */
  readonly #waiting = new Map<string, WaitingLine | null>();

  constructor(log: Log, clock: Pick<Clock, "after">) {
    this.#log = log;
    this.#clock = clock;
  }

  warn(key: string, fields: object, text: string): void {
    this.#write("warn", key, fields, text);
  }

  error(key: string, fields: object, text: string): void {
    this.#write("error", key, fields, text);
  }

  #write(level: Level, key: string, fields: object, text: string): void {
    const last = this.#waiting.get(key);
    if (last === undefined) {
      this.#log[level](fields, text);
      this.#holdBack(key);
    } else this.#waiting.set(key, { level, fields, text, leftOut: last === null ? 0 : last.leftOut + 1 });
  }

  #holdBack(key: string): void {
    this.#waiting.set(key, null);
    this.#clock.after(LINE_EVERY_MS, () => {
      const last = this.#waiting.get(key);
      this.#waiting.delete(key);
      if (!last) return;
      this.#log[last.level](last.leftOut === 0 ? last.fields : { ...last.fields, left_out: last.leftOut }, last.text);
      this.#holdBack(key);
    });
  }
}

const LINE_EVERY_MS = 1_000;

type Level = "warn" | "error";
type WaitingLine = { level: Level; fields: object; text: string; leftOut: number };
