/** The groups of operations in the OpenAPI document, in the order in which a reader needs them. */
export const TAGS = {
  Messages: "Send approved templates and free-form replies, and read what became of them.",
  Templates: "The templates of the connected accounts, as the provider last told them.",
  Webhooks: "Endpoints that get signed events, and what became of each delivery.",
  Accounts: "Business accounts of the provider, and the phone numbers that they bring.",
  Workspace: "The caller's own workspace.",
  "API keys": "The keys of the workspace: make, replace and revoke them.",
  Audit: "Every call of the API, refused ones too.",
  Operator:
    "For the one who runs the gateway, with the operator key: workspaces, their first keys, and callbacks that were set aside.",
  Provider: "For the provider alone: its callbacks come in here.",
  Health: "For the one who watches the process; open to all.",
} as const;

export type Tag = keyof typeof TAGS;
