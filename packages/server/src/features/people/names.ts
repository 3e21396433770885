import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import type { RowOf } from "../../db/hot-function.ts";
import { loosePhoneKey, phoneKey } from "../../lib/phone-variants.ts";
import type { CLAIM } from "./evidence.sql.ts";

/** What a number is found by beside its own digits; left out where it is the same, as it is for most. */
export type PhoneNames = {
  /** Its canonical form, where that is another. */
  key: string | undefined;
  /** What it has in common with forms that only evidence can join, where that is not the canonical form. */
  loose: string | undefined;
};

/** The names of a number, in digits without `+`. */
export function phoneNames(digits: string): PhoneNames {
  const key = phoneKey(digits);
  const loose = loosePhoneKey(digits);
  return { key: key === digits ? undefined : key, loose: loose === key ? undefined : loose };
}

/** Calling codes of the countries whose numbers `phoneKey` or `loosePhoneKey` change. */
const WITH_RULES = /^(?:52|54|55|57|84|225|229|241)/;
const CALLING_CODES = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)));
const LONGEST_CALLING_CODE = 3;

/**
 * The calling code of a number of a country without rules about its forms: there a number of the same country that the provider
 * names can be the one that was written to. Undefined where rules decide, or where no country has the code.
 */
export function countryWithoutRules(digits: string): string | undefined {
  if (WITH_RULES.test(digits)) return undefined;
  for (let length = 1; length <= LONGEST_CALLING_CODE; length++) {
    const code = digits.slice(0, length);
    if (CALLING_CODES.has(code)) return code;
  }
  return undefined;
}

/** What the provider calls a recipient. Ids that look like a number and are none are no `waId`. */
export type ProviderNames = { waId: string | null; userId: string | null; parentUserId: string | null };

/** The columns of `CLAIM` (evidence.sql.ts): absent where the provider said nothing. */
export type Claim = RowOf<typeof CLAIM>;

export function claimOf({ waId, userId, parentUserId }: ProviderNames, scope: string): Claim {
  const names = waId === null ? null : phoneNames(waId);
  return {
    wa_id: waId ?? undefined,
    wa_key: names?.key,
    wa_loose: names?.loose,
    country: waId === null ? undefined : countryWithoutRules(waId),
    user_id: userId ?? undefined,
    parent_user_id: parentUserId ?? undefined,
    scope: waId === null && userId === null ? undefined : scope,
  };
}

export const NO_CLAIM = claimOf({ waId: null, userId: null, parentUserId: null }, "");
