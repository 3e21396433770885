import type { ProviderError } from "../provider/provider.ts";

type Entry = { status: number; title: string; retryable: boolean };

/** The closed catalogue of API errors. `retryable`: the same request may succeed later without a change. */
export const PROBLEMS = {
  invalid_json: { status: 400, title: "The body is not valid JSON", retryable: false },
  invalid_request: { status: 400, title: "The request does not fit its description", retryable: false },
  unauthorized: { status: 401, title: "The API key is missing or not valid", retryable: false },
  forbidden: { status: 403, title: "The API key lacks a scope", retryable: false },
  not_found: { status: 404, title: "There is nothing here", retryable: false },
  method_not_allowed: { status: 405, title: "The path does not take this method", retryable: false },
  conflict: { status: 409, title: "The resource is not in a state for this", retryable: false },
  contact_exists: { status: 409, title: "A contact with this phone exists", retryable: false },
  idempotency_in_progress: { status: 409, title: "The first request with this key is still running", retryable: true },
  idempotency_key_expired: {
    status: 409,
    title: "The key was used and its answer is no longer kept",
    retryable: false,
  },
  precondition_failed: { status: 412, title: "The resource has changed", retryable: false },
  payload_too_large: { status: 413, title: "The body is too large", retryable: false },
  unsupported_media_type: { status: 415, title: "The content type is not supported", retryable: false },
  idempotency_key_reused: { status: 422, title: "The key was used for another request", retryable: false },
  invalid_phone_number: { status: 422, title: "The phone number is not possible", retryable: false },
  reference_not_found: { status: 422, title: "A referenced resource does not exist", retryable: false },
  template_not_found: { status: 422, title: "The sender has no such template", retryable: false },
  template_not_approved: { status: 422, title: "The template is not approved", retryable: false },
  template_parameters_mismatch: { status: 422, title: "The parameters do not fit the template", retryable: false },
  window_closed: { status: 422, title: "The 24-hour window is closed", retryable: false },
  recipient_opted_out: { status: 422, title: "The recipient has opted out", retryable: false },
  sender_unavailable: { status: 422, title: "There is no usable phone number to send from", retryable: false },
  media_not_found: { status: 422, title: "The media does not exist", retryable: false },
  provider_rejected: { status: 422, title: "The provider refused the request", retryable: false },
  provider_unavailable: { status: 502, title: "The provider could not be reached", retryable: true },
  rate_limited: { status: 429, title: "Too many requests", retryable: true },
  messaging_limit_reached: { status: 429, title: "The portfolio's messaging limit is reached", retryable: true },
  queue_full: { status: 429, title: "Too many messages wait for this number", retryable: true },
  internal: { status: 500, title: "Something failed here", retryable: false },
  unavailable: { status: 503, title: "Not possible right now; nothing was done", retryable: true },
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
