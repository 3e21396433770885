import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Characters people put between digits. */
const SEPARATORS = /[\s()\-.\u00a0]/g;
const E164 = /^\+[1-9]\d{6,14}$/;
/** Verdicts kept by leading digits and length: the country and length tests look at nothing else that matters. */
const CACHE_ENTRIES = 50_000;
const PREFIX_CHARACTERS = 8;

const possible = new Map<string, boolean>();

/**
 * E.164 with `+`, or null: no `+`, or impossible by country and length (libphonenumber). The stricter validity test is
 * never applied: number plans age faster than metadata, and real recipients fail it.
 */
export function normalizePhone(text: string): string | null {
  const digits = text.replace(SEPARATORS, "");
  if (!E164.test(digits)) return null;
  const key = `${digits.length}:${digits.slice(0, PREFIX_CHARACTERS)}`;
  let verdict = possible.get(key);
  if (verdict === undefined) {
    verdict = parsePhoneNumberFromString(digits)?.isPossible() ?? false;
    if (possible.size >= CACHE_ENTRIES) possible.clear();
    possible.set(key, verdict);
  }
  return verdict ? digits : null;
}
