import type { Static } from "typebox";
import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { TemplateStatus } from "../../provider/provider.ts";
import type { Template } from "./schema.ts";
import type { TemplateRow } from "./store.ts";

export type TemplateResource = Static<typeof Template>;

/** A row of `template` as the API returns it, in answers and in `data.template` of events. */
export function renderTemplate(row: TemplateRow): TemplateResource {
  return {
    id: formatId("tpl", row.id),
    business_account_id: formatId("acc", row.business_account_id),
    provider_template_id: row.provider_template_id,
    name: row.name,
    language: { code: row.language },
    category: row.category,
    status: row.status as TemplateStatus, // only statuses of the adapter are stored
    quality: row.quality,
    components: row.components,
    parameter_format: row.parameter_format,
    rejection_reason: row.rejection_reason,
    created_at: isoTime(row.created_at.getTime()),
    updated_at: isoTime(row.updated_at.getTime()),
  };
}

/** What `upsert_templates` stores with an event: the template as it was at that commit. */
type TemplateState = {
  template: Omit<TemplateRow, "created_at" | "updated_at"> & { created_at: string; updated_at: string };
};
type StatusState = TemplateState & { previous_status: string | null; reason: string | null; detail?: unknown };
/** `effective_at`: of categories alone. Of components what they were and are, else texts. */
type ChangeState = TemplateState & {
  previous: string | unknown[];
  current: string | unknown[];
  effective_at?: string | null;
};

// From the event's `state` alone: the same each time, even when the template has changed since.

/** `data` of a template status event. */
export function templateEventData(state: unknown): {
  template: TemplateResource;
  previous_status: string | null;
  reason: string | null;
  /** What the provider says of it beside the reason, as it is: of a pause, a rejection, or an end. */
  detail: unknown;
} {
  const { previous_status, reason, detail = null, ...stored } = state as StatusState; // written by our own function
  return { template: templateOf(stored), previous_status, reason, detail };
}

/** `data` of an event about a template's quality, category or components. */
export function templateChangeData(state: unknown): {
  template: TemplateResource;
  previous: string | unknown[];
  current: string | unknown[];
  /** Of a category: when it changes; null: it has. */
  effective_at?: string | null;
} {
  const { previous, current, effective_at, ...stored } = state as ChangeState; // written by our own function
  const changed = { template: templateOf(stored), previous, current };
  if (effective_at === undefined) return changed;
  return { ...changed, effective_at: effective_at === null ? null : isoTime(Date.parse(effective_at)) };
}

function templateOf({ template }: TemplateState): TemplateResource {
  const times = { created_at: new Date(template.created_at), updated_at: new Date(template.updated_at) };
  return renderTemplate({ ...template, ...times });
}
