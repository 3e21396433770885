import type { Clock } from "../../lib/clock.ts";

/** So many troubles one after the other, within the window, and the receiver is left alone. */
const TROUBLES_IN_A_ROW = 10;
/** Or this part of its answers, where there were so many in the window. */
const TROUBLED_SHARE = 0.7;
const LEAST_ANSWERS = 10;
/** The window, in parts that are forgotten one by one. */
const PART_MS = 30_000;
const PARTS = 10;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 15 * 60_000;

/** The answers that began to be counted in one part of the window. */
type Part = { answers: number; troubles: number };

/**
 * Leaves a receiver alone that is in trouble. Rows that wait meanwhile use up no attempt.
 *
 *     closed ──troubles──▶ open ──its time──▶ half-open ──probe coped──▶ closed
 *                           ▲                    └── trouble: open for twice as long, up to 15 min
 *
 * Half-open, one row at a time starts as a probe: the lane has one place then. One that says nothing of the receiver is followed by the next.
 */
export class Breaker {
  readonly #clock: Clock;
  /** When each part began, on the monotonic clock, and its counts; the newest one last. */
  #parts: (Part & { at: number })[] = [];
  /** When the latest troubles in a row came, the oldest first. */
  #row: number[] = [];
  /** Until when the lane rests; null: closed. */
  #until: number | null = null;
  #restMs = FIRST_REST_MS;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until a row may start; 0: now. */
  waitMs(): number {
    return this.#until === null ? 0 : Math.max(0, this.#until - this.#clock.monotonic());
  }

  /** True from the first trouble too many until a probe has coped. */
  get isOpen(): boolean {
    return this.#until !== null;
  }

  /** A row started. */
  started(): void {
    if (this.#until !== null) this.#probing = true;
  }

  /** A row landed that started; `coped`: whether its receiver did, undefined where the row says nothing of it. True: the lane rests from now on. */
  landed(coped: boolean | undefined): boolean {
    if (this.#until === null) return coped !== undefined && this.#count(coped);
    // Begun before the lane opened: what it says is known.
    if (!this.#probing) return false;
    this.#probing = false;
    if (coped === undefined) return false;
    if (coped) this.reset();
    else this.#open(Math.min(LONGEST_REST_MS, 2 * this.#restMs));
    return !coped;
  }

  /** Forgets the receiver's troubles: it is another one, or has recovered. */
  reset(): void {
    this.#parts = [];
    this.#row = [];
    this.#until = null;
    this.#probing = false;
  }

  #open(restMs: number): void {
    this.reset();
    this.#restMs = restMs;
    this.#until = this.#clock.monotonic() + restMs;
  }

  #count(coped: boolean): boolean {
    const now = this.#clock.monotonic();
    const part = this.#partAt(now);
    part.answers += 1;
    if (coped) {
      this.#row.length = 0;
      return false;
    }
    part.troubles += 1;
    this.#row.push(now);
    if (this.#row.length > TROUBLES_IN_A_ROW) this.#row.shift();
    if (!this.#isTooMuch(now)) return false;
    this.#open(FIRST_REST_MS);
    return true;
  }

  #isTooMuch(now: number): boolean {
    const first = this.#row[0];
    if (this.#row.length === TROUBLES_IN_A_ROW && first !== undefined && now - first <= PARTS * PART_MS) return true;
    const sum = (of: (part: Part) => number): number => this.#parts.reduce((total, part) => total + of(part), 0);
    const answers = sum((part) => part.answers);
    return answers >= LEAST_ANSWERS && sum((part) => part.troubles) >= TROUBLED_SHARE * answers;
  }

  #partAt(now: number): Part {
    const last = this.#parts.at(-1);
    if (last && now - last.at < PART_MS) return last;
    const part = { at: now, answers: 0, troubles: 0 };
    this.#parts = [...this.#parts.filter(({ at }) => now - at < PARTS * PART_MS), part];
    return part;
  }
}
