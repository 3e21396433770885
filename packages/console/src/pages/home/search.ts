import { oneOf, searchOf, text } from "../../search.ts";

export const RANGES = ["24h", "7d", "30d"] as const;

/** The time that is counted, and the id of the only number that is. */
export const homeSearch = searchOf({ range: oneOf(RANGES), number: text });
export type HomeSearch = ReturnType<typeof homeSearch>;
