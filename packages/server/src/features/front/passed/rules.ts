import type { FieldRules } from "./fields.ts";

/** What passed calls may be asked for as `fields`, by the object. */
const named = (...names: string[]): FieldRules => Object.fromEntries(names.map((name) => [name, {}]));

/** The gateway's own app: a client that asks for all fields gets the others. */
const OUR_APP = { isOurs: true, fields: named("id", "name", "link", "category", "namespace") } as const;

export const SETTINGS_FIELDS: FieldRules = named(
  "calling",
  "payload_encryption",
  "storage_configuration",
  "user_identity_change",
);
export const QR_FIELDS: FieldRules = {
  ...named("code", "prefilled_message", "deep_link_url", "creation_time"),
  qr_image_url: { modifiers: ["format"] },
};
export const COMMERCE_FIELDS: FieldRules = named("id", "is_cart_enabled", "is_catalog_visible");
export const AUTOMATION_FIELDS: FieldRules = named("id", "enable_welcome_message", "prompts", "commands");
export const GROUP_FIELDS: FieldRules = {
  ...named("id", "subject", "description", "creation_timestamp", "created_at", "suspended", "total_participant_count"),
  ...named("join_approval_mode", "invite_link", "participants"),
};
export const ASSET_FIELDS: FieldRules = named("id", "name", "asset_type", "download_url");
export const LIBRARY_FIELDS: FieldRules = {
  ...named("id", "name", "language", "category", "topic", "usecase", "industry", "header", "body", "body_params"),
  ...named("body_param_types", "buttons"),
};

const HEALTH = { numbers: ["phone_number"], fields: named("can_send_message", "entities") };

export const FLOW_FIELDS: FieldRules = {
  ...named("id", "name", "status", "categories", "validation_errors", "json_version", "data_api_version"),
  ...named("data_channel_uri", "endpoint_uri", "updated_at"),
  preview: { modifiers: ["invalidate"], fields: named("preview_url", "expires_at") },
  metric: { modifiers: ["name", "granularity", "since", "until"] },
  health_status: HEALTH,
  whatsapp_business_account: { fields: named("id", "name", "currency", "timezone_id", "message_template_namespace") },
  assets: { modifiers: ["limit"], fields: ASSET_FIELDS },
  application: OUR_APP,
};

const OF_ALL = ["start", "end", "granularity"];

/** Fields of an account that count: no other object of the gateway has them. */
export const ANALYTICS: FieldRules = {
  analytics: { modifiers: [...OF_ALL, "phone_numbers", "product_types", "country_codes"] },
  conversation_analytics: {
    modifiers: [
      ...OF_ALL,
      "phone_numbers",
      "metric_types",
      "conversation_categories",
      "conversation_types",
      "conversation_directions",
      "country_codes",
      "dimensions",
    ],
  },
  pricing_analytics: {
    modifiers: [
      ...OF_ALL,
      "phone_numbers",
      "country_codes",
      "metric_types",
      "pricing_types",
      "pricing_categories",
      "dimensions",
      "tiers",
    ],
  },
  template_analytics: {
    modifiers: [...OF_ALL, "template_ids", "metric_types", "product_type", "use_waba_timezone"],
  },
  template_group_analytics: {
    modifiers: [...OF_ALL, "template_group_ids", "metric_types", "use_waba_timezone"],
  },
  call_analytics: {
    modifiers: [...OF_ALL, "phone_numbers", "country_codes", "metric_types", "directions", "dimensions"],
  },
};

/** What may stand beside them. */
export const ACCOUNT_FIELDS: FieldRules = {
  ...ANALYTICS,
  ...named("id", "name", "currency", "timezone_id", "message_template_namespace"),
};
