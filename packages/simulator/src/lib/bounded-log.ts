/** A page of a log: entries in order of arrival and where to go on. */
export type LogPage<T> = { data: T[]; next_cursor: number; total: number; oldest_cursor: number };

/**
 * The last `capacity` entries in order of arrival; a cursor is the number of entries written before.
 * Reading from a cursor costs only what is read, so a poller stays cheap after 100,000 sends.
 */
export class BoundedLog<T> {
  readonly #capacity: number;
  readonly #ring: T[] = [];
  #total = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get total(): number {
    return this.#total;
  }

  /** Keeps the entry and returns its place, counted from 1: reading since that place starts behind it. */
  add(entry: T): number {
    this.#ring[this.#total % this.#capacity] = entry;
    this.#total += 1;
    return this.#total;
  }

  /** The entry written `back` entries before the newest, while it is still kept. */
  fromEnd(back: number): T | undefined {
    return back < this.#ring.length ? this.#ring[(this.#total - 1 - back) % this.#capacity] : undefined;
  }

  /** Up to `limit` entries after `since` that match; `next_cursor` lies behind the last entry looked at. */
  read(since: number, limit: number, matches: (entry: T) => boolean): LogPage<T> {
    const oldest = Math.max(0, this.#total - this.#capacity);
    const data: T[] = [];
    let at = Math.max(since, oldest);
    for (; at < this.#total && data.length < limit; at += 1) {
      const entry = this.#ring[at % this.#capacity];
      if (entry !== undefined && matches(entry)) data.push(entry);
    }
    return { data, next_cursor: at, total: this.#total, oldest_cursor: oldest };
  }

  clear(): void {
    this.#ring.length = 0;
    this.#total = 0;
  }
}
