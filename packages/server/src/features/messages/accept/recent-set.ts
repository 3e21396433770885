/** A set of bounded size that forgets what was not added or asked for longest. */
export type RecentSet = { has(name: string): boolean; add(name: string): void; delete(name: string): void };

/** Two halves of `most` names together: when the young one is full it becomes the old one. Cheaper than a list of recency. */
export function createRecentSet(most: number): RecentSet {
  let young = new Set<string>();
  let old = new Set<string>();

  function add(name: string): void {
    young.add(name);
    if (young.size < most / 2) return;
    old = young;
    young = new Set();
  }

  return {
    has(name) {
      if (young.has(name)) return true;
      if (!old.has(name)) return false;
      add(name);
      return true;
    },
    add,
    delete(name) {
      young.delete(name);
      old.delete(name);
    },
  };
}
