import type { MessageErrorCode } from "../../../provider/provider.ts";
import type { IntentAnswer } from "./dispatch.store.ts";

/** Why a message fails without an attempt. */
export const UNSENT: Record<
  Exclude<
    IntentAnswer["outcome"],
    "go" | "settled" | "joined" | "needs_media" | "uncounted" | "erased" | "unwritten" | "no"
  >,
  [MessageErrorCode, string]
> = {
  window_closed: ["window_closed", "The 24-hour window closed before it could be sent."],
  not_owned: ["thread_not_owned", "Another responder owned the conversation when it was to be sent."],
  opted_out: ["recipient_opted_out", "The person opted out before it could be sent."],
  unreachable: ["recipient_unreachable", "The number is not this person's any more, and no other is known."],
  no_media: ["media_failed", "A media that it names was deleted before it could be sent. Upload the file again."],
  no_target: [
    "provider_rejected",
    "The message that it reacts to has not reached the provider: react once it is accepted.",
  ],
};
