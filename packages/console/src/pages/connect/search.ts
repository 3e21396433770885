import { searchOf, text } from "../../search.ts";

/** `account`: the provider's id of an account that is connected again. */
export const connectSearch = searchOf({ account: text });
export type ConnectSearch = ReturnType<typeof connectSearch>;
