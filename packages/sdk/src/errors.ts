import type { Problem } from "./api.gen.ts";

/** Codes of the closed list; a newer gateway may have more, so other texts are possible. */
export type ErrorCode = Problem["code"] | (string & {});
/** One fault of a request: JSON pointer into the body, or `?name` of the query. */
export type FieldError = { pointer: string; code: string; detail: string };

/** Every error that a call of this SDK throws, except the reason of your own AbortSignal. */
export class WaypostError extends Error {
  override readonly name: string = "WaypostError";
  /** Identifies the request in the gateway's log; null without an answer. */
  readonly requestId: string | null;
  /** Requests made for the call, including this one; 0 if none was. */
  readonly attempts: number;

  constructor(message: string, about: { requestId: string | null; attempts: number; cause?: unknown }) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.requestId = about.requestId;
    this.attempts = about.attempts;
  }
}

/** The call itself cannot be sent, such as a body that is no JSON: no request was made. */
export class InvalidCallError extends WaypostError {
  override readonly name = "InvalidCallError";

  constructor(message: string, cause?: unknown) {
    super(message, { requestId: null, attempts: 0, cause });
  }
}

/** There was no answer: whether a change was made is unknown. A repeat with the same idempotency key is safe. */
export class ConnectionError extends WaypostError {
  override readonly name: string = "ConnectionError";
}

/** No complete answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

/** The answer is not Waypost's: a proxy's page, or an incomplete body. */
export class MalformedAnswerError extends WaypostError {
  override readonly name = "MalformedAnswerError";
  readonly status: number;

  constructor(message: string, status: number, about: { requestId: string | null; attempts: number; cause?: unknown }) {
    super(message, about);
    this.status = status;
  }
}

/** The parts of an `ApiError`. */
export type Refusal = {
  problem: Problem;
  retryAfterSeconds: number | null;
  requestId: string | null;
  attempts: number;
};

/** The gateway refused: an `application/problem+json` answer with its `code`. */
export class ApiError extends WaypostError {
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly title: string;
  /** The same request may succeed later without a change. */
  readonly retryable: boolean;
  readonly errors: readonly FieldError[];
  /** The resource that the refusal is about, if any. */
  readonly resourceId: string | null;
  /** The provider's error, if the provider was called. */
  readonly provider: Readonly<Record<string, unknown>> | null;
  readonly retryAfterSeconds: number | null;

  constructor({ problem, retryAfterSeconds, requestId, attempts }: Refusal) {
    super(problem.detail, { requestId: requestId ?? problem.request_id, attempts });
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.retryable = problem.retryable;
    this.errors = problem.errors ?? [];
    this.resourceId = problem.resource_id ?? null;
    this.provider = problem.provider ?? null;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 400, 405, 413, 415: the request does not fit its description. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}
/** 401: the key is missing, wrong, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}
/** 403: the key lacks a scope, or its workspace is suspended. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}
/** 404. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}
/** 409 and 412: the resource is in another state, or has changed. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}
/** 422: understood and not possible; `code` says why, such as `window_closed`. */
export class UnprocessableError extends ApiError {
  override readonly name = "UnprocessableError";
}
/** 429: too many requests; `retryAfterSeconds` says when to repeat. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}
/** 5xx: the gateway or the provider behind it failed. */
export class GatewayError extends ApiError {
  override readonly name = "GatewayError";
}

/** The class for a refusal's status. */
export function apiError(refusal: Refusal): ApiError {
  const { status } = refusal.problem;
  if (status >= 500) return new GatewayError(refusal);
  switch (status) {
    case 401:
      return new AuthenticationError(refusal);
    case 403:
      return new PermissionError(refusal);
    case 404:
      return new NotFoundError(refusal);
    case 409:
    case 412:
      return new ConflictError(refusal);
    case 422:
      return new UnprocessableError(refusal);
    case 429:
      return new RateLimitError(refusal);
    default:
      return new InvalidRequestError(refusal);
  }
}
