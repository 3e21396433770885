import { idParams } from "../../../http/ids.ts";
import { type AnyRoute, route } from "../../../http/route.ts";
import { changeProfile, getProfile, updateProfile } from "./profile.ts";
import { BusinessProfile, BusinessProfileChange } from "./profile-schema.ts";
import type { Senders } from "./senders.ts";

const PROFILE = {
  tag: "Accounts",
  auth: "workspace",
  limitedKeys: "own",
  path: "/v1/phone-numbers/{id}/profile",
} as const;
const ERRORS = ["sender_unavailable", "provider_rejected", "provider_unavailable"] as const;

export const profileRoutes = (senders: Senders): AnyRoute[] => [
  route({
    ...PROFILE,
    scope: "accounts:read",
    // It waits for the provider, which no transaction of ours does.
    kind: "own",
    method: "GET",
    operationId: "phoneNumbers.getProfile",
    summary: "Get a business profile",
    description:
      "What people see of the business in the app, asked of the provider at each call. Returns 429 `rate_limited` when the account's calls of the provider are used up for now.",
    action: "business_profile.read",
    params: idParams("num"),
    status: 200,
    response: BusinessProfile,
    errors: ERRORS,
    verb: function getBusinessProfile(ctx, input) {
      return getProfile(ctx, input, senders);
    },
  }),
  route({
    ...PROFILE,
    scope: "accounts:write",
    kind: "write",
    method: "PATCH",
    operationId: "phoneNumbers.updateProfile",
    summary: "Update a business profile",
    description:
      "Changes the given fields at the provider and leaves the others; null clears one. Returns the profile as the provider has it afterwards. After a 502 the change may have been made all the same: repeating it is safe.",
    action: "business_profile.update",
    params: idParams("num"),
    body: BusinessProfileChange,
    status: 200,
    response: BusinessProfile,
    errors: ERRORS,
    before: (ctx, input) => changeProfile(ctx, input, senders),
    verb: updateProfile,
  }),
];
