/**
 * Which rows this process holds, and which it has just finished. A read that began before a completion committed still
 * returns the row; without the second list it would come back from the dead.
 */
export type Memory = {
  /** Opens a read; everything finished from now until it ends is remembered. */
  beginRead(): number;
  endRead(read: number): void;
  /** True when a row returned by this read is new here. */
  isNew(seq: number, read: number): boolean;
  keep(seq: number): void;
  has(seq: number): boolean;
  /** The row left memory: done, moved or not ours. */
  finish(seq: number): void;
  clear(): void;
  readonly size: number;
};

export function createMemory(): Memory {
  const held = new Set<number>();
  const finished = new Map<number, number>();
  const reads = new Set<number>();
  let latest = 0;

  return {
    beginRead() {
      latest += 1;
      reads.add(latest);
      return latest;
    },
    endRead(read) {
      reads.delete(read);
      if (reads.size === 0) {
        finished.clear();
        return;
      }
      const oldest = Math.min(...reads);
      for (const [seq, at] of finished) if (at < oldest) finished.delete(seq);
    },
    isNew(seq, read) {
      if (held.has(seq)) return false;
      const at = finished.get(seq);
      return at === undefined || at < read;
    },
    keep: (seq) => void held.add(seq),
    has: (seq) => held.has(seq),
    finish(seq) {
      held.delete(seq);
      if (reads.size > 0) finished.set(seq, latest);
    },
    clear() {
      held.clear();
    },
    get size() {
      return held.size;
    },
  };
}
