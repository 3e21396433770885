import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/schema-types.ts";
import { DAY } from "../../http/timestamps.ts";

const day = (description: string) => Type.String({ pattern: DAY, examples: ["2026-01-31"], description });

const UsageEntry = Type.Object(
  {
    day: day("In UTC: the day on which the message was accepted or arrived."),
    direction: Type.Enum(["outbound", "inbound"]),
    status: Type.String({
      description: "The status that the messages have now; `queued` also stands for those that are being sent.",
    }),
    category: nullable(
      Type.String(),
      "The category that the provider charges by, once it has reported one, with underscores (`authentication_international`); else that of the template, null for other types.",
    ),
    phone_number_id: idSchema("num"),
    count: Type.Integer({ description: "The number of messages." }),
    billable: Type.Integer({
      description:
        "How many of them the provider reports as charged: those whose price has the type `regular`, but for the exempt ones of eligible organisations; without a type, those that it calls `billable`. Only what is delivered is charged.",
    }),
    cost: nullable(
      Type.Object({ amount: Type.String(), currency: Type.String() }),
      "Null as long as no price list is set.",
    ),
  },
  { $id: "UsageEntry" },
);

export const Usage = Type.Object(
  { data: Type.Array(UsageEntry) },
  {
    $id: "Usage",
    examples: [
      {
        data: [
          {
            day: "2026-01-31",
            direction: "outbound",
            status: "delivered",
            category: "utility",
            phone_number_id: "num_01jd0000000000000000000000",
            count: 1200,
            billable: 1180,
            cost: null,
          },
        ],
      },
    ],
  },
);
export type Usage = Static<typeof Usage>;

export const UsageQuery = Type.Object({
  day_after: Type.Optional(day("Only days after this one; the last 31 days without it.")),
  day_before: Type.Optional(day("Only days before this one.")),
  phone_number_id: Type.Optional(Type.String({ maxLength: 40, description: "The id of one of your phone numbers." })),
});
export type UsageQuery = Static<typeof UsageQuery>;
