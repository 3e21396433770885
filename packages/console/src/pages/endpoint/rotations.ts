/** A call of the audit log that rotated a secret. */
type Rotation = { at: string; changes: unknown };

/**
 * When the secrets end that sign beside the present one, in milliseconds, the first to end first. Each rotation promises an end to the
 * secret that it replaces, which later ones leave as it is. A call that was repeated changes nothing.
 */
export function endsOfOlder(rotations: readonly Rotation[], now: number): number[] {
  return rotations
    .flatMap(({ at, changes }) => {
      const { overlap_seconds: overlap } = (changes ?? {}) as { overlap_seconds?: unknown };
      return typeof overlap === "number" ? [Date.parse(at) + overlap * 1_000] : [];
    })
    .filter((end) => end > now)
    .toSorted((one, other) => one - other);
}
