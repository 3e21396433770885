import { Problem, type ProblemExtras } from "../../../http/problem.ts";
import type { MessageErrorCode } from "../../../provider/provider.ts";
import type { MessageError } from "../../messages/message-error.ts";

/** 200 of a send. `input`: the recipient as the request has it. It is the same for each repetition with one key. */
export function acceptedAnswer(
  { to, isTemplate }: { to: string | null; isTemplate: boolean },
  publicId: string,
  input: string,
): object {
  // A person without a visible number is called by the user id of the request.
  const person = to === null ? { user_id: input } : { wa_id: to.replace(/^\+/, "") };
  return {
    messaging_product: "whatsapp",
    contacts: [{ input, ...person }],
    messages: [{ id: publicId, ...(isTemplate ? { message_status: "accepted" } : {}) }],
  };
}

/** What the provider says of what we refuse ourselves once a message is committed: its own number for it. */
const GRAPH_CODES: Partial<Record<MessageErrorCode, number>> = {
  recipient_unreachable: 131026,
  recipient_opted_out: 131050,
  recipient_not_allowed: 131030,
  window_closed: 131047,
  template_rejected: 132015,
  template_paused: 132015,
  template_changed: 132000,
  media_failed: 131052,
  marketing_capped: 131049,
  spam_limited: 131048,
  messaging_limit_reached: 130429,
  account_restricted: 131031,
  account_disconnected: 190,
  sender_not_registered: 133010,
  payment_required: 131042,
  rate_limited: 130429,
  thread_not_owned: 131005,
};
/** Any other. */
const OTHER_CODE = 131000;

/** The refusal of a message that has failed while it was waited for: the provider's own words where it said any. */
export function refusalOf(error: MessageError | null): Problem {
  if (error === null) return new Problem("provider_rejected", "The message was canceled.", graph());
  const { code, title, detail, provider } = error;
  if (provider === undefined) return new Problem("provider_rejected", `${title}: ${detail}`, graph(GRAPH_CODES[code]));
  const { trace_id: traceId, subcode, details } = provider;
  return new Problem("provider_rejected", details ?? detail, {
    provider: { code: provider.code, subcode, title: provider.title, details, traceId },
  });
}

const graph = (code: number = OTHER_CODE): ProblemExtras => ({ graph: { status: 400, code } });
