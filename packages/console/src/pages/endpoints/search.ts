import { oneOf, searchOf } from "../../search.ts";

/** `open`: the sheet beside the list. */
export const endpointsSearch = searchOf({ open: oneOf(["new"]) });
export type EndpointsSearch = ReturnType<typeof endpointsSearch>;
