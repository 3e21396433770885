export const TEMPLATE_STATUSES = [
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
] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
