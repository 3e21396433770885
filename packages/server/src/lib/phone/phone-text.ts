import { planOf } from "./plans.ts";

// How people write numbers, and what programs put around them when they are copied.

/** Two digits more than E.164 has: Argentina's 9, 0 and 15 can stand in one number. */
const WRITTEN = /^\+[1-9]\d{7,16}$/;
/**
 * What people write between digits: spaces and hyphens of every kind, the minus sign that word processors put for one, brackets, dots,
 * a slash. Control characters are not among it.
 */
const SEPARATOR_SIGNS = String.raw`\p{Zs}\p{Pd}\u2212()./`;
const SEPARATORS = new RegExp(`[${SEPARATOR_SIGNS}]`, "gu");
const STRANGE = new RegExp(String.raw`[^${SEPARATOR_SIGNS}+\d]`, "u");
/** The longest number with a separator after each digit takes 40. */
const MAX_TEXT_CHARACTERS = 64;

/** Directions, joiners, byte order marks and variants of a glyph: contacts of phones and cells of spreadsheets carry them along. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** Signs as East Asian keyboards write them, one code point each from U+FF01 on for those from U+0021 on. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
/** The zeros of scripts in whose countries people write numbers with them; nine follow each. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0, 0x1040,
  0x17e0,
] as const;
const OTHER_DIGIT = /(?!\d)\p{Nd}/gu;
/** RFC 3966, without parameters. */
const SCHEME = /^\s*tel:/i;
const PRINTED = /^[ -~]*$/;

/** An id as a reader sees it: marks without a shape, and spaces around it, are copied along with it as they are with a number. */
export const seenId = (text: string): string => (PRINTED.test(text) ? text : text.replaceAll(UNSEEN, "")).trim();

/** A text as a reader sees it: without marks that have no shape, in ASCII digits and signs, and without `tel:`. */
export function seenPhone(text: string): string {
  const seen = PRINTED.test(text)
    ? text
    : text
        .replaceAll(UNSEEN, "")
        .replaceAll(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET))
        .replaceAll(OTHER_DIGIT, asciiDigit);
  return seen.replace(SCHEME, "").trim();
}

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0; // there is one
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}

/** `+` and the digits of a text that is written as a number with its country code; null for another. */
export function digitsWritten(seen: string): string | null {
  if (seen.length > MAX_TEXT_CHARACTERS) return null;
  const written = seen.replace(SEPARATORS, "");
  return WRITTEN.test(written) && slashStandsBehindArea(seen) ? written : null;
}

/** Areas have at most five digits, and a zero before them. */
const MOST_AREA_DIGITS = 6;
/** Of a number in its area. With less, what stands behind the slash is another ending: `+49 30 123456/57` is two numbers. */
const FEWEST_LOCAL_DIGITS = 4;

function slashStandsBehindArea(seen: string): boolean {
  const slash = seen.lastIndexOf("/");
  if (slash < 0) return true;
  const [before, behind] = [seen.slice(0, slash), seen.slice(slash + 1)].map((part) => part.replaceAll(/\D/g, ""));
  const country = planOf(seen.replace(SEPARATORS, ""))?.callingCode.length ?? 0;
  return (before?.length ?? 0) - country <= MOST_AREA_DIGITS && (behind?.length ?? 0) >= FEWEST_LOCAL_DIGITS;
}

/** Why a text is no number, as the end of a sentence. It shows nothing of the text but a sign that no number has. */
export function whyNoPhone(text: string): string {
  const seen = seenPhone(text);
  const strange = STRANGE.exec(seen)?.[0];
  if (strange !== undefined) return `it has ${named(strange)}`;
  if (seen.length > MAX_TEXT_CHARACTERS) return `it is longer than ${MAX_TEXT_CHARACTERS} characters`;
  const digits = seen.replaceAll(/\D/g, "");
  const written = seen.replace(SEPARATORS, "");
  if (!written.startsWith("+"))
    return written.startsWith("00") ? "it begins with `00` in place of `+`" : "it does not begin with `+`";
  if (written.lastIndexOf("+") > 0) return "it has more than one `+`";
  if (digits.startsWith("0")) return "no country code begins with 0";
  if (digits.length < 8 || digits.length > 15) return `it has ${digits.length} digits, and a number has 8 to 15`;
  if (planOf(written) === undefined) return "there is no such country code";
  if (!slashStandsBehindArea(seen)) return "a `/` can stand only behind the area code";
  return `with country code +${planOf(written)?.callingCode} there is no such number`;
}

/** What a text has that cannot be seen is named by its code point alone. */
function named(sign: string): string {
  const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(sign) ? `\`${sign}\` (${code})` : `${code}, which cannot be seen`;
}
