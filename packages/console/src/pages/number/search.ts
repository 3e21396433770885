import { oneOf, searchOf } from "../../search.ts";

/** `open`: the sheet beside the page. */
export const numberSearch = searchOf({ open: oneOf(["note", "profile"]) });
export type NumberSearch = ReturnType<typeof numberSearch>;
