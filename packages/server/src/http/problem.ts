import type { ProviderError } from "../provider/provider.ts";
import type { GraphError } from "./graph/graph-error.ts";

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
    remedy: "Send one complete JSON value in UTF-8.",
  },
  invalid_request: {
    status: 400,
    retryable: false,
    title: "The request is not valid",
    remedy:
      "`errors[]` names each place (JSON pointer into the body, or `?name` for the query). Unknown fields and query parameters are errors too. With status 408 the body came too slowly, with 431 the headers are too large.",
  },
  unauthorized: {
    status: 401,
    retryable: false,
    title: "The API key is missing or not valid",
    remedy: "Send `Authorization: Bearer <API key>` with a key that is neither revoked nor expired.",
  },
  forbidden: {
    status: 403,
    retryable: false,
    title: "The API key lacks a scope",
    remedy:
      "Use a key with the scope that the API reference names for the call. If the workspace is suspended, ask its operator to reactivate it.",
  },
  not_found: {
    status: 404,
    retryable: false,
    title: "The resource does not exist",
    remedy: "Check the path and the id. A resource of another workspace is reported as nonexistent.",
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    title: "The path does not support this method",
    remedy: "Use one of the methods in the `Allow` header.",
  },
  conflict: {
    status: 409,
    retryable: false,
    title: "The resource is in a state that does not allow this",
    remedy: "Read the resource again and decide from its current state.",
  },
  contact_exists: {
    status: 409,
    retryable: false,
    title: "A contact with this phone number exists",
    remedy: "Use the contact in `resource_id`, or send `?on_conflict=update`.",
  },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    title: "The first request with this idempotency key is still running",
    remedy: "Repeat the request with the same key after `Retry-After`.",
  },
  idempotency_key_expired: {
    status: 409,
    retryable: false,
    title: "The idempotency key was used and its response is no longer stored",
    remedy: "Read the resource in `resource_id`, which the first request created. Use a new key for a new request.",
  },
  precondition_failed: {
    status: 412,
    retryable: false,
    title: "The resource has changed",
    remedy: "Read the resource again, reapply your change and send the new `ETag` as `If-Match`.",
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    title: "The body is too large",
    remedy: "Send less at once, or use the endpoint for large input (`/batch`, imports, media).",
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    title: "The content type is not supported",
    remedy:
      "Send uncompressed JSON with `Content-Type: application/json`, or one of the types that the API reference names for the call; for streamed rows an `Accept` that it names.",
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    title: "The idempotency key was used for a different request",
    remedy: "A key belongs to one request: repeat that request unchanged, or use a new key.",
  },
  invalid_phone_number: {
    status: 422,
    retryable: false,
    title: "The phone number is not valid",
    remedy: "Send the number in E.164 format: `+`, country code and all digits.",
  },
  reference_not_found: {
    status: 422,
    retryable: false,
    title: "A referenced resource does not exist",
    remedy: "`errors[]` names the field whose id does not exist in this workspace.",
  },
  template_not_found: {
    status: 422,
    retryable: false,
    title: "The sender has no such template",
    remedy: "Check the template's name and language code with `GET /v1/templates`, for the account of the sender.",
  },
  template_not_approved: {
    status: 422,
    retryable: false,
    title: "The template is not approved",
    remedy: "Wait for the provider to approve it, or use another template.",
  },
  template_parameters_mismatch: {
    status: 422,
    retryable: false,
    title: "The parameters do not match the template",
    remedy:
      "`errors[]` names each slot of the template that is missing, given too often, empty, too long or of another kind, and what it takes.",
  },
  window_closed: {
    status: 422,
    retryable: false,
    title: "The 24-hour window is closed",
    remedy:
      "The recipient has not written in the last 24 hours: send an approved template, or give one as `fallback` of the message.",
  },
  thread_not_owned: {
    status: 422,
    retryable: false,
    title: "Another responder owns the conversation",
    remedy:
      "Another program that the business uses, or the provider's own agent, answers this person now. Wait until the conversation is released, send with `take: true`, which takes it over, or send a template.",
  },
  recipient_opted_out: {
    status: 422,
    retryable: false,
    title: "The recipient has opted out",
    remedy:
      "Send no marketing messages to this recipient until they opt in. Messages of other categories are still sent.",
  },
  sender_unavailable: {
    status: 422,
    retryable: false,
    title: "No phone number is available to send from",
    remedy:
      "Connect a business account with `POST /v1/business-accounts`, or send another `from`: the number must be connected and its account must not be restricted.",
  },
  media_not_found: {
    status: 422,
    retryable: false,
    title: "The media does not exist",
    remedy: "Upload the file again, or send it by `link`.",
  },
  endpoint_unverified: {
    status: 422,
    retryable: false,
    title: "The URL did not answer the verification request",
    remedy:
      "Let the URL answer a GET with the right `hub.verify_token` with status 200 and the value of `hub.challenge` as its body, within 5 seconds.",
  },
  provider_rejected: {
    status: 422,
    retryable: false,
    title: "The provider refused the request",
    remedy: "Read `provider`, which holds the provider's own error.",
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
    remedy: "Wait for `Retry-After`. The `RateLimit` header shows in advance how many requests are left.",
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
    title: "Too many messages are queued for this number",
    remedy:
      "An hour's work of the number waits already. Repeat the request after `Retry-After`, schedule it with `send_at`, or send from more numbers.",
  },
  internal: {
    status: 500,
    retryable: false,
    title: "Internal error",
    remedy: "Report it to the operator with `request_id`, which identifies the request in the gateway's log.",
  },
  unavailable: {
    status: 503,
    retryable: true,
    title: "Temporarily unavailable; nothing was done",
    remedy: "Repeat the request, with the same idempotency key, after `Retry-After`.",
  },
} as const satisfies Record<string, Entry>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of a request: where (JSON pointer into the body, or `?name` for the query) and what. */
export type FieldError = { pointer: string; code: string; detail: string };

export type ProblemExtras = {
  errors?: FieldError[];
  provider?: ProviderError["provider"];
  retryAfterSeconds?: number;
  /** Public id of the resource that the error is about, such as the existing contact or the message that may have been created. */
  resourceId?: string;
  cause?: unknown;
  /** How the provider's API would say it, where that is finer than our code (`http/graph/errors.ts`). */
  graph?: GraphError;
  /** In place of the code's own status, where HTTP has one for it that the catalogue has not: a slow body, a header too large. */
  status?: 408 | 431;
};

/** An error that the caller may see: thrown by verbs, any other error is turned into one by `http/request/errors.ts`; written in the format of the request's surface. */
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
    return this.extras.status ?? PROBLEMS[this.code].status;
  }
}

/** 400 `invalid_request` at one place of the body. */
export const invalidAt = (pointer: string, detail: string, code = "invalid"): Problem =>
  new Problem("invalid_request", detail, { errors: [{ pointer, code, detail }] });

/** Any other code at one place of the body. */
export const problemAt = (code: ProblemCode, pointer: string, detail: string): Problem =>
  new Problem(code, detail, { errors: [{ pointer, code, detail }] });

/** 422 for an id in the body, whether it is unknown or of another workspace. */
export const referenceNotFound = (pointer: string, detail = "There is no such resource."): Problem =>
  problemAt("reference_not_found", pointer, detail);

/** 404 for an id in a path, whether it is unknown or of another workspace. */
export const notFound = (): Problem => new Problem("not_found", "There is nothing at this path for this key.");

/** One step of a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;

/** The result of a step; null where it refuses, which is noted: for a check that goes on to find all that speaks against something. */
export async function unlessRefused<Result>(
  problems: Problem[],
  step: () => Result | Promise<Result>,
): Promise<Result | null> {
  try {
    return await step();
  } catch (refusal) {
    if (!(refusal instanceof Problem)) throw refusal;
    problems.push(refusal);
    return null;
  }
}

/** 403 for every call of a suspended workspace. */
export const suspended = (): Problem =>
  new Problem("forbidden", "This workspace is suspended.", { graph: { status: 403, code: 368 } });
