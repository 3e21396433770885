/** Two letters of a country, a dot, then up to 128 letters and digits; parents have one more part (Cloud API documentation, business-scoped user ids). */
const USER_ID = /^[A-Z]{2}\.(?:[A-Z]+\.)?[0-9A-Za-z]{1,128}$/;
const PARENT_USER_ID = /^[A-Z]{2}\.[A-Z]+\./;

export const isUserId = (text: string | null): text is string => text !== null && USER_ID.test(text);
export const isParentUserId = (id: string): boolean => PARENT_USER_ID.test(id);
