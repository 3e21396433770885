/** What is being waited for, each until its time is over: one timer for all, because a timer for each statement costs more than the rest of it. */
export type Waits = {
  /** Gives up after `ms`, give or take a tick; the returned function says that it has come. */
  begin(ms: number, giveUp: () => void): () => void;
  /** Gives up after `ms` at the latest what is waited for now. */
  hurry(ms: number): void;
  close(): void;
};

type Wait = { by: number; giveUp: () => void };

const TICK_MS = 100;

export function openWaits(): Waits {
  const waits = new Set<Wait>();
  let timer: NodeJS.Timeout | null = null;

  function tick(): void {
    if (waits.size === 0) return close();
    const now = performance.now();
    const over = [...waits].filter(({ by }) => by <= now);
    if (over.length === 0) return;
    // What has arrived is read first: a process that was stopped for a while finds the answer and the end of its patience at
    // once, and timers come before sockets in a turn of the loop.
    setImmediate(() => {
      for (const wait of over) if (waits.delete(wait)) wait.giveUp();
    });
  }

  function close(): void {
    if (timer) clearInterval(timer);
    timer = null;
  }

  return {
    begin(ms, giveUp) {
      const wait = { by: performance.now() + ms, giveUp };
      waits.add(wait);
      timer ??= setInterval(tick, TICK_MS);
      return () => void waits.delete(wait);
    },
    hurry(ms) {
      const by = performance.now() + ms;
      for (const wait of waits) wait.by = Math.min(wait.by, by);
    },
    close,
  };
}
