import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/nullable.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { lineInput } from "../../http/texts.ts";
import { timestampOutput } from "../../http/timestamps.ts";

const NUMBER_EXAMPLE = {
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
};

export const PhoneNumber = Type.Object(
  {
    id: idSchema("num"),
    provider_phone_number_id: Type.String({ description: "The provider's own id" }),
    business_account_id: idSchema("acc"),
    phone: Type.String({ description: "E.164 with +", examples: ["+15559990000"] }),
    verified_name: nullable(Type.String(), "The name that people see"),
    quality: Type.String({ description: "green, yellow, red or unknown" }),
    status: Type.String({ description: "The provider's word in lower case; only `connected` numbers send" }),
    throughput_per_second: Type.Integer({ description: "Messages that the provider takes a second" }),
    is_default: Type.Boolean({ description: "Sends what names no `from` and continues no conversation" }),
    description: nullable(Type.String(), "Your own note"),
    messaging_limit: Type.Object(
      {
        limit: nullable(Type.Integer()),
        used: nullable(Type.Integer()),
        remaining: nullable(Type.Integer()),
        resets_at: nullable(timestampOutput()),
      },
      { description: "Of the business portfolio; null where it is not known" },
    ),
  },
  { $id: "PhoneNumber", examples: [NUMBER_EXAMPLE] },
);
export type PhoneNumber = Static<typeof PhoneNumber>;

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
    status_reason: nullable(Type.String(), "Why it is not connected, or why a new token was refused"),
    phone_numbers: Type.Array(PhoneNumber),
    portfolio_id: nullable(Type.String(), "The provider's business portfolio"),
    created_at: timestampOutput(),
  },
  {
    $id: "BusinessAccount",
    examples: [
      {
        id: "acc_01jd0000000000000000000000",
        provider_account_id: "9001",
        name: "Demo Shop",
        status: "connected",
        status_reason: null,
        phone_numbers: [NUMBER_EXAMPLE],
        portfolio_id: "7001",
        created_at: "2026-01-31T09:00:00.000Z",
      },
    ],
  },
);
export type BusinessAccount = Static<typeof BusinessAccount>;

/** Real tokens have some 200 characters. */
const LONGEST_TOKEN = 2_048;

export const NewBusinessAccount = Type.Object(
  {
    provider_account_id: Type.String({ pattern: "^[0-9]{1,32}$", description: "The WhatsApp Business Account's id" }),
    // A header carries it: visible ASCII and nothing else.
    access_token: Type.String({
      pattern: "^[!-~]+$",
      minLength: 1,
      maxLength: LONGEST_TOKEN,
      description: "A token of the provider that may manage and message for the account; kept encrypted, never shown",
    }),
  },
  // The account of the simulator that `npm start` runs.
  { examples: [{ provider_account_id: "9001", access_token: "EAASIMDEMO" }] },
);
export type NewBusinessAccount = Static<typeof NewBusinessAccount>;

const LONGEST_DESCRIPTION = 256;

export const PhoneNumberChange = Type.Object(
  {
    is_default: Type.Optional(
      Type.Boolean({ description: "True: this number sends what names no `from`, and no other does" }),
    ),
    description: Type.Optional(nullable(lineInput(LONGEST_DESCRIPTION), "Your own note; null clears it")),
  },
  { examples: [{ description: "Front desk" }] },
);
export type PhoneNumberChange = Static<typeof PhoneNumberChange>;

export const BusinessAccountList = listOf(BusinessAccount);
export const PhoneNumberList = listOf(PhoneNumber);
export const ListQuery = Type.Object(listQuery);
export type ListQuery = Static<typeof ListQuery>;
