import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** At most one line a second for each key: trouble that thousands meet at once fills no disk. */
export type QuietLog = {
  /** `key` says what counts as the same line: one of a few fixed words, never something of a row. */
  warn(key: string, fields: object, text: string): void;
  error(key: string, fields: object, text: string): void;
};

const LINE_EVERY_MS = 1_000;

type Level = "warn" | "error";
type Held = { level: Level; fields: object; text: string; leftOut: number };

/**
 * The first of a kind is written at once; what follows within a second is counted, and the last of it written at the
 * second's end with `left_out`: how many more there were since the line before.
 */
export function createQuietLog(log: Log, clock: Pick<Clock, "after">): QuietLog {
  // What is held back of each key that wrote a line within the last second; null: nothing.
  const held = new Map<string, Held | null>();

  function write(level: Level, key: string, fields: object, text: string): void {
    const last = held.get(key);
    if (last === undefined) {
      log[level](fields, text);
      open(key);
    } else held.set(key, { level, fields, text, leftOut: last === null ? 0 : last.leftOut + 1 });
  }

  function open(key: string): void {
    held.set(key, null);
    clock.after(LINE_EVERY_MS, () => {
      const last = held.get(key);
      held.delete(key);
      if (!last) return;
      log[last.level](last.leftOut === 0 ? last.fields : { ...last.fields, left_out: last.leftOut }, last.text);
      open(key);
    });
  }

  return {
    warn: (key, fields, text) => write("warn", key, fields, text),
    error: (key, fields, text) => write("error", key, fields, text),
  };
}
