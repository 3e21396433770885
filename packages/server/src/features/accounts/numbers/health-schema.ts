import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { nullable } from "../../../http/schema-types.ts";
import { timestampOutput } from "../../../http/timestamps.ts";

/** In the order in which they depend on each other: what is wrong first is mostly why the others are. */
export const CHECKS = [
  "token",
  "access",
  "subscribed",
  "callback_seen",
  "registered",
  "quality",
  "throughput",
  "limit",
] as const;
export type CheckName = (typeof CHECKS)[number];

const CHECKED_AT = "2026-01-31T09:00:00.000Z";
const good = (name: CheckName, detail: string) => ({ name, ok: true, detail, remedy: null, checked_at: CHECKED_AT });

const Check = Type.Object({
  name: Type.Enum([...CHECKS], {
    description:
      "`token`: the provider lets the account's token in. `access`: the account may send. `subscribed`: the gateway's app gets its callbacks. `callback_seen`: callbacks of this number arrive. `registered`: the number can send. `quality`: people do not block or report it. `throughput`: the messages a second that the provider allows. `limit`: there is room in the messaging limit.",
  }),
  ok: nullable(Type.Boolean(), "Null: it is not known."),
  detail: Type.String({ description: "What was found." }),
  remedy: nullable(Type.String(), "What to do; null where there is nothing to do."),
  checked_at: timestampOutput(),
});
export type Check = Static<typeof Check>;

export const PhoneNumberHealth = Type.Object(
  {
    phone_number_id: idSchema("num"),
    checks: Type.Array(Check, {
      description: "Always all of them, in this order: the first that is not `ok` is mostly why others are not.",
    }),
  },
  {
    $id: "PhoneNumberHealth",
    examples: [
      {
        phone_number_id: "num_01jd0000000000000000000000",
        checks: [
          good("token", "The provider lets the account's token in."),
          good("access", "The account may send."),
          good("subscribed", "The gateway's app gets the callbacks of the account."),
          good("callback_seen", "The last callback of this number came at 2026-01-31T08:59:02.000Z."),
          good("registered", "The number is connected."),
          good("quality", "The provider rates it green."),
          good("throughput", "80 messages a second."),
          good("limit", "Room for 988 of 1000 people in 24 hours."),
        ],
      },
    ],
  },
);
export type PhoneNumberHealth = Static<typeof PhoneNumberHealth>;
