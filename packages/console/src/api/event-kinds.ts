import type { NewWebhookEndpoint } from "@waypost/sdk";

/** What an endpoint may listen to: each kind, or `*` for all. */
export type Listened = NonNullable<NewWebhookEndpoint["events"]>[number];
export type EventKind = Exclude<Listened, "*">;
/** Those that have a name (`text.kinds`): a test of an endpoint comes to it without its listening. */
export type ShownKind = EventKind | "endpoint_test";
export type ProviderField = NonNullable<NewWebhookEndpoint["fields"]>[number];

/** The kinds of events, by what they are about. */
export const KINDS = {
  messages: ["messages", "message_deleted", "media_available", "media_failed", "payment_updated", "call"],
  statuses: ["accepted", "sent", "delivered", "read", "played", "failed", "unknown", "canceled", "expired", "warning"],
  contacts: ["contact_created", "contact_updated", "contact_merged", "contact_deleted", "opted_out", "opted_in"],
  templates: [
    "pending",
    "approved",
    "rejected",
    "paused",
    "disabled",
    "in_appeal",
    "flagged",
    "limit_exceeded",
    "locked",
    "pending_deletion",
    "deleted",
    "archived",
    "template_quality_changed",
    "template_category_changed",
    "template_components_changed",
  ],
  accounts: ["account_changed", "phone_number_changed", "permissions_changed", "signup_completed", "signup_revoked"],
  threads: ["standby_messages", "thread_taken", "thread_released"],
  operations: ["endpoint_failing", "endpoint_disabled"],
} as const satisfies Readonly<Record<string, readonly EventKind[]>>;

/** The fields of the provider's callbacks. */
export const FIELDS = {
  people: [
    "messages",
    "message_echoes",
    "smb_message_echoes",
    "standby",
    "messaging_handovers",
    "user_preferences",
    "calls",
  ],
  accounts: [
    "account_alerts",
    "account_review_update",
    "account_settings_update",
    "account_update",
    "business_capability_update",
    "business_status_update",
    "business_username_updates",
    "phone_number_name_update",
    "phone_number_quality_update",
    "security",
    "partner_solutions",
    "payment_configuration_update",
    "flows",
    "group_lifecycle_update",
    "group_settings_update",
    "group_status_update",
  ],
  templates: [
    "message_template_status_update",
    "message_template_quality_update",
    "message_template_components_update",
    "template_category_update",
    "template_correct_category_detection",
  ],
} as const satisfies Readonly<Record<string, readonly ProviderField[]>>;
