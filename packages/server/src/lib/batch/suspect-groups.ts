/** By group: its rows that failed alone too, so that their batches failed because of them. */
export type Failures = Map<string, { since: number; count: number }>;

/** A group with this many such rows within a minute is a suspect, and batched alone, for the rest of that minute. */
const FAILURES_OF_A_SUSPECT = 3;
const MINUTE_MS = 60_000;

export function countFailure(failures: Failures, group: string, now: number): void {
  const known = failures.get(group);
  if (known && now - known.since < MINUTE_MS) known.count += 1;
  else failures.set(group, { since: now, count: 1 });
}

/** Of groups in the order of their turns, those that may share the next batch. Forgets failures of more than a minute ago. */
export function batchMates(failures: Failures, groups: readonly string[], now: number): string[] {
  const [first] = groups;
  if (first !== undefined && isSuspect(failures, first, now)) return [first];
  return groups.filter((group) => !isSuspect(failures, group, now));
}

function isSuspect(failures: Failures, group: string, now: number): boolean {
  const known = failures.get(group);
  if (!known) return false;
  if (now - known.since < MINUTE_MS) return known.count >= FAILURES_OF_A_SUSPECT;
  failures.delete(group);
  return false;
}
