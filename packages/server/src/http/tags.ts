/** The groups of operations in the OpenAPI document, in the order in which a reader needs them. */
export const TAGS = {
  Messages: "Send approved templates and free-form replies, and read their status and history.",
  Templates: "The message templates of the connected accounts, as last reported by the provider.",
  Webhooks: "Endpoints that receive signed events, and the attempts of each delivery.",
  Accounts: "Business accounts at the provider, and their phone numbers.",
  Workspace: "The workspace of the calling API key.",
  "API keys": "Create, rotate and revoke the API keys of the workspace.",
  Audit: "A log of every API call, including refused ones.",
  Operator:
    "For the operator of the gateway, with the operator key: workspaces, their first API keys, and quarantined callbacks.",
  Provider: "Receives the provider's callbacks. Not for API clients.",
  Health: "Probes for load balancers and process supervisors. No key needed.",
} as const;

export type Tag = keyof typeof TAGS;
