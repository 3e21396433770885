import type { Sql } from "../../db/database.ts";
import { type AnswerOf, columns, hotFunction, lookUp, of, type RowOf, recordset } from "../../db/hot-function.ts";

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

export async function selectTemplateRow(sql: Sql, workspaceId: string, id: string): Promise<TemplateRow | null> {
  const rows = await sql.query<TemplateRow>(`select ${COLUMNS} from template where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

/** What is rendered of templates, also of those that are deleted. */
export const selectDefinitionRows = (
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<Pick<TemplateRow, "id" | "parameter_format" | "components">[]> =>
  sql.query("select id, parameter_format, components from template where workspace_id = $1 and id = any($2::uuid[])", [
    workspaceId,
    [...ids],
  ]);

/** By what is unique in an account. */
export async function selectTemplateRowByName(
  sql: Sql,
  workspaceId: string,
  { businessAccountId, name, language }: { businessAccountId: string; name: string; language: string },
): Promise<TemplateRow | null> {
  const rows = await sql.query<TemplateRow>(
    `select ${COLUMNS} from template where workspace_id = $1 and business_account_id = $2 and name = $3 and language = $4`,
    [workspaceId, businessAccountId, name, language],
  );
  return rows[0] ?? null;
}

export async function lockTemplateRow(sql: Sql, workspaceId: string, id: string): Promise<TemplateRow | null> {
  const rows = await sql.query<TemplateRow>(
    `select ${COLUMNS} from template where workspace_id = $1 and id = $2 for no key update`,
    [workspaceId, id],
  );
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

/** An account may have 6,000 templates at the provider; a reader of a refusal looks for one of few. */
const MOST_COMPARED = 500;

/** What an account has that can be named in a send; those of this name are among them. */
export const selectTemplateNames = (
  sql: Sql,
  workspaceId: string,
  accountId: string,
  name: string,
): Promise<{ name: string; language: string }[]> =>
  sql.query(
    `select name, language from template where workspace_id = $1 and business_account_id = $2
       and status not in ('deleted', 'pending_deletion') order by name <> $3, name, language limit $4`,
    [workspaceId, accountId, name, MOST_COMPARED],
  );

/** The same as below, and locked. */
export async function lockTemplateRowsByProviderId(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  providerTemplateId: string,
): Promise<TemplateRow[]> {
  return await sql.query<TemplateRow>(
    `select ${COLUMNS} from template where workspace_id = $1 and business_account_id = $2 and provider_template_id = $3
     order by name, language for no key update`,
    [workspaceId, accountId, providerTemplateId],
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
  /** Of the accounts of these numbers; null: of all. */
  ofNumbers: readonly string[] | null;
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
       and ($9::uuid[] is null or t.business_account_id = any(array(
         select n.business_account_id from phone_number n where n.workspace_id = $1 and n.id = any($9))))
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
      filter.ofNumbers,
    ],
  );
}

/** Whether an account has one of these numbers. */
export async function hasNumberAmong(
  sql: Sql,
  workspaceId: string,
  businessAccountId: string,
  numbers: readonly string[],
): Promise<boolean> {
  const rows = await sql.query(
    "select from phone_number n where n.workspace_id = $1 and n.id = any($2::uuid[]) and n.business_account_id = $3 limit 1",
    [workspaceId, [...numbers], businessAccountId],
  );
  return rows.length > 0;
}
