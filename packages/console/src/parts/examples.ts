import type { How } from "./curl.ts";

type Example = How & { path: string };

/** Calls that make the first of what a list has. Each is one that the API takes. */
export const EXAMPLES = {
  account: { path: "v1/business-accounts", body: { provider_account_id: "9001", access_token: "EAAG" } },
  apiKey: { path: "v1/api-keys", body: { name: "Shop backend", scopes: ["messages:write", "messages:read"] } },
  contact: { path: "v1/contacts", body: { phone: "+15551230001", name: "Ana Souza", tags: ["vip"] } },
  endpoint: {
    path: "v1/webhook-endpoints",
    body: { url: "https://example.com/hooks", events: ["messages", "delivered", "failed"] },
  },
  message: {
    path: "v1/messages",
    body: {
      to: "+15551230001",
      type: "template",
      template: { name: "order_ready", language: { code: "en_US" } },
    },
  },
  segment: {
    path: "v1/segments",
    body: { name: "In Recife", filter: { all: [{ field: "attributes.city", op: "eq", value: "Recife" }] } },
  },
  template: {
    path: "v1/templates",
    body: {
      name: "order_ready",
      language: { code: "en_US" },
      category: "utility",
      components: [{ type: "BODY", text: "Your order is ready." }],
    },
  },
  workspace: { path: "admin/v1/workspaces", body: { name: "Acme" } },
} satisfies Record<string, Example>;
