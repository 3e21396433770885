/** A binary heap of items by time; the earliest first. */
export class Heap<Item> {
  readonly #entries: { at: number; item: Item }[] = [];

  get size(): number {
    return this.#entries.length;
  }

  push(at: number, item: Item): void {
    this.#entries.push({ at, item });
    for (let index = this.#entries.length - 1; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= this.#at(index)) break;
      this.#swap(parent, index);
      index = parent;
    }
  }

  /** The earliest time; infinity when the heap is empty. */
  peek(): number {
    return this.#at(0);
  }

  /** Takes the earliest item out; undefined when the heap is empty. */
  pop(): Item | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (!first || !last || this.#entries.length === 0) return first?.item;
    this.#entries[0] = last;
    for (let index = 0; ; ) {
      const child = this.#at(2 * index + 1) <= this.#at(2 * index + 2) ? 2 * index + 1 : 2 * index + 2;
      if (this.#at(child) >= this.#at(index)) break;
      this.#swap(child, index);
      index = child;
    }
    return first.item;
  }

  #at(index: number): number {
    return this.#entries[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const left = this.#entries[a];
    const right = this.#entries[b];
    if (!left || !right) return;
    this.#entries[a] = right;
    this.#entries[b] = left;
  }
}
