import { phoneOfProvider } from "../../lib/phone.ts";

/** Two letters of a country, a dot, then up to 128 letters and digits; parents have one more part (Cloud API documentation, business-scoped user ids). */
const USER_ID = /^[A-Z]{2}\.(?:[A-Z]+\.)?[0-9A-Za-z]{1,128}$/;
const PARENT_USER_ID = /^[A-Z]{2}\.[A-Z]+\./;

/**
 * What stands where a number is documented and is none: digits that no numbering plan has, or an anonymised id. They name a person to
 * us, and nothing is ever sent to them.
 */
const OPAQUE_ID = /^(?:\d{14,15}|\d{8,20}@lid)$/;

export const isUserId = (text: string | null): text is string => text !== null && USER_ID.test(text);
export const isParentUserId = (id: string): boolean => PARENT_USER_ID.test(id);
export const isOpaqueId = (text: string | null): text is string =>
  text !== null && OPAQUE_ID.test(text) && phoneOfProvider(text) === null;
