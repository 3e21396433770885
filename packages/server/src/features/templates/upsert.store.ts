import { columns, hotFunction, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { EVENT_VARIABLES, SLOTS_MASK } from "../events/event.sql.ts";
import { NEWS_VARIABLES, noteDifferences, ofTemplate, reportNews } from "./news.sql.ts";

const UPSERT = columns({
  workspace_id: "uuid",
  business_account_id: "uuid",
  /** Used when the template is new. */
  id: "uuid",
  provider_template_id: "text",
  name: "text",
  language: "text",
  category: "text",
  status: "text",
  quality: "text",
  parameter_format: "text",
  components: of<unknown[]>("json"),
  rejection_reason: "text?",
  /** True for the account's first import: what it finds is no news. */
  first: "boolean",
  /** Before the provider was asked. What was written later than this is left alone and answered as `stale`. */
  read_at: "timestamptz",
  /** Until then a difference waits for the callback that explains it; null: it is an event at once. */
  hold_until: "timestamptz?",
  /** Nothing waits any longer. */
  is_last: "boolean",
});
export type UpsertRow = RowOf<typeof UPSERT>;

/**
 * Brings templates to the provider's state: one `(account, name, language)` each. The revision grows with every change, so
 * that accept notices an old definition. Each change that a callback has reported becomes an event, and so does each of status,
 * category or quality that none has. Called again it finds nothing changed.
 */
export const upsertTemplates = hotFunction({
  name: "upsert_templates",
  input: UPSERT,
  answers: columns({
    id: "uuid",
    provider_template_id: "text",
    /** `stale`: it was written after the provider was asked, and either may be the newer state; ask again. */
    outcome: of<"changed" | "same" | "stale">("text"),
    /** When the first of its differences that wait for a callback becomes an event without one. */
    held_until: "timestamptz?",
    slots_mask: "text",
  }),
  declare: `${EVENT_VARIABLES}
  r record;
  t template;
  old template;
  verdict text;${NEWS_VARIABLES}`,
  body: `
for r in
  select x.* from ${recordset(UPSERT)}
  order by x.workspace_id, x.business_account_id, x.name, x.language
loop
  old := null;
  held := null;
  verdict := 'changed';
  insert into template as e (workspace_id, id, business_account_id, provider_template_id, name, language, category,
    status, quality, parameter_format, components, rejection_reason, created_at, updated_at)
  values (r.workspace_id, r.id, r.business_account_id, r.provider_template_id, r.name, r.language, r.category,
    r.status, r.quality, r.parameter_format, r.components, r.rejection_reason, now, now)
  on conflict (workspace_id, business_account_id, name, language) do nothing returning e.* into t;
  if not found then
    select e.* into t from template e
    where e.workspace_id = r.workspace_id and e.business_account_id = r.business_account_id and e.name = r.name
      and e.language = r.language for no key update;
    old := t;
    -- json has no equality; the provider keeps the order of its fields, and a needless revision does no harm.
    verdict := case
      when (t.provider_template_id, t.category, t.status, t.quality, t.parameter_format, t.components::text,
          t.rejection_reason)
        is not distinct from
        (r.provider_template_id, r.category, r.status, r.quality, r.parameter_format, r.components::text,
          r.rejection_reason) then 'same'
      when t.updated_at > r.read_at then 'stale' else 'changed' end;
    if verdict = 'changed' then
      update template e set provider_template_id = r.provider_template_id, category = r.category, status = r.status,
        quality = r.quality, parameter_format = r.parameter_format, components = r.components,
        rejection_reason = r.rejection_reason, revision = e.revision + 1, updated_at = now
      where e.workspace_id = t.workspace_id and e.id = t.id returning e.* into t;
    end if;
  end if;
  -- It may have been created again under another id: what was said of the former is said of it.
  template_ids := array[t.provider_template_id, coalesce(old.provider_template_id, t.provider_template_id)];
  if verdict = 'changed' and not r.first then
    ${noteDifferences}
  end if;
  if not r.is_last then
    update provider_notice w set told_unread = false where ${ofTemplate("w")} and w.told_unread;
  end if;
  if verdict <> 'stale' then
    ${reportNews}
  end if;
  return query select t.id, t.provider_template_id, verdict, held, ${SLOTS_MASK};
end loop;`,
});
