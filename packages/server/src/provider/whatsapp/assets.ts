import {
  type ProviderAccount,
  type ProviderPhoneNumber,
  type ProviderTemplate,
  TEMPLATE_STATUSES,
  type TemplateStatus,
} from "../provider.ts";
import { asId, asRecord, asText } from "./json.ts";
import { timeZoneOfId } from "./time-zones.ts";

/** Fields asked for; each is documented (Cloud API documentation, embedded signup; templates: read; message state), because an unknown one fails the whole call. */
export const PHONE_NUMBER_FIELDS =
  "id,display_phone_number,verified_name,quality_rating,status,throughput,whatsapp_business_manager_messaging_limit";
export const TEMPLATE_FIELDS =
  "id,name,language,status,category,parameter_format,components,quality_score,rejected_reason";
export const ACCOUNT_FIELDS = "id,name,timezone_id,health_status";

/**
 * Messages per second by throughput level (Cloud API documentation, limits: throughput). A number that is used in the WhatsApp
 * Business app too has no level of its own and may send 20. Only STANDARD is verified there.
 */
const THROUGHPUT: ReadonlyMap<string, number> = new Map([
  ["STANDARD", 80],
  ["HIGH", 1_000],
  ["NOT_APPLICABLE", 20],
]);

/** One number of the list, or null when id or number is missing. */
export function parsePhoneNumber(value: unknown): ProviderPhoneNumber | null {
  const number = asRecord(value);
  const providerPhoneNumberId = asId(number?.["id"]);
  const digits = asText(number?.["display_phone_number"])?.replace(/\D/g, "") ?? "";
  if (number === null || providerPhoneNumberId === null || digits === "") return null;
  const level = asText(asRecord(number["throughput"])?.["level"]);
  return {
    providerPhoneNumberId,
    phone: `+${digits}`,
    verifiedName: asText(number["verified_name"]),
    quality: qualityOf(number["quality_rating"]),
    status: lowerCase(number["status"], "unknown"),
    throughputPerSecond: THROUGHPUT.get(level ?? "") ?? null,
    messagingLimit: messagingLimitOf(number["whatsapp_business_manager_messaging_limit"]),
  };
}

/** `TIER_250`, `TIER_2K`, `TIER_UNLIMITED`; `TIER_NOT_SET` of a number that was not used so far says nothing (Cloud API documentation, messaging limits). */
function messagingLimitOf(value: unknown): number | "unlimited" | null {
  const tier = asText(value);
  if (tier === "TIER_UNLIMITED") return "unlimited";
  const [, count, thousands] = /^TIER_(\d{1,6})(K?)$/.exec(tier ?? "") ?? [];
  return count === undefined ? null : Number(count) * (thousands === "K" ? 1_000 : 1);
}

/** One template, or null when what identifies it is missing. */
export function parseTemplate(value: unknown): ProviderTemplate | null {
  const template = asRecord(value);
  const providerTemplateId = asId(template?.["id"]);
  const name = asText(template?.["name"]);
  const language = asText(template?.["language"]);
  if (template === null || providerTemplateId === null || name === null || language === null) return null;
  const rejected = asText(template["rejected_reason"]);
  return {
    providerTemplateId,
    name,
    language: language.replaceAll("-", "_"),
    category: lowerCase(template["category"], "unknown"),
    status: statusOf(template["status"]),
    quality: qualityOf(asRecord(template["quality_score"])?.["score"]),
    parameterFormat: lowerCase(template["parameter_format"], "") === "named" ? "named" : "positional",
    components: Array.isArray(template["components"]) ? template["components"] : [],
    rejectionReason: rejected === "NONE" ? null : rejected,
  };
}

/** The account, or null without an id. The portfolio is the BUSINESS entity of its health (Cloud API documentation, message state). */
export function parseAccount(value: unknown): ProviderAccount | null {
  const account = asRecord(value);
  const providerAccountId = asId(account?.["id"]);
  if (account === null || providerAccountId === null) return null;
  const entities = asRecord(account["health_status"])?.["entities"];
  const list = (Array.isArray(entities) ? entities : []).map(asRecord);
  const business = list.find((entity) => entity?.["entity_type"] === "BUSINESS");
  return {
    providerAccountId,
    name: asText(account["name"]) ?? "",
    portfolioId: asId(business?.["id"]),
    timeZone: account["timezone_id"] === undefined ? undefined : timeZoneOfId(account["timezone_id"]),
    blocked: blockedBy(list),
  };
}

/** The id of an app in the account's list of those that get its callbacks. */
export const parseSubscribedApp = (value: unknown): string | null =>
  asId(asRecord(asRecord(value)?.["whatsapp_business_api_data"])?.["id"]);

/** Of a number or template that is blocked the account's other messages are none the wiser. */
const OF_ACCOUNT: ReadonlySet<unknown> = new Set(["WABA", "BUSINESS", "APP"]);

function blockedBy(entities: readonly (Record<string, unknown> | null)[]): string | null {
  const found = entities.find((one) => OF_ACCOUNT.has(one?.["entity_type"]) && one?.["can_send_message"] === "BLOCKED");
  if (!found) return null;
  const errors = Array.isArray(found["errors"]) ? found["errors"] : [];
  return asText(asRecord(errors[0])?.["error_description"]) ?? "The provider does not let this account send messages.";
}

/** After a pause or an archive the template can be sent again; an undocumented status must not make it sendable. */
function statusOf(value: unknown): TemplateStatus {
  const word = lowerCase(value, "");
  if (word === "reinstated" || word === "unarchived") return "approved";
  return TEMPLATE_STATUSES.find((status) => status === word) ?? "pending";
}

function qualityOf(value: unknown): string {
  const word = lowerCase(value, "unknown");
  return word === "green" || word === "yellow" || word === "red" ? word : "unknown";
}

function lowerCase(value: unknown, otherwise: string): string {
  return asText(value)?.toLowerCase() ?? otherwise;
}
