import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { ProblemBody } from "../../http/problem-body.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { MessagingLimit } from "../limits/limit-schema.ts";
import { VALIDATION_EXAMPLE } from "./examples.ts";

export const Validation = Type.Object(
  {
    sendable: Type.Boolean({ description: "Whether the message would be accepted now." }),
    problems: Type.Array(ProblemBody, { description: "Everything that it would be refused with." }),
    window: nullable(
      Type.Object({
        phone_number_id: idSchema("num"),
        open: Type.Boolean(),
        expires_at: nullable(timestampOutput(), "Null if the person has never written to the number."),
      }),
      "The 24-hour window between the sender and the person; null if one of them is not known.",
    ),
    template: nullable(
      Type.Object({
        id: idSchema("tpl"),
        status: Type.String(),
        category: Type.String(),
      }),
      "The template that the message names, or falls back to; null without one.",
    ),
    limits: Type.Object({
      messaging: nullable(
        MessagingLimit,
        "The messaging limit of the sender's business portfolio; null if there is no sender.",
      ),
      queue: nullable(
        Type.Object({
          waiting: nullable(Type.Integer(), "Messages that wait for the number now; null while that is not known."),
          limit: Type.Integer({ description: "With so many waiting, messages are refused with `queue_full`." }),
          estimated_dispatch_at: nullable(timestampOutput(), "When a message that is accepted now would be sent."),
        }),
        "The queue of the sender; null if there is none.",
      ),
    }),
  },
  { $id: "MessageValidation", examples: [VALIDATION_EXAMPLE] },
);
export type Validation = Static<typeof Validation>;
