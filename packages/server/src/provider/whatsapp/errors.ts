import { ruleOf } from "../error-table.ts";
import { REMEDY_WITHOUT_REASON } from "../message-errors.ts";
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

/**
 * The reason of a `failed` status: the first of its errors that has a code. One without a code is still a failure, and promises
 * nothing.
 */
export function statusError(errors: unknown): ProviderError {
  const given = (Array.isArray(errors) ? errors : [errors]).map(asRecord).filter((error) => error !== null);
  const coded = given.find((error) => codeOf(error) !== null);
  const known = coded === undefined ? null : providerError(coded, null, []);
  if (known !== null) return known;
  const [said] = given.flatMap((error) => sentencesOf(error, []));
  const detail = said ?? "The provider reported the failure without a reason.";
  return { ...plainError("permanent", "provider_error", { detail }), remedy: REMEDY_WITHOUT_REASON, mayPass: false };
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
  const code = codeOf(error);
  if (code === null) return null;
  const rule = ruleOf(code, { httpStatus, isTransient: error["is_transient"] === true });
  const href = cleanText(error["href"], secrets);
  return {
    ...rule,
    bytesSent: true,
    provider: {
      code,
      subcode: asInteger(error["error_subcode"]),
      title: titleOf(error, secrets) ?? `code ${code}`,
      details: detailsOf(error, secrets),
      traceId: cleanText(error["fbtrace_id"], secrets),
      ...(href === null ? {} : { href }),
    },
    httpStatus,
    detail: sentencesOf(error, secrets)[0] ?? `provider code ${code}`,
  };
}

/** The code, also where it is written as text. */
const codeOf = ({ code }: Record<string, unknown>): number | null =>
  asInteger(typeof code === "string" ? code.trim() : code);

/** What the provider says for people, the most exact first. */
const sentencesOf = (error: Record<string, unknown>, secrets: readonly string[]): string[] =>
  [detailsOf(error, secrets), titleOf(error, secrets)].filter((text) => text !== null);

function detailsOf(error: Record<string, unknown>, secrets: readonly string[]): string | null {
  const { error_data: data, error_user_msg: forUser } = error;
  return cleanText(asRecord(data)?.["details"], secrets) ?? cleanText(data, secrets) ?? cleanText(forUser, secrets);
}

function titleOf(error: Record<string, unknown>, secrets: readonly string[]): string | null {
  const texts = [error["error_user_title"], error["title"], error["message"]].map((text) => cleanText(text, secrets));
  const title = texts.find((text) => text !== null)?.replace(/^\(#\d+\)\s*/, "");
  return asText(title);
}

/** A text of the provider without tokens and of limited length. */
function cleanText(value: unknown, secrets: readonly string[]): string | null {
  let text = asText(value);
  if (text === null) return null;
  for (const secret of secrets) if (secret !== "") text = text.replaceAll(secret, "[token]");
  return wellFormed(text.replace(/\bEAA[0-9A-Za-z]{8,}/g, "[token]").slice(0, MAX_TEXT_CHARS));
}
