import type { MessageErrorCode } from "./provider.ts";

/** The texts about a failed message: docs/errors.md and `message.error` are generated from them. */
type MessageErrorEntry = {
  title: string;
  /** True when sending the same message again later can succeed without any change. */
  retryable: boolean;
  who: keyof typeof WHO_ACTS;
  remedy: string;
};

/** Who must act before the same message can succeed. */
export const WHO_ACTS = {
  none: "nothing to do: it passes",
  sender: "the sender of the message",
  business: "the business, at the provider",
} as const;

/** The closed catalogue of `message.error.code`. */
export const MESSAGE_ERRORS: Record<MessageErrorCode, MessageErrorEntry> = {
  recipient_unreachable: {
    title: "The person cannot be reached",
    retryable: false,
    who: "sender",
    remedy: "The number is not on WhatsApp, has not accepted its terms or uses an old client. Use another channel.",
  },
  recipient_opted_out: {
    title: "The person stopped marketing messages",
    retryable: false,
    who: "sender",
    remedy: "Send no marketing until the person opts in again. Utility and authentication templates still arrive.",
  },
  recipient_not_allowed: {
    title: "This person may not be messaged by this sender",
    retryable: false,
    who: "sender",
    remedy: "Read provider.details: blocked person, country rule, test number's allow list or changed identity.",
  },
  window_closed: {
    title: "The 24-hour window is closed",
    retryable: false,
    who: "sender",
    remedy: "Send an approved template, or give the message a fallback template.",
  },
  template_rejected: {
    title: "The template may not be sent",
    retryable: false,
    who: "business",
    remedy:
      "The provider disabled it or objects to its content. Edit it and have it approved again, or use another one.",
  },
  template_paused: {
    title: "The template is paused for low quality",
    retryable: true,
    who: "business",
    remedy: "Wait until the template is approved again (3 or 6 hours), or improve its content and audience.",
  },
  template_changed: {
    title: "The template was changed at the provider after the message was accepted",
    retryable: false,
    who: "sender",
    remedy:
      "Waypost fetches the template again: read its definition with GET /v1/templates, correct the parameters and send again.",
  },
  media_failed: {
    title: "The media could not be fetched or has the wrong kind",
    retryable: false,
    who: "sender",
    remedy: "Check that the link answers with the right content type within the size limit, or upload the file first.",
  },
  marketing_capped: {
    title: "The provider held back marketing for this person",
    retryable: true,
    who: "none",
    remedy:
      "Wait at least 24 hours and longer each time. Sending again sooner is itself blocked, and counts against the whole account.",
  },
  spam_limited: {
    title: "The phone number is limited for spam",
    retryable: true,
    who: "business",
    remedy: "Too many people blocked or reported it. Stop campaigns, review consent and content, and wait.",
  },
  messaging_limit_reached: {
    title: "The messaging limit is used up",
    retryable: true,
    who: "business",
    remedy: "Wait for the 24-hour limit to free up, or raise the limit by verifying the business and keeping quality.",
  },
  account_restricted: {
    title: "The account is restricted",
    retryable: false,
    who: "business",
    remedy: "Open the account in WhatsApp Manager, resolve the restriction or missing permission, then send again.",
  },
  account_disconnected: {
    title: "The account is not connected any more",
    retryable: false,
    who: "business",
    remedy: "Connect the account again: its token is dead or our access was removed.",
  },
  sender_not_registered: {
    title: "The phone number cannot send",
    retryable: false,
    who: "business",
    remedy: "The number is deleted, not verified or not registered. Register it or send from another one.",
  },
  payment_required: {
    title: "The account has a payment problem",
    retryable: false,
    who: "business",
    remedy:
      "Add or repair the payment method of the account, top up prepaid funds, and accept its payment terms. Without one only the first 1,000 service messages of a phone number in a calendar month are delivered.",
  },
  rate_limited: {
    title: "Too many messages in a short time",
    retryable: true,
    who: "none",
    remedy: "Send more slowly. Waypost paces by itself; this means that others use the same number or person too.",
  },
  expired: {
    title: "The message expired before it was sent",
    retryable: true,
    who: "sender",
    remedy: "Send again with a later expires_at.",
  },
  thread_not_owned: {
    title: "Another responder owns the conversation",
    retryable: false,
    who: "sender",
    remedy:
      "Send it with `take: true`, which takes the conversation over where the provider lets this app, or wait until it is released.",
  },
  marketing_route_required: {
    title: "The provider takes this marketing template by another route only",
    retryable: false,
    who: "business",
    remedy:
      "Send a template without a maximum price, or have marketing templates allowed for the account on the Cloud API: this one is taken by the Marketing Messages API only.",
  },
  direct_send_unavailable: {
    title: "Direct sending is not available to the account",
    retryable: false,
    who: "business",
    remedy: "Send an approved template, or have direct sending allowed again at the provider.",
  },
  provider_rejected: {
    title: "The provider refused the message",
    retryable: false,
    who: "sender",
    remedy: "Read provider.details, correct the content and send again.",
  },
  provider_error: {
    title: "The provider failed",
    retryable: true,
    who: "none",
    remedy: "Nothing to correct: send again later.",
  },
};

/** Of a failure that the provider reported without a code: with `retryable` false, because nothing says that it passes. */
export const REMEDY_WITHOUT_REASON =
  "The provider gave no code for the failure: read `detail`. Nothing says that the same message would arrive.";
/** Instead of an error's own remedy, with `retryable` false, while the status is `unknown`. */
export const REMEDY_UNKNOWN =
  "Do not send it again: the provider may have the message. Its next status settles it, for up to 7 days.";
/** The same for an error of a message that went out after all. */
export const REMEDY_ARRIVED = "Do not send it again: the provider has the message. `status` says how far it came.";
/** The same for a refusal after which the message is tried again. */
export const REMEDY_WAITING = "Do not send it again: it waits here and is tried again until it expires or is canceled.";
