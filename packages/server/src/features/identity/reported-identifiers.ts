import type { RowOf } from "../../db/hot-function.ts";
import { countryWithoutRules, loosePhoneKey, phoneKey } from "../../lib/phone/variants.ts";
import type { CLAIM } from "./recipient.sql.ts";

/** What a number is found by beside its own digits; left out where it is the same, as it is for most. */
export type PhoneKeys = {
  /** Its canonical form, where that is another. */
  key: string | undefined;
  /** What it has in common with forms that only evidence can join, where that is not the canonical form. */
  loose: string | undefined;
};

/** The names of a number, in digits without `+`. */
export function phoneKeys(digits: string): PhoneKeys {
  const key = phoneKey(digits);
  const loose = loosePhoneKey(digits);
  return { key: key === digits ? undefined : key, loose: loose === key ? undefined : loose };
}

/** What the provider calls a recipient. Ids that look like a number and are none are no `waId`. */
export type ProviderIdentifiers = { waId: string | null; userId: string | null; parentUserId: string | null };

/** The columns of `CLAIM` (recipient.sql.ts): absent where the provider said nothing. */
export type Claim = RowOf<typeof CLAIM>;

export function claimOf({ waId, userId, parentUserId }: ProviderIdentifiers, scope: string): Claim {
  const names = waId === null ? null : phoneKeys(waId);
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

/** What a status says of a person, where it says nothing. */
export const NO_PERSON_NAMED = { ...NO_CLAIM, username: undefined, profile_name: undefined };
