import { planOf } from "./plans.ts";

/**
 * Which written forms of a phone number are one person. All functions take digits in international form without `+`, as the
 * provider writes a `wa_id`, and return the same. They are decided by the number alone.
 */

/** Counts the changes of the rules below: stored keys are derived from them, and number plans change. */
export const PHONE_RULES_VERSION = 1;

/** `by_evidence`: the provider may use both forms for one person, but a plan allows two; only its own answers prove it. */
export type PhoneVerdict = "same" | "different" | "by_evidence";

/** What the groups of the pattern become. */
type Rule = readonly [pattern: RegExp, form: (first: string, second: string) => string];
/** By the first two digits. */
type Rules = Readonly<Record<string, readonly Rule[]>>;

/** Brazil's 67 areas (Anatel). */
const AREA_BR = "1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9]";

/** Numbering plans in which the two forms cannot be two lines. */
const KEY_RULES: Rules = {
  // Brazil put a 9 in front of mobiles in 2012-2016 (Anatel). Landlines start with 2 to 5, and no number of 8 digits starts
  // with 0 or 1. A toll-free number is written with a 0 that its `wa_id` lacks.
  "55": [
    [new RegExp(`^55(${AREA_BR})([689]\\d{7})$`), (area, rest) => `55${area}9${rest}`],
    [/^550(800\d{7})$/, (rest) => `55${rest}`],
  ],
  // Mexico abolished the 1 of mobiles in 2019: ten digits are one space for landlines and mobiles (IFT).
  "52": [[/^521([2-9]\d{9})$/, (rest) => `52${rest}`]],
  // Benin put 01 in front of every number in 2024, except those of VoIP (8…).
  "22": [[/^229([2-79]\d{7})$/, (rest) => `22901${rest}`]],
};

/** Forms that the provider is known to use for one person, or that a plan replaced, where two lines remain possible. */
const LOOSE_RULES: Rules = {
  // Series 7 holds mobiles, and radio lines that never got the 9; series 5 of São Paulo held mobiles and landlines.
  "55": [
    [new RegExp(`^55(${AREA_BR})(7\\d{7})$`), (area, rest) => `55${area}9${rest}`],
    [/^5511(5\d{7})$/, (rest) => `55119${rest}`],
  ],
  // Argentina's 9 marks a mobile; without it the same digits may be a landline of the area.
  "54": [[/^549([1-3]\d{9})$/, (rest) => `54${rest}`]],
  // The Ivory Coast put the operator in front in 2021: 01, 05, 07 mobile, 21, 25, 27 fixed. The old digits do not name it.
  "22": [
    [/^2250[157]([04-9]\d{7})$/, (rest) => `225${rest}`],
    [/^2252[157]([23]\d{7})$/, (rest) => `225${rest}`],
  ],
  // Gabon, 2019.
  "24": [
    [/^241([256]\d{6})$/, (rest) => `2416${rest}`],
    [/^241([47]\d{6})$/, (rest) => `2417${rest}`],
    [/^241(1\d{6})$/, (rest) => `2411${rest}`],
  ],
  // Landlines of Colombia, 2021.
  "57": [[/^57([1-8]\d{7})$/, (rest) => `5760${rest}`]],
  // Mobiles of Vietnam, 2018.
  "84": [[/^84(1[2-9]\d)(\d{7})$/, (old, rest) => `84${VIETNAM_PREFIXES[old] ?? old}${rest}`]],
};

/** How numbers begin that may have other forms; most have none. */
export const PREFIXES_WITH_FORMS = [...new Set([...Object.keys(KEY_RULES), ...Object.keys(LOOSE_RULES)])];

/** Calling codes of the countries whose numbers these rules change. */
const COUNTRIES_WITH_FORMS: ReadonlySet<string> = new Set(["52", "54", "55", "57", "84", "225", "229", "241"]);

/**
 * The calling code of a number of a country without rules about its forms: there a number of the same country that the provider
 * names can be the one that was written to. Undefined where rules decide, and for non-geographic codes.
 */
export function countryWithoutRules(digits: string): string | undefined {
  const code = planOf(`+${digits}`)?.callingCode;
  return code === undefined || COUNTRIES_WITH_FORMS.has(code) ? undefined : code;
}

const VIETNAM_PREFIXES: Readonly<Record<string, string>> = {
  120: "70",
  121: "79",
  122: "77",
  123: "83",
  124: "84",
  125: "85",
  126: "76",
  127: "81",
  128: "78",
  129: "82",
  162: "32",
  163: "33",
  164: "34",
  165: "35",
  166: "36",
  167: "37",
  168: "38",
  169: "39",
  186: "56",
  188: "58",
  199: "59",
};

/**
 * Equal for two forms that no numbering plan lets be two lines. For lookup and for grouping (pace of a pair, opt-outs,
 * erasure); it is never sent, for the provider need not know this form.
 */
export function phoneKey(digits: string): string {
  return applied(KEY_RULES, digits);
}

/** Equal also for two forms that are one person only by evidence. Never stored as a group: that relation is not transitive. */
export function loosePhoneKey(digits: string): string {
  return applied(LOOSE_RULES, phoneKey(digits));
}

/** Whether two numbers are one person, as far as the numbers alone say. */
export function comparePhones(a: string, b: string): PhoneVerdict {
  if (phoneKey(a) === phoneKey(b)) return "same";
  // Two numbers of one length are both of one plan: two lines.
  return a.length !== b.length && loosePhoneKey(a) === loosePhoneKey(b) ? "by_evidence" : "different";
}

function applied(rules: Rules, digits: string): string {
  for (const [pattern, form] of rules[digits.slice(0, 2)] ?? []) {
    const match = pattern.exec(digits);
    if (match) return form(match[1] ?? "", match[2] ?? "");
  }
  return digits;
}
