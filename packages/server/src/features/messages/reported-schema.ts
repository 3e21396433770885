import { Type } from "typebox";
import { ANYTHING, provided } from "./provided.ts";
import { REPORTED_TYPES } from "./types/reported.ts";

/** The content of messages that cannot be sent, by their types. */
export const reportedContents = Object.fromEntries(
  [...REPORTED_TYPES].map(([name, { shown }]) => [name, Type.Optional(provided(shown, ANYTHING))]),
);

/** What the provider said of a message beside its content, as it said it; only what there was of it. */
export type Provided = {
  context?: unknown;
  referral?: unknown;
  errors?: unknown;
  group_id?: string;
  /** By the provider's names, what no other field has. */
  fields?: Record<string, unknown>;
  /** Of a message that was not exchanged from here: where the business wrote it, or that it is of before the number was connected. */
  origin?: "business_app" | "history";
  /** Another responder of the number owned the conversation, or wrote the message. */
  handled_by?: "other";
};

/** What is left of it once the person was erased: where a message comes from says nothing of them. */
export function withoutContent(provided: Provided | null): Provided | null {
  const { origin, handled_by } = provided ?? {};
  if (origin === undefined && handled_by === undefined) return null;
  return { ...(origin === undefined ? {} : { origin }), ...(handled_by === undefined ? {} : { handled_by }) };
}

/** The fields that show it. */
export const providedFields = {
  context: provided(
    "Of a message that the provider reported: what it is about, as the provider gave it: the provider's `id` of a quoted message, also one that is not known here, whether it was `forwarded`, and the `referred_product`. Absent in the answer to a send.",
    ["object", "null"],
  ),
  referral: provided(
    "The ad or post that led the person to write, as the provider gave it. Absent in the answer to a send.",
    ["object", "null"],
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
  handled_by: Type.Enum(["self", "other"], {
    description:
      "`other`: another responder of the number owned the conversation when the person wrote, or it wrote the message itself. Absent in the answer to a send.",
  }),
  origin: Type.Optional(
    Type.Union([Type.Literal("business_app"), Type.Literal("history")], {
      description:
        "`business_app`: the business wrote it in the WhatsApp Business app. `history`: it was exchanged there, by either side, before the number was connected; it stands in lists at its own time, which `created_at` is too, its `sequence` is that of when it was taken, and no event announced it.",
    }),
  ),
};
