import { type TArrayOptions, Type } from "typebox";

/**
 * What the features declare together and the API's schemas and document need: known only when all features are, so it is
 * passed to the server and not imported.
 */
export type Declared = {
  /** The groups of operations with their sentences, in the order of the document. */
  tags: Readonly<Record<string, string>>;
  lists: Readonly<Record<DeclaredList, readonly string[]>>;
};

/** `scopes` of API keys, and `event_kinds` that an endpoint can subscribe to; both with `*`. */
export type DeclaredList = "scopes" | "event_kinds";

/** Keyword of a schema whose items are completed from `Declared.lists`. */
export const DECLARED = "x-declared";

/** Schema of an array without duplicates whose items are from a declared list. At least one. */
export const declaredItems = <Item extends string>(list: DeclaredList, options: TArrayOptions) =>
  Type.Unsafe<Item[]>({ type: "array", [DECLARED]: list, ...options });
