/** Seconds whose texts are kept, each at the place of its last bits: more than a busy message takes from its acceptance to its end. */
const KEPT_SECONDS = 64;
const seconds = new Float64Array(KEPT_SECONDS).fill(Number.NaN);
const texts = Array.from({ length: KEPT_SECONDS }, () => "");
const MILLISECONDS = Array.from({ length: 1_000 }, (_, ms) => `${String(ms).padStart(3, "0")}Z`);

/**
 * The time as `Date.toISOString` writes it. Nearly all times that are written lie in the last seconds, whose texts are kept: a
 * twentieth of the time of a new one, some twenty times for each message. An event has the times of several seconds.
 */
export function isoTime(ms: number): string {
  const whole = Math.floor(ms / 1_000);
  const at = whole & (KEPT_SECONDS - 1);
  if (seconds[at] !== whole) {
    texts[at] = new Date(whole * 1_000).toISOString().slice(0, -"000Z".length);
    seconds[at] = whole;
  }
  return (texts[at] as string) + (MILLISECONDS[Math.floor(ms) - whole * 1_000] as string);
}
