import { searchOf, text } from "../../search.ts";

/** Place in the list of errors of an import. */
export const importSearch = searchOf({ cursor: text });
export type ImportSearch = ReturnType<typeof importSearch>;
