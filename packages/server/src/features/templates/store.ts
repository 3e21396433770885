import type { Sql } from "../../db/database.ts";
import { type AnswerOf, columns, hotFunction, lookUp, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { EVENT_VARIABLES, emitEvent, SLOTS_MASK } from "../webhooks/event.sql.ts";

/** A template as stored. `components` comes parsed. */
export type TemplateRow = {
  id: string;
  business_account_id: string;
  provider_template_id: string;
  name: string;
  language: string;
  category: string;
  status: string;
  quality: string;
  parameter_format: string;
  components: unknown[];
  rejection_reason: string | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
};

const COLUMNS = `id, business_account_id, provider_template_id, name, language, category, status, quality, parameter_format, components,
  rejection_reason, revision, created_at, updated_at`;

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
});
export type UpsertRow = RowOf<typeof UPSERT>;

/** An event of the template `t`, whose state has these fields beside it. */
const emitChange = (kind: string, fields: string): string =>
  emitEvent({
    workspace: "t.workspace_id",
    kind,
    resource: "t.id",
    occurredAt: "now",
    state: `json_build_object('template', row_to_json(t), ${fields})`,
    conversation: "hashtextextended(t.id::text, 0)",
  });

/**
 * Brings templates to the provider's state: one `(account, name, language)` each. The revision grows with every change, so
 * that accept notices an old definition; a change of status, category or quality is an event. Called again it finds nothing
 * changed.
 */
export const upsertTemplates = hotFunction({
  name: "upsert_templates",
  input: UPSERT,
  answers: columns({
    id: "uuid",
    provider_template_id: "text",
    /** `stale`: it was written after the provider was asked, and either may be the newer state; ask again. */
    outcome: of<"changed" | "same" | "stale">("text"),
    slots_mask: "text",
  }),
  declare: `${EVENT_VARIABLES}
  r record;
  t template;
  old template;
  verdict text;`,
  body: `
for r in
  select x.* from ${recordset(UPSERT)}
  order by x.workspace_id, x.business_account_id, x.name, x.language
loop
  old := null;
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
  if not r.first and t.status is distinct from old.status then
    ${emitChange("t.status", "'previous_status', old.status, 'reason', t.rejection_reason")}
  end if;
  -- Of a template that is new, its status says it all.
  if not r.first and t.category <> old.category then
    ${emitChange("'template_category_changed'", "'previous', old.category, 'current', t.category")}
  end if;
  if not r.first and t.quality <> old.quality then
    ${emitChange("'template_quality_changed'", "'previous', old.quality, 'current', t.quality")}
  end if;
  return query select t.id, t.provider_template_id, verdict, ${SLOTS_MASK};
end loop;`,
});

export async function selectTemplateRow(sql: Sql, workspaceId: string, id: string): Promise<TemplateRow | null> {
  const rows = await sql.query<TemplateRow>(`select ${COLUMNS} from template where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

const NAME = columns({ workspace_id: "uuid", business_account_id: "uuid", name: "text", language: "text" });
export type TemplateName = RowOf<typeof NAME>;
const FOUND = columns({
  /** Null: there is none of this name and language, and nothing else of it either. */
  id: "uuid?",
  provider_template_id: "text",
  status: "text",
  category: "text",
  revision: "int",
  parameter_format: "text",
  components: of<unknown[]>("json"),
});
export type FoundTemplate = AnswerOf<typeof FOUND>;

/** What sending needs of templates, by what a send names them by; many workspaces ask together. */
export const findTemplates = hotFunction({
  name: "find_templates",
  writes: false,
  input: NAME,
  answers: FOUND,
  body: `return query select t.id, t.provider_template_id, t.status, t.category, t.revision, t.parameter_format, t.components
    from ${recordset(NAME)}
    ${lookUp(
      "t",
      `
      select t.* from template t
      where t.workspace_id = x.workspace_id and t.business_account_id = x.business_account_id
        and t.name = x.name and t.language = x.language`,
    )}
    order by x.ordinality;`,
});

/** The account's templates: all that are not known to be deleted. */
export async function selectLiveTemplateRows(sql: Sql, workspaceId: string, accountId: string): Promise<TemplateRow[]> {
  return await sql.query<TemplateRow>(
    `select ${COLUMNS} from template where workspace_id = $1 and business_account_id = $2 and status <> 'deleted'`,
    [workspaceId, accountId],
  );
}

export async function selectTemplateRowsByProviderId(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  providerTemplateId: string,
): Promise<TemplateRow[]> {
  return await sql.query<TemplateRow>(
    `select ${COLUMNS} from template where workspace_id = $1 and business_account_id = $2 and provider_template_id = $3`,
    [workspaceId, accountId, providerTemplateId],
  );
}

export type TemplateFilter = {
  name: string | null;
  status: string | null;
  language: string | null;
  category: string | null;
  phoneNumberId: string | null;
};

/** Newest first. A phone number stands for the account it belongs to. */
export async function selectTemplateRows(
  sql: Sql,
  workspaceId: string,
  filter: TemplateFilter,
  page: { before: string | null; fetch: number },
): Promise<TemplateRow[]> {
  return await sql.query<TemplateRow>(
    `select ${COLUMNS} from template t where t.workspace_id = $1 and ($2::uuid is null or t.id < $2)
       and ($4::text is null or t.name = $4) and ($5::text is null or t.status = $5)
       and ($6::text is null or t.language = $6) and ($7::text is null or t.category = $7)
       and ($8::uuid is null or t.business_account_id = (select n.business_account_id from phone_number n where n.workspace_id = $1 and n.id = $8))
     order by t.id desc limit $3`,
    [
      workspaceId,
      page.before,
      page.fetch,
      filter.name,
      filter.status,
      filter.language,
      filter.category,
      filter.phoneNumberId,
    ],
  );
}
