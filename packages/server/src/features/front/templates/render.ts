import type { TemplateResource } from "../../templates/render.ts";
import { picked } from "../objects/fields.ts";
import type { Counts, ListedRow } from "./template.store.ts";

/** What the list, and the read of one, have of a template. */
type Shown = Omit<ListedRow, "id">;

/** A template as our own API has it. */
export const shownOf = ({ language, updated_at, ...template }: TemplateResource): Shown => ({
  ...template,
  language: language.code,
  updated_at: new Date(updated_at),
});

/** A template as the provider writes it, with the fields that are asked for. */
export function templateFields(template: Shown, fields: unknown): Readonly<Record<string, unknown>> {
  const { provider_template_id: id, name, language, components, rejection_reason: reason } = template;
  const upper = (name: "status" | "category" | "parameter_format" | "quality"): string => template[name].toUpperCase();
  return picked(
    {
      id,
      name,
      language,
      status: upper("status"),
      category: upper("category"),
      parameter_format: upper("parameter_format"),
      components,
      rejected_reason: reason ?? "NONE",
      // When the template was last changed here: the provider's own time of its quality is not kept.
      quality_score: { score: upper("quality"), date: Math.floor(template.updated_at.getTime() / 1_000) },
    },
    fields,
  );
}

/** The provider's limit of a verified business; which one an account has is not known here. */
const MOST_TEMPLATES = 6_000;

export const summaryFields = ({ matching, all, complete }: Counts): Readonly<Record<string, unknown>> => ({
  total_count: matching,
  message_template_count: all,
  message_template_limit: MOST_TEMPLATES,
  are_translations_complete: complete,
});
