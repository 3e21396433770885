import { PHONE_RULES_VERSION } from "../../../lib/phone/variants.ts";
import {
  contactByParent,
  contactByPhone,
  contactsOf,
  contactWithoutIdentifiers,
  survivorOf,
  unnamedByWaId,
} from "../identifiers.sql.ts";
import { NEW_OWNER } from "./new-owner.sql.ts";
import {
  ABOUT_THEN,
  FIND_NAMED,
  hasOtherNumber,
  hasOtherUserId,
  IS_ANOTHERS_USER_ID,
  IS_LATER,
  keepMergeEvidence,
  lockPeople,
  mayHaveOtherUserId,
  NAMED_THEN,
  NUMBER,
  OBSERVED,
  overtakenIf,
  REFUSE_OVERTAKEN,
  TAKE_NUMBER,
  TAKEN_SINCE,
} from "./observation.sql.ts";

// What is learned from a person who wrote, as PL/pgSQL for the row `r` of an inbound message or of a setting.

/** uuid: the contact that a number named when `r` happened: it may have been given up since. */
const holderThen = (value: string): string => `
    (select i.contact_id from identifier i
     where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = ${value} and ${NAMED_THEN})`;

/** uuid: the contact that the number was taken from after `r` happened: it names another one now. */
const TAKEN_FROM = `
    (select ${survivorOf("r.workspace_id", "i.taken_from")} from identifier i
     where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
       and ${TAKEN_SINCE} limit 1)`;

/**
 * uuid: the contact that reported a change from the number after `r` happened, the first to do so. The number has come to another one
 * since then, so its own row does not say any more who had it.
 */
const LEFT_SINCE = `
    (select ${survivorOf("r.workspace_id", "l.contact_id")} from identifier l
     where l.workspace_id = r.workspace_id and l.kind = 'change' and l.scope = ${NUMBER} and l.since >= r.at
       and exists (
         select from identifier i
         where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
           and i.since > ${ABOUT_THEN})
     order by l.since limit 1)`;

/**
 * Finds the person of an inbound message `r`, or decides that it is a new one: by user id, by number, as of when the message was
 * written, by parent id, or as the person who was written to and quotes it (`r.addressed`). A number that comes with another user id
 * than it had is another person's now (numbers are reassigned), who inherits nothing. Leaves `person`, and in `is_new` whether it
 * has to be created.
 */
export const FIND_SENDER = `${FIND_NAMED}
  owner_then := nullif(coalesce(${TAKEN_FROM}, ${LEFT_SINCE}), by_phone);
  person := coalesce(by_user, owner_then, by_phone, ${holderThen("r.wa_id")}, ${holderThen("r.wa_key")},
    ${contactByParent(OBSERVED)}, ${contactWithoutIdentifiers(OBSERVED)}, ${contactWithoutIdentifiers({ ...OBSERVED, e164: "e164" })}, ${unnamedByWaId("r.workspace_id", "r.wa_id")});
${lockPeople("person, by_user, by_phone, r.addressed")}
  if owner_then is not null then
    -- Late: the number is another's by now.
    by_phone := null;
    r.wa_id := null;
    r.wa_key := null;
  end if;
  is_new := false;
  is_other_person := person is not null and by_user is null and r.user_id is not null and ${mayHaveOtherUserId("person")};
  if is_other_person then
    if by_phone is null then
      -- One of an earlier version, whose number is in its column alone.
      update contact c set phone = null, wa_id = null
      where c.workspace_id = r.workspace_id and c.id = person and not c.is_named returning c.id into former_owner;
    end if;
    person := null;
  end if;
  if person is null and not is_other_person and r.addressed is not null and not ${hasOtherUserId("r.addressed")}
    and not ${hasOtherNumber("r.addressed")} then
    person := r.addressed;
  end if;
  if person is null then
    person := r.new_contact_id;
    is_new := true;
  end if;`;

/** Whether the number of `r` named a person until later, who has left it. */
const WAS_LEFT_LATER = `exists (
    select from identifier i
    where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
      and i.contact_id <> person and i.until > r.at)`;

/** `ADD_SENDER_IDENTIFIERS` gives a stranger no number of which it knows this: another call has learned it since. */
export const REFUSE_LEFT = overtakenIf(`is_new and ${WAS_LEFT_LATER}`);

/** Whether both have confirmed numbers, and those of `person` cannot be the one observed. */
const WERE_TWO_LINES = `(
    (select count(c.wa_id_at) from ${contactsOf("r.workspace_id", "person, by_phone")}) = 2
    and ${hasOtherNumber("person")})`;

/**
 * Adds what an inbound message says to its `person` (`FIND_SENDER`): number and user id are one person's at that time. Another
 * contact that has the number and no user id of its own is another record of this person, unless each was heard from another line.
 */
export const ADD_SENDER_IDENTIFIERS = `
  if by_phone is not null and by_phone <> person and r.user_id is not null
    and (${hasOtherUserId("by_phone")} or ${WERE_TWO_LINES}) then
    if ${IS_LATER} then ${TAKE_NUMBER}
      -- Many numbers at once mean that user ids cannot be relied on.
      insert into contact_evidence (workspace_id, id, contact_id, source, message_id, scope, wa_id, wa_key, at, look_at)
      values (r.workspace_id, new_uuid(now), person, '${NEW_OWNER}', r.message_id, r.scope, r.wa_id, r.wa_key, r.at, now);
      has_evidence := true;
    else
      -- Another person has it since: this one is not who it names.
      by_phone := null;
      r.wa_id := null;
      r.wa_key := null;
    end if;
  end if;
  if is_new and ${WAS_LEFT_LATER} then
    -- Late: the number has been others' since, and names no person now.
    r.wa_id := null;
    r.wa_key := null;
  end if;
  if is_new then
    insert into contact (workspace_id, id, phone, wa_id, wa_id_at, user_id, parent_user_id, created_at, updated_at,
      is_named)
    values (r.workspace_id, person, '+' || r.wa_id, r.wa_id, case when r.wa_id is not null then r.at end,
      case when not ${IS_ANOTHERS_USER_ID} then r.user_id end, r.parent_user_id, now, now, true)
    on conflict do nothing;
    if not found then
${REFUSE_OVERTAKEN}
      -- A process of an earlier version created this person since.
      is_new := false;
      person := ${contactWithoutIdentifiers(OBSERVED)};
      ${overtakenIf("person is null")}
      update identifier i set contact_id = person
      where i.workspace_id = r.workspace_id and i.contact_id = r.new_contact_id and i.value <> '';
    end if;
  end if;
  if by_phone is not null and by_phone <> person then ${keepMergeEvidence("by_phone")} end if;
  if r.addressed is not null and r.addressed <> person and r.addressed is distinct from by_phone
    and not ${hasOtherNumber("r.addressed")} then ${keepMergeEvidence("r.addressed")} end if;`;

/**
 * Adds the other form of the number (`r.previous_…` of a row that changes no identity) under which the message came: the provider
 * itself says that both are this person. A contact that has it already is another record of them.
 */
export const ADD_PHONE_FORM = `
  if r.previous_wa_id is not null and r.wa_id is not null then
    insert into identifier (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
    values (r.workspace_id, 'phone', r.previous_wa_id, person, r.source, r.at, coalesce(r.previous_wa_key, r.previous_wa_id),
      coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id), ${PHONE_RULES_VERSION})
    on conflict do nothing;
    by_phone := ${contactByPhone({ ...OBSERVED, phone: "r.previous_wa_id", key: "r.previous_wa_key" })};
    if by_phone <> person then ${keepMergeEvidence("by_phone")} end if;
  end if;`;
