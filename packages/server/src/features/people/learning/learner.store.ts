import { type AnswerOf, columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { EVENT_VARIABLES, emitEvent, SLOTS_MASK } from "../../webhooks/event.sql.ts";
import { mergedConsent } from "../consent.sql.ts";
import { EVIDENCE_VARIABLES } from "../evidence.sql.ts";
import { contactsOf, lockContacts } from "../person.sql.ts";
import { LEARN_ADDRESSED } from "./addressed.sql.ts";
import { clearColumns, LEARN_VARIABLES, REFUSE_OVERTAKEN, timeOfId, WRITE_PERSON } from "./learn.sql.ts";
import { COUNT_NEW_OWNER, NEW_OWNER, NEW_OWNER_VARIABLES, WAITS_UNTIL } from "./new-owner.sql.ts";

const LOOK = columns({
  /** The time up to which looks are due. */
  up_to: "timestamptz",
  most: "int",
});

const due = (condition: string): string => `
  select e.* from ${recordset(LOOK)}
  cross join lateral (
    select e.* from contact_evidence e where e.look_at <= x.up_to and ${condition}
    order by e.look_at limit x.most for update skip locked) e`;

/** How long the observation `r` has waited. Its id says when it was kept. */
const AGE = `(now - ${timeOfId("r.id")})`;

/**
 * Takes the observation `r`. One that fails must not keep the others from being learned: it is put back, and looked at ever more
 * seldom; at first soon, where another call was in the way. A lock that another call holds ends the batch, or each observation
 * might wait for it.
 */
const takeOne = (steps: string, sayFailed: string): string => `
  begin
    delete from contact_evidence e where e.workspace_id = r.workspace_id and e.id = r.id;
${steps}
  exception when others then
    update contact_evidence e set look_at = now + case
      when sqlstate in ('40001', '40P01', '55P03') then least(interval '2 seconds', greatest(interval '200 ms', ${AGE} / 10)) * (0.5 + random())
      else least(interval '1 hour', greatest(interval '1 second', ${AGE})) end
    where e.workspace_id = r.workspace_id and e.id = r.id;
    ${sayFailed}
    exit when sqlstate = '55P03';
  end;`;

/** What a look at an observation answers in any case. */
export const LOOKED_AT = columns({
  workspace_id: "uuid",
  message_id: "uuid?",
  /** SQLSTATE, when it could not be learned and will be tried again. */
  failure: "text?",
});

const LEARNED = columns({
  ...LOOKED_AT,
  /** So many numbers have new owners by now that joining stops. */
  stops: "boolean",
  /** That, or an earlier one of the call, teaches that two contacts are one person. */
  has_pairs: "boolean",
});

/**
 * Learns from what the provider said of people that were written to: in answers to sends, and in statuses. One input row. One
 * answer row for each observation. Two contacts of one person are left to `merge_contacts`.
 */
export const takeEvidence = hotFunction({
  name: "take_evidence",
  input: LOOK,
  answers: LEARNED,
  declare: `${EVIDENCE_VARIABLES}${LEARN_VARIABLES}${NEW_OWNER_VARIABLES}
  r record;`,
  body: `
for r in
  select e.*, e.source = 'status' as confirms, null::text as username, null::text as profile_name from (${due("e.other_contact_id is null")}) e
  order by e.workspace_id, e.contact_id, e.at, e.id
loop
${takeOne(
  `
  if r.source = '${NEW_OWNER}' then
${COUNT_NEW_OWNER}
    return query select r.workspace_id, r.message_id, null::text, has_stopped, has_evidence;
    continue;
  end if;
${LEARN_ADDRESSED}
  if person is not null then
${WRITE_PERSON}
${REFUSE_OVERTAKEN}
  end if;
  return query select r.workspace_id, r.message_id, null::text, false, has_evidence;`,
  "return query select r.workspace_id, r.message_id, sqlstate, false, has_evidence;",
)}
end loop;`,
});

/** A merge is looked at once more after this: a call that began before it may have written for the merged record since. */
const AFTERMATH = "interval '15 seconds'";

const conversationOf = (number: string, contact: string): string =>
  `hashtextextended(${number}::text || ${contact}::text, 0)`;

const BOTH = contactsOf("r.workspace_id", "survivor, merged");

/**
 * Whether both contacts have a user id of one portfolio: two people, whatever else is said. Where somebody's old user id and new one
 * are what joins them (`r.user_id`), those that ended are no reason.
 */
const TWO_PEOPLE = `exists (
    select from identifier a join identifier b
      on b.workspace_id = a.workspace_id and b.kind = a.kind and b.scope = a.scope and b.value <> a.value
    where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'user_id'
      and b.contact_id = merged and b.value <> '' and (r.user_id is null or (a.until is null and b.until is null)))`;

/** Whether they have numbers that are two lines, though a third form is like both. */
const TWO_LINES = `exists (
    select from identifier a join identifier b
      on b.workspace_id = a.workspace_id and b.kind = 'phone' and b.scope = '' and b.loose = a.loose
        and b.key <> a.key and length(b.key) = length(a.key)
    where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'phone' and a.until is null
      and b.contact_id = merged and b.value <> '' and b.until is null)`;

/** Whether both have confirmed numbers of which none can be the same as one of the other's. */
const TWO_NUMBERS = `(
    (select count(c.wa_id_at) from ${BOTH}) = 2
    and not exists (
      select from identifier a join identifier b
        on b.workspace_id = a.workspace_id and b.kind = 'phone' and b.scope = '' and b.loose = a.loose
          and (b.value = a.value or length(b.value) <> length(a.value))
      where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'phone'
        and a.until is null and b.contact_id = merged and b.value <> '' and b.until is null))`;

/** Of somebody who moved, whose old number was not seen to end because the two were not known to be one. */
const END_OLDER_NUMBER = `
  select c.id, max(c.wa_id_at) over () as moved_at into older from ${BOTH} order by c.wa_id_at limit 1;
  with ended as (
    update identifier i set until = greatest(i.since, older.moved_at)
    where i.workspace_id = r.workspace_id and i.contact_id = older.id and i.value <> '' and i.kind = 'phone' and i.until is null
    returning i.value)
  ${clearColumns("ended", "older.id")}`;

/** Moves what belongs to the merged record, and what a call that had found it wrote there since. */
const MOVE = `
  update identifier i set contact_id = survivor
  where i.workspace_id = r.workspace_id and i.contact_id = merged and i.value <> '';
  for joining in
    select ${conversationOf("v.phone_number_id", "merged")} as from_merged,
      ${conversationOf("v.phone_number_id", "survivor")} as into_survivor
    from conversation v where v.workspace_id = r.workspace_id and v.contact_id in (survivor, merged)
    group by v.phone_number_id order by v.phone_number_id
  loop
    insert into joined_conversation as j (workspace_id, conversation, joined, at)
    values (r.workspace_id, joining.from_merged, joining.into_survivor, now),
      (r.workspace_id, joining.into_survivor, joining.into_survivor, now)
    on conflict (workspace_id, conversation) do update set joined = excluded.joined, at = excluded.at
    where j.joined <> excluded.joined;
    -- And those that were joined with the merged one before.
    update joined_conversation j set joined = joining.into_survivor, at = now
    where j.workspace_id = r.workspace_id and j.joined = joining.from_merged and j.at > '-infinity';
  end loop;
  with moved as (
    delete from conversation v where v.workspace_id = r.workspace_id and v.contact_id = merged returning v.*)
  insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at, read_to)
  select m.workspace_id, survivor, m.phone_number_id, m.last_inbound_at, m.last_message_at, m.read_to from moved m
  on conflict (workspace_id, contact_id, phone_number_id) do update set
    last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at),
    last_message_at = greatest(v.last_message_at, excluded.last_message_at),
    read_to = greatest(v.read_to, excluded.read_to);`;

export const MERGED = columns({
  ...LOOKED_AT,
  contact_id: "uuid",
  merged_contact_id: "uuid?",
  /** `moved`: the look after a merge. `same`: one contact already. `two_people`: they were not merged. `waits`: joining is stopped. */
  outcome: of<"merged" | "moved" | "same" | "two_people" | "waits" | "failed">("text"),
  slots_mask: "text",
});

/** The columns of an answer, as expressions. */
const answer = (
  contact: string,
  other: string,
  outcome: AnswerOf<typeof MERGED>["outcome"],
  failure = "null::text",
): string => `r.workspace_id, r.message_id, ${failure}, ${contact}, ${other}::uuid, '${outcome}', ${SLOTS_MASK}`;

/** Merges the contacts of the evidence `r`. */
const MERGE = `
  select min(s.id::text)::uuid, max(s.id::text)::uuid into survivor, merged from (
    select coalesce(c.merged_into, c.id) as id from ${contactsOf("r.workspace_id", "r.contact_id, r.other_contact_id")}) s;
  late := r.source = 'aftermath';
  waits_until := case when not late then ${WAITS_UNTIL} end;
  if waits_until is not null then
    insert into contact_evidence (workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at)
    values (r.workspace_id, r.id, r.contact_id, r.other_contact_id, r.source, r.message_id, r.scope, r.user_id, r.at, waits_until);
    return query select ${answer("r.contact_id", "r.other_contact_id", "waits")};
    continue;
  end if;
  if late then
    survivor := (select c.merged_into from contact c where c.workspace_id = r.workspace_id and c.id = r.other_contact_id);
    merged := r.other_contact_id;
  end if;
  if survivor is null or survivor = merged then
    return query select ${answer("r.contact_id", "null", "same")};
    continue;
  end if;
${lockContacts("r.workspace_id", "survivor, merged", "update")}
  if (select count(c.merged_into) from ${BOTH}) > late::int then
    raise exception 'overtaken' using errcode = 'serialization_failure';
  end if;
  if late then
${MOVE}
    return query select ${answer("survivor", "merged", "moved")};
    continue;
  end if;
  has_two_numbers := ${TWO_NUMBERS} or ${TWO_LINES};
  if ${TWO_PEOPLE} or (has_two_numbers and r.user_id is null) then
    return query select ${answer("survivor", "merged", "two_people")};
    continue;
  end if;
  if has_two_numbers then
${END_OLDER_NUMBER}
  end if;
  insert into contact_merge (workspace_id, merged_contact_id, contact_id, source, message_id, at, record, identifiers)
  select r.workspace_id, merged, survivor, r.source, r.message_id, r.at, row_to_json(c), coalesce((
    select json_agg(row_to_json(i)) from identifier i
    where i.workspace_id = r.workspace_id and i.contact_id = merged and i.value <> ''), '[]')
  from contact c where c.workspace_id = r.workspace_id and c.id = merged
  on conflict (workspace_id, merged_contact_id) do nothing;
${MOVE}
  -- The values leave the merged row before the survivor takes them: each is in one row.
  select c.* into old_record from contact c where c.workspace_id = r.workspace_id and c.id = merged;
  update contact c set merged_into = survivor, phone = null, wa_id = null, user_id = null, is_named = true, updated_at = now
  where c.workspace_id = r.workspace_id and c.id = merged;
  update contact c set merged_into = survivor where c.workspace_id = r.workspace_id and c.merged_into = merged;
  update contact c set
    has_merged = true,
    phone = coalesce(c.phone, old_record.phone), user_id = coalesce(c.user_id, old_record.user_id),
    wa_id = case when is_later then old_record.wa_id else coalesce(c.wa_id, old_record.wa_id) end,
    wa_id_at = greatest(c.wa_id_at, old_record.wa_id_at), refused_form = coalesce(c.refused_form, old_record.refused_form),
    parent_user_id = coalesce(c.parent_user_id, old_record.parent_user_id),
    username = coalesce(c.username, old_record.username), name = coalesce(c.name, old_record.name),
    profile_name = coalesce(c.profile_name, old_record.profile_name),
    ${mergedConsent("old_record")},
    updated_at = now
  from (select old_record.wa_id_at > coalesce((
    select s.wa_id_at from contact s where s.workspace_id = r.workspace_id and s.id = survivor), '-infinity') as is_later) l
  where c.workspace_id = r.workspace_id and c.id = survivor;
  insert into contact_evidence (workspace_id, id, contact_id, other_contact_id, source, message_id, scope, at, look_at)
  values (r.workspace_id, new_uuid(now), survivor, merged, 'aftermath', r.message_id, r.scope, r.at, now + ${AFTERMATH});
  ${emitEvent({
    workspace: "r.workspace_id",
    kind: "'contact_merged'",
    contact: "survivor",
    occurredAt: "r.at",
    state: "json_build_object('source', r.source, 'merged_contact_id', merged)",
    conversation: "hashtextextended(survivor::text, 0)",
  })}
  return query select ${answer("survivor", "merged", "merged")};`;

/**
 * Merges contacts of one person, two at a time: the older record survives, both ids answer as it from then on, and nothing is
 * rewritten but what names the person and whose window is open. Two live user ids of one portfolio are two people. One input
 * row. One answer row for each pair that was looked at.
 */
export const mergeContacts = hotFunction({
  name: "merge_contacts",
  input: LOOK,
  answers: MERGED,
  declare: `${EVENT_VARIABLES}
  r record;
  survivor uuid;
  merged uuid;
  late boolean;
  waits_until timestamptz;
  has_two_numbers boolean;
  older record;
  joining record;
  old_record contact;`,
  body: `
for r in
  select e.* from (${due("e.other_contact_id is not null")}) e
  order by e.workspace_id, least(e.contact_id, e.other_contact_id), greatest(e.contact_id, e.other_contact_id), e.id
loop
${takeOne(MERGE, `return query select ${answer("r.contact_id", "r.other_contact_id", "failed", "sqlstate")};`)}
end loop;`,
});
