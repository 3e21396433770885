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
