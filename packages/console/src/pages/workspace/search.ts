import { oneOf, searchOf, text } from "../../search.ts";

/** `open`: the sheet beside the page; `cursor`: of its keys. */
export const workspaceSearch = searchOf({ cursor: text, open: oneOf(["rename", "key"]) });
export type WorkspaceSearch = ReturnType<typeof workspaceSearch>;
