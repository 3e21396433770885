import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  Metadata,
  type NumberingPlan,
  PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";

/** `+` and 8 to 15 digits: the only shape that leaves the parser. */
const E164 = /^\+[1-9]\d{7,14}$/;

/** What decides without libphonenumber's parser, which takes some 20 µs, that a number stands as it is written. */
export type NumberPlan = {
  callingCode: string;
  /** Bit n: a national number of n digits is possible in every country of this calling code. */
  lengths: number;
  /** Numbers that may start with a trunk prefix. */
  trunk: RegExp | null;
  /** Numbers that stand as they are written, whatever libphonenumber says. */
  providerForm: RegExp | null;
};

/**
 * Forms that the provider uses itself, as `wa_id` and in `to`, and that libphonenumber takes for impossible or rewrites:
 * Mexico's 1 of mobiles (abolished in 2019), Argentina with and without its 9, Brazil with and without its ninth digit,
 * and the 8 digits that the Ivory Coast had until 2021 and Benin until 2024.
 */
const PROVIDER_FORMS = new Map([
  ["52", /^\+521[2-9]\d{9}$/],
  ["54", /^\+549?[1-3]\d{9}$/],
  ["55", /^\+55[1-9]{2}\d{8,9}$/],
  ["225", /^\+225[02-9]\d{7}$/],
  ["229", /^\+229[2-9]\d{7}$/],
]);

const GABON = "241";
/**
 * Prefixes that libphonenumber does not drop. Mexico's were abolished in 2019 and its numbers start with 2 to 9; Gabon's
 * regulator has numbers written with a 0 that is not part of them.
 */
const DROPPED_PREFIXES = new Map([
  ["52", /^(\+52)(?:01|04[45])([2-9]\d{9})$/],
  [GABON, /^(\+241)0([1-7]\d{6,7})$/],
]);

const PLANS = plansByFirstDigits();

/** The plan of the calling code that `+` and digits start with; undefined for unassigned and for non-geographic codes. */
export function planOf(plain: string): NumberPlan | undefined {
  return PLANS[Number(plain.slice(1, 4))];
}

/** True for a number that is possible and surely carries no trunk prefix. */
export function standsAsWritten(plan: NumberPlan, plain: string): boolean {
  if (plan.providerForm?.test(plain)) return true;
  const nationalDigits = plain.length - 1 - plan.callingCode.length;
  return (plan.lengths & (1 << nationalDigits)) !== 0 && !plan.trunk?.test(plain);
}

/** The number without its trunk prefix; the same number if it has none; null when no plan has such a number. */
export function withoutTrunkPrefix(plain: string): string | null {
  const callingCode = planOf(plain)?.callingCode ?? "";
  const dropped = DROPPED_PREFIXES.get(callingCode)?.exec(plain);
  const found = dropped ? `${dropped[1]}${dropped[2]}` : (argentineMobile(plain) ?? byLibrary(plain));
  return found !== null && E164.test(found) ? found : null;
}

/** True when a number is valid with every digit that is written: libphonenumber's parser would drop a zero first. */
export function isValidAsWritten(plain: string): boolean {
  return new PhoneNumber(plain).isValid();
}

/**
 * Within Argentina a mobile is written with 15 between area and number and often with a 0 before the area; abroad with a 9
 * before the area. People mix the two. Areas have 2 to 4 digits: libphonenumber knows them, but expects no 9 here.
 */
function argentineMobile(plain: string): string | null {
  const zeroInside = /^\+5490([1-3]\d{9})$/.exec(plain);
  if (zeroInside) return `+549${zeroInside[1]}`;
  const home = /^\+549?(0?[1-3]\d{11})$/.exec(plain);
  const found = home ? parsePhoneNumberFromString(`+54${home[1]}`)?.number : undefined;
  return found !== undefined && /^\+549[1-3]\d{9}$/.test(found) ? found : null;
}

/**
 * The library's parser also drops carrier codes and adds a default area (Madagascar, San Marino). Its reading counts only
 * where it is valid and the digits as written are not, or where it merely lacks a prefix that cannot be part of the number.
 */
function byLibrary(plain: string): string | null {
  const parsed = parsePhoneNumberFromString(plain);
  if (!parsed) return null;
  if (parsed.number === plain) return parsed.isPossible() ? plain : null;
  const written = new PhoneNumber(plain);
  if (written.isValid()) return plain;
  if (parsed.isValid()) return parsed.number;
  const { nationalNumber } = written;
  const prefix = nationalNumber.endsWith(parsed.nationalNumber)
    ? nationalNumber.slice(0, -parsed.nationalNumber.length)
    : null;
  if (prefix !== null && parsed.isPossible() && (prefix === "0" || !written.isPossible())) return parsed.number;
  return written.isPossible() ? plain : null;
}

/** Plans by the first three digits of a number: calling codes have one to three and none begins another. */
function plansByFirstDigits(): (NumberPlan | undefined)[] {
  const countriesOf = new Map<string, CountryCode[]>();
  for (const country of getCountries()) {
    const callingCode = getCountryCallingCode(country);
    countriesOf.set(callingCode, [...(countriesOf.get(callingCode) ?? []), country]);
  }
  const plans = Array.from<NumberPlan | undefined>({ length: 1000 });
  for (const [callingCode, countries] of countriesOf) {
    const width = 10 ** (3 - callingCode.length);
    const first = Number(callingCode) * width;
    plans.fill(newPlan(callingCode, countries), first, first + width);
  }
  return plans;
}

function newPlan(callingCode: string, countries: readonly CountryCode[]): NumberPlan {
  const lengths = countries
    .map((country) => libraryPlan(country).possibleLengths())
    .map((possible) => possible.filter((length) => isPhoneLength(callingCode.length + length)))
    .map((possible) => possible.reduce((bits, length) => bits | (1 << length), 0))
    .reduce((shared, bits) => shared & bits);
  // The method also takes calling codes, and returns the plan that the parser drops prefixes by: that of the largest country.
  const prefixes = callingCode === GABON ? "0" : libraryPlan(callingCode as CountryCode).nationalPrefixForParsing();
  const trunk = prefixes ? new RegExp(`^\\+${callingCode}(?:${prefixes})`) : null;
  return { callingCode, lengths, trunk, providerForm: PROVIDER_FORMS.get(callingCode) ?? null };
}

/** Some plans have numbers of 4 digits, or of more than E.164 allows. */
function isPhoneLength(digits: number): boolean {
  return digits >= 8 && digits <= 15;
}

/** The library's types leave out the prefixes, which its parser takes from here; 0 for none. */
type PlanWithPrefixes = NumberingPlan & { nationalPrefixForParsing(): string | 0 | undefined };

function libraryPlan(code: CountryCode): PlanWithPrefixes {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(code);
  if (!metadata.numberingPlan) throw new Error(`libphonenumber has no plan of ${code}`);
  return metadata.numberingPlan as PlanWithPrefixes;
}
