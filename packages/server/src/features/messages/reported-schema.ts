import { Type } from "typebox";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { ANYTHING, provided } from "./provided.ts";
import { REPORTED_TYPES } from "./types/reported.ts";

/** What only messages have that the provider reported: those that people wrote, and those of the WhatsApp Business app. */
export const reportedFields = {
  ...Object.fromEntries(
    [...REPORTED_TYPES].map(([name, { shown }]) => [name, Type.Optional(provided(shown, ANYTHING))]),
  ),
  context: Type.Optional(
    provided(
      "Of a message that the provider reported: what it is about, as the provider gave it: the provider's `id` of a quoted message, also one that is not known here, whether it was `forwarded`, and the `referred_product`. Absent in the answer to a send, as the next two.",
      ["object", "null"],
    ),
  ),
  referral: Type.Optional(
    provided("The ad or post that led the person to write, as the provider gave it.", ["object", "null"]),
  ),
  occurred_at: Type.Optional(
    nullable(
      timestampOutput(),
      "The provider's time of a message that it reported: of an inbound one, and of one with an `origin`. Null for others.",
    ),
  ),
  errors: Type.Optional(
    provided("What the provider could not pass on of the message, as it gave it. Present where it gave any.", ANYTHING),
  ),
  group_id: Type.Optional(
    Type.String({
      description:
        "The provider's id of the group that the message was written in. Present for these; they open no window and are in no conversation.",
    }),
  ),
  provider_fields: Type.Optional(
    provided(
      "What else the provider said of the message, and of its person under `contact`, by the provider's names. Present where there is any.",
    ),
  ),
  handled_by: Type.Optional(
    Type.Enum(["self", "other"], {
      description:
        "`other`: another responder of the number owned the conversation when the person wrote, or it wrote the message itself. Absent in the answer to a send.",
    }),
  ),
  origin: Type.Optional(
    Type.Union([Type.Literal("business_app"), Type.Literal("history")], {
      description:
        "`business_app`: the business wrote it in the WhatsApp Business app. `history`: it was exchanged there, by either side, before the number was connected; it stands in lists at its own time, which `created_at` is too, its `sequence` is that of when it was taken, and no event announced it.",
    }),
  ),
};
