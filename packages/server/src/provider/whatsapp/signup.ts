import type { CallResult, ProviderError } from "../provider.ts";
import type { ExchangedToken, InspectedToken, NumberRegistration, SignupCalls } from "../signup-calls.ts";
import { graphError, plainError } from "./errors.ts";
import { type Graph, unreadable } from "./graph.ts";
import { asId, asInteger, asRecord, asText } from "./json.ts";

/** Our app at the provider; null where it is not configured. `dialog`: where its login dialog is. */
export type PlatformApp = { id: string | null; secret: string | null; dialog: string };

/** Without both a token can neither manage an account nor send its messages (Cloud API documentation, embedded signup). */
const SCOPES = ["whatsapp_business_management", "whatsapp_business_messaging"] as const;

const REGISTRATION_FIELDS = "id,display_phone_number,status,code_verification_status,platform_type,throughput";
const PAGE_SIZE = "50";

/** Code of Graph for a wrong `client_secret`; elsewhere it may also be a failure that passes. */
const WRONG_SECRET = 1;

/**
 * Token exchange, token inspection and registration (Cloud API documentation, embedded signup). The first two carry the app's secret
 * and the customer's code or token in path or header; none of them reaches an error's text.
 */
export function signupCalls(graph: Graph, app: PlatformApp): SignupCalls {
  return {
    signupDialog({ configId, redirectUri }) {
      if (app.id === null) return null;
      const query = { client_id: app.id, config_id: configId, response_type: "code", redirect_uri: redirectUri };
      // Else a dialog with a configuration returns a token, behind the address's fragment.
      return `${app.dialog}?${new URLSearchParams({ ...query, override_default_response_type: "true" }).toString()}`;
    },
    async exchangeCode({ code, redirectUri, signal }) {
      const { id, secret } = app;
      if (id === null || secret === null) return NO_APP;
      const query = {
        client_id: id,
        client_secret: secret,
        code,
        ...(redirectUri === null ? {} : { redirect_uri: redirectUri }),
      };
      const hidden = [secret, code];
      const answer = await graph.callAs("oauth/access_token", query, { bearer: null, hidden, signal });
      if (!answer.ok) return { ok: false, error: ofExchange(answer.error) };
      return readExchanged(answer.value) ?? unreadable("token");
    },
    async inspectToken({ accessToken }) {
      const { id, secret } = app;
      if (id === null || secret === null) return NO_APP;
      const hidden = [secret, accessToken];
      const query = { input_token: accessToken };
      const answer = await graph.callAs("debug_token", query, { bearer: `${id}|${secret}`, hidden });
      if (!answer.ok) return answer;
      return readInspected(answer.value, id, hidden) ?? unreadable("token inspection");
    },
    async listRegistrations({ accessToken, providerAccountId }) {
      const query = { fields: REGISTRATION_FIELDS, limit: PAGE_SIZE };
      const answer = await graph.list(`${encodeURIComponent(providerAccountId)}/phone_numbers`, query, accessToken);
      if (!answer.ok) return answer;
      const numbers = answer.value.map(readRegistration);
      const known = numbers.filter((number) => number !== null);
      return known.length === numbers.length ? { ok: true, value: known } : unreadable("phone number");
    },
    async registerNumber({ providerPhoneNumberId, pin, ...access }) {
      const path = `${encodeURIComponent(providerPhoneNumberId)}/register`;
      const body = JSON.stringify({ messaging_product: "whatsapp", pin });
      const answer = await graph.callWith(path, { ...access, body, hidden: [pin] });
      if (!answer.ok) return answer;
      return asRecord(answer.value)?.["success"] === true ? { ok: true, value: null } : unreadable("registration");
    },
  };
}

const NO_APP = {
  ok: false,
  error: {
    ...plainError("permanent", "provider_error", { detail: "PROVIDER_APP_ID or PROVIDER_APP_SECRET is not set" }),
    bytesSent: false,
  },
} as const;

/** Repeating a wrong secret would only spend the seconds that the code lives. */
function ofExchange(error: ProviderError): ProviderError {
  const isFinal = error.provider?.code === WRONG_SECRET && (error.httpStatus ?? 500) < 500;
  return isFinal ? { ...error, class: "permanent", code: "provider_rejected" } : error;
}

function readExchanged(value: unknown): CallResult<ExchangedToken> | null {
  const answer = asRecord(value);
  const accessToken = asText(answer?.["access_token"]);
  if (accessToken === null) return null;
  return { ok: true, value: { accessToken, expiresInSeconds: secondsOf(answer?.["expires_in"]) } };
}

/** Some 6,000 years: a later time has no form in RFC 3339. */
const MOST_SECONDS = 200_000_000_000;

/** A time or a duration; null for one that never comes, which the provider writes as 0. */
function secondsOf(value: unknown): number | null {
  const seconds = asInteger(value);
  return seconds !== null && seconds > 0 && seconds <= MOST_SECONDS ? seconds : null;
}

function readInspected(value: unknown, appId: string, hidden: readonly string[]): CallResult<InspectedToken> | null {
  const data = asRecord(asRecord(value)?.["data"]);
  if (data === null || typeof data["is_valid"] !== "boolean") return null;
  if (!data["is_valid"]) return { ok: false, error: whyInvalid(data["error"], hidden) };
  const scopes = Array.isArray(data["scopes"]) ? data["scopes"] : [];
  const ends = [data["expires_at"], data["data_access_expires_at"]].flatMap((time) => secondsOf(time) ?? []);
  return {
    ok: true,
    value: {
      isOurs: asId(data["app_id"]) === appId,
      missingScopes: SCOPES.filter((scope) => !scopes.includes(scope)),
      accountIds: commonTargets(data["granular_scopes"]),
      expiresAt: ends.length === 0 ? null : Math.min(...ends) * 1_000,
    },
  };
}

function whyInvalid(value: unknown, hidden: readonly string[]): ProviderError {
  const error = asRecord(value);
  // Here the subcode has another name than in an error body.
  const read = error && graphError({ error: { ...error, error_subcode: error["subcode"] } }, 200, hidden);
  const plain = plainError("token", "account_disconnected", { httpStatus: 200, detail: "the token is not valid" });
  return { ...(read ?? plain), class: "token", code: "account_disconnected" };
}

/** The targets that every needed permission names. One without `target_ids` holds for all; null: each of them does. */
function commonTargets(value: unknown): string[] | null {
  const entries = (Array.isArray(value) ? value : []).map(asRecord);
  let common: string[] | null = null;
  for (const scope of SCOPES) {
    const targets = entries.find((entry) => entry?.["scope"] === scope)?.["target_ids"];
    if (!Array.isArray(targets)) continue;
    const ids = targets.map(asId).filter((id) => id !== null);
    common = common === null ? ids : common.filter((id) => ids.includes(id));
  }
  return common;
}

function readRegistration(value: unknown): NumberRegistration | null {
  const number = asRecord(value);
  const providerPhoneNumberId = asId(number?.["id"]);
  const digits = asText(number?.["display_phone_number"])?.replace(/\D/g, "") ?? "";
  if (number === null || providerPhoneNumberId === null || digits === "") return null;
  const level = asText(asRecord(number["throughput"])?.["level"]);
  return {
    providerPhoneNumberId,
    phone: `+${digits}`,
    status: asText(number["status"])?.toLowerCase() ?? "unknown",
    verified: asText(number["code_verification_status"])?.toUpperCase() !== "NOT_VERIFIED",
    // One that was never registered has no level either, and no platform.
    withApp: level === "NOT_APPLICABLE" && asText(number["platform_type"]) === "CLOUD_API",
  };
}
