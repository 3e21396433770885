import { type AnswerOf, columns, each, hotFunction, lookUp, type RowOf, recordset } from "../../../db/hot-function.ts";
import { PHONE_RULES_VERSION } from "../../../lib/phone-variants.ts";
import { scopeOf } from "../person.sql.ts";

const PLACE = columns({ workspace_id: "uuid", id: "uuid", most: "int" });

const CONTACT = columns({
  workspace_id: "uuid",
  id: "uuid",
  phone: "text?",
  wa_id: "text?",
  user_id: "text?",
  /** The portfolio of the number that the contact wrote to, else of the workspace's first account. */
  scope: "text?",
  created_at: "timestamptz",
  /** Some of its identifiers are missing, or were derived by other rules. */
  lacks: "boolean",
});
export type WalkedContact = AnswerOf<typeof CONTACT>;

/** Whether a phone identifier is missing for these digits, or of other rules than these. */
const lacksPhone = (digits: string): string => `(${digits} is not null and not exists (
      select from identifier i
      where i.workspace_id = c.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = ${digits}
        and i.rules = ${PHONE_RULES_VERSION}))`;

/** The next contacts of all workspaces behind a place. One input row. */
export const walkContacts = hotFunction({
  name: "walk_contacts",
  writes: false,
  input: PLACE,
  answers: CONTACT,
  body: `return query
  select c.workspace_id, c.id, c.phone, c.wa_id, c.user_id, ${scopeOf("a")}, c.created_at,
    ${lacksPhone("substr(c.phone, 2)")} or ${lacksPhone("c.wa_id")} or (c.user_id is not null and u.yes is null)
  from ${recordset(PLACE)}
  ${each(
    "c",
    `
    select c.* from contact c where (c.workspace_id, c.id) > (x.workspace_id, x.id) and c.merged_into is null
    order by c.workspace_id, c.id limit x.most`,
  )}
  ${lookUp(
    "v",
    "select v.phone_number_id from conversation v where v.workspace_id = c.workspace_id and v.contact_id = c.id limit 1",
  )}
  ${lookUp(
    "n",
    "select n.business_account_id from phone_number n where n.workspace_id = c.workspace_id and n.id = v.phone_number_id",
  )}
  ${lookUp(
    "a",
    `
    select a.portfolio_id, a.provider_account_id from business_account a
    where c.user_id is not null and a.workspace_id = c.workspace_id and a.id = coalesce(n.business_account_id, (
      select o.id from business_account o where o.workspace_id = c.workspace_id order by o.id limit 1))`,
  )}
  ${lookUp(
    "u",
    `
    select true as yes from identifier i
    where i.workspace_id = c.workspace_id and i.kind = 'user_id' and i.scope = ${scopeOf("a")} and i.value = c.user_id`,
  )}
  order by c.workspace_id, c.id;`,
});

const NAME = columns({
  workspace_id: "uuid",
  contact_id: "uuid",
  /** `phone` or `user_id`. */
  kind: "text",
  scope: "text",
  value: "text",
  /** `upgrade`, or `rule` for a canonical form. */
  source: "text",
  loose: "text?",
  since: "timestamptz",
});
export type NameRow = RowOf<typeof NAME>;

/**
 * Adds names of contacts that have none yet. What names another contact stays its: whether two contacts are one person is for
 * evidence to say, not for the rules.
 */
export const identifyContacts = hotFunction({
  name: "identify_contacts",
  input: NAME,
  answers: columns({ added: "int" }),
  declare: "n int;",
  body: `
insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, loose, rules)
select distinct on (x.workspace_id, x.kind, x.scope, x.value)
  x.workspace_id, x.kind, x.scope, x.value, x.contact_id, x.source, x.since, x.loose, ${PHONE_RULES_VERSION}
from ${recordset(NAME)}
-- Deleted or merged since it was read: its names are another's to have.
${each("c", "select from contact c where c.workspace_id = x.workspace_id and c.id = x.contact_id and c.merged_into is null")}
order by x.workspace_id, x.kind, x.scope, x.value, x.ordinality
on conflict (workspace_id, kind, scope, value) do update set loose = excluded.loose, rules = excluded.rules
where i.contact_id = excluded.contact_id and i.rules < excluded.rules;
get diagnostics n = row_count;
return query select n;`,
});
