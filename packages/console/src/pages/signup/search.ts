import { oneOf, searchOf } from "../../search.ts";

/** `open`: the sheet with values to resume with. */
export const signupSearch = searchOf({ open: oneOf(["resume"]) });
export type SignupSearch = ReturnType<typeof signupSearch>;
