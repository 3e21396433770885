/** What asks a process to end: Ctrl-C, a process manager, a terminal that goes away. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/**
 * One request may come twice: Ctrl-C from the terminal and from npm, a manager's signal to a whole tree and from the parent.
 * Shorter than what `scripts/run.mjs` waits, so that a second request that it passes on is one here.
 */
const SAME_REQUEST_MS = 400;

/** Calls the listener with each request to end, `again` when it was asked before. From now on no such signal ends the process by itself. */
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
