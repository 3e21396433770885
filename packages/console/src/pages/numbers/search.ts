import { oneOf, searchOf } from "../../search.ts";

/** `open`: the sheet with the form of a setup link. */
export const numbersSearch = searchOf({ open: oneOf(["link"]) });
export type NumbersSearch = ReturnType<typeof numbersSearch>;
