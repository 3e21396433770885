import type { Sql } from "../../../db/database.ts";

/** A template as the list shows it. `components` comes parsed. */
export type ListedRow = {
  id: string;
  provider_template_id: string;
  name: string;
  language: string;
  category: string;
  status: string;
  quality: string;
  parameter_format: string;
  components: unknown[];
  rejection_reason: string | null;
  updated_at: Date;
};

/** Each null where it does not matter, else the values of which one must fit. */
export type ListFilter = Record<"status" | "category" | "language" | "quality", string[] | null> & {
  /** Parts of names. */
  name: string[] | null;
  /** Parts of the texts, in any case. */
  content: string | null;
  nameOrContent: string | null;
};

/** Of an account, all that the provider has: those that fit in `$3` to `$9`. */
const FITTING = `from template t where t.workspace_id = $1 and t.business_account_id = $2 and t.status <> 'deleted'
  and ($3::text[] is null or t.status = any($3)) and ($4::text[] is null or t.category = any($4))
  and ($5::text[] is null or t.language = any($5)) and ($6::text[] is null or t.quality = any($6))
  and ($7::text[] is null or exists (select from unnest($7::text[]) as part where strpos(t.name, part) > 0))
  and ($8::text is null or exists (
    select from json_array_elements(t.components) as c where strpos(lower(c ->> 'text'), lower($8)) > 0))
  and ($9::text is null or strpos(t.name, $9) > 0 or exists (
    select from json_array_elements(t.components) as c where strpos(lower(c ->> 'text'), lower($9)) > 0))`;

const valuesOf = (workspaceId: string, accountId: string, of: ListFilter) => [
  workspaceId,
  accountId,
  of.status,
  of.category,
  of.language,
  of.quality,
  of.name,
  of.content,
  of.nameOrContent,
];

export type PageOf = { after: string | null; before: string | null; fetch: number };

/** Newest first; with `before`, those next above it, the nearest first. */
export const selectListedRows = (
  sql: Sql,
  workspaceId: string,
  { accountId, filter, page }: { accountId: string; filter: ListFilter; page: PageOf },
): Promise<ListedRow[]> =>
  sql.query<ListedRow>(
    `select t.id, t.provider_template_id, t.name, t.language, t.category, t.status, t.quality, t.parameter_format, t.components,
       t.rejection_reason, t.updated_at
     ${FITTING} and ($10::uuid is null or t.id < $10) and ($11::uuid is null or t.id > $11)
     order by t.id ${page.before === null ? "desc" : "asc"} limit $12`,
    [...valuesOf(workspaceId, accountId, filter), page.after, page.before, page.fetch],
  );

export type Counts = {
  matching: number;
  all: number;
  /** Each name has every language that the account uses. */
  complete: boolean;
};

export async function countTemplates(
  sql: Sql,
  workspaceId: string,
  { accountId, filter }: { accountId: string; filter: ListFilter },
): Promise<Counts> {
  const rows = await sql.query<Counts>(
    `select (select count(*)::int ${FITTING}) as matching, count(*)::int as all,
       count(distinct a.name) * count(distinct a.language) = count(*) as complete
     from template a where a.workspace_id = $1 and a.business_account_id = $2 and a.status <> 'deleted'`,
    valuesOf(workspaceId, accountId, filter),
  );
  return rows[0] ?? { matching: 0, all: 0, complete: true };
}

export type ChosenRow = { id: string; status: string };

/** What a deletion names: of an account, by a name, by the provider's ids, or by both. */
export const selectChosenRows = (
  sql: Sql,
  workspaceId: string,
  { accountId, name, providerIds }: { accountId: string; name: string | null; providerIds: string[] | null },
): Promise<ChosenRow[]> =>
  sql.query<ChosenRow>(
    `select t.id, t.status from template t where t.workspace_id = $1 and t.business_account_id = $2 and t.status <> 'deleted'
       and ($3::text is null or t.name = $3) and ($4::text[] is null or t.provider_template_id = any($4))
     order by t.id`,
    [workspaceId, accountId, name, providerIds],
  );
