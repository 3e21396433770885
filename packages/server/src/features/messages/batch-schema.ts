import { type Static, Type } from "typebox";
import { ProblemBody } from "../../http/problem-body.ts";
import { explained } from "../../http/schema-types.ts";
import { BATCH_ANSWER_EXAMPLE, BATCH_EXAMPLE } from "./examples.ts";
import { anyType, Message, type SendMessage, sendingOf } from "./schema.ts";
import { MESSAGE_TYPES } from "./types.ts";

/** Messages in a batch. */
export const MOST_MESSAGES = 1_000;

const key = {
  idempotency_key: Type.Optional(
    Type.String({
      pattern: explained("^[!-~]{1,255}$", { detail: "must be 1 to 255 visible ASCII characters" }),
      description:
        "A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list.",
    }),
  ),
};

/** As `SendMessage`, with a key of its own. */
const BatchedMessage = anyType<SendMessage & { idempotency_key?: string }>(
  "BatchedMessage",
  MESSAGE_TYPES.map((type) => sendingOf(type, "Batched", key)),
);
export type BatchedMessage = Static<typeof BatchedMessage>;

export const SendBatch = Type.Object(
  {
    messages: Type.Array(BatchedMessage, {
      minItems: 1,
      maxItems: MOST_MESSAGES,
      description: "Messages of the same person are sent in their order.",
    }),
  },
  { examples: [BATCH_EXAMPLE] },
);
export type SendBatch = Static<typeof SendBatch>;

export const BatchResult = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        index: Type.Integer({ description: "The place of the message in the request, from 0." }),
        message: Type.Optional(Message),
        error: Type.Optional(ProblemBody),
      }),
      { description: "One entry for each message, in the order of the request: what was accepted, or why not." },
    ),
  },
  { $id: "SendBatchResult", examples: [BATCH_ANSWER_EXAMPLE] },
);
export type BatchResult = Static<typeof BatchResult>;
