/** The signals that ask a process to stop: Ctrl-C, a process manager, a terminal that is closed. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/**
 * One request may arrive twice: Ctrl-C from the terminal and from npm, a manager's signal to a whole process tree and again
 * from the parent. Shorter than the wait of `scripts/run.mjs`, so that a second request which it forwards counts as one here.
 */
const SAME_REQUEST_MS = 400;

/** Calls the listener with each request to stop; `again` is true from the second one on. These signals no longer end the process by themselves. */
export function onStopSignal(listener: (signal: StopSignal, again: boolean) => void): void {
  let last: number | null = null;
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      const now = performance.now();
      if (last !== null && now - last < SAME_REQUEST_MS) return;
      const again = last !== null;
      last = now;
      listener(signal, again);
    });
}
