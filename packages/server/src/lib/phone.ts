import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { isValidAsWritten, planOf, standsAsWritten, withoutTrunkPrefix } from "./phone-plans.ts";

const PLAIN = /^\+[1-9]\d{7,14}$/;
/** Two digits more than E.164 has: Argentina's 9, 0 and 15 can stand in one number. */
const WRITTEN = /^\+[1-9]\d{7,16}$/;
/** What people write between digits: spaces and hyphens of every kind, brackets, dots. Control characters are not among it. */
const SEPARATORS = /[\p{Zs}\p{Pd}().]/gu;
/** The longest number with a separator after each digit takes 40. */
const MAX_TEXT_CHARACTERS = 64;
/** `+44 (0)20 …`: a zero for callers within the country. */
const BRACKETED_ZERO = /^([ (]*\+[ (]*(\d{1,3})[^\d(]*)\([ ]*0[ ]*\)/;
/** Italy and Vatican, San Marino, Ivory Coast, Benin, Congo: a zero is part of the number, in brackets too. */
const ZERO_BELONGS = new Set(["39", "378", "225", "229", "242"]);

/** From this length on an account id can be mistaken for a number: 13 digits are a Brazilian, Mexican or Argentine mobile. */
const AMBIGUOUS_DIGITS = 14;
const PROVIDER_ID = /^\+?([1-9]\d{7,14})$/;

/**
 * E.164 with `+` of what a client wrote, or null: no `+`, other characters than digits and separators, or impossible by
 * country and length (libphonenumber). Trunk prefixes are dropped; the forms that the provider itself uses stay as they
 * are. The stricter validity test never refuses: number plans age faster than metadata, and real recipients fail it.
 */
export function parsePhone(text: string): string | null {
  const plain = PLAIN.test(text) ? text : withoutSeparators(text);
  return plain === null ? null : parsePlain(plain);
}

/**
 * Digits of a `wa_id`, `from` or `recipient_id` that is a phone number, without `+` and otherwise as the provider wrote
 * them; null for group ids, user ids, `…@lid`, the empty text and 14 or 15 digits that fit no number plan.
 */
export function phoneOfProvider(text: string | null): string | null {
  const digits = text === null ? undefined : PROVIDER_ID.exec(text)?.[1];
  if (digits === undefined) return null;
  if (digits.length < AMBIGUOUS_DIGITS) return digits;
  return parsePhoneNumberFromString(`+${digits}`)?.isPossible() ? digits : null;
}

function parsePlain(plain: string): string | null {
  const plan = planOf(plain);
  if (plan && standsAsWritten(plan, plain)) return plain;
  const found = withoutTrunkPrefix(plain);
  // Two prefixes in a row are a slip whose meaning is a guess; so is a number that would be read differently the next time.
  return found === null || found === plain || parsePlain(found) === found ? found : null;
}

function withoutSeparators(text: string): string | null {
  if (text.length > MAX_TEXT_CHARACTERS) return null;
  const trimmed = text.trim();
  const written = trimmed.replace(SEPARATORS, "");
  if (!WRITTEN.test(written)) return null;
  const bracketed = BRACKETED_ZERO.exec(trimmed);
  if (!bracketed) return written;
  const callingCode = bracketed[2] ?? "";
  if (planOf(written)?.callingCode !== callingCode || ZERO_BELONGS.has(callingCode) || isValidAsWritten(written))
    return written;
  return `+${callingCode}${written.slice(callingCode.length + 2)}`;
}
