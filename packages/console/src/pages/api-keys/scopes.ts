import type { ApiKeyInput } from "@waypost/sdk";

type Scope = Exclude<ApiKeyInput["scopes"][number], "*">;

/** What a key may be allowed, in the order of the navigation. A scope of the API that is missing here does not compile. */
export const SCOPES = all([
  "messages:read",
  "messages:write",
  "media:read",
  "media:write",
  "contacts:read",
  "contacts:write",
  "templates:read",
  "templates:write",
  "webhooks:read",
  "webhooks:write",
  "accounts:read",
  "accounts:write",
  "audit:read",
  "keys:write",
]);

function all<const Given extends readonly Scope[]>(
  scopes: Given & (Exclude<Scope, Given[number]> extends never ? unknown : never),
): Given {
  return scopes;
}
