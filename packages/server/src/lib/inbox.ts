/** What some parts add for one that takes it: all that was added in one turn of the event loop is taken together. */
export class Inbox<Item> {
  #items = new Set<Item>();
  #notify: (() => void) | null = null;

  add(item: Item): void {
    this.#items.add(item);
    const notify = this.#notify;
    if (notify === null) return;
    this.#notify = null; // resolving a promise again costs more than the rest
    notify();
  }

  /** Resolves with what was added since the call before, as soon as there is anything. One caller at a time. */
  async next(): Promise<ReadonlySet<Item>> {
    if (this.#items.size === 0) await new Promise<void>((resolve) => (this.#notify = resolve));
    const items = this.#items;
    this.#items = new Set();
    return items;
  }
}
