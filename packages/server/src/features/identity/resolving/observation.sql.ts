import { PHONE_RULES_VERSION } from "../../../lib/phone/variants.ts";
import {
  calledAfter,
  contactByPhone,
  contactByUserId,
  contactsOf,
  lockContacts,
  namedAtAfter,
  type ObservedIdentifiers,
  TAKE_OVER,
  UNCONFIRMED,
} from "../identifiers.sql.ts";

// What one observation teaches about a person, as PL/pgSQL for the rows of a batch that teach something: few, because most say
// what is known. It never merges two contacts, which needs both locked: it leaves that to `merge_contacts`.

/** How the observation `r` names the person. */
export const OBSERVED: ObservedIdentifiers = {
  workspace: "r.workspace_id",
  scope: "r.scope",
  phone: "r.wa_id",
  e164: "r.phone",
  key: "r.wa_key",
  loose: "r.wa_loose",
  userId: "r.user_id",
  parentUserId: "r.parent_user_id",
};

/** timestamptz: when a UUIDv7 was made, in whole milliseconds. */
export const timeOfId = (id: string): string =>
  `to_timestamp((('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint) / 1000.0)`;

/** The canonical form of the number of `r`. */
export const NUMBER = "coalesce(r.wa_key, r.wa_id)";

/** About the time of `r`: the provider's times are whole seconds, ours are not. */
export const ABOUT_THEN = "r.at + interval '2 seconds'";

/** The identifier `i` of a number says who had it when `r` happened: whom it names, though it may have been given up since. */
export const NAMED_THEN = `(i.since <= ${ABOUT_THEN} and (i.until is null or i.until >= r.at))`;

/** The identifier `i` of a number was taken from another contact after `r` happened. */
export const TAKEN_SINCE = `(i.taken_from is not null and i.since > ${ABOUT_THEN})`;

/** A person has at most this many names, the newest; some are forms and ids that named them before. */
const MOST_NAMES = 50;

/** Declarations of these steps, beside `r record` and `EVIDENCE_VARIABLES`. */
export const RESOLVE_VARIABLES = `
  person uuid;
  by_user uuid;
  by_phone uuid;
  former_owner uuid;
  owner_then uuid;
  e164 text;
  is_other_person boolean;
  is_new boolean;`;

/**
 * Whether a contact is known by another user id, valid where `r` was observed, than the one that it names. One that was given up
 * counts: the contact that has the next one may not be merged with this one yet.
 */
export const hasOtherUserId = (contact: string, condition = ""): string => `exists (
    select from identifier i
    where i.workspace_id = r.workspace_id and i.contact_id = ${contact} and i.value <> '' and i.kind = 'user_id'
      and i.scope = r.scope and i.value is distinct from r.user_id ${condition})`;

/** As `hasOtherUserId`, of a contact whose names may not be in `identifier` yet. */
export const mayHaveOtherUserId = (contact: string): string => `(${hasOtherUserId(contact)} or exists (
    select from contact c
    where c.workspace_id = r.workspace_id and c.id = ${contact} and not c.is_named and c.user_id <> r.user_id))`;

const HAS_OTHER_USER_ID_NOW = hasOtherUserId("person", "and i.until is null");

export const hasNumber = (contact: string): string => `exists (
      select from identifier i
      where i.workspace_id = r.workspace_id and i.contact_id = ${contact} and i.value <> '' and i.kind = 'phone'
        and i.until is null)`;

/**
 * Whether a contact has a number that cannot be the same as the one observed: none with which evidence could join it, or one of its
 * length, which is another line though a third form is like both.
 */
export const hasOtherNumber = (contact: string): string => `(
    r.wa_id is not null and ${hasNumber(contact)} and coalesce((
      select bool_or(i.key <> ${NUMBER} and length(i.key) = length(${NUMBER})) from identifier i
      where i.workspace_id = r.workspace_id and i.contact_id = ${contact} and i.value <> '' and i.kind = 'phone'
        and i.until is null and i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id)), true))`;

/** Evidence that `person` is another contact too. `movedTo`: by this user id, which a person got with a new number. */
export const keepMergeEvidence = (other: string, movedTo = "null"): string => `
  insert into contact_evidence (workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at)
  values (r.workspace_id, new_uuid(now), person, ${other}, r.source, r.message_id, r.scope, ${movedTo}, r.at, now);
  has_evidence := true;`;

/** Declared variables: who is named by the user id and by the number of `r`. */
export const LOOK_UP = `
  by_user := ${contactByUserId(OBSERVED)};
  by_phone := ${contactByPhone(OBSERVED)};`;

/** Ends the call, which is repeated, when another one has changed since what this one has found. */
export const overtakenIf = (condition: string): string => `
  if ${condition} then
    raise exception 'overtaken' using errcode = 'serialization_failure';
  end if;`;

/**
 * Locks contacts that were found, because another call may be teaching them something, and makes sure that they are who they were, and
 * that the names mean them.
 */
export const lockPeople = (contacts: string): string => `${lockContacts("r.workspace_id", contacts, "no key update")}
  ${overtakenIf(`(select bool_or(c.merged_into is not null) from ${contactsOf("r.workspace_id", contacts)})
    -- Erased meanwhile: what is learned would name no contact.
    or (select count(*) from ${contactsOf("r.workspace_id", contacts)}) < (select count(distinct u.id) from unnest(array[${contacts}]) u(id))
    or by_user is distinct from ${contactByUserId(OBSERVED)} or by_phone is distinct from ${contactByPhone(OBSERVED)}`)}`;

/** For the row `r` of a person who wrote, or whose notice it is: what the names mean now. */
export const FIND_NAMED = `
  former_owner := null;
  e164 := '+' || r.wa_id;${LOOK_UP}`;

/** The end of a `with`: empties the columns of a contact that hold a `value` of the part `gone`. They show only what names it. */
export const clearColumns = (gone: string, contact: string): string => {
  const cleared = (column: string, name: string): string =>
    `${column} = case when ${name} in (select g.value from ${gone} g) then null else c.${column} end`;
  return `update contact c set
    ${cleared("phone", "substr(c.phone, 2)")}, ${cleared("wa_id", "c.wa_id")},
    ${cleared("wa_id_at", "c.wa_id")}, ${cleared("user_id", "c.user_id")}, updated_at = now
  where c.workspace_id = r.workspace_id and c.id = ${contact};`;
};

/**
 * Takes a number from the contact `by_phone` for `person`, in every form that it is known by there: from now on none of them names
 * the former owner, or a send to one of them would be filed there and reach this person. A form that may be another line stays, if
 * the former owner was heard from it.
 */
export const TAKE_NUMBER = `
      with taken as (
        update identifier i set contact_id = person, source = r.source, since = r.at, taken_from = by_phone
        where i.workspace_id = r.workspace_id and i.contact_id = by_phone and i.value <> '' and i.kind = 'phone'
          and i.until is null and (i.key = ${NUMBER}
            or (i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id) and i.source in ${UNCONFIRMED}))
        returning i.value)
      ${clearColumns("taken", "by_phone")}
      former_owner := by_phone;
      by_phone := person;`;

/** Whether the number has named `by_phone` since before the observation: a late one changes nothing. */
export const IS_LATER = `not exists (
        select from identifier i
        where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
          and i.contact_id = by_phone and i.since > r.at)`;

/**
 * Another call has given a name of `r` to another contact since it was found to be free: the repetition knows of both, and brings them
 * together. Names that were found before are no reason, or it would end the same way.
 */
export const REFUSE_OVERTAKEN = overtakenIf(`(by_phone is null and exists (
      select from identifier i
      where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
        and i.until is null and i.contact_id <> person))
    or (by_user is null and exists (
      select from identifier i
      where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope and i.value = r.user_id
        and i.contact_id <> person))`);

/** Whether another contact shows the user id, who has the same one in another portfolio: that says nothing, and it is shown once. */
export const IS_ANOTHERS_USER_ID = `exists (
    select from contact o where o.workspace_id = r.workspace_id and o.user_id = r.user_id and o.id <> person)`;

/** Writes the identifiers of `r` for `person`, where they name no other. A person has one user id of a portfolio at a time. */
const INSERT_IDENTIFIERS = `
  insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
  select r.workspace_id, v.kind, v.scope, v.value, person, v.source, r.at,
    case when v.kind = 'phone' then ${NUMBER} end, v.loose, ${PHONE_RULES_VERSION}
  from (values
    ('phone', '', r.wa_key, 'rule', coalesce(r.wa_loose, r.wa_key)),
    ('phone', '', r.wa_id, r.source, coalesce(r.wa_loose, r.wa_key, r.wa_id)),
    ('user_id', r.scope, case when not ${HAS_OTHER_USER_ID_NOW} then r.user_id end, r.source, null),
    ('parent_user_id', r.scope, r.parent_user_id, r.source, null)) v(kind, scope, value, source, loose)
  where v.value is not null
  order by v.kind, v.scope, v.value
  on conflict (workspace_id, kind, scope, value) do update set
    ${TAKE_OVER}
  where (i.until is not null and i.until <= excluded.since)
    -- What the rules derived has been seen now and may be sent, or what was written to was heard from.
    or (i.contact_id = excluded.contact_id and i.until is null
      and ((i.source = 'rule' and excluded.source <> 'rule') or (i.source in ${UNCONFIRMED} and excluded.source not in ${UNCONFIRMED})));`;

/** No sequence of reports makes a person's names grow without bound. What the contact's own columns hold stays. */
const FORGET_OLDEST_NAMES = `
  if (select count(*) from (
      select from identifier i where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> ''
      limit ${MOST_NAMES + 1}) n) > ${MOST_NAMES} then
    delete from identifier i
    where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.ctid = any(array(
      select o.ctid from identifier o join contact c on c.workspace_id = o.workspace_id and c.id = o.contact_id
      where o.workspace_id = r.workspace_id and o.contact_id = person and o.value <> ''
      order by o.value in (substr(c.phone, 2), c.wa_id, c.user_id, c.parent_user_id) desc nulls last,
        o.until is null desc, o.since desc, o.value
      offset ${MOST_NAMES}));
  end if;`;

/**
 * Writes what is known now into the contact `person`. Only what names this contact is written, a form of the number only by
 * evidence that is not older than what the contact has, what people call themselves likewise, and another portfolio's user id not over
 * one that is valid. `confirms`: what the answer to a send names is a way to reach the person, no proof of an account, and never replaces what was confirmed.
 */
export const WRITE_CONTACT = `${INSERT_IDENTIFIERS}
  update contact c set
    wa_id = k.wa_id, wa_id_at = case when k.is_number and r.confirms then r.at else c.wa_id_at end, phone = k.phone,
    user_id = k.user_id, parent_user_id = k.parent_user_id, username = k.username, profile_name = k.profile_name,
    named_at = k.named_at,
    updated_at = case when (c.wa_id, c.phone, c.user_id, c.parent_user_id, c.username, c.profile_name)
      is distinct from (k.wa_id, k.phone, k.user_id, k.parent_user_id, k.username, k.profile_name) then now else c.updated_at end
  from (
    select n.is_number, case when n.is_number then r.wa_id else c.wa_id end as wa_id,
      coalesce(c.phone, case when n.is_number and not exists (
        select from contact o where o.workspace_id = r.workspace_id and o.phone = n.e164) then n.e164 end) as phone,
      case when n.is_user then r.user_id else c.user_id end as user_id,
      coalesce(r.parent_user_id, c.parent_user_id) as parent_user_id, ${calledAfter("r", "username")} as username,
      ${calledAfter("r", "profile_name")} as profile_name, ${namedAtAfter("r")} as named_at
    from contact c, lateral (
      select '+' || r.wa_id as e164,
        exists (
          select from identifier i where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
            and i.value = r.wa_id and i.contact_id = person and i.until is null)
        and (c.wa_id_at is null or (r.confirms and c.wa_id_at <= r.at)) as is_number,
        exists (
          select from identifier i where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope
            and i.value = r.user_id and i.contact_id = person and i.until is null)
        and not exists (
          select from identifier i where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope <> r.scope
            and i.value = c.user_id and i.contact_id = person and i.until is null)
        and not ${IS_ANOTHERS_USER_ID} as is_user) n
    where c.workspace_id = r.workspace_id and c.id = person) k
  where c.workspace_id = r.workspace_id and c.id = person
    and (c.wa_id, c.phone, c.user_id, c.parent_user_id, c.username, c.profile_name, c.wa_id_at)
      is distinct from (k.wa_id, k.phone, k.user_id, k.parent_user_id, k.username, k.profile_name,
        case when k.is_number and r.confirms then r.at else c.wa_id_at end);
${FORGET_OLDEST_NAMES}`;
