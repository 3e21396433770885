import { each } from "../../db/hot-function.ts";
import { PHONE_RULES_VERSION } from "../../lib/phone/variants.ts";

// Finding and creating people: steps of other features' database functions. Expressions are SQL.

/**
 * How a row `x` names a person. Phones are digits; what is not given is null. `key` is left out where it is the number itself,
 * `loose` where it is the key.
 */
export type ObservedIdentifiers = {
  workspace: string;
  /** The portfolio that user ids are valid in. */
  scope: string;
  phone: string;
  /** The number as it is stored in the contact, with +. */
  e164: string;
  key: string;
  loose: string;
  userId: string;
  /** Of linked portfolios; left out where requests name no person by it. */
  parentUserId?: string;
};

/** Of a phone number's account `a`: user ids are valid in its portfolio. An account that has not said which is one of its own. */
export const scopeOf = (account: string): string => `coalesce(${account}.portfolio_id, ${account}.provider_account_id)`;

/** The contact that a value names. A value that was given up names no one. */
const holderOf = (workspace: string, kinds: string, scope: string, value: string): string => `
  (select i.contact_id from identifier i
   where i.workspace_id = ${workspace} and i.kind ${kinds} and i.scope = ${scope} and i.value = ${value} and i.until is null
   limit 1)`;

/** uuid: the contact that a user id names. A parent id is another kind, and written differently. An id that was given up is no other person's. */
export const contactByUserId = ({ workspace, scope, userId }: ObservedIdentifiers): string => `
  (select i.contact_id from identifier i
   where i.workspace_id = ${workspace} and i.kind in ('user_id', 'parent_user_id') and i.scope = ${scope} and i.value = ${userId}
   limit 1)`;

/** uuid: the contact of the parent id that comes with a user id, or alone. */
export const contactByParent = ({ workspace, scope, parentUserId = "null" }: ObservedIdentifiers): string =>
  holderOf(workspace, "= 'parent_user_id'", scope, parentUserId);

/**
 * uuid: the contact that a number names: by the very form, else by its canonical one, which forms of one number have in common
 * where the numbering plan makes two people impossible.
 */
export const contactByPhone = ({ workspace, phone, key }: ObservedIdentifiers): string => `coalesce(
  ${holderOf(workspace, "= 'phone'", "''", phone)},
  ${holderOf(workspace, "= 'phone'", "''", key)})`;

/**
 * uuid: the contact of a number or user id whose names are in its columns alone, because a process of an earlier version created it:
 * `identify_contacts` is about to give it identifiers. The number must be a plain column: an expression costs the planner so much that
 * it takes another index.
 */
export const contactWithoutIdentifiers = ({ workspace, e164, userId }: ObservedIdentifiers): string => `coalesce(
  (select c.id from contact c where c.workspace_id = ${workspace} and c.phone = ${e164}),
  (select c.id from contact c where c.workspace_id = ${workspace} and c.user_id = ${userId} and not c.is_named))`;

/** Sources of a form from which no person has written yet. */
export const UNCONFIRMED = "('rule', 'message', 'answer', 'upgrade')";

/** As `contactWithoutIdentifiers`, by what the provider called a person. */
export const unnamedByWaId = (workspace: string, waId: string): string => `
  (select c.id from contact c where c.workspace_id = ${workspace} and c.wa_id = ${waId} and not c.is_named limit 1)`;

/** The columns of a contact `c` that are shown of it. */
export const SHOWN_OF_CONTACT = `c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name,
  c.email, c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at`;

/**
 * A select of a contact as events have it, `contact`, and of `merged_into`: of a merged record the surviving one is shown. It is read where
 * `when` is true.
 */
export const contactShown = (workspace: string, id: string, when = "true"): string => `
    select v.merged_into, row_to_json(v) as contact from (
      select ${SHOWN_OF_CONTACT}, c.merged_into from contact c
      where ${when} and c.workspace_id = ${workspace} and c.id = ${id}) v`;

/** boolean: whether the names of a contact `c` were said later than those of the row `said`, as far as is known. */
const isNamedSince = (said: string): string =>
  `(coalesce(c.username, c.profile_name) is not null and coalesce(coalesce(c.named_at, c.wa_id_at) > ${said}.at, false))`;

/** text: what a contact `c` is called after a row `said`: what was said last counts, in whatever order it comes. */
export const calledAfter = (said: string, column: "username" | "profile_name"): string =>
  `case when ${isNamedSince(said)} then coalesce(c.${column}, ${said}.${column}) else coalesce(${said}.${column}, c.${column}) end`;

/** timestamptz: `named_at` of a contact `c` after a row `said`. */
export const namedAtAfter = (said: string): string =>
  `case when coalesce(${said}.username, ${said}.profile_name) is null or ${isNamedSince(said)} then c.named_at else ${said}.at end`;

/**
 * A `from` list with the contacts `c` of some ids, in the order of these. Each is looked up by its key: before version 17 PostgreSQL
 * reads all contacts of the workspace for `id in (…)` on a connection that planned the statement while the table was empty.
 */
export const contactsOf = (workspace: string, ids: string): string => `${eachOnce(ids)}
    ${each("c", `select c.* from contact c where c.workspace_id = ${workspace} and c.id = u.id`)}`;

/** Locks contacts (`contactsOf`) in the order of their ids, so that two calls never wait for each other in a circle. */
export const lockContacts = (workspace: string, ids: string, strength: "update" | "no key update"): string => `
  perform from ${eachOnce(ids)}
    ${each("c", `select from contact c where c.workspace_id = ${workspace} and c.id = u.id for ${strength}`)};`;

const eachOnce = (ids: string): string => `(select distinct u.id from unnest(array[${ids}]) u(id) order by 1) u`;

/** uuid: the contact of an id that may have been merged into another. */
export const survivorOf = (workspace: string, contact: string): string => `
  (select coalesce(m.merged_into, m.id) from contact m where m.workspace_id = ${workspace} and m.id = ${contact})`;

/**
 * text: the number that a contact `c` is written to: the form that the provider last named, unless it refused that, else `given`,
 * while that is the contact's: what its column holds names no other. Null: it has no number.
 */
export const wireForm = (c: string, workspace: string, given: string): string =>
  `case when ${c}.wa_id is not null and ${c}.wa_id is distinct from ${c}.refused_form then '+' || ${c}.wa_id
      when ${given} = ${c}.phone then ${given}
      else own_number(${workspace}, ${c}.id, ${given}) end`;

/**
 * What becomes of a value that named another contact, or this one before, in the `do update` of an `insert` into identifier. Where
 * that one was found not to be certain (it ended as it began), it may still have the number. A value that names this contact already
 * only gets a better source.
 */
export const TAKE_OVER = `contact_id = excluded.contact_id, source = excluded.source, until = null, key = excluded.key,
    loose = excluded.loose, rules = excluded.rules, since = case when i.until is null then i.since else excluded.since end,
    taken_from = case when i.until is null then i.taken_from
      when i.since = i.until then nullif(i.contact_id, excluded.contact_id) end`;

/**
 * A part of a `with` that creates the identifiers of new contacts, one row each by which they are found: of a number the
 * canonical form, else the user id. Two calls that meet a stranger under two forms of one number wait for each other here; it
 * returns the contacts (`contact_id`) that came first. `from` has a row `x` for each contact, named by `named`.
 */
export const insertFirstIdentifiers = (
  from: string,
  named: ObservedIdentifiers & { contact: string; source: string; at: string },
): string => `
  insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
  select ${named.workspace},
    case when ${named.phone} is not null then 'phone' when ${named.userId} like '__.ENT.%' then 'parent_user_id' else 'user_id' end,
    case when ${named.phone} is not null then '' else ${named.scope} end,
    coalesce(${named.key}, ${named.phone}, ${named.userId}), ${named.contact},
    case when ${named.key} is null then ${named.source} else 'rule' end, ${named.at},
    coalesce(${named.key}, ${named.phone}), coalesce(${named.loose}, ${named.key}, ${named.phone}), ${PHONE_RULES_VERSION}
  from ${from}
  order by 1, 2, 3, 4
  on conflict (workspace_id, kind, scope, value) do update set
    ${TAKE_OVER}
  where i.until is not null
  returning contact_id`;

/** A part of a `with`: the form that was seen, where it is not the canonical one. */
export const insertPhoneForm = (
  from: string,
  named: Omit<ObservedIdentifiers, "userId" | "scope"> & { contact: string; source: string; at: string },
): string => `
  insert into identifier as i (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
  select ${named.workspace}, 'phone', ${named.phone}, ${named.contact}, ${named.source}, ${named.at}, ${named.key},
    coalesce(${named.loose}, ${named.key}), ${PHONE_RULES_VERSION}
  from ${from}
  where ${named.key} is not null
  order by 1, 3
  on conflict (workspace_id, kind, scope, value) do update set
    ${TAKE_OVER}
  where i.until is not null`;
