import { Store } from "../../store.ts";

/** What lies over the page: the palette, the list of shortcuts, or nothing. */
export const overlay = new Store<"palette" | "help" | null>(null);
