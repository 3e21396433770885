import { metadataOf, type Simulation } from "../simulation/simulation.ts";
import type { Account, PhoneNumber } from "../world/world.ts";

/** What an event or field is said about. An account without numbers has none to name. */
type About = { sim: Simulation; account: Account; number: PhoneNumber | undefined; nowSeconds: number };
type Value = Record<string, unknown>;

const DAY_SECONDS = 24 * 3600;

const noMore = (): Value => ({});

/** Events of `account_update`, and what each says beside its name (provider reference 3.7). */
export const ACCOUNT_EVENTS: Readonly<Record<string, (about: About) => Value>> = {
  PARTNER_ADDED: noMore,
  PARTNER_APP_INSTALLED: noMore,
  PARTNER_APP_UNINSTALLED: noMore,
  PARTNER_REMOVED: () => ({ disconnection_info: { reason: "ACCOUNT_DISCONNECTED", initiated_by: "USER" } }),
  ACCOUNT_OFFBOARDED: noMore,
  ACCOUNT_RECONNECTED: noMore,
  ACCOUNT_DELETED: noMore,
  ACCOUNT_VIOLATION: () => ({ violation_info: { violation_type: "SCAM" } }),
  ACCOUNT_RESTRICTION: ({ nowSeconds }) => ({
    restriction_info: [
      { restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: nowSeconds + 7 * DAY_SECONDS },
    ],
  }),
  DISABLED_UPDATE: ({ nowSeconds }) => ({
    ban_info: { waba_ban_state: "SCHEDULE_FOR_DISABLE", waba_ban_date: englishDate(nowSeconds + 7 * DAY_SECONDS) },
  }),
  PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE: ({ account }) => ({
    partner_client_certification_info: {
      client_business_id: account.businessId,
      status: "APPROVED",
      rejection_reasons: [],
    },
  }),
  AD_ACCOUNT_LINKED: noMore,
  MM_LITE_TERMS_SIGNED: noMore,
  AUTH_INTL_PRICE_ELIGIBILITY_UPDATE: ({ nowSeconds }) => ({
    auth_international_rate_eligibility: {
      start_time: nowSeconds + 30 * DAY_SECONDS,
      exception_countries: [{ country_code: "IN", start_time: nowSeconds + 60 * DAY_SECONDS }],
    },
  }),
  BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE: () => ({ country: "DE" }),
  VOLUME_BASED_PRICING_TIER_UPDATE: ({ nowSeconds }) => ({
    volume_tier_info: {
      tier_update_time: nowSeconds,
      pricing_category: "UTILITY",
      tier: "25000001:50000000",
      effective_month: new Date(nowSeconds * 1000).toISOString().slice(0, 7),
      region: "India",
    },
  }),
  VERIFIED_ACCOUNT: ({ number }) => ({ phone_number: number?.digits ?? "" }),
};

/** Fields about an account, and what each says (provider reference 3.2, 3.7). */
export const ACCOUNT_FIELDS: Readonly<Record<string, (about: About) => Value>> = {
  account_alerts: ({ account, number }) => ({
    entity_type: number === undefined ? "BUSINESS" : "PHONE_NUMBER",
    entity_id: number?.id ?? account.businessId,
    alert_info: {
      alert_severity: "WARNING",
      alert_status: "ACTIVE",
      alert_type: "PROFILE_PICTURE_LOST",
      alert_description: "The picture is gone.",
    },
  }),
  account_review_update: () => ({ decision: "APPROVED" }),
  account_settings_update: ({ number, nowSeconds }) => ({
    messaging_product: "whatsapp",
    timestamp: String(nowSeconds),
    type: "phone_number_settings",
    phone_number_settings: { phone_number_id: number?.id ?? "", calling: { status: "ENABLED" } },
  }),
  automatic_events: ({ number, nowSeconds }) => ({
    ...numberPart(number),
    automatic_events: [
      {
        id: "wamid.AUTOMATIC",
        event_name: "LeadSubmitted",
        timestamp: nowSeconds,
        ctwa_clid: "ARA1",
        custom_data: { currency: "USD", value: 30 },
      },
    ],
  }),
  business_capability_update: ({ sim, account }) => capabilityOf(sim, account.messagingLimit),
  business_status_update: ({ account }) => ({ business_id: account.businessId, event: "COMPROMISED_NOTIFICATION" }),
  business_username_updates: ({ number }) => ({
    display_phone_number: number?.digits ?? "",
    username: "demo_shop",
    status: "approved",
  }),
  consumer_profile: (about) => ({ ...numberPart(about.number), contacts: [contactOfPerson(about)] }),
  flows: () => ({
    event: "FLOW_STATUS_CHANGE",
    flow_id: "6627390910605886",
    message: "The flow was published.",
    old_status: "DRAFT",
    new_status: "PUBLISHED",
  }),
  group_lifecycle_update: ({ number, nowSeconds }) => ({
    ...numberPart(number),
    groups: [
      {
        timestamp: String(nowSeconds),
        group_id: GROUP,
        type: "group_create",
        request_id: "r1",
        subject: "Parcels",
        invite_link: "https://chat.whatsapp.com/x",
      },
    ],
  }),
  group_participants_update: ({ number, nowSeconds }) => ({
    ...numberPart(number),
    groups: [
      {
        timestamp: String(nowSeconds),
        group_id: GROUP,
        type: "group_participants_add",
        reason: "invite_link",
        added_participants: [{ wa_id: PERSON }],
      },
    ],
  }),
  group_settings_update: ({ number, nowSeconds }) => ({
    ...numberPart(number),
    groups: [
      {
        timestamp: String(nowSeconds),
        group_id: GROUP,
        type: "group_settings_update",
        request_id: "r2",
        group_subject: { text: "Parcels", update_successful: true },
      },
    ],
  }),
  group_status_update: ({ number, nowSeconds }) => ({
    ...numberPart(number),
    groups: [{ timestamp: String(nowSeconds), group_id: GROUP, type: "group_suspend" }],
  }),
  messaging_handovers: ({ number, nowSeconds }) => ({
    messaging_product: "whatsapp",
    sender: { phone_number: PERSON },
    recipient: { phone_number_id: number?.id ?? "", display_phone_number: number?.digits ?? "" },
    type: "control_passed",
    timestamp: String(nowSeconds),
    control_passed: { previous_owner_role: "ai_agent", new_owner_role: "escalation" },
  }),
  partner_solutions: () => ({ event: "SOLUTION_CREATED", solution_id: "303610109049230", solution_status: "ACTIVE" }),
  payment_configuration_update: ({ nowSeconds }) => ({
    configuration_name: "main",
    provider_name: "razorpay",
    provider_mid: "acc_1",
    status: "Active",
    created_timestamp: nowSeconds - DAY_SECONDS,
    updated_timestamp: nowSeconds,
  }),
  phone_number_name_update: ({ number }) => ({
    display_phone_number: number?.digits ?? "",
    decision: "APPROVED",
    requested_verified_name: number?.verifiedName ?? "",
    rejection_reason: "NONE",
  }),
  phone_number_quality_update: ({ account, number }) => ({
    display_phone_number: number?.digits ?? "",
    event: "THROUGHPUT_UPGRADE",
    current_limit: account.messagingLimit,
    max_daily_conversations_per_business: account.messagingLimit,
  }),
  security: ({ number }) => ({
    display_phone_number: number?.digits ?? "",
    event: "PIN_CHANGED",
    requester: "61555822107539",
  }),
  tracking_events: ({ number, nowSeconds }) => ({
    ...numberPart(number),
    events: [
      {
        event_name: "sent",
        timestamp: nowSeconds,
        tracking_data: { click_id: "click-1", tracking_token: "token-1" },
      },
    ],
  }),
  standby: (about) => ({
    ...numberPart(about.number),
    contacts: [contactOfPerson(about)],
    standby: {
      messages: [
        {
          from: PERSON,
          from_user_id: userIdOfPerson(about),
          id: about.sim.ids.messageId(),
          timestamp: String(about.nowSeconds),
          type: "text",
          text: { body: "Is it open today?" },
        },
      ],
    },
  }),
};

/** A person of the documentation. */
const PERSON = "15550001111";
const userIdOfPerson = ({ sim, account }: About): string =>
  sim.world.people.userIdOf(sim.world.people.reach(PERSON), account.businessId);
const contactOfPerson = (about: About): Value => ({
  profile: { name: about.sim.world.people.reach(PERSON).name },
  wa_id: PERSON,
  user_id: userIdOfPerson(about),
});

/** A group of the documentation. */
const GROUP = "Y2FwaV9ncm91cDox";

const numberPart = (number: PhoneNumber | undefined): Value => ({
  messaging_product: "whatsapp",
  ...(number === undefined ? {} : { metadata: metadataOf(number) }),
});

/** The last version that says a limit for each number instead of one for the portfolio. */
const LAST_VERSION_BY_NUMBER = 23;
const LIMITS: Readonly<Record<string, number>> = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_1K: 1000,
  TIER_2K: 2000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
};

/** The value of `business_capability_update` in the version that the app subscribed with. */
export function capabilityOf(sim: Simulation, limit: string): Value {
  return {
    ...(sim.settings.callbackVersion > LAST_VERSION_BY_NUMBER
      ? { max_daily_conversations_per_business: limit }
      : { max_daily_conversation_per_phone: LIMITS[limit] ?? -1 }),
    ...(limit === "TIER_250" ? { max_phone_numbers_per_business: 2 } : { max_phone_numbers_per_waba: 25 }),
  };
}

// "April 17, 2025": the date of a ban is English text.
function englishDate(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString("en-US", {
    timeZone: "UTC",
    year: "numeric",
    month: "long",
    day: "numeric",
  });
}
