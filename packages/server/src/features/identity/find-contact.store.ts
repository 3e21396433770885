import type { Sql } from "../../db/database.ts";

/** How a client names a person. `phones`: digits, the forms that the text can mean, the first that is known counts. */
export type GivenIdentifier =
  | { phones: readonly string[] }
  | { contactId: string }
  /** Business-scoped, of any portfolio of the workspace. */
  | { userId: string };

const SCOPES =
  "(select array_agg(coalesce(a.portfolio_id, a.provider_account_id)) from business_account a where a.workspace_id = $1)::text[]";

/** The records of a person: the one that answers for all of them, and those that were merged into it. */
export async function selectRecordIds(sql: Sql, workspaceId: string, name: GivenIdentifier): Promise<string[]> {
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

/** Whether a phone number of the person is known, so that they are not reached by a user id alone; null when the person is not known. */
export async function selectHasNumber(sql: Sql, workspaceId: string, name: GivenIdentifier): Promise<boolean | null> {
  const contact = await selectSurvivorId(sql, workspaceId, name);
  const [row] = await sql.query<{ has_number: boolean }>(
    "select c.phone is not null or c.wa_id is not null as has_number from contact c where c.workspace_id = $1 and c.id = $2",
    [workspaceId, contact],
  );
  return row?.has_number ?? null;
}

// Each statement finds the contact of one name, those of a kind in their order; arguments are SQL.
const byContactId = (id: string): string =>
  `select coalesce(c.merged_into, c.id) as id from contact c where c.workspace_id = $1 and c.id = ${id}`;
const byUserId = (userId: string): [string, string] => [
  `select i.contact_id as id from identifier i
   where i.workspace_id = $1 and i.kind in ('user_id', 'parent_user_id') and i.scope = any(${SCOPES}) and i.value = ${userId}
   order by i.until is not null limit 1`,
  `select c.id from contact c where c.workspace_id = $1 and c.user_id = ${userId}`,
];
/** `digits` are the forms of a number, `e164` the same with a +. */
const byPhones = (digits: string, e164: string): [string, string] => [
  `select i.contact_id as id from identifier i
   where i.workspace_id = $1 and i.kind = 'phone' and i.scope = '' and i.value = any(${digits}) and i.until is null
   order by array_position(${digits}, i.value) limit 1`,
  `select c.id from contact c where c.workspace_id = $1 and c.phone = any(${e164})
   union all select c.id from contact c where c.workspace_id = $1 and c.wa_id = any(${digits}) and not c.is_named limit 1`,
];
const e164Of = (phones: readonly string[]): string[] => phones.map((digits) => `+${digits}`);

/** The contact that stands for a person; null when no contact has this name. */
export async function selectSurvivorId(sql: Sql, workspaceId: string, name: GivenIdentifier): Promise<string | null> {
  const ask = async (text: string, ...values: (string | string[])[]): Promise<string | null> =>
    (await sql.query<{ id: string }>(text, [workspaceId, ...values]))[0]?.id ?? null;
  if ("contactId" in name) return await ask(byContactId("$2"), name.contactId);
  if ("userId" in name) {
    const [first, second] = byUserId("$2");
    return (await ask(first, name.userId)) ?? (await ask(second, name.userId));
  }
  const [first] = byPhones("$2::text[]", "");
  const [, second] = byPhones("$3::text[]", "$2::text[]");
  return (await ask(first, [...name.phones])) ?? (await ask(second, e164Of(name.phones), [...name.phones]));
}

/** As `selectSurvivorId`, of many names in one statement. */
export async function selectSurvivorIds(
  sql: Sql,
  workspaceId: string,
  names: readonly GivenIdentifier[],
): Promise<(string | null)[]> {
  const firstOf = (statements: readonly string[]): string =>
    `coalesce(${statements.map((one) => `(${one})`).join(", ")})`;
  const given = names.map((name) => ({
    ...("contactId" in name ? { contact_id: name.contactId } : {}),
    ...("userId" in name ? { user_id: name.userId } : {}),
    ...("phones" in name ? { phones: name.phones, e164: e164Of(name.phones) } : {}),
  }));
  const rows = await sql.query<{ id: string | null }>(
    `select case when k.contact_id is not null then (${byContactId("k.contact_id")})
       when k.user_id is not null then ${firstOf(byUserId("k.user_id"))}
       else ${firstOf(byPhones("k.phones", "k.e164"))} end as id
     from rows from (
       json_to_recordset($2::json) as (contact_id uuid, user_id text, phones text[], e164 text[])
     ) with ordinality k(contact_id, user_id, phones, e164, n)
     order by k.n`,
    [workspaceId, JSON.stringify(given)],
  );
  return rows.map(({ id }) => id);
}
