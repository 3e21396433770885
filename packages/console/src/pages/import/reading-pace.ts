/** How far an import was, and when: `at` in milliseconds. */
export type Sample = { at: number; rows: number; bytes: number };

/** Pace is that of so long a time before now: an import makes way for sends, and may wait for another. */
const WINDOW_MS = 30_000;
/** Less says nothing of a pace. */
const SHORTEST_MS = 2_000;

/** The samples of the window with a new one, the oldest first. One that is no later, as that of another reading of the same answer, is none. */
export function sampled(samples: readonly Sample[], now: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && now.at <= last.at) return samples;
  return [...samples.filter(({ at }) => at >= now.at - WINDOW_MS), now];
}

/** Rows a second, and how long the rest of the file takes at that pace, in milliseconds; null while neither can be said. */
export function paceOf(samples: readonly Sample[], totalBytes: number): { rows: number; restMs: number } | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [time, bytes] = [last.at - first.at, last.bytes - first.bytes];
  if (time < SHORTEST_MS || bytes <= 0) return null;
  return {
    rows: ((last.rows - first.rows) / time) * 1_000,
    restMs: ((totalBytes - last.bytes) / bytes) * time,
  };
}
