/**
 * A set of at most `most` names, which drops those that were not added or asked for longest. Two halves: when the young one is
 * full it becomes the old one. Cheaper than a list in the order of use.
 */
export class RecentSet {
  readonly #most: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  has(name: string): boolean {
    if (this.#young.has(name)) return true;
    if (!this.#old.has(name)) return false;
    this.add(name);
    return true;
  }

  add(name: string): void {
    this.#young.add(name);
    if (this.#young.size < this.#most / 2) return;
    this.#old = this.#young;
    this.#young = new Set();
  }

  delete(name: string): void {
    this.#young.delete(name);
    this.#old.delete(name);
  }
}
