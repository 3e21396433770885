/**
 * Fields of the provider's callbacks about the business alone: its account, numbers, templates, flows, partners, and groups as such. Nothing
 * in them is of a person, so that a change of one may be kept and passed on whole.
 */
export const NOTICE_FIELDS = [
  "account_alerts",
  "account_review_update",
  "account_settings_update",
  "account_update",
  "business_capability_update",
  "business_status_update",
  "business_username_updates",
  "flows",
  "group_lifecycle_update",
  "group_settings_update",
  "group_status_update",
  "message_template_components_update",
  "message_template_quality_update",
  "message_template_status_update",
  "partner_solutions",
  "payment_configuration_update",
  "phone_number_name_update",
  "phone_number_quality_update",
  "security",
  "template_category_update",
  "template_correct_category_detection",
] as const;
