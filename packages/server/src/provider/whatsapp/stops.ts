/**
 * What to call when a signal fires. All sends of a process share one signal: a listener for each would make Node.js warn of
 * a leak at eleven, and removing one walks the list of all. So one listener a signal, and a set behind it.
 */
const stopsOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `stop` once when the signal fires, at once if it has; the returned function takes it back. */
export function onStop(signal: AbortSignal, stop: () => void): () => void {
  if (signal.aborted) {
    stop();
    return () => {};
  }
  const stops = stopsOf.get(signal) ?? listen(signal);
  stops.add(stop);
  return () => {
    stops.delete(stop);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const stops = new Set<() => void>();
  stopsOf.set(signal, stops);
  const stopAll = (): void => {
    for (const stop of stops) stop();
    stops.clear();
  };
  signal.addEventListener("abort", stopAll, { once: true });
  return stops;
}
