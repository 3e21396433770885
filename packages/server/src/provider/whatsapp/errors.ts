import { ruleOf } from "../error-table.ts";
import type { ErrorClass, MessageErrorCode, ProviderError } from "../provider.ts";
import { asInteger, asRecord, asText, wellFormed } from "./json.ts";

/** With HTTP 500 and above these only report a failure: the message may have been sent. */
const AMBIGUOUS_CODES: ReadonlySet<number> = new Set([1, 2, 131000]);

/** Characters kept of each text of the provider: enough for its longest known sentence, and small for a row. */
const MAX_TEXT_CHARS = 1_000;

/**
 * Reads the Graph error body of an answer, or null when there is none (it is recognized by `code`).
 * `secrets` are removed from the texts, because the provider quotes malformed tokens.
 */
export function graphError(
  body: unknown,
  httpStatus: number,
  secrets: string | readonly string[],
): ProviderError | null {
  const error = asRecord(asRecord(body)?.["error"]);
  return error === null ? null : providerError(error, httpStatus, [secrets].flat());
}

/** The reason of a `failed` status; one without a readable code is still a failure. */
export function statusError(errors: unknown): ProviderError {
  const first = Array.isArray(errors) ? asRecord(errors[0]) : null;
  const known = first === null ? null : providerError(first, null, []);
  return known ?? plainError("permanent", "provider_error", { detail: "failed without a reason" });
}

/** True when the error leaves open whether the message was sent, though it is a Graph body. */
export function isAmbiguous(error: ProviderError): boolean {
  const code = error.provider?.code;
  return code !== undefined && AMBIGUOUS_CODES.has(code) && (error.httpStatus ?? 0) >= 500;
}

/** The error for an answer without a Graph body, by its HTTP status; null when the status proves nothing (5xx, redirects, 408). */
export function statusRefusal(httpStatus: number): ProviderError | null {
  if (httpStatus < 400 || httpStatus >= 500 || httpStatus === 408) return null;
  const detail = `HTTP ${httpStatus} without an error body`;
  if (httpStatus === 429) return plainError("throttle_number", "rate_limited", { httpStatus, detail });
  if (httpStatus === 401 || httpStatus === 403) {
    return plainError("access", "account_disconnected", { httpStatus, detail });
  }
  return plainError("permanent", "provider_rejected", { httpStatus, detail });
}

/** The error for a network failure, or for an answer without a result. */
export function networkError(bytesSent: boolean, httpStatus: number | null, detail: string): ProviderError {
  const class_ = bytesSent ? "transient" : "unreachable";
  return { ...plainError(class_, "provider_error", { httpStatus, detail }), bytesSent };
}

/** An error that the adapter itself found; `bytesSent` is true. */
export function plainError(
  class_: ErrorClass,
  code: MessageErrorCode,
  about: { httpStatus?: number | null; detail: string },
): ProviderError {
  return {
    class: class_,
    code,
    bytesSent: true,
    provider: null,
    httpStatus: about.httpStatus ?? null,
    detail: about.detail,
  };
}

function providerError(
  error: Record<string, unknown>,
  httpStatus: number | null,
  secrets: readonly string[],
): ProviderError | null {
  const code = asInteger(error["code"]);
  if (code === null) return null;
  const clean = (value: unknown): string | null => cleanText(value, secrets);
  const rule = ruleOf(code, { httpStatus, isTransient: error["is_transient"] === true });
  const title = clean(error["error_user_title"]) ?? clean(error["title"]) ?? clean(error["message"]) ?? `code ${code}`;
  const details = clean(asRecord(error["error_data"])?.["details"]) ?? clean(error["error_data"]);
  return {
    ...rule,
    bytesSent: true,
    provider: {
      code,
      subcode: asInteger(error["error_subcode"]),
      title: title.replace(/^\(#\d+\)\s*/, ""),
      details: details ?? clean(error["error_user_msg"]),
      traceId: clean(error["fbtrace_id"]),
    },
    httpStatus,
    detail: `provider code ${code}`,
  };
}

/** A text of the provider without tokens and of limited length. */
function cleanText(value: unknown, secrets: readonly string[]): string | null {
  let text = asText(value);
  if (text === null) return null;
  for (const secret of secrets) if (secret !== "") text = text.replaceAll(secret, "[token]");
  return wellFormed(text.replace(/\bEAA[0-9A-Za-z]{8,}/g, "[token]").slice(0, MAX_TEXT_CHARS));
}
