import type { Simulation } from "../simulation/simulation.ts";
import type { Template } from "../world/template.ts";
import type { Account, PhoneNumber } from "../world/world.ts";

/** A number reports only its level: HIGH from 1,000 messages a second, none for one that the app uses too, with 20 (provider reference 6.2). */
const HIGH_THROUGHPUT = 1000;
const APP_THROUGHPUT = 20;

export const USUAL_NUMBER_FIELDS = [
  "id",
  "display_phone_number",
  "verified_name",
  "quality_rating",
  "code_verification_status",
  "platform_type",
  "throughput",
  "name_status",
  "status",
] as const;

export const USUAL_ACCOUNT_FIELDS = ["id", "name", "timezone_id", "message_template_namespace"] as const;

export const USUAL_TEMPLATE_FIELDS = [
  "id",
  "name",
  "language",
  "status",
  "category",
  "parameter_format",
  "components",
  "quality_score",
  "rejected_reason",
] as const;

/** Every field a phone number can be asked for; undefined ones exist and are empty. */
export function phoneNumberNode(sim: Simulation, number: PhoneNumber): Record<string, unknown> {
  return {
    id: number.id,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    quality_rating: number.qualityRating,
    quality_score: { score: number.qualityRating },
    code_verification_status: number.verified ? "VERIFIED" : "NOT_VERIFIED",
    platform_type: number.status === "CONNECTED" ? "CLOUD_API" : "NOT_APPLICABLE",
    throughput: { level: levelOf(number.throughput) },
    name_status: "APPROVED",
    status: number.status,
    account_mode: "LIVE",
    is_official_business_account: false,
    is_pin_enabled: number.pin !== null,
    is_on_biz_app: number.throughput <= APP_THROUGHPUT,
    is_preverified_number: false,
    host_platform: "CLOUD_API",
    search_visibility: "VISIBLE",
    eligibility_for_api_business_global_search: "ELIGIBLE",
    official_business_account: { oba_status: "NOT_STARTED" },
    conversational_automation: { enable_welcome_message: false, id: number.id },
    country_code: undefined,
    country_dial_code: undefined,
    username: undefined,
    last_onboarded_time: undefined,
    certificate: undefined,
    new_certificate: undefined,
    new_display_name: undefined,
    new_name_status: "NONE",
    unified_cert_status: undefined,
    // Deprecated since v24, and still answered.
    messaging_limit_tier: number.account.messagingLimit,
    whatsapp_business_manager_messaging_limit: number.account.messagingLimit,
    webhook_configuration: { application: sim.courier.callbackUrl ?? "" },
    health_status: health(sim, number.account, number),
  };
}

function levelOf(throughput: number): string {
  if (throughput >= HIGH_THROUGHPUT) return "HIGH";
  return throughput <= APP_THROUGHPUT ? "NOT_APPLICABLE" : "STANDARD";
}

export function accountNode(sim: Simulation, account: Account): Record<string, unknown> {
  return {
    id: account.id,
    name: account.name,
    timezone_id: account.timezoneId,
    currency: "USD",
    message_template_namespace: `ns_${account.id}`,
    account_review_status: "APPROVED",
    business_verification_status: "verified",
    ownership_type: "CLIENT_OWNED",
    owner_business: { id: account.businessId, name: account.name },
    owner_business_info: { id: account.businessId, name: account.name },
    on_behalf_of_business_info: undefined,
    primary_funding_id: undefined,
    purchase_order_number: undefined,
    primary_business_location: undefined,
    linked_commerce_account: undefined,
    creation_time: undefined,
    auth_international_rate_eligibility: undefined,
    is_enabled_for_insights: false,
    is_shared_with_partners: true,
    marketing_messages_lite_api_status: "INELIGIBLE",
    marketing_messages_onboarding_status: "INELIGIBLE",
    disable_marketing_messages_on_cloud_api: false,
    status: "ACTIVE",
    country: "US",
    whatsapp_business_manager_messaging_limit: account.messagingLimit,
    health_status: health(sim, account, null),
  };
}

export function templateNode(template: Template): Record<string, unknown> {
  return {
    id: template.id,
    name: template.name,
    language: template.language,
    status: template.status,
    category: template.category,
    parameter_format: template.parameterFormat,
    components: template.components,
    quality_score: { score: template.qualityScore, date: Math.floor(template.decidedAt / 1000) },
    rejected_reason: template.rejectedReason,
    sub_category: template.subCategory,
    correct_category: template.correctCategory,
    previous_category: template.previousCategory,
    message_send_ttl_seconds: template.sendTtlSeconds,
    library_template_name: template.libraryTemplateName,
    cta_url_link_tracking_opted_out: template.linkTrackingOptedOut,
    specific_rejection_reason: undefined,
    degrees_of_freedom_spec: undefined,
    creative_sourcing_spec: undefined,
    bid_spec: undefined,
    display_format: undefined,
    is_primary_device_delivery_only: undefined,
    last_updated_time: undefined,
  };
}

function health(sim: Simulation, account: Account, number: PhoneNumber | null): Record<string, unknown> {
  const entity = (entity_type: string, id: string) => ({ entity_type, id, can_send_message: "AVAILABLE" });
  const { lock } = account;
  const errors = [{ error_code: lock, error_description: "The account is blocked.", possible_solution: "Appeal." }];
  return {
    can_send_message: lock === null ? "AVAILABLE" : "BLOCKED",
    entities: [
      ...(number === null ? [] : [entity("PHONE_NUMBER", number.id)]),
      lock === null
        ? entity("WABA", account.id)
        : { ...entity("WABA", account.id), can_send_message: "BLOCKED", errors },
      entity("BUSINESS", account.businessId),
      entity("APP", sim.app.id),
    ],
  };
}
