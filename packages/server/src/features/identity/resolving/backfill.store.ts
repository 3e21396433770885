import { type AnswerOf, columns, each, hotFunction, lookUp, type RowOf, recordset } from "../../../db/hot-function.ts";
import type { Question } from "../../../db/question.ts";
import { PHONE_RULES_VERSION } from "../../../lib/phone/variants.ts";
import { scopeOf } from "../identifiers.sql.ts";

const CONTACT = columns({
  workspace_id: "uuid",
  id: "uuid",
  phone: "text?",
  wa_id: "text?",
  user_id: "text?",
  /** The portfolio of the number that the contact wrote to, else of the workspace's first account. */
  scope: "text?",
  created_at: "timestamptz",
});
export type UnnamedContact = AnswerOf<typeof CONTACT>;

const IS_UNNAMED = "not c.is_named and c.created_at > '-infinity'";

/** Whether there are any. */
export const UNNAMED_CONTACTS: Question = {
  name: "unnamed_contacts",
  rows: `select from contact c where ${IS_UNNAMED} and c.created_at <= now`,
};

/** Contacts of all workspaces whose names are not in `identifier`, the oldest first. One input row. */
export const findUnnamed = hotFunction({
  name: "find_unnamed",
  writes: false,
  input: columns({ most: "int" }),
  answers: CONTACT,
  body: `return query
  select c.workspace_id, c.id, c.phone, c.wa_id, c.user_id, ${scopeOf("a")}, c.created_at
  from ${recordset(columns({ most: "int" }))}
  ${each("c", `select c.* from contact c where ${IS_UNNAMED} order by c.created_at limit x.most`)}
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
  order by c.created_at;`,
});

const NAME = columns({
  workspace_id: "uuid",
  contact_id: "uuid",
  /** `phone` or `user_id`; `none` for a contact without any. */
  kind: "text",
  scope: "text",
  value: "text",
  /** `upgrade`, or `rule` for a canonical form. */
  source: "text",
  key: "text?",
  loose: "text?",
  since: "timestamptz",
});
export type NameRow = RowOf<typeof NAME>;

/**
 * Adds the names of contacts that have none yet. What names another contact stays its, but for what the rules derived: whether two
 * contacts are one person is for evidence to say. The name of an earlier version was the one that people give themselves.
 */
export const identifyContacts = hotFunction({
  name: "identify_contacts",
  input: NAME,
  answers: columns({ named: "int" }),
  declare: `n int;
  locked uuid[];`,
  body: `
-- Another process may be naming them, or merging them.
locked := array(
  select c.id from (select distinct x.workspace_id, x.contact_id from ${recordset(NAME)}) x
  ${each(
    "c",
    `
    select c.id from contact c
    where c.workspace_id = x.workspace_id and c.id = x.contact_id and not c.is_named and c.merged_into is null
    for no key update skip locked`,
  )});
insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
select distinct on (x.workspace_id, x.kind, x.scope, x.value)
  x.workspace_id, x.kind, x.scope, x.value, x.contact_id, x.source, x.since, x.key, x.loose, ${PHONE_RULES_VERSION}
from ${recordset(NAME)}
where x.contact_id = any(locked) and x.kind <> 'none'
order by x.workspace_id, x.kind, x.scope, x.value, x.source = 'rule', x.ordinality
on conflict (workspace_id, kind, scope, value) do update set
  contact_id = excluded.contact_id, source = excluded.source, since = excluded.since
where i.source = 'rule' and excluded.source <> 'rule' and i.until is null;
update contact c set is_named = true, profile_name = coalesce(c.profile_name, c.name), name = null
from (select distinct x.workspace_id, x.contact_id from ${recordset(NAME)}) x
where x.contact_id = any(locked) and c.workspace_id = x.workspace_id and c.id = x.contact_id;
get diagnostics n = row_count;
return query select n;`,
});
