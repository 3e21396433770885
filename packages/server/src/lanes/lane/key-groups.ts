/**
 * Keys that are one from their join on. A group is named after the first of its keys in the order of texts, so that any order
 * of joins comes to the same group.
 */
export class KeyGroups {
  /** All keys of its group, sorted, by each of them. */
  readonly #keysOf = new Map<string, readonly string[]>();

  /** The name of the key's group; of most keys their own. */
  nameOf(key: string): string {
    return this.#keysOf.size === 0 ? key : (this.#keysOf.get(key)?.[0] ?? key);
  }

  /** How many keys are one with this one, itself included. */
  sizeOf(key: string): number {
    return this.#keysOf.size === 0 ? 1 : (this.#keysOf.get(key)?.length ?? 1);
  }

  /** Joins keys and the groups that they belong to: returns all keys of the group and the names it had before; null: it was one already. */
  join(keys: readonly string[]): { keys: readonly string[]; before: ReadonlySet<string> } | null {
    const before = new Set(keys.map((key) => this.nameOf(key)));
    if (before.size < 2) return null;
    const all = [...new Set([...before].flatMap((name) => this.#keysOf.get(name) ?? [name]))].toSorted();
    for (const key of all) this.#keysOf.set(key, all);
    return { keys: all, before };
  }

  /** Forgets the group of this name. Its rows are joined again by the next answer of the database. */
  forget(name: string): void {
    if (this.#keysOf.size === 0) return;
    for (const key of this.#keysOf.get(name) ?? []) this.#keysOf.delete(key);
  }
}
