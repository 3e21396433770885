import { oneOf, searchOf, text } from "../../search.ts";

/** `open`: the sheet beside the list; `key`: the one that is rotated. */
export const apiKeysSearch = searchOf({ cursor: text, open: oneOf(["new", "rotate"]), key: text });
export type ApiKeysSearch = ReturnType<typeof apiKeysSearch>;
