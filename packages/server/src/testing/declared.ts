import { FEATURES } from "../features.ts";
import { SERVER } from "../server-tables.ts";

/** What declares tables: the product's features, and the server for those that no feature has. */
export const DECLARED = [...FEATURES, SERVER] as const;
