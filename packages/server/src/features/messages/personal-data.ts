import type { Forgetting } from "../../forgetting.ts";
import { PERSONAL_HOLDS } from "./column-lists.ts";
import { redactSome } from "./redaction.ts";

/** Rows of messages stay for usage and bills; what was in them goes, in pieces. */
export const forgets: Forgetting = {
  tables: {
    message: {
      holds: PERSONAL_HOLDS,
      erasure:
        "not returned or sent from the erasure on; rewritten within seconds, of very many messages within minutes",
    },
    message_state: {
      holds: "the provider's id of a message, which holds the person's number; the provider's error",
      erasure: "not returned; stays with the message, so that late reports find it",
      stays: ["provider_id"],
    },
    provider_message: {
      holds: "the same ids",
      erasure: "stays with the message: a callback that the provider repeats is known again by it",
      stays: ["provider_id"],
    },
    history: {
      holds: "the provider's errors, and its ids of conversations",
      erasure: "not returned; stays with the message",
      stays: ["text"],
    },
    attempt: {
      holds: "the provider's ids and errors",
      erasure: "not returned; stays with the message",
      stays: ["provider_id"],
    },
    parked_status: {
      holds: "the provider's ids of messages that are not known yet, its errors, and its ids of conversations",
      erasure: "stays for 7 days; not returned after the erasure",
      stays: ["provider_id", "text"],
    },
    parked_payment: {
      holds: "the provider's ids of messages that are not known yet, and what the business calls a payment for them",
      erasure: "stays for 7 days; not returned after the erasure",
      stays: ["provider_id", "text"],
    },
  },
  without: ["dispatch", "held"],
  inPieces: redactSome,
};
