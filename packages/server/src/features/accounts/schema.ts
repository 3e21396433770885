import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { explained, lineInput, nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { MessagingLimit } from "../limits/limit-schema.ts";
import { ServiceAllowance } from "../usage/allowance.ts";

export const NUMBER_EXAMPLE = {
  id: "num_01jd0000000000000000000000",
  provider_phone_number_id: "1055",
  business_account_id: "acc_01jd0000000000000000000000",
  phone: "+15559990000",
  verified_name: "Demo Shop",
  quality: "green",
  status: "connected",
  throughput_per_second: 80,
  is_default: true,
  description: null,
  messaging_limit: { limit: null, used: null, remaining: null, resets_at: null },
  service_allowance: { included: 1000, used: 240, remaining: 760, resets_at: "2026-02-01T08:00:00.000Z" },
  marketing_stopped_until: null,
};

export const PhoneNumber = Type.Object(
  {
    id: idSchema("num"),
    provider_phone_number_id: Type.String({ description: "The phone number's id at the provider." }),
    business_account_id: idSchema("acc"),
    phone: Type.String({ description: "The phone number in E.164 format, with `+`.", examples: ["+15559990000"] }),
    verified_name: nullable(Type.String(), "The name that recipients see."),
    quality: Type.String({ description: "The provider's quality rating: green, yellow, red or unknown." }),
    status: Type.String({
      description:
        "The provider's status in lower case. A `connected` phone number can send; one that is `flagged`, `restricted` or `rate_limited` as far as the provider lets it, and none that is `pending`, `unverified`, `disconnected`, `banned`, `migrated` or `deleted`.",
    }),
    throughput_per_second: Type.Integer({
      description: "The number of messages per second that the provider accepts.",
    }),
    is_default: Type.Boolean({
      description:
        "Whether this phone number sends messages that have no `from` and belong to no earlier conversation.",
    }),
    description: nullable(Type.String(), "Your own note."),
    messaging_limit: MessagingLimit,
    service_allowance: ServiceAllowance,
    marketing_stopped_until: nullable(
      timestampOutput(),
      "When one marketing message is tried again, after the provider refused marketing of this phone number as spam; until one is accepted, marketing templates wait. Null if nothing is held back.",
    ),
  },
  { $id: "PhoneNumber", examples: [NUMBER_EXAMPLE] },
);
export type PhoneNumber = Static<typeof PhoneNumber>;

export const ACCOUNT_EXAMPLE = {
  id: "acc_01jd0000000000000000000000",
  provider_account_id: "9001",
  name: "Demo Shop",
  status: "connected",
  status_reason: null,
  phone_numbers: [NUMBER_EXAMPLE],
  portfolio_id: "7001",
  time_zone: "America/Los_Angeles",
  messaging_account_id: null,
  waac_id: null,
  created_at: "2026-01-31T09:00:00.000Z",
};

export const BusinessAccount = Type.Object(
  {
    id: idSchema("acc"),
    provider_account_id: Type.String(),
    name: Type.String(),
    status: Type.Union([
      Type.Literal("connecting"),
      Type.Literal("connected"),
      Type.Literal("restricted"),
      Type.Literal("disconnected"),
    ]),
    status_reason: nullable(Type.String(), "Why the account is not connected, or why a new token was refused."),
    phone_numbers: Type.Array(PhoneNumber),
    portfolio_id: nullable(Type.String(), "The id of the business portfolio at the provider."),
    time_zone: nullable(
      Type.String(),
      "The IANA name of the time zone that the provider bills the account in. Null while it is not known, or when the provider's is not known here; UTC is assumed then.",
    ),
    messaging_account_id: nullable(
      Type.String(),
      "The id of the Messaging account that sends name, where the provider has several for one of the phone numbers. Null: none is named.",
    ),
    waac_id: nullable(Type.String(), "The id of the WhatsApp account, once the provider has named it in a callback."),
    created_at: timestampOutput(),
  },
  {
    $id: "BusinessAccount",
    examples: [ACCOUNT_EXAMPLE],
  },
);
export type BusinessAccount = Static<typeof BusinessAccount>;

/** Real tokens have some 200 characters. */
const LONGEST_TOKEN = 2_048;

/** A header carries it: visible ASCII and nothing else. Settings in files come with quotes, which are no part of it. */
const BARE_TOKEN = explained("^[!#-&(-_a-~]+$", {
  detail:
    "must be the bare token: without `Bearer`, quotes, spaces and line ends, which settings in a file or a copied header may have added",
});

export const PROVIDER_ID = explained("^[0-9]{1,32}$", { detail: "must be the digits of the provider's id" });

export const NewBusinessAccount = Type.Object(
  {
    provider_account_id: Type.String({
      pattern: PROVIDER_ID,
      description: "The id of the WhatsApp Business Account.",
    }),
    access_token: Type.String({
      pattern: BARE_TOKEN,
      minLength: 1,
      maxLength: LONGEST_TOKEN,
      description:
        "A provider token with permission to manage the account and to send its messages. Stored encrypted and never returned.",
    }),
  },
  // The account of the simulator that `npm start` runs.
  { $id: "NewBusinessAccount", examples: [{ provider_account_id: "9001", access_token: "EAASIMDEMO" }] },
);
export type NewBusinessAccount = Static<typeof NewBusinessAccount>;

export const BusinessAccountChange = Type.Object(
  {
    messaging_account_id: Type.Optional(
      nullable(
        Type.String({ pattern: PROVIDER_ID }),
        "The id of the Messaging account that is named in every send of the account's phone numbers; null names none.",
      ),
    ),
  },
  { $id: "BusinessAccountChange", examples: [{ messaging_account_id: "9001" }] },
);
export type BusinessAccountChange = Static<typeof BusinessAccountChange>;

const LONGEST_DESCRIPTION = 256;

export const PhoneNumberChange = Type.Object(
  {
    is_default: Type.Optional(
      Type.Boolean({
        description:
          "Whether this phone number becomes the default. A workspace has one default phone number; it sends messages that have no `from` and belong to no earlier conversation.",
      }),
    ),
    description: Type.Optional(nullable(lineInput(LONGEST_DESCRIPTION), "Your own note; null clears it.")),
  },
  { $id: "PhoneNumberChange", examples: [{ description: "Front desk" }] },
);
export type PhoneNumberChange = Static<typeof PhoneNumberChange>;

export const BusinessAccountList = listOf(BusinessAccount);
export const PhoneNumberList = listOf(PhoneNumber);
export const ListQuery = Type.Object(listQuery);
