import type { Access, CallResult } from "./call-result.ts";

export type NumberAccess = Access & { providerPhoneNumberId: string };

/** Calls of the provider about the business profile of a phone number, which people see in the app. */
export type ProfileCalls = {
  getProfile(number: NumberAccess): Promise<CallResult<ProviderProfile>>;
  /** Changes what is given and nothing else; an empty text or list clears. Safe to repeat. */
  updateProfile(number: NumberAccess & { change: ProfileChange }): Promise<CallResult<null>>;
};

/** Null where the profile says nothing. */
export type ProviderProfile = {
  about: string | null;
  address: string | null;
  description: string | null;
  email: string | null;
  websites: string[];
  /** In the provider's own words: `RETAIL`. */
  vertical: string | null;
  /** A public address at the provider that changes now and then. */
  profilePictureUrl: string | null;
};

export type ProfileChange = Partial<{
  about: string;
  address: string;
  description: string;
  email: string;
  websites: readonly string[];
  vertical: string;
  /** Of an upload at the provider. */
  profilePictureHandle: string;
}>;

/** Cloud API documentation, business profiles. The provider counts characters. */
export const PROFILE_LIMITS = {
  about: 139,
  address: 256,
  description: 512,
  email: 128,
  website: 256,
  websites: 2,
} as const;

/** Industries of a business (Cloud API documentation, business profiles: `vertical`). */
export const VERTICALS = [
  "ALCOHOL",
  "APPAREL",
  "AUTO",
  "BEAUTY",
  "EDU",
  "ENTERTAIN",
  "EVENT_PLAN",
  "FINANCE",
  "GOVT",
  "GROCERY",
  "HEALTH",
  "HOTEL",
  "MATRIMONY_SERVICE",
  "NONPROFIT",
  "NOT_A_BIZ",
  "ONLINE_GAMBLING",
  "OTC_DRUGS",
  "OTHER",
  "PHYSICAL_GAMBLING",
  "PROF_SERVICES",
  "RESTAURANT",
  "RETAIL",
  "TRAVEL",
] as const;
