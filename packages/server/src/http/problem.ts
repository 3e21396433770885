import type { ProviderError } from "../provider/provider.ts";

type Entry = {
  status: number;
  /** The same request may succeed later without a change. */
  retryable: boolean;
  title: string;
  /** What a caller does about it, for docs/errors.md. */
  remedy: string;
};

/** The closed catalogue of API errors. `npm run generate` writes it to docs/errors.md and into the OpenAPI document. */
export const PROBLEMS = {
  invalid_json: {
    status: 400,
    retryable: false,
    title: "The body is not valid JSON",
    remedy: "Send a whole JSON value in UTF-8.",
  },
  invalid_request: {
    status: 400,
    retryable: false,
    title: "The request does not fit its description",
    remedy:
      "`errors[]` names each place (JSON pointer into the body, or `?name` of the query). Unknown fields and query parameters count too.",
  },
  unauthorized: {
    status: 401,
    retryable: false,
    title: "The API key is missing or not valid",
    remedy: "Send `Authorization: Bearer <API key>` with a key that is neither revoked nor past its end.",
  },
  forbidden: {
    status: 403,
    retryable: false,
    title: "The API key lacks a scope",
    remedy: "Use a key with the scope that the reference names for the call, or have the workspace made active again.",
  },
  not_found: {
    status: 404,
    retryable: false,
    title: "There is nothing here",
    remedy: "Check the path and the id. What belongs to another workspace looks the same as what does not exist.",
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    title: "The path does not take this method",
    remedy: "The `Allow` header lists the methods of this path.",
  },
  conflict: {
    status: 409,
    retryable: false,
    title: "The resource is not in a state for this",
    remedy: "Read the resource again and decide anew.",
  },
  contact_exists: {
    status: 409,
    retryable: false,
    title: "A contact with this phone exists",
    remedy: "Use the contact that `resource_id` names, or send `?on_conflict=update`.",
  },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    title: "The first request with this key is still running",
    remedy: "Send the same request with the same key again after `Retry-After`.",
  },
  idempotency_key_expired: {
    status: 409,
    retryable: false,
    title: "The key was used and its answer is no longer kept",
    remedy: "`resource_id` names what the first request made: read it. Use a new key for new work.",
  },
  precondition_failed: {
    status: 412,
    retryable: false,
    title: "The resource has changed",
    remedy: "Read the resource again, apply your change to it and send its new `ETag` as `If-Match`.",
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    title: "The body is too large",
    remedy: "Send less at once, or use the call made for large input (`/batch`, imports, media).",
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    title: "The content type is not supported",
    remedy: "Send JSON as `Content-Type: application/json`, not compressed.",
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    title: "The key was used for another request",
    remedy: "One key belongs to one request: repeat exactly the first one, or take a new key.",
  },
  invalid_phone_number: {
    status: 422,
    retryable: false,
    title: "The phone number is not possible",
    remedy: "Send E.164 with `+`, country code and all digits.",
  },
  reference_not_found: {
    status: 422,
    retryable: false,
    title: "A referenced resource does not exist",
    remedy: "`errors[]` names the field whose id leads nowhere in this workspace.",
  },
  template_not_found: {
    status: 422,
    retryable: false,
    title: "The sender has no such template",
    remedy: "Check name and language code with `GET /v1/templates`, for the sender that is used.",
  },
  template_not_approved: {
    status: 422,
    retryable: false,
    title: "The template is not approved",
    remedy: "Wait for the approval, or use another template.",
  },
  template_parameters_mismatch: {
    status: 422,
    retryable: false,
    title: "The parameters do not fit the template",
    remedy: "Compare `components` with the template's own: number, names and kinds of parameters.",
  },
  window_closed: {
    status: 422,
    retryable: false,
    title: "The 24-hour window is closed",
    remedy: "The person has not written within 24 hours: send an approved template.",
  },
  recipient_opted_out: {
    status: 422,
    retryable: false,
    title: "The recipient has opted out",
    remedy: "Send no marketing to this person until an opt-in. Other categories still go out.",
  },
  sender_unavailable: {
    status: 422,
    retryable: false,
    title: "There is no usable phone number to send from",
    remedy:
      "Connect a business account with `POST /v1/business-accounts`, or name another `from`: the number must be connected and its account not restricted.",
  },
  media_not_found: {
    status: 422,
    retryable: false,
    title: "The media does not exist",
    remedy: "Upload the file again, or send it by `link`.",
  },
  provider_rejected: {
    status: 422,
    retryable: false,
    title: "The provider refused the request",
    remedy: "Read `provider`: it holds the provider's own words.",
  },
  provider_unavailable: {
    status: 502,
    retryable: true,
    title: "The provider could not be reached",
    remedy: "Try again later; nothing was changed.",
  },
  rate_limited: {
    status: 429,
    retryable: true,
    title: "Too many requests",
    remedy: "Wait for `Retry-After`; `RateLimit` tells beforehand what is left.",
  },
  messaging_limit_reached: {
    status: 429,
    retryable: true,
    title: "The portfolio's messaging limit is reached",
    remedy: "Wait for `Retry-After`, send with `send_at`, or raise the portfolio's limit at the provider.",
  },
  queue_full: {
    status: 429,
    retryable: true,
    title: "Too many messages wait for this number",
    remedy: "Wait until the number has sent some of what is queued for it, or spread over more numbers.",
  },
  internal: {
    status: 500,
    retryable: false,
    title: "Something failed here",
    remedy: "Report it with `request_id`, which finds the request in the gateway's log.",
  },
  unavailable: {
    status: 503,
    retryable: true,
    title: "Not possible right now; nothing was done",
    remedy: "Send the same request again, with the same idempotency key, after `Retry-After`.",
  },
} as const satisfies Record<string, Entry>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of a request: where (JSON pointer into the body, or `?name` for the query) and what. */
export type FieldError = { pointer: string; code: string; detail: string };

export type ProblemExtras = {
  errors?: FieldError[];
  provider?: ProviderError["provider"];
  retryAfterSeconds?: number;
  /** Public ids that help the caller, such as the existing contact or the message whose fate is not known. */
  resourceId?: string;
  cause?: unknown;
};

/** A refusal that the caller may see: thrown by verbs, turned into problem+json by `http/request/errors.ts` alone. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  /** `detail` is public text: no secret, no message body, nothing of another workspace. */
  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** 400 `invalid_request` at one place of the body. */
export const invalidAt = (pointer: string, detail: string, code = "invalid"): Problem =>
  new Problem("invalid_request", detail, { errors: [{ pointer, code, detail }] });

/** 404 for an id of a path, foreign or unknown alike. */
export const notFound = (): Problem => new Problem("not_found", "There is nothing at this path for this key.");

/** One step of a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
