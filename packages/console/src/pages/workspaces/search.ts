import { oneOf, searchOf, text } from "../../search.ts";

/** `open`: the sheet beside the list. */
export const workspacesSearch = searchOf({ cursor: text, open: oneOf(["new"]) });
export type WorkspacesSearch = ReturnType<typeof workspacesSearch>;
