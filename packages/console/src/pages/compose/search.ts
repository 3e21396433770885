import { searchOf, text } from "../../search.ts";

/** What the form begins with: `template` is its id, `again` a message that is sent once more. */
export const composeSearch = searchOf({ to: text, from: text, template: text, again: text });
export type ComposeSearch = ReturnType<typeof composeSearch>;
