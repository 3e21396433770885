/** What waits to be flushed, by group: who goes next, who shares a batch with whom, and who must not overtake. */
export type Line<Item> = {
  push(group: string, item: Item): void;
  /** The next batch, round robin over groups, one each, so that a flood of one leaves room for the others. */
  fill(fits: (batch: readonly Item[], next: Item) => boolean): Item[];
  /** The groups have landed: what waits behind them may go. */
  release(groups: Iterable<string>): void;
  /** Takes out what waits behind a group in the air. */
  takeBehind(group: string): Item[];
  /** A row of the group failed for its own sake. */
  blame(group: string): void;
  /** Items that may go now. */
  readonly ready: number;
  readonly size: number;
};

/** A group with this many rows that failed alone too within a minute is batched alone for what is left of that minute. */
const CULPRITS_A_MINUTE = 3;
const MINUTE_MS = 60_000;

export type LineOptions<Item> = {
  groupOf(item: Item): string;
  /** Nothing of a group goes while something of it is in the air. */
  inOrder: boolean;
  monotonic(): number;
};

export function createLine<Item>(options: LineOptions<Item>): Line<Item> {
  const groups = new Map<string, Item[]>();
  const suspects = new Map<string, { since: number; count: number }>();
  // Groups that keep their order and are in the air, with what waits behind.
  const behind = new Map<string, Item[]>();
  let ready = 0;
  let behindSize = 0;

  function fill(fits: (batch: readonly Item[], next: Item) => boolean): Item[] {
    const batch: Item[] = [];
    const ring = companions();
    let index = 0;
    while (ring.length > 0) {
      const name = ring[index % ring.length] as string;
      const queue = groups.get(name);
      const next = queue?.[0];
      if (!queue || next === undefined) {
        ring.splice(index % ring.length, 1);
        continue;
      }
      if (!fits(batch, next)) break;
      queue.shift();
      // Whoever was served goes to the back: with more groups than rows in a batch the others are first next time.
      groups.delete(name);
      if (queue.length > 0) groups.set(name, queue);
      batch.push(next);
      ready -= 1;
      index += 1;
    }
    if (options.inOrder) for (const item of batch) hold(options.groupOf(item));
    return batch;
  }

  function hold(group: string): void {
    if (behind.has(group)) return;
    const queue = groups.get(group) ?? [];
    groups.delete(group);
    behind.set(group, queue);
    behindSize += queue.length;
    ready -= queue.length;
  }

  // The groups that may share the next batch, in their order: the one whose turn it is, with the others unless either of
  // them would make the batch fail.
  function companions(): string[] {
    const waiting = [...groups.keys()];
    if (suspects.size === 0) return waiting;
    const first = waiting[0];
    if (first !== undefined && isCulprit(first)) return [first];
    return waiting.filter((name) => !isCulprit(name));
  }

  function isCulprit(group: string): boolean {
    const known = suspects.get(group);
    if (!known) return false;
    if (options.monotonic() - known.since >= MINUTE_MS) {
      suspects.delete(group);
      return false;
    }
    return known.count >= CULPRITS_A_MINUTE;
  }

  return {
    push(group, item) {
      const held = behind.get(group);
      const queue = held ?? groups.get(group);
      if (queue) queue.push(item);
      else groups.set(group, [item]);
      if (held) behindSize += 1;
      else ready += 1;
    },
    fill,
    release(landed) {
      for (const group of landed) {
        const queue = behind.get(group);
        if (!queue) continue;
        behind.delete(group);
        behindSize -= queue.length;
        ready += queue.length;
        if (queue.length > 0) groups.set(group, queue);
      }
    },
    takeBehind(group) {
      const taken = behind.get(group)?.splice(0) ?? [];
      behindSize -= taken.length;
      return taken;
    },
    blame(group) {
      const now = options.monotonic();
      const known = suspects.get(group);
      if (known && now - known.since < MINUTE_MS) known.count += 1;
      else suspects.set(group, { since: now, count: 1 });
    },
    get ready() {
      return ready;
    },
    get size() {
      return ready + behindSize;
    },
  };
}
