import { searchOf, text } from "../../search.ts";

export const segmentsSearch = searchOf({ cursor: text });
export type SegmentsSearch = ReturnType<typeof segmentsSearch>;
