import { oneOf, searchOf } from "../../search.ts";

/** `open`: the sheet beside the page. */
export const settingsSearch = searchOf({ open: oneOf(["keywords"]) });
export type SettingsSearch = ReturnType<typeof settingsSearch>;
