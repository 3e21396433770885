import type { ProblemCode } from "./problem.ts";

/** What a caller does about each code of `PROBLEMS`; docs/errors.md is made of both. A code without one does not compile. */
export const REMEDIES: Record<ProblemCode, string> = {
  invalid_json: "Send a whole JSON value in UTF-8.",
  invalid_request:
    "`errors[]` names each place (JSON pointer into the body, or `?name` of the query). Unknown fields and query parameters count too.",
  unauthorized: "Send `Authorization: Bearer <API key>` with a key that is neither revoked nor past its end.",
  forbidden: "Use a key with the scope that the reference names for the call, or have the workspace made active again.",
  not_found: "Check the path and the id. What belongs to another workspace looks the same as what does not exist.",
  method_not_allowed: "The `Allow` header lists the methods of this path.",
  conflict: "Read the resource again and decide anew.",
  contact_exists: "Use the contact that `resource_id` names, or send `?on_conflict=update`.",
  idempotency_in_progress: "Send the same request with the same key again after `Retry-After`.",
  idempotency_key_expired: "`resource_id` names what the first request made: read it. Use a new key for new work.",
  precondition_failed: "Read the resource again, apply your change to it and send its new `ETag` as `If-Match`.",
  payload_too_large: "Send less at once, or use the call made for large input (`/batch`, imports, media).",
  unsupported_media_type: "Send JSON as `Content-Type: application/json`, not compressed.",
  idempotency_key_reused: "One key belongs to one request: repeat exactly the first one, or take a new key.",
  invalid_phone_number: "Send E.164 with `+`, country code and all digits.",
  reference_not_found: "`errors[]` names the field whose id leads nowhere in this workspace.",
  template_not_found: "Check name and language code with `GET /v1/templates`, for the sender that is used.",
  template_not_approved: "Wait for the approval, or use another template.",
  template_parameters_mismatch: "Compare `components` with the template's own: number, names and kinds of parameters.",
  window_closed: "The person has not written within 24 hours: send an approved template.",
  recipient_opted_out: "Send no marketing to this person until an opt-in. Other categories still go out.",
  sender_unavailable:
    "Connect a business account with `POST /v1/business-accounts`, or name another `from`: the number must be connected and its account not restricted.",
  media_not_found: "Upload the file again, or send it by `link`.",
  provider_rejected: "Read `provider`: it holds the provider's own words.",
  provider_unavailable: "Try again later; nothing was changed.",
  rate_limited: "Wait for `Retry-After`; `RateLimit` tells beforehand what is left.",
  messaging_limit_reached:
    "Wait for `Retry-After`, send with `send_at`, or raise the portfolio's limit at the provider.",
  queue_full: "Wait until the number has sent some of what is queued for it, or spread over more numbers.",
  internal: "Report it with `request_id`, which finds the request in the gateway's log.",
  unavailable: "Send the same request again, with the same idempotency key, after `Retry-After`.",
};
