import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { digitsWritten, seenPhone } from "./phone-text.ts";
import { isValidAsWritten, planOf, standsAsWritten, withoutTrunkPrefix } from "./plans.ts";

const PLAIN = /^\+[1-9]\d{7,14}$/;
/** `+44 (0)20 …`: a zero for callers within the country. */
const BRACKETED_ZERO = /^([ (]*\+[ (]*(\d{1,3})[^\d(]*)\([ ]*0[ ]*\)/;
/** Italy and Vatican, San Marino, Ivory Coast, Benin, Congo: a zero is part of the number, in brackets too. */
const ZERO_BELONGS = new Set(["39", "378", "225", "229", "242"]);

/** From this length on an account id can be mistaken for a number: 13 digits are a Brazilian, Mexican or Argentine mobile. */
const AMBIGUOUS_DIGITS = 14;
/** Some relays copy an id with the marks that stood around it on a page. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const PROVIDER_ID = /^\+?([1-9]\d{7,14})$/;

/**
 * E.164 with `+` of what a client wrote, or null (`whyNoPhone` has the reason): no `+`, other characters than digits and separators,
 * or impossible by country and length (libphonenumber). What cannot be seen does not count, and full-width signs and the digits of
 * other scripts are read as ASCII. Trunk prefixes are dropped; the forms that the provider itself uses stay as they
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
  const match = text === null ? null : (PROVIDER_ID.exec(text) ?? PROVIDER_ID.exec(text.replaceAll(UNSEEN, "")));
  const digits = match?.[1];
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
  const seen = seenPhone(text);
  const written = digitsWritten(seen);
  const bracketed = written === null ? null : BRACKETED_ZERO.exec(seen);
  if (written === null || !bracketed) return written;
  const callingCode = bracketed[2] ?? "";
  if (planOf(written)?.callingCode !== callingCode || ZERO_BELONGS.has(callingCode) || isValidAsWritten(written))
    return written;
  return `+${callingCode}${written.slice(callingCode.length + 2)}`;
}
