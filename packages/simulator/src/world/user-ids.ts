import { createHash } from "node:crypto";

/** Country and up to 128 letters and digits; `ENT` in the parent id of linked portfolios (documentation of business-scoped user ids). */
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;
const LETTERS = 22;

export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

export function isParentUserId(userId: string): boolean {
  return userId.slice(2, 7) === ".ENT.";
}

/** The id of a person in one portfolio: always the same for one seed. Both cases on purpose, since ids are compared byte for byte. */
export function businessScopedUserId(businessId: string, country: string, seed: string): string {
  return `${country}.${lettersOf(`${businessId}:${seed}`)}`;
}

/** The id of a person in linked portfolios; the simulator links all of them. */
export function parentUserId(country: string, seed: string): string {
  return `${country}.ENT.${lettersOf(`parent:${seed}`)}`;
}

function lettersOf(seed: string): string {
  const base64 = createHash("sha256").update(seed).digest("base64");
  return base64.replace(/[+/=]/g, "").slice(0, LETTERS);
}

/** Calling codes of a country each; the longest that fits decides. */
const COUNTRIES: Readonly<Record<string, string>> = {
  1: "US",
  7: "RU",
  77: "KZ",
  20: "EG",
  27: "ZA",
  31: "NL",
  33: "FR",
  34: "ES",
  39: "IT",
  41: "CH",
  43: "AT",
  44: "GB",
  49: "DE",
  51: "PE",
  52: "MX",
  54: "AR",
  55: "BR",
  56: "CL",
  57: "CO",
  62: "ID",
  84: "VN",
  90: "TR",
  91: "IN",
  98: "IR",
  225: "CI",
  229: "BJ",
  234: "NG",
  241: "GA",
  254: "KE",
  351: "PT",
  506: "CR",
  598: "UY",
  961: "LB",
  971: "AE",
};

/** The country of a number in E.164 digits; ZZ, which is none, for those without a row. */
export function countryOf(digits: string): string {
  return COUNTRIES[digits.slice(0, 3)] ?? COUNTRIES[digits.slice(0, 2)] ?? COUNTRIES[digits.slice(0, 1)] ?? "ZZ";
}
