/**
 * `providerAccountId`: whose quota of management calls it is. `background`: no person waits for the answer, so the call is left out
 * (`ProviderError.retryAfterMs`) while little of the quota is left. `signal` ends the waiting: whether the provider has done what was asked
 * is not known then.
 */
export type Access = {
  accessToken: string;
  providerAccountId?: string;
  background?: boolean;
  signal?: AbortSignal | undefined;
};
export type AccountAccess = Access & { providerAccountId: string };

export type CallResult<T> = { ok: true; value: T } | { ok: false; error: ProviderError };

/**
 * How the caller must react; `error-table.ts` says what follows from each.
 * token: the token is dead · locked: the account may not send · access: token or account may lack access, ask the provider ·
 * asset: a problem of account or number that waiting does not solve · throttle_number: slow the whole number · throttle_pair: this
 * recipient only · spam: stop the number's marketing · throttle_long: wait long · transient: try again with backoff · media: try once
 * more · permanent: never repeat this request · recipient: never send to this person · later: not before a day · window: needs a template.
 */
export type ErrorClass =
  | "token"
  | "locked"
  | "access"
  | "asset"
  | "throttle_number"
  | "throttle_pair"
  | "spam"
  | "throttle_long"
  | "unreachable"
  | "transient"
  | "media"
  | "permanent"
  | "recipient"
  | "later"
  | "window";

/** An error reported by the provider or the network. Its texts may be returned to the workspace; they contain no secret. */
export type ProviderError = {
  class: ErrorClass;
  /** A code of the closed list of `message.error` (docs/errors.md). */
  code: MessageErrorCode;
  /** False when provably nothing reached the provider (DNS, refused, TLS, aborted before the write). */
  bytesSent: boolean;
  /** The provider's error body, when it answered with one. */
  provider: {
    code: number;
    subcode: number | null;
    title: string;
    details: string | null;
    traceId: string | null;
    /** The page about the error that the provider named; absent where it named none. */
    href?: string;
  } | null;
  httpStatus: number | null;
  /** The provider's own sentence; else a description of the network error, or of how the answer was understood. */
  detail: string;
  /** What to do, where that is more exact than the remedy of the code. */
  remedy?: string;
  /** False where nothing says that the same would succeed later, whatever the code is. */
  mayPass?: false;
  /** No more management calls of the account are possible now: when one is worth trying again. Only of such calls. */
  retryAfterMs?: number;
};

export type MessageErrorCode =
  | "recipient_unreachable"
  | "recipient_opted_out"
  | "recipient_not_allowed"
  | "window_closed"
  | "template_rejected"
  | "template_paused"
  | "template_changed"
  | "media_failed"
  | "marketing_capped"
  | "spam_limited"
  | "messaging_limit_reached"
  | "account_restricted"
  | "account_disconnected"
  | "sender_not_registered"
  | "payment_required"
  | "rate_limited"
  | "expired"
  | "thread_not_owned"
  | "marketing_route_required"
  | "direct_send_unavailable"
  | "provider_rejected"
  | "provider_error";
