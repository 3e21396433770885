import { MOST_ATTRIBUTE_CHARACTERS } from "../../identity/contact-limits.ts";

/** A workspace's list of segments counts each of them: it has to end. */
export const MOST_SEGMENTS = 500;
/** Levels of groups. */
export const MOST_DEPTH = 8;
/** Groups and conditions of a filter: each is compared with each contact that is looked at. */
export const MOST_NODES = 100;
/** Values of one `in`. */
export const MOST_VALUES = 100;
export const MOST_VALUE_CHARACTERS = MOST_ATTRIBUTE_CHARACTERS;
