import { oneOf, searchOf, text } from "../../search.ts";
import { CATEGORIES } from "../template/categories.ts";

export const STATUSES = [
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

export const templatesSearch = searchOf({
  status: oneOf(STATUSES),
  category: oneOf(CATEGORIES),
  language: text,
  name: text,
});
export type TemplatesSearch = ReturnType<typeof templatesSearch>;
