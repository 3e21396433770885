import { type TArrayOptions, type TSchema, Type } from "typebox";

/**
 * What the features declare together and the API's schemas and document need: known only when all features are, so it is
 * passed to the server and not imported.
 */
export type Declared = {
  /** The groups of operations with their sentences, in the order of the document. */
  tags: Readonly<Record<string, string>>;
  lists: Readonly<Record<DeclaredList, readonly string[]>>;
  /** The events that receivers of webhooks get. */
  events: readonly DeclaredEvents[];
};

/** Kinds of events whose bodies have one schema, for the document. */
export type DeclaredEvents = {
  /** The name of the schema. */
  name: string;
  category: string;
  /** A sentence for each kind. */
  means: Readonly<Record<string, string>>;
  /** The schema of `data`, and a value of it for a kind. */
  data: TSchema;
  example(kind: string): object;
};

/** `scopes` of API keys, and `event_kinds` that an endpoint can subscribe to; both with `*`. */
export type DeclaredList = "scopes" | "event_kinds";

/** Keyword of a schema whose items are completed from `Declared.lists`. */
export const DECLARED = "x-declared";

/** Schema of an array without duplicates whose items are from a declared list. At least one. */
export const declaredItems = <Item extends string>(list: DeclaredList, options: TArrayOptions) =>
  Type.Unsafe<Item[]>({ type: "array", [DECLARED]: list, ...options });

/** The groups of operations in the API document. Each feature adds its own (`tags` of its declaration). */
export interface Tags extends Record<keyof typeof SERVER_TAGS, true> {}
export type Tag = keyof Tags;

/** The groups that belong to no single feature; they come last in the document. */
export const SERVER_TAGS = {
  Operator:
    "For the operator of the gateway, with the operator key: workspaces, their first API keys, and quarantined callbacks.",
  Provider: "Receives the provider's callbacks. Not for API clients.",
  Health: "Probes for load balancers and process supervisors. No key needed.",
} as const;
