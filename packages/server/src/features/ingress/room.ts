/** A bound on bytes in memory that are known only after they have been read: nothing more is read while it is full. */
export type Room = {
  /** Resolves when there is room. */
  free(): Promise<void>;
  took(bytes: number): void;
  gave(bytes: number): void;
};

export function createRoom(mostBytes: number): Room {
  const waiting: (() => void)[] = [];
  let bytes = 0;
  return {
    async free() {
      while (bytes >= mostBytes) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    took(more) {
      bytes += more;
    },
    gave(back) {
      bytes -= back;
      if (bytes < mostBytes) for (const resolve of waiting.splice(0)) resolve();
    },
  };
}
