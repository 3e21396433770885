import { oneOf, searchOf, text } from "../../search.ts";

/** The sheet beside a contact, and the one that it would be merged with. */
export const contactSearch = searchOf({ open: oneOf(["edit", "merge"]), other: text });
export type ContactSearch = ReturnType<typeof contactSearch>;
