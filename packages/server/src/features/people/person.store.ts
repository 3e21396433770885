import type { Sql } from "../../db/database.ts";

/** How a client names a person. `phones`: digits, the forms that the text can mean, the first that is known counts. */
export type PersonName =
  | { phones: readonly string[] }
  | { contactId: string }
  /** Business-scoped, of any portfolio of the workspace. */
  | { userId: string };

const SCOPES =
  "(select array_agg(coalesce(a.portfolio_id, a.provider_account_id)) from business_account a where a.workspace_id = $1)::text[]";

/** The records of a person: the one that answers for all of them, and those that were merged into it. */
export async function selectRecordIds(sql: Sql, workspaceId: string, name: PersonName): Promise<string[]> {
  const contact = await selectSurvivorId(sql, workspaceId, name);
  if (contact === null) return [];
  const merged = await sql.query<{ id: string }>(
    "select c.id from contact c where c.workspace_id = $1 and c.merged_into = $2",
    [workspaceId, contact],
  );
  return [contact, ...merged.map(({ id }) => id)];
}

/**
 * Lets user ids that were learned before the portfolio of their account was known name the same contacts in it. Those of the account
 * alone stay: another process may still look for them.
 */
export async function insertUserIdRowsOfPortfolio(
  sql: Sql,
  workspaceId: string,
  { providerAccountId, portfolioId }: { providerAccountId: string; portfolioId: string },
): Promise<void> {
  await sql.run(
    `insert into identifier (workspace_id, kind, scope, value, contact_id, source, since, until)
     select i.workspace_id, i.kind, $3, i.value, i.contact_id, i.source, i.since, i.until from identifier i
     where i.workspace_id = $1 and i.kind in ('user_id', 'parent_user_id') and i.scope = $2
     on conflict do nothing`,
    [workspaceId, providerAccountId, portfolioId],
  );
}

/** The contact that stands for a person; null when nobody is known by this name. */
export async function selectSurvivorId(sql: Sql, workspaceId: string, name: PersonName): Promise<string | null> {
  const ask = async (text: string, ...values: (string | string[])[]): Promise<string | null> =>
    (await sql.query<{ id: string }>(text, [workspaceId, ...values]))[0]?.id ?? null;
  if ("contactId" in name)
    return await ask(
      "select coalesce(c.merged_into, c.id) as id from contact c where c.workspace_id = $1 and c.id = $2",
      name.contactId,
    );
  if ("userId" in name)
    return (
      (await ask(
        `select i.contact_id as id from identifier i
         where i.workspace_id = $1 and i.kind in ('user_id', 'parent_user_id') and i.scope = any(${SCOPES}) and i.value = $2
         order by i.until is not null limit 1`,
        name.userId,
      )) ?? (await ask("select c.id from contact c where c.workspace_id = $1 and c.user_id = $2", name.userId))
    );
  return (
    (await ask(
      `select i.contact_id as id from identifier i
       where i.workspace_id = $1 and i.kind = 'phone' and i.scope = '' and i.value = any($2) and i.until is null
       order by array_position($2::text[], i.value) limit 1`,
      [...name.phones],
    )) ??
    (await ask(
      `select c.id from contact c where c.workspace_id = $1 and c.phone = any($2)
       union all select c.id from contact c where c.workspace_id = $1 and c.wa_id = any($3) and not c.is_named limit 1`,
      name.phones.map((digits) => `+${digits}`),
      [...name.phones],
    ))
  );
}
