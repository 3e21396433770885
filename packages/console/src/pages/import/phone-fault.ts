/** Why a text can be no phone number, whatever its country. Numbers that a country does not have are found by the gateway alone. */
export type PhoneFault =
  | { kind: "sign"; sign: string }
  | { kind: "long" | "zeros" | "noPlus" | "twoPlus" | "zero" }
  | { kind: "digits"; digits: number };

const MOST_CHARACTERS = 64;
/** Two digits more than E.164 has: prefixes for callers within a country may stand in it. */
const WRITTEN = /^\+[1-9]\d{7,16}$/;
/** Spaces and hyphens of every kind, brackets, dots, a slash. */
const SEPARATORS = /[\p{Zs}\p{Pd}\u2212()./]/gu;
const STRANGE = /[^\p{Zs}\p{Pd}\u2212()./+\d]/u;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
/** The zeros of scripts in whose countries people write numbers with them; nine follow each. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0, 0x1040,
  0x17e0,
];

/** Null for what may be a number with its country code. */
export function phoneFaultOf(text: string): PhoneFault | null {
  const seen = seenPhone(text);
  const written = seen.replaceAll(SEPARATORS, "");
  if (seen.length <= MOST_CHARACTERS && WRITTEN.test(written)) return null;
  const sign = STRANGE.exec(seen)?.[0];
  if (sign !== undefined) return { kind: "sign", sign };
  if (seen.length > MOST_CHARACTERS) return { kind: "long" };
  if (!written.startsWith("+")) return { kind: written.startsWith("00") ? "zeros" : "noPlus" };
  if (written.lastIndexOf("+") > 0) return { kind: "twoPlus" };
  if (written.startsWith("+0")) return { kind: "zero" };
  return { kind: "digits", digits: written.length - 1 };
}

/** Without marks that have no shape, in ASCII digits and signs, and without `tel:`. */
const seenPhone = (text: string): string =>
  text
    .replaceAll(UNSEEN, "")
    .replaceAll(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit)
    .replace(/^\s*tel:/i, "")
    .trim();

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0; // there is one
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}
