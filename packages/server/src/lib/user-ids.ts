import { phoneOfProvider } from "./phone/phone.ts";

/**
 * Business-scoped user ids: two letters of a country, a dot, then up to 128 letters and digits (`US.1349…`); those of linked portfolios,
 * the parents, have `ENT.` in between (Cloud API documentation, business-scoped user ids).
 */
const USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;
const PARENT_USER_ID = /^[A-Z]{2}\.ENT\./;

/**
 * What stands where a number is documented and is none: digits that no numbering plan has, or an anonymised id. They name a person to
 * us, and nothing is ever sent to them.
 */
const OPAQUE_ID = /^(?:\d{14,15}|\d{8,20}@lid)$/;

type UserId = `${string}.${string}`;

export const isUserId = (text: string | null): text is UserId => text !== null && USER_ID.test(text);
export const isParentUserId = (id: string): boolean => PARENT_USER_ID.test(id);
export const isOpaqueId = (text: string | null): text is string =>
  text !== null && OPAQUE_ID.test(text) && phoneOfProvider(text) === null;
