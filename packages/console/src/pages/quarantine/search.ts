import { searchOf, text } from "../../search.ts";

export const quarantineSearch = searchOf({ reason: text, cursor: text, open: text });
export type QuarantineSearch = ReturnType<typeof quarantineSearch>;
