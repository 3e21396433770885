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

/** Filters of the list of templates, and the one that is open beside it. */
export const templatesSearch = searchOf({
  status: oneOf(STATUSES),
  category: oneOf(CATEGORIES),
  language: text,
  name: text,
  beside: text,
});
export type TemplatesSearch = ReturnType<typeof templatesSearch>;

/** The filters alone; a part of a name is found here and not by the API. */
export const filtersIn = ({ beside: _beside, ...filters }: TemplatesSearch) => filters;
