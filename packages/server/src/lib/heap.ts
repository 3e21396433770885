/** A binary heap of items by time; the soonest first. */
export type Heap<Item> = {
  push(at: number, item: Item): void;
  peek(): number;
  pop(): Item | undefined;
  readonly size: number;
};

export function createHeap<Item>(): Heap<Item> {
  const entries: { at: number; item: Item }[] = [];
  const swap = (a: number, b: number): void => {
    const left = entries[a];
    const right = entries[b];
    if (!left || !right) return;
    entries[a] = right;
    entries[b] = left;
  };
  const at = (index: number): number => entries[index]?.at ?? Number.POSITIVE_INFINITY;

  return {
    push(time, item) {
      entries.push({ at: time, item });
      for (let i = entries.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1;
        if (at(parent) <= at(i)) break;
        swap(parent, i);
        i = parent;
      }
    },
    peek: () => at(0),
    pop() {
      const first = entries[0];
      const last = entries.pop();
      if (!first || !last || entries.length === 0) return first?.item;
      entries[0] = last;
      for (let i = 0; ; ) {
        const child = at(2 * i + 1) <= at(2 * i + 2) ? 2 * i + 1 : 2 * i + 2;
        if (at(child) >= at(i)) break;
        swap(child, i);
        i = child;
      }
      return first.item;
    },
    get size() {
      return entries.length;
    },
  };
}
