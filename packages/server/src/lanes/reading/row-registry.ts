/**
 * Which rows are in this process's memory, by `seq`, and which have just left it. A read that began before a row's outcome
 * was committed still returns the row: without the second list it would be worked again.
 *
 *     unknown ──keep──▶ held ──finish──▶ finished, while a read is under way that may have seen it ──▶ unknown
 */
export class RowRegistry {
  readonly #held = new Set<number>();
  /** The number of the latest read that had begun when the row left memory. */
  readonly #finished = new Map<number, number>();
  readonly #reads = new Set<number>();
  #latest = 0;

  /** Begins a read and returns its number; rows that are finished until it ends are remembered. */
  beginRead(): number {
    this.#latest += 1;
    this.#reads.add(this.#latest);
    return this.#latest;
  }

  endRead(read: number): void {
    this.#reads.delete(read);
    if (this.#reads.size === 0) {
      this.#finished.clear();
      return;
    }
    const oldest = Math.min(...this.#reads);
    for (const [seq, at] of this.#finished) if (at < oldest) this.#finished.delete(seq);
  }

  /** True when a row that this read returned is neither held nor finished since the read began. */
  isNew(seq: number, read: number): boolean {
    if (this.#held.has(seq)) return false;
    const at = this.#finished.get(seq);
    return at === undefined || at < read;
  }

  keep(seq: number): void {
    this.#held.add(seq);
  }

  /** The row left memory: done, moved or not ours. */
  finish(seq: number): void {
    this.#held.delete(seq);
    if (this.#reads.size > 0) this.#finished.set(seq, this.#latest);
  }

  clear(): void {
    this.#held.clear();
  }

  get size(): number {
    return this.#held.size;
  }
}
