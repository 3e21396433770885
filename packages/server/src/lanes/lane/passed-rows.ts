import type { QueueRow } from "../kind.ts";
import { FRESH, type Key } from "./key-state.ts";
import type { KnownKeys } from "./known-keys.ts";
import { isReturnable } from "./returned-rows.ts";

/*
 * A lane keeps so many due rows, and reads no more until some have gone. Recipients that back off, or that wait for their pace, must not fill it:
 * what is behind them would not be read, and among it is what they wait for. So of a key few due rows wait in memory, and none behind a row that
 * backs off. The others are let go, and only their numbers stay:
 *
 *     read ──offered, and may not start──▶ passed (in the table, unread) ──few of the key are left──▶ read again, by their numbers
 *
 * They are behind all due rows of their key that wait here, and no other row of it that comes after them starts. Of joined keys none is let go.
 */

/** Due rows of a key that wait here. */
const KEPT_A_KEY = 10;
/** When no more are left, the next ones are read. */
const FEW = 2;
/** Numbers that a lane keeps; beyond them its due rows wait here. */
const MOST_A_LANE = 20_000;
/** Of a key in one read. */
const READ_AT_ONCE = 50;

/** The numbers of rows of one lane that were let go, and the rows whose memory is free since. The numbers of a key are its `passed`. */
export class PassedRows {
  /** Of keys that have some, or had some until a moment ago. */
  readonly #names = new Set<string>();
  /** Those that are being read, with the name of their key. */
  readonly #asked = new Map<number, string>();
  #released: QueueRow[] = [];
  #count = 0;
  #keys: KnownKeys | null = null;

  /** The keys whose rows these are, once the lane keeps an order. */
  of(keys: KnownKeys): void {
    this.#keys = keys;
  }

  /** Lets go of a row that may not start now. False: it waits here. */
  take(name: string, key: Key, row: QueueRow): boolean {
    if (!mayPass(key, row) || !isTooMany(key, row)) return false;
    return this.#letGo(name, key, row);
  }

  #letGo(name: string, key: Key, row: QueueRow): boolean {
    const isNew = (key.passed.at(-1) ?? FRESH) < row.seq || !key.passed.includes(row.seq);
    if (isNew) {
      if (this.#count >= MOST_A_LANE) return false;
      insertNumber(key.passed, row.seq);
      this.#count += 1;
    }
    this.#names.add(name);
    this.#released.push(row);
    return true;
  }

  /** Lets go of the due rows that come after one that backs off, and returns them. */
  takeBehind(name: string, key: Key, backingOff: number): QueueRow[] {
    if (key.waiting.length === 0 || key.joined !== null || key.gathering !== null) return [];
    const isOne = (row: QueueRow): boolean => isReturnable(row) && row.seq > backingOff && !isBackingOff(key, row);
    const gone = new Set(key.waiting.filter((row) => isOne(row) && this.#letGo(name, key, row)));
    if (gone.size > 0) key.waiting = key.waiting.filter((row) => !gone.has(row));
    return [...gone];
  }

  /** The row is here, or gone from the table. */
  remove(key: Key, seq: number): void {
    const index = key.passed.length === 0 ? -1 : key.passed.indexOf(seq);
    if (index === -1) return;
    key.passed.splice(index, 1);
    this.#count -= 1;
  }

  /** Keys were joined under this name. */
  joined(name: string): void {
    if (this.#keys?.get(name)?.passed.length) this.#names.add(name);
  }

  /** All rows of the lane will be read again by others. */
  clear(): void {
    for (const key of this.#keys?.values() ?? []) key.passed = [];
    this.#count = 0;
  }

  /** The rows that were let go since the last call: the caller forgets them. */
  takeReleased(): QueueRow[] {
    return this.#released.length === 0 ? [] : this.#released.splice(0);
  }

  /** Numbers of the rows that are to be read again now, of all keys or of one; the caller says what was `read`. */
  toRead(only?: string): number[] {
    const seqs: number[] = [];
    const one = only === undefined ? null : (this.#keys?.nameOf(only) ?? only);
    for (const name of one === null ? this.#names : this.#names.has(one) ? [one] : []) {
      const key = this.#keys?.get(name);
      if (key === undefined || key.passed.length === 0) this.#names.delete(name);
      else if (isHungry(key)) {
        const next = key.passed.slice(0, key.joined === null ? KEPT_A_KEY : READ_AT_ONCE);
        for (const seq of next) if (!this.#asked.has(seq)) seqs.push(seq);
        for (const seq of next) this.#asked.set(seq, name);
      }
    }
    return seqs;
  }

  /** These were read, and `gone` are not in the table as they were. */
  read(seqs: readonly number[], gone: readonly number[]): void {
    for (const seq of gone) {
      const name = this.#asked.get(seq);
      const key = name === undefined ? undefined : this.#keys?.get(this.#keys.nameOf(name));
      if (key) this.remove(key, seq);
    }
    for (const seq of seqs) this.#asked.delete(seq);
  }
}

/** True for a due row that may be let go: no due row that comes after it waits here. */
function mayPass(key: Key, row: QueueRow): boolean {
  if (!isReturnable(row) || key.joined !== null || key.gathering !== null || isBackingOff(key, row)) return false;
  return !key.waiting.some((other) => isReturnable(other) && other.seq > row.seq);
}

const isTooMany = (key: Key, { seq }: QueueRow): boolean =>
  (key.passed[0] ?? Number.POSITIVE_INFINITY) < seq || isBehind(key, seq) || waitingDue(key) >= KEPT_A_KEY;

function isHungry(key: Key): boolean {
  const [next] = key.passed;
  return next !== undefined && (key.joined !== null || (!isBehind(key, next) && waitingDue(key, next) <= FEW));
}

const isBackingOff = ({ backingOff }: Key, row: QueueRow): boolean => backingOff.some(({ seq }) => seq === row.seq);
const isBehind = ({ backingOff }: Key, seq: number): boolean => backingOff.some((one) => one.seq < seq);

function waitingDue({ waiting }: Key, before = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const row of waiting) if (row.seq < before && isReturnable(row)) count += 1;
  return count;
}

function insertNumber(numbers: number[], number: number): void {
  let at = numbers.length;
  while (at > 0 && (numbers[at - 1] as number) > number) at -= 1;
  numbers.splice(at, 0, number);
}
