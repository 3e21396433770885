import { Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { anyObject, nullable } from "../../http/schema-types.ts";
import { eventShape } from "../events/event-shape.ts";
import { ACCOUNT_EXAMPLE, BusinessAccount, NUMBER_EXAMPLE, PhoneNumber } from "./schema.ts";

const ACCOUNT_MEANS = {
  permissions_changed: "What your app may do with the account has changed at the provider.",
  signup_completed: "The account is connected.",
  signup_revoked: "The account is no longer connected; once for each connection.",
  account_changed: "The provider has restricted, banned, reviewed or warned of the account, or lifted it.",
} as const;
const DETAILS: Readonly<Record<keyof typeof ACCOUNT_MEANS, object>> = {
  permissions_changed: { provider_event: "PARTNER_ADDED", detail: {} },
  signup_completed: {},
  signup_revoked: { provider_event: "PARTNER_REMOVED", reason: "The app was removed from the account." },
  account_changed: {
    provider_event: "ACCOUNT_RESTRICTION",
    detail: { restriction_info: [{ restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING" }] },
  },
};

export const ACCOUNT_SHAPE = eventShape({
  name: "AccountEvent",
  means: ACCOUNT_MEANS,
  data: Type.Object({
    business_account: BusinessAccount,
    provider_event: Type.Optional(
      nullable(Type.String(), "The provider's name of what happened; null where it did not report it."),
    ),
    reason: Type.Optional(nullable(Type.String(), "Why, in a sentence.")),
    detail: Type.Optional(
      Type.Union([anyObject("What the provider said, without what is of people."), Type.String(), Type.Null()], {
        description: "What the provider said; a sentence where the gateway noticed it by itself.",
      }),
    ),
    phone_number_id: Type.Optional(idSchema("num", "Present where it is about one of the account's phone numbers.")),
  }),
  example: (kind) => ({ business_account: { ...ACCOUNT_EXAMPLE, phone_numbers: [] }, ...DETAILS[kind] }),
});

export const NUMBER_SHAPE = eventShape({
  name: "PhoneNumberEvent",
  means: { phone_number_changed: "The quality, limit, throughput, name or status of a phone number has changed." },
  data: Type.Object({
    phone_number: PhoneNumber,
    changed: Type.Array(Type.String(), { description: "What has changed: `quality`, `limit`, `throughput`, `name`." }),
  }),
  example: () => ({
    phone_number: {
      ...NUMBER_EXAMPLE,
      quality: "yellow",
      service_allowance: { included: 1_000, used: null, remaining: null, resets_at: null },
    },
    changed: ["quality"],
  }),
});
