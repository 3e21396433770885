import type { CallbackChange } from "../../provider.ts";
import { asId, asText } from "../json.ts";
import type { Origin, PlacedOrigin } from "./change-reading.ts";
import { detailOfNotice, isOfBusiness } from "./notice-detail.ts";

export type NoticeChange = Extract<CallbackChange, { kind: "notice" }>;
type Means = Pick<NoticeChange, "meaning" | "asks">;

const GRANTED: Means = { meaning: "granted", asks: true };
const REMOVED: Means = { meaning: "removed", asks: true };
const CHANGED: Means = { meaning: "changed", asks: true };
/** Says something to people, and changes neither the account nor its numbers. */
const REPORTED: Means = { meaning: "changed", asks: false };
const SILENT: Means = { meaning: "silent", asks: true };

/** Events of `account_update` (Cloud API documentation, webhooks: accounts). One that is not here counts as `CHANGED`. */
const ACCOUNT_EVENTS: ReadonlyMap<string, Means> = new Map([
  ["PARTNER_ADDED", GRANTED],
  ["PARTNER_APP_INSTALLED", GRANTED],
  ["PARTNER_APP_UNINSTALLED", REMOVED],
  ["PARTNER_REMOVED", REMOVED],
  ["ACCOUNT_OFFBOARDED", CHANGED],
  ["ACCOUNT_RECONNECTED", CHANGED],
  ["ACCOUNT_DELETED", CHANGED],
  ["ACCOUNT_VIOLATION", CHANGED],
  ["ACCOUNT_RESTRICTION", CHANGED],
  ["DISABLED_UPDATE", CHANGED],
  ["VERIFIED_ACCOUNT", CHANGED],
  ["PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE", REPORTED],
  ["AD_ACCOUNT_LINKED", REPORTED],
  ["MM_LITE_TERMS_SIGNED", REPORTED],
  ["AUTH_INTL_PRICE_ELIGIBILITY_UPDATE", REPORTED],
  ["BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE", REPORTED],
  ["VOLUME_BASED_PRICING_TIER_UPDATE", REPORTED],
]);

/** Says of the content of a template that it is of another category; which that of the template is, only the template shows. */
export const DETECTION_FIELD = "template_correct_category_detection";

/** Fields of which each change is one notice (Cloud API documentation, webhooks: envelope). */
const FIELDS: ReadonlyMap<string, Means> = new Map([
  ["account_alerts", CHANGED],
  ["account_review_update", CHANGED],
  ["account_settings_update", REPORTED],
  ["automatic_events", REPORTED],
  // What these change is asked for and reported as a change of the number.
  ["business_capability_update", SILENT],
  ["phone_number_quality_update", SILENT],
  ["business_status_update", CHANGED],
  ["business_username_updates", REPORTED],
  ["flows", REPORTED],
  ["group_lifecycle_update", REPORTED],
  ["group_participants_update", REPORTED],
  ["group_settings_update", REPORTED],
  ["group_status_update", REPORTED],
  ["partner_solutions", REPORTED],
  ["payment_configuration_update", REPORTED],
  ["phone_number_name_update", CHANGED],
  ["security", REPORTED],
  [DETECTION_FIELD, REPORTED],
]);

export const NOTICE_FIELDS: readonly string[] = ["account_update", ...FIELDS.keys()];

/** Reads a change of one of `NOTICE_FIELDS`, or says why it cannot. */
export function readNotice(
  field: string,
  value: Record<string, unknown>,
  { part, ...origin }: PlacedOrigin,
): NoticeChange | { reason: string } {
  const event = field === "account_update" ? asText(value["event"]) : field;
  if (event === null) return { reason: "account_update without event" };
  const means = (field === "account_update" ? ACCOUNT_EVENTS : FIELDS).get(event) ?? CHANGED;
  const providerPhoneNumberId = origin.providerPhoneNumberId ?? numberOfAlert(value);
  const detail = detailOfNotice(field, value);
  const reported = isOfBusiness(field) ? { reported: { part, value } } : {};
  return { kind: "notice", event, ...means, ...origin, providerPhoneNumberId, value, detail, ...reported };
}

/** An alert about a number names it as its entity. */
const numberOfAlert = (value: Record<string, unknown>): string | null =>
  value["entity_type"] === "PHONE_NUMBER" ? asId(value["entity_id"]) : null;

/** A notice that a list of a number's change has: an error, a part of a history. `event` is then the name of its field, or `errors`. */
export const noticeOf = (
  event: string,
  value: Record<string, unknown>,
  { providerAccountId, providerPhoneNumberId, at }: Origin,
): NoticeChange => ({
  kind: "notice",
  event,
  ...REPORTED,
  providerAccountId,
  providerPhoneNumberId,
  at,
  value,
  detail: detailOfNotice(event, value),
});
