import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { LRUCache } from "lru-cache";

/** Characters that people write between digits. */
const SEPARATORS = /[\s()\-.\u00a0]/g;
const E164 = /^\+[1-9]\d{6,14}$/;
/** Results are cached by leading digits and length: the tests of country and length depend on nothing else that matters. */
const CACHE_ENTRIES = 50_000;
const PREFIX_CHARACTERS = 8;

const possibleByPrefix = new LRUCache<string, boolean>({ max: CACHE_ENTRIES });

/**
 * E.164 with `+`, or null: no `+`, or impossible by country and length (libphonenumber). The stricter validity test is
 * never applied: number plans age faster than metadata, and real recipients fail it.
 */
export function normalizePhone(text: string): string | null {
  const digits = text.replace(SEPARATORS, "");
  if (!E164.test(digits)) return null;
  const key = `${digits.length}:${digits.slice(0, PREFIX_CHARACTERS)}`;
  let possible = possibleByPrefix.get(key);
  if (possible === undefined) {
    possible = parsePhoneNumberFromString(digits)?.isPossible() ?? false;
    possibleByPrefix.set(key, possible);
  }
  return possible ? digits : null;
}
