import { phoneOfProvider } from "../../lib/phone/phone.ts";
import { isParentUserId, isUserId } from "../../lib/user-ids.ts";
import { isUnknownObject } from "../error-table.ts";
import type { ProviderError, SendOutcome } from "../provider.ts";
import { graphError, isAmbiguous, networkError, statusRefusal } from "./errors.ts";
import type { HttpResult } from "./http.ts";
import { asId, asRecord, asText, parseProviderJson } from "./json.ts";

/** What an answer, or its absence, proves about a send. In doubt it is `lost`, never `definite_no`. */
export function sendOutcome(result: HttpResult, accessToken: string, type: string): SendOutcome {
  if (result.kind === "broken") {
    const error = networkError(result.bytesSent, null, result.detail);
    return result.bytesSent ? { kind: "lost", error } : { kind: "definite_no", error };
  }
  const { status } = result;
  const body = bodyOf(result.body);
  const refusal = graphError(body, status, accessToken);
  if (refusal !== null) return { kind: isAmbiguous(refusal) ? "lost" : "definite_no", error: ofSend(refusal, type) };
  if (status >= 200 && status < 300) return accepted(body) ?? lost(status, `HTTP ${status} without a message id`);
  const refused = statusRefusal(status);
  return refused === null
    ? lost(status, `HTTP ${status} without an error body`)
    : { kind: "definite_no", error: refused };
}

/** The provider's code for a parameter that is missing. */
const PARAMETER_MISSING = 131008;

/** What a refusal means of a send, where that is more than its code says. */
function ofSend(refusal: ProviderError, type: string): ProviderError {
  // The path names the number: it is gone, or the token no longer reaches it. The next messages would be refused too.
  if (isUnknownObject(refusal) && refusal.code !== "rate_limited") return { ...refusal, class: "access" };
  // No parameter of the definition was missing when the message was accepted, so the template takes more by now: a button, an offer.
  if (type === "template" && refusal.provider?.code === PARAMETER_MISSING)
    return { ...refusal, code: "template_changed" };
  return refusal;
}

/** The JSON of an answer; undefined when it is none (an edge answers HTML). */
export function bodyOf(bytes: Buffer): unknown {
  const parsed = parseProviderJson(bytes.toString("utf8"));
  return parsed.ok ? parsed.value : undefined;
}

function accepted(body: unknown): SendOutcome | null {
  const answer = asRecord(body);
  const message = firstOf(answer?.["messages"]);
  const providerMessageId = asId(message?.["id"]);
  if (providerMessageId === null) return null;
  const contact = firstOf(answer?.["contacts"]);
  const userId = asText(contact?.["user_id"]);
  const status = asText(message?.["message_status"]);
  return {
    kind: "accepted",
    providerMessageId,
    waId: phoneOfProvider(asText(contact?.["wa_id"])),
    userId: isUserId(userId) && !isParentUserId(userId) ? userId : null,
    parentUserId: isUserId(userId) && isParentUserId(userId) ? userId : null,
    held: status !== null && status !== "accepted",
  };
}

function firstOf(list: unknown): Record<string, unknown> | null {
  return Array.isArray(list) ? asRecord(list[0]) : null;
}

function lost(httpStatus: number, detail: string): SendOutcome {
  return { kind: "lost", error: networkError(true, httpStatus, detail) };
}
