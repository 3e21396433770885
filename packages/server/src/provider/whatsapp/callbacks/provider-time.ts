/** WhatsApp is from 2009; nothing it reports is older. */
const EARLIEST_MS = Date.UTC(2009, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Seconds would need the year 5138 to get here, so a larger number is milliseconds (Cloud API documentation, webhooks: envelope). */
const MILLISECONDS_FROM = 100_000_000_000;

/** A timestamp of the provider (seconds as text or number, milliseconds tolerated) in milliseconds; null when absurd. */
export function providerTime(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return null;
  const ms = number >= MILLISECONDS_FROM ? number : number * 1_000;
  return ms >= EARLIEST_MS && ms < LATEST_MS ? ms : null;
}
