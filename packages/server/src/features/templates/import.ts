import { callWithin } from "../../db/call-within.ts";
import type { Sql } from "../../db/database.ts";
import { newUuid } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { ProviderTemplate } from "../../provider/provider.ts";
import { slotsOfMask } from "../events/event.sql.ts";
import { selectLiveTemplateRows, type TemplateRow } from "./store.ts";
import { type UpsertRow, upsertTemplates } from "./upsert.store.ts";

export type TemplateImport = {
  businessAccountId: string;
  templates: readonly ProviderTemplate[];
  /** True when `templates` is everything that the provider has: templates missing from it become `deleted`. */
  complete: boolean;
  /** True for the account's first import, which emits no events. */
  first: boolean;
  /** Milliseconds: before the provider was asked. */
  readAt: number;
  /** Milliseconds: until then what no callback has explained waits for one; by default it is an event at once. */
  holdUntil?: number;
  /** Milliseconds. */
  now: number;
};

export type Imported = {
  /** Templates that were not as the provider has them; new ones too. */
  changed: number;
  /** Slots of `deliver` to hint after the commit. */
  slots: number[];
  /** Provider ids of templates that were written after `readAt`: they were left alone and must be fetched again. */
  stale: string[];
  /** What waits for a callback: `reportStored` has to be called then (milliseconds). */
  held: { providerTemplateId: string; until: number }[];
};

/** Brings the account's templates to the provider's state, in the caller's transaction. */
export async function importTemplates(sql: Sql, workspaceId: string, input: TemplateImport): Promise<Imported> {
  const { businessAccountId, templates, complete, first } = input;
  // By name and language, which are unique here: should the provider list one twice, the last one counts.
  const facts = new Map(templates.map((template) => [`${template.name} ${template.language}`, factsOf(template)]));
  if (complete && !first) {
    for (const known of await selectLiveTemplateRows(sql, workspaceId, businessAccountId)) {
      const key = `${known.name} ${known.language}`;
      if (!facts.has(key)) facts.set(key, gone(known));
    }
  }
  return await upsert(sql, workspaceId, [...facts.values()], input);
}

/** Marks templates that the provider no longer has, as `importTemplates` does. */
export async function importDeleted(
  sql: Sql,
  workspaceId: string,
  rows: readonly TemplateRow[],
  input: Omit<TemplateImport, "templates" | "complete" | "first">,
): Promise<Imported> {
  return await upsert(sql, workspaceId, rows.map(gone), { ...input, first: false });
}

/**
 * Reports what callbacks have said of templates, with their rows as they are stored: these were locked in the transaction.
 * `isLast`: also what waits for a callback.
 */
export async function reportStored(
  sql: Sql,
  workspaceId: string,
  rows: readonly TemplateRow[],
  input: { businessAccountId: string; now: number; isLast: boolean },
): Promise<Imported> {
  return await upsert(sql, workspaceId, rows.map(asStored), { ...input, first: false, readAt: input.now });
}

type Facts = Pick<
  UpsertRow,
  | "provider_template_id"
  | "name"
  | "language"
  | "category"
  | "status"
  | "quality"
  | "parameter_format"
  | "components"
  | "rejection_reason"
>;
type Upsert = Pick<TemplateImport, "businessAccountId" | "first" | "readAt" | "holdUntil" | "now"> & {
  isLast?: boolean;
};

async function upsert(sql: Sql, workspaceId: string, facts: readonly Facts[], input: Upsert): Promise<Imported> {
  const { businessAccountId, first, readAt, holdUntil, now, isLast = false } = input;
  const rows = facts.map(
    (each): UpsertRow => ({
      workspace_id: workspaceId,
      business_account_id: businessAccountId,
      id: newUuid(now),
      first,
      read_at: isoTime(readAt),
      hold_until: holdUntil === undefined ? null : isoTime(holdUntil),
      is_last: isLast,
      ...each,
    }),
  );
  const answers = await callWithin(sql, upsertTemplates, rows, now);
  return {
    changed: answers.filter(({ outcome }) => outcome === "changed").length,
    slots: slotsOfMask(answers.at(-1)?.slots_mask),
    stale: answers.filter(({ outcome }) => outcome === "stale").map((answer) => answer.provider_template_id),
    held: answers.flatMap(({ provider_template_id: providerTemplateId, held_until: until }) =>
      until === null ? [] : [{ providerTemplateId, until: until.getTime() }],
    ),
  };
}

const factsOf = (template: ProviderTemplate): Facts => ({
  provider_template_id: template.providerTemplateId,
  name: template.name,
  language: template.language,
  category: template.category,
  status: template.status,
  quality: template.quality,
  parameter_format: template.parameterFormat,
  components: template.components,
  rejection_reason: template.rejectionReason,
});

/** The template as it is, but deleted. */
const gone = (row: TemplateRow): Facts => ({ ...asStored(row), status: "deleted" });

const asStored = (row: TemplateRow): Facts => ({
  provider_template_id: row.provider_template_id,
  name: row.name,
  language: row.language,
  category: row.category,
  status: row.status,
  quality: row.quality,
  parameter_format: row.parameter_format,
  components: row.components,
  rejection_reason: row.rejection_reason,
});
