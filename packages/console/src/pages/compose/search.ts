import { oneOf, searchOf, text } from "../../search.ts";

export const KINDS = ["template", "text"] as const;

/** What the form begins with: `template` is its id, `again` a message that is sent once more. */
export const composeSearch = searchOf({ to: text, from: text, type: oneOf(KINDS), template: text, again: text });
export type ComposeSearch = ReturnType<typeof composeSearch>;
