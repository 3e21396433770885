import { enPages, type PageText } from "./en-pages.ts";

/** The texts of pages that bring their own, as `text` has the others. What every page needs imports nothing of it. */
export const pageText: PageText = enPages;
