/** What a key means in the console. `go` carries the letter of a page. */
export type KeyAction =
  | { kind: "help" | "filter" | "next" | "previous" | "refresh" | "compose" }
  | { kind: "go"; letter: string };

/** Between the two keys of a way to a page. */
const SECOND_KEY_MS = 1_500;

const SINGLE: Readonly<Record<string, KeyAction>> = {
  "?": { kind: "help" },
  "/": { kind: "filter" },
  j: { kind: "next" },
  k: { kind: "previous" },
  c: { kind: "compose" },
  r: { kind: "refresh" },
};

/** Reads single keys, and the two of `g h`. `at` in milliseconds of a clock that does not go back. */
export class KeyReader {
  #goesUntil = 0;

  read(key: string, at: number): KeyAction | null {
    const goes = at < this.#goesUntil;
    this.#goesUntil = 0;
    if (goes) return { kind: "go", letter: key.toLowerCase() };
    if (key === "g") this.#goesUntil = at + SECOND_KEY_MS;
    return SINGLE[key] ?? null;
  }
}
