import { type CallbackChange, TEMPLATE_STATUSES, type TemplateNews, type TemplateStatus } from "../../provider.ts";
import { asId, asRecord, asText } from "../json.ts";
import type { PlacedOrigin, Reading } from "./change-reading.ts";
import { providerTime } from "./provider-time.ts";

type Value = Record<string, unknown>;

const COMPONENTS = "message_template_components_update";

/** Fields about templates, and how what each says becomes news; null: only the template itself can tell. */
const NEWS: ReadonlyMap<string, (value: Value) => TemplateNews | null | { reason: string }> = new Map([
  ["message_template_status_update", statusNews],
  ["message_template_quality_update", qualityNews],
  ["template_category_update", categoryNews],
  [COMPONENTS, () => null],
]);

export const TEMPLATE_FIELDS: readonly string[] = [...NEWS.keys()];

/**
 * Reads a change of a template (Cloud API documentation, webhooks: templates), or says why it cannot. Account and id suffice: what else
 * is to be known of the template is read from it, also where the news itself cannot be read.
 */
export function readTemplate(field: string, value: Value, { providerAccountId, at, part }: PlacedOrigin): Reading {
  const providerTemplateId = asId(value["message_template_id"]);
  if (providerAccountId === null || providerTemplateId === null)
    return { reason: `${field} without account or template id` };
  const reported = { part, value };
  const template: CallbackChange = {
    kind: "template",
    providerAccountId,
    providerTemplateId,
    at,
    news: null,
    reported,
  };
  const news = NEWS.get(field)?.(value) ?? null;
  if (news !== null && !("kind" in news)) return { ...news, beside: template };
  const body = field === COMPONENTS ? asText(value["message_template_element"]) : null;
  return { ...template, news, ...(body === null ? {} : { body }) };
}

/** The template that a value of any field names: it may have changed, and is asked for. None where the value names none. */
export function templateNamedIn(value: Value, { providerAccountId, at, part }: PlacedOrigin): CallbackChange[] {
  const providerTemplateId = asId(value["message_template_id"]);
  if (providerAccountId === null || providerTemplateId === null) return [];
  return [{ kind: "template", providerAccountId, providerTemplateId, at, news: null, reported: { part, value } }];
}

/** After these the template is again what it was before: its own status says what that is. */
const BACK_AGAIN: ReadonlySet<string> = new Set(["REINSTATED", "UNARCHIVED"]);

function statusNews(value: Value): TemplateNews | null | { reason: string } {
  const event = asText(value["event"]);
  if (event === null) return { reason: "template status without event" };
  if (BACK_AGAIN.has(event)) return null;
  const kind = event.toLowerCase();
  if (!isTemplateStatus(kind)) return { reason: "template status with an unknown event" };
  const said = Object.entries(value).filter(([name, one]) => !READ_OF_STATUS.has(name) && one !== null);
  return { kind, reason: reasonOf(value), detail: said.length === 0 ? null : Object.fromEntries(said) };
}

const isTemplateStatus = (word: string): word is TemplateStatus =>
  (TEMPLATE_STATUSES as readonly string[]).includes(word);

/** What the news or the template itself says; all else is its detail. */
const READ_OF_STATUS: ReadonlySet<string> = new Set([
  "event",
  "reason",
  "message_template_id",
  "message_template_name",
  "message_template_language",
  "message_template_category",
]);

function reasonOf(value: Value): string | null {
  const reason = asText(value["reason"]);
  return reason !== null && reason !== "NONE" ? reason : asText(asRecord(value["other_info"])?.["title"]);
}

const lower = (value: unknown): string | null => asText(value)?.toLowerCase() ?? null;

/** The score before is optional; without either one the template shows what is new. */
function qualityNews(value: Value): TemplateNews | null {
  const previous = lower(value["previous_quality_score"]);
  const current = lower(value["new_quality_score"]);
  if (previous === null || current === null) return null;
  return { kind: "template_quality_changed", previous, current };
}

/**
 * Before the change `new_category` is the one that it has and `correct_category` the one that it will have. Where one of them or the time
 * of the change is missing, the template shows what is new.
 */
function categoryNews(value: Value): TemplateNews | null {
  const coming = lower(value["correct_category"]);
  const named = lower(value["new_category"]);
  const [previous, current] = coming === null ? [lower(value["previous_category"]), named] : [named, coming];
  if (previous === null || current === null) return null;
  const effectiveAt = coming === null ? null : providerTime(value["category_update_timestamp"]);
  if (coming !== null && effectiveAt === null) return null;
  return { kind: "template_category_changed", previous, current, effectiveAt };
}
