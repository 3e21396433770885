/**
 * The rows that wait for a flush, one queue for each group: decides which group is served next, which groups may share a
 * batch, and which rows have to wait for earlier rows of their group.
 *
 * A group is in one of these states:
 * - absent: none of its items waits, and none that would hold back others is in flight
 * - ready: items wait in `#ready`, in which the groups stand in the order of their turns
 * - blocked (`inOrder` only): items of it are in flight; those behind wait in `#blocked` until `release`
 */
export class GroupQueue<Item> {
  readonly #options: GroupQueueOptions<Item>;
  readonly #ready = new Map<string, Item[]>();
  readonly #blocked = new Map<string, Item[]>();
  readonly #failures = new Map<string, { since: number; count: number }>();
  #readySize = 0;
  #blockedSize = 0;

  constructor(options: GroupQueueOptions<Item>) {
    this.#options = options;
  }

  /** Items that may leave now. */
  get readySize(): number {
    return this.#readySize;
  }

  /** All items, including those that are blocked. */
  get size(): number {
    return this.#readySize + this.#blockedSize;
  }

  push(group: string, item: Item): void {
    const blocked = this.#blocked.get(group);
    const queue = blocked ?? this.#ready.get(group);
    if (queue) queue.push(item);
    else this.#ready.set(group, [item]);
    if (blocked) this.#blockedSize += 1;
    else this.#readySize += 1;
  }

  /**
   * Takes the next batch out, round robin over groups, one item each, so that a group with many items leaves room for the
   * others. Ends before the first item for which `fits` is false.
   */
  take(fits: (batch: readonly Item[], next: Item) => boolean): Item[] {
    const batch: Item[] = [];
    const ring = this.#batchMates();
    let index = 0;
    while (ring.length > 0) {
      const group = ring[index % ring.length] as string;
      const queue = this.#ready.get(group);
      const next = queue?.[0];
      if (!queue || next === undefined) {
        ring.splice(index % ring.length, 1);
        continue;
      }
      if (!fits(batch, next)) break;
      queue.shift();
      // A group that was served moves to the end: with more groups than rows in a batch the others come first next time.
      this.#ready.delete(group);
      if (queue.length > 0) this.#ready.set(group, queue);
      batch.push(next);
      this.#readySize -= 1;
      index += 1;
    }
    if (this.#options.inOrder) for (const item of batch) this.#block(this.#options.groupOf(item));
    return batch;
  }

  /** The groups that may share the next batch, in the order of their turns. A suspect is batched alone. */
  #batchMates(): string[] {
    const groups = [...this.#ready.keys()];
    if (this.#failures.size === 0) return groups;
    const first = groups[0];
    if (first !== undefined && this.#isSuspect(first)) return [first];
    return groups.filter((group) => !this.#isSuspect(group));
  }

  #isSuspect(group: string): boolean {
    const failures = this.#failures.get(group);
    if (!failures) return false;
    if (this.#options.monotonic() - failures.since >= MINUTE_MS) {
      this.#failures.delete(group);
      return false;
    }
    return failures.count >= FAILURES_OF_A_SUSPECT;
  }

  #block(group: string): void {
    if (this.#blocked.has(group)) return;
    const queue = this.#ready.get(group) ?? [];
    this.#ready.delete(group);
    this.#blocked.set(group, queue);
    this.#blockedSize += queue.length;
    this.#readySize -= queue.length;
  }

  /** Nothing of these groups is in flight any more: the items behind may leave. */
  release(groups: Iterable<string>): void {
    for (const group of groups) {
      const queue = this.#blocked.get(group);
      if (!queue) continue;
      this.#blocked.delete(group);
      this.#blockedSize -= queue.length;
      this.#readySize += queue.length;
      if (queue.length > 0) this.#ready.set(group, queue);
    }
  }

  /** Takes out the items that wait behind those of the group that are in flight. */
  takeBlocked(group: string): Item[] {
    const taken = this.#blocked.get(group)?.splice(0) ?? [];
    this.#blockedSize -= taken.length;
    return taken;
  }

  /** Counts a row of the group that failed alone too, so that its batch failed because of it. */
  countFailure(group: string): void {
    const now = this.#options.monotonic();
    const failures = this.#failures.get(group);
    if (failures && now - failures.since < MINUTE_MS) failures.count += 1;
    else this.#failures.set(group, { since: now, count: 1 });
  }
}

export type GroupQueueOptions<Item> = {
  groupOf(item: Item): string;
  /** No item of a group leaves while another one of it is in flight. */
  inOrder: boolean;
  /** Milliseconds that never step. */
  monotonic(): number;
};

/** A group with this many rows that failed alone too within a minute is batched alone for the rest of that minute. */
const FAILURES_OF_A_SUSPECT = 3;
const MINUTE_MS = 60_000;
