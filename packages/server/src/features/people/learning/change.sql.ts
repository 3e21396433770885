import { PHONE_RULES_VERSION } from "../../../lib/phone-variants.ts";
import { contactByUserId } from "../person.sql.ts";
import {
  clearColumns,
  FIND_NAMED,
  HOLDER_UNTIL_LATER,
  hasOtherUserId,
  holderThen,
  IS_LATER,
  lockPeople,
  overtakenIf,
  SEEN,
  TAKE_NUMBER,
  WRITE_PERSON,
  wantMerge,
} from "./learn.sql.ts";

// What the provider says of a person who changed number or user id, as PL/pgSQL for the row `r` of its system message: beside the
// columns of an inbound message, which hold what is new, those that begin with `previous_`. Such messages
// come late and in any order: each says who had the old value until its time, and who has the new one since.

/** Declarations of `APPLY_CHANGE`, beside those of learn.sql.ts. */
export const CHANGE_VARIABLES = `
  by_previous_user uuid;
  by_previous_phone uuid;
  left_number uuid;`;

/**
 * Ends what named the person until now: the number in every form, and with a new user id the ones before it. A value that was never
 * seen is kept too: an earlier change to it may come later.
 */
const END_PREVIOUS = `
  with ended as (
    update identifier i set until = r.at
    where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.until is null
      and i.since <= r.at + interval '2 seconds'
      and i.value is distinct from r.wa_id and i.value is distinct from r.wa_key and i.value is distinct from r.user_id
      and ((i.kind = 'phone' and i.loose = coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id))
        or (i.kind = 'user_id' and i.scope = r.scope and r.user_id is not null))
    returning i.value)
  ${clearColumns("ended", "person")}
  insert into identifier (workspace_id, kind, scope, value, contact_id, source, since, until, loose, rules)
  select r.workspace_id, v.kind, v.scope, v.value, person, r.source, '-infinity', r.at, v.loose, ${PHONE_RULES_VERSION}
  from (values
    ('phone', '', r.previous_wa_key, coalesce(r.previous_wa_loose, r.previous_wa_key)),
    ('phone', '', r.previous_wa_id, coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id)),
    ('user_id', r.scope, r.previous_user_id, null)) v(kind, scope, value, loose)
  where v.value is not null and v.value is distinct from r.wa_id and v.value is distinct from r.wa_key
    and v.value is distinct from r.user_id
  order by v.kind, v.scope, v.value
  on conflict do nothing;`;

/** uuid: whom the old user id names. It never was another's, whenever it ended. */
const BY_PREVIOUS_USER = contactByUserId({ ...SEEN, userId: "r.previous_user_id" });

/** uuid: who had the old number until the change. */
const BY_PREVIOUS_PHONE = `coalesce(${holderThen("r.previous_wa_id")}, ${holderThen("r.previous_wa_key")})`;

/** Whether the one who had the old number has a user id that the notice does not name. */
const HAS_ANOTHERS_USER_ID = hasOtherUserId("person", "and i.value is distinct from r.previous_user_id");

/** Whether a contact is an address alone: nobody ever wrote from it, and no user id is known. */
const isAddress = (contact: string): string => `(not ${hasOtherUserId(contact)} and not exists (
      select from conversation v
      where v.workspace_id = r.workspace_id and v.contact_id = ${contact} and v.last_inbound_at is not null))`;

/**
 * Moves a person to the new number and user id. A contact that has the new number already is the same person if it has the new
 * user id or is an address alone; else it keeps its history and loses the number. Leaves `person`, and `is_new`.
 */
export const APPLY_CHANGE = `${FIND_NAMED}
  by_previous_user := ${BY_PREVIOUS_USER};
  by_previous_phone := ${BY_PREVIOUS_PHONE};
  person := by_previous_user;
  if person is null then
    person := by_previous_phone;
    if person is null and by_phone is not null and exists (
      select from identifier i
      where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
        and i.value in (r.previous_wa_id, r.previous_wa_key) and i.contact_id = by_phone and i.until <= r.at) then
      person := by_phone; -- Reported again, as each of our numbers that they wrote to does.
    end if;
    if coalesce(r.user_id, r.previous_user_id) is not null and ${HAS_ANOTHERS_USER_ID} then
      person := null; -- The number had another owner when it was last heard of.
    end if;
  end if;
  person := coalesce(person, by_user);
  left_number := ${HOLDER_UNTIL_LATER};
${lockPeople("person, by_user, by_phone, left_number")}
  is_new := person is null;
  if is_new then
    person := r.new_contact_id;
    insert into contact (workspace_id, id, created_at, updated_at) values (r.workspace_id, person, now, now);
  end if;
${END_PREVIOUS}
${overtakenIf(`(by_previous_user is null and ${BY_PREVIOUS_USER} <> person)
    or (by_previous_phone is null and ${BY_PREVIOUS_PHONE} <> person)`)}
  if by_user is not null and by_user <> person then ${wantMerge("by_user", "r.user_id")} end if;
  if left_number is not null and left_number <> person and (r.user_id is null or not exists (
    select from identifier i
    where i.workspace_id = r.workspace_id and i.contact_id = left_number and i.value <> '' and i.kind = 'user_id'
      and i.scope = r.scope)) then
    -- Who left the new number later had come to it by this change.
    ${wantMerge("left_number")}
  elsif by_phone is not null and by_phone <> person and by_phone is distinct from by_user then
    if ${isAddress("by_phone")} then
      -- At once, or somebody else who writes from it meanwhile would be taken for this record, and merged with the person.
      ${TAKE_NUMBER}
      ${wantMerge("former_owner")}
    elsif ${IS_LATER} then ${TAKE_NUMBER}
    end if;
  end if;
${WRITE_PERSON}`;
