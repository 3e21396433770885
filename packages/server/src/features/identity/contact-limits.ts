/** What a contact may have at most. Stated in the API document; a million contacts of the usual kind stay below a gigabyte. */
export const MOST_TAGS = 100;
export const MOST_TAG_CHARACTERS = 64;
export const MOST_ATTRIBUTES = 100;
export const MOST_ATTRIBUTE_NAME_CHARACTERS = 64;
export const MOST_ATTRIBUTE_CHARACTERS = 1_024;
/** Upserts in one request. */
export const MOST_IN_BATCH = 1_000;
/** Of one search; a longer text makes it no more exact. */
export const MOST_SEARCHED_CHARACTERS = 200;
