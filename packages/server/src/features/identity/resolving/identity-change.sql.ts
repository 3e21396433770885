import { PHONE_RULES_VERSION } from "../../../lib/phone/variants.ts";
import { contactByParent, contactByUserId, survivorOf } from "../identifiers.sql.ts";
import {
  ABOUT_THEN,
  clearColumns,
  FIND_NAMED,
  hasOtherUserId,
  IS_LATER,
  keepMergeEvidence,
  lockPeople,
  NAMED_THEN,
  OBSERVED,
  overtakenIf,
  TAKE_NUMBER,
  TAKEN_SINCE,
  WRITE_CONTACT,
} from "./observation.sql.ts";

// What the provider says of a person who changed number or user id, as PL/pgSQL for the row `r` of its system message: beside the
// columns of an inbound message, which hold what is new, those that begin with `previous_`. Such messages
// come late and in any order: each says who had the old value until its time, and who has the new one since.
//
// A notice without user ids names people by numbers alone. Read in the order of their times, two people who swap numbers are one
// who moves and comes back. So the notice of a number is its former owner's, who lost it to another notice at about the same time;
// later it is of no person, until the new owner was heard from it. A notice that names no person costs an operator a click.

/** Declarations of `APPLY_CHANGE`, beside those of observation.sql.ts. */
export const CHANGE_VARIABLES = `
  by_previous_user uuid;
  by_previous_phone uuid;
  old_number identifier;
  old_number_now identifier;
  left_number identifier;
  contested uuid;`;

/** The numbers that the person had and has, in the form that stands for all of them. */
const PREVIOUS_NUMBER = "coalesce(r.previous_wa_key, r.previous_wa_id)";
const NEW_NUMBER = "coalesce(r.wa_key, r.wa_id)";

/** A query for the identifier of the old number that says who had it until the change. */
const OLD_NUMBER = `
    select i.* from identifier i
    where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
      and i.value in (r.previous_wa_id, r.previous_wa_key) and (${NAMED_THEN} or ${TAKEN_SINCE})
    order by i.value = r.previous_wa_id desc limit 1`;

/** Whether a contact wrote since a time. */
const wroteSince = (contact: string, since: string): string => `exists (
      select from conversation v
      where v.workspace_id = r.workspace_id and v.contact_id = ${contact} and v.last_inbound_at > ${since})`;

/** Declared variables: who had the old number by what is known of it; `contested`: who may never have had it. */
const FIND_PREVIOUS_OWNER = `
  by_previous_phone := old_number.contact_id;
  contested := null;
  former_owner := ${survivorOf("r.workspace_id", "old_number.taken_from")};
  if former_owner <> by_previous_phone then
    if r.at <= old_number.since + interval '2 seconds' then
      by_previous_phone := former_owner;
    elsif not ${wroteSince("by_previous_phone", "old_number.since")} then
      contested := by_previous_phone;
      by_previous_phone := null;
    end if;
  end if;
  former_owner := null;`;

/**
 * uuid: the contact of which the change is known, as each of our numbers that they wrote to reports it: at about the same time, or
 * some seconds later if they have the new number and no contact had the old one.
 */
const REPORTED_BEFORE = `
    (select i.contact_id from identifier i
     where i.workspace_id = r.workspace_id and i.kind = 'change' and i.scope = ${PREVIOUS_NUMBER} and i.value = ${NEW_NUMBER}
       and abs(extract(epoch from i.since - r.at)) <= case when old_number.value is null and i.contact_id = by_phone then 10 else 2 end)`;

/**
 * Keeps that the change was reported: for its repetition, and for what was written from the old number before it and comes late. Of
 * several from one number to another the last one.
 */
const KEEP_CHANGE = `
  if r.previous_wa_id is not null and r.wa_id is not null then
    insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since)
    values (r.workspace_id, 'change', ${PREVIOUS_NUMBER}, ${NEW_NUMBER}, person, r.source, r.at)
    on conflict (workspace_id, kind, scope, value) do update set contact_id = excluded.contact_id, since = excluded.since
    where i.since < excluded.since - interval '2 seconds';
  end if;`;

/** Ends what names a contact: a number in every form, and what else `more` says. */
const end = (contact: string, until = "r.at", more = ""): string => `
  with ended as (
    update identifier i set until = ${until}
    where i.workspace_id = r.workspace_id and i.contact_id = ${contact} and i.value <> '' and i.until is null
      and i.since <= ${ABOUT_THEN}
      and i.value is distinct from r.wa_id and i.value is distinct from r.wa_key and i.value is distinct from r.user_id
      and ((i.kind = 'phone' and i.loose = coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id))${more})
    returning i.value)
  ${clearColumns("ended", contact)}`;

/**
 * Ends what named the person until now: the number, and with a new user id the ones before it. A value that was never
 * seen is kept too: an earlier change to it may come later.
 */
const END_PREVIOUS = `${end("person", "r.at", "\n        or (i.kind = 'user_id' and i.scope = r.scope and r.user_id is not null)")}
  insert into identifier (workspace_id, kind, scope, value, contact_id, source, since, until, key, loose, rules)
  select r.workspace_id, v.kind, v.scope, v.value, person, r.source, '-infinity', r.at,
    case when v.kind = 'phone' then ${PREVIOUS_NUMBER} end, v.loose, ${PHONE_RULES_VERSION}
  from (values
    ('phone', '', r.previous_wa_key, coalesce(r.previous_wa_loose, r.previous_wa_key)),
    ('phone', '', r.previous_wa_id, coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id)),
    ('user_id', r.scope, r.previous_user_id, null)) v(kind, scope, value, loose)
  where v.value is not null and v.value is distinct from r.wa_id and v.value is distinct from r.wa_key
    and v.value is distinct from r.user_id
  order by v.kind, v.scope, v.value
  on conflict do nothing;`;

/** uuid: whom the old user id names. It never was another's, whenever it ended. */
const BY_PREVIOUS_USER = contactByUserId({ ...OBSERVED, userId: "r.previous_user_id" });

/** Whether the one who had the old number has a user id that the notice does not name. */
const HAS_ANOTHERS_USER_ID = hasOtherUserId("person", "and i.value is distinct from r.previous_user_id");

/** Whether a contact is an address alone: no person ever wrote or moved from it, and no user id is known. */
const isAddress = (
  contact: string,
): string => `(not ${hasOtherUserId(contact)} and not ${wroteSince(contact, "'-infinity'")}
      and not exists (
      select from identifier i
      where i.workspace_id = r.workspace_id and i.contact_id = ${contact} and i.value <> '' and i.kind = 'phone'
        and i.source = r.source))`;

/** A query for the identifier of the new number, if a contact has had it from the time of the change on, or since before, and left it later. */
const LEFT_NUMBER = `
    select i.* from identifier i
    where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id and i.until > r.at
      and i.since <= ${ABOUT_THEN}`;

const NAMES_NO_USER_ID = "coalesce(r.user_id, r.previous_user_id) is null";

/** Whether `left_number` was a contact's before and after the change that says that another one came to it. */
const IS_CONTRADICTED = `(${NAMES_NO_USER_ID} and left_number.since > '-infinity'
      and left_number.since < r.at - interval '2 seconds' and not ${isAddress("left_number.contact_id")})`;

/** Whether the one who left the new number later can be the person: neither of two user ids is the other's. */
const CAN_BE_PERSON = `(r.user_id is null or not exists (
    select from identifier i
    where i.workspace_id = r.workspace_id and i.contact_id = left_number.contact_id and i.value <> '' and i.kind = 'user_id'
      and i.scope = r.scope))`;

/**
 * Ends what a person got by leaving `left_number`: who left it is not known any more, nor whether the person has it. Of notices of
 * the same seconds the order is not known: there the person has come to it.
 */
const CONTRADICT = `
    update identifier i set contact_id = person, source = r.source, since = r.at, taken_from = i.contact_id,
      until = case when left_number.until > ${ABOUT_THEN} then r.at end
    where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
      and i.contact_id = left_number.contact_id and i.until = left_number.until;
    with ended as (
      update identifier i set until = i.since
      where i.workspace_id = r.workspace_id and i.contact_id = left_number.contact_id and i.value <> '' and i.kind = 'phone'
        and i.until is null and i.since = left_number.until and i.since > ${ABOUT_THEN}
      returning i.value)
    ${clearColumns("ended", "left_number.contact_id")}
    if left_number.until > ${ABOUT_THEN} then
      r.wa_id := null;
      r.wa_key := null;
    end if;`;

/** What a notice that was not reported before does. */
const MOVE_PERSON = `
  by_previous_user := ${BY_PREVIOUS_USER};
${FIND_PREVIOUS_OWNER}
  person := coalesce(by_previous_user, by_previous_phone,
    ${contactByParent({ ...OBSERVED, parentUserId: "r.previous_parent_user_id" })});
  if by_previous_user is null and not ${NAMES_NO_USER_ID} and ${HAS_ANOTHERS_USER_ID} then
    person := null; -- The number had another owner when it was last heard of.
  end if;
  person := coalesce(person, by_user);
  if person is not null then contested := null; end if;
  select l.* into left_number from (${LEFT_NUMBER}) l;
${lockPeople("person, by_user, by_phone, left_number.contact_id, contested")}
  select o.* into old_number_now from (${OLD_NUMBER}) o;
${overtakenIf("old_number_now is distinct from old_number")}
  is_new := person is null;
  if is_new then
    person := r.new_contact_id;
    insert into contact (workspace_id, id, created_at, updated_at, is_named) values (r.workspace_id, person, now, now, true);
  end if;
${KEEP_CHANGE}
  if contested is not null then ${end("contested", "i.since")} end if;
${END_PREVIOUS}
  select o.* into old_number_now from (${OLD_NUMBER}) o;
${overtakenIf(`(by_previous_user is null and ${BY_PREVIOUS_USER} <> person)
    or (old_number.value is null and old_number_now.contact_id <> person)`)}
  if by_user is not null and by_user <> person then ${keepMergeEvidence("by_user", "r.user_id")} end if;
  if left_number.contact_id <> person and ${IS_CONTRADICTED} then ${CONTRADICT}
  elsif left_number.contact_id <> person and ${CAN_BE_PERSON} then
    -- Who left the new number later had come to it by this change.
    ${keepMergeEvidence("left_number.contact_id")}
  elsif by_phone is not null and by_phone <> person and by_phone is distinct from by_user then
    if ${isAddress("by_phone")} then
      -- At once, or another person who writes from it meanwhile would be taken for this record, and merged with the person.
      ${TAKE_NUMBER}
      ${keepMergeEvidence("former_owner")}
    elsif ${IS_LATER} then ${TAKE_NUMBER}
    end if;
  end if;
${WRITE_CONTACT}`;

/**
 * Moves a person to the new number and user id. A contact that has the new number already is the same person if it has the new
 * user id or is an address alone; else it keeps its history and loses the number. Leaves `person`, and `is_new`.
 */
export const APPLY_CHANGE = `${FIND_NAMED}
  select o.* into old_number from (${OLD_NUMBER}) o;
  is_new := false;
  person := case when ${NAMES_NO_USER_ID} then ${REPORTED_BEFORE} end;
  if person is null then
${MOVE_PERSON}
  end if;`;
