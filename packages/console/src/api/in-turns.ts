/**
 * Lets so many run at once; the others wait in the order in which they came. One whose signal is aborted while it waits rejects with its
 * reason, and takes no turn.
 */
export function inTurns(most: number): <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run, signal) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      signal.throwIfAborted();
      return await run();
    } finally {
      // The turn goes to the next one, without being free in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
