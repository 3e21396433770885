/** So many bytes a reader must take within so long while there are more for it: a byte now and then would keep a place for ever. */
export type Pace = { bytes: number; withinMs: number };

/** Looks within `withinMs`: at each of them bytes must wait for the reader. */
const LOOKS = 4;

/**
 * Calls `tooSlow` once a reader is slower than its pace. `waiting` are the bytes that wait for it, `taken` those that were given away so
 * far. Returns what ends the watch.
 */
export function watchPace(
  { bytes, withinMs }: Pace,
  { waiting, taken }: { waiting(): number; taken(): number },
  tooSlow: () => void,
): () => void {
  let before = 0;
  let looks = 0;
  const look = (): void => {
    // Nothing waits for the reader, so the pace is ours; or it has taken enough.
    if (waiting() === 0 || taken() - before >= bytes) {
      before = taken();
      looks = 0;
    } else if ((looks += 1) >= LOOKS) tooSlow();
  };
  const timer = setInterval(look, withinMs / LOOKS).unref();
  return () => clearInterval(timer);
}
