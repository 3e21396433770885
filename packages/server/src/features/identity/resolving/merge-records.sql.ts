import { innerFunction } from "../../../db/inner-function.ts";
import { EVENT_OF_ONE, emitEvent, SLOTS_FILLED } from "../../events/event.sql.ts";
import { MERGED_OWNER } from "../../threads/owner.sql.ts";
import { mergedConsent } from "../consent/consent.sql.ts";
import { MOST_ATTRIBUTES, MOST_TAGS } from "../contact-limits.ts";
import { contactsOf } from "../identifiers.sql.ts";
import { clearColumns } from "./observation.sql.ts";

// Merging two records of one person, as PL/pgSQL for a row `r` with workspace_id, source, message_id, scope and at, and the locked
// contacts `survivor` and `merged`, of which neither was merged before.

/** The source of a merge that the workspace itself asked for. */
export const BY_CLIENT = "client";

/** Declarations of these steps, beside `r record`. */
export const MERGE_VARIABLES = `${SLOTS_FILLED}
  survivor uuid;
  merged uuid;
  has_two_numbers boolean;
  keeps_number boolean := false;
  joining record;`;

/** The source of the look after a merge: a call that began before it may have written for the merged record since. */
export const AFTERMATH = "aftermath";
const AFTERMATH_AFTER = "interval '15 seconds'";

const conversationOf = (number: string, contact: string): string =>
  `hashtextextended(${number}::text || ${contact}::text, 0)`;

export const BOTH = contactsOf("r.workspace_id", "survivor, merged");

/**
 * Whether both contacts have a user id of one portfolio: two people, whatever else is said. Where a person's old user id and new one
 * are what joins them (`r.user_id`), those that ended are no reason.
 */
export const TWO_PEOPLE = `exists (
    select from identifier a join identifier b
      on b.workspace_id = a.workspace_id and b.kind = a.kind and b.scope = a.scope and b.value <> a.value
    where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'user_id'
      and b.contact_id = merged and b.value <> '' and (r.user_id is null or (a.until is null and b.until is null)))`;

/** As `TWO_PEOPLE`, of user ids that both are valid now: what no client may overrule. */
export const TWO_LIVE_PEOPLE = `exists (
    select from identifier a join identifier b
      on b.workspace_id = a.workspace_id and b.kind = a.kind and b.scope = a.scope and b.value <> a.value
    where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'user_id'
      and a.until is null and b.contact_id = merged and b.value <> '' and b.until is null)`;

/** Whether the survivor has a number and none that could be one of the other's: then it is the one that is written to. */
export const HAS_OWN_NUMBER = `exists (
    select from contact c
    where c.workspace_id = r.workspace_id and c.id = survivor and coalesce(c.phone, c.wa_id) is not null)
    and not exists (
      select from identifier a join identifier b
        on b.workspace_id = a.workspace_id and b.kind = 'phone' and b.scope = '' and b.loose = a.loose
      where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'phone'
        and a.until is null and b.contact_id = merged and b.value <> '' and b.until is null)`;

/** Whether they have numbers that are two lines, though a third form is like both. */
export const TWO_LINES = `exists (
    select from identifier a join identifier b
      on b.workspace_id = a.workspace_id and b.kind = 'phone' and b.scope = '' and b.loose = a.loose
        and b.key <> a.key and length(b.key) = length(a.key)
    where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'phone' and a.until is null
      and b.contact_id = merged and b.value <> '' and b.until is null)`;

/** Whether both have confirmed numbers of which none can be the same as one of the other's. */
export const TWO_NUMBERS = `(
    (select count(c.wa_id_at) from ${BOTH}) = 2
    and not exists (
      select from identifier a join identifier b
        on b.workspace_id = a.workspace_id and b.kind = 'phone' and b.scope = '' and b.loose = a.loose
          and (b.value = a.value or length(b.value) <> length(a.value))
      where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'phone'
        and a.until is null and b.contact_id = merged and b.value <> '' and b.until is null))`;

/** Of a person who moved, whose old number was not seen to end because the two were not known to be one. */
export const END_OLDER_NUMBER = `
  select c.id, max(c.wa_id_at) over () as moved_at into older from ${BOTH} order by c.wa_id_at limit 1;
  with ended as (
    update identifier i set until = greatest(i.since, older.moved_at)
    where i.workspace_id = r.workspace_id and i.contact_id = older.id and i.value <> '' and i.kind = 'phone' and i.until is null
    returning i.value)
  ${clearColumns("ended", "older.id")}`;

/** Moves what belongs to the merged record, and what a call that had found it wrote there since. */
export const MOVE = `
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
  insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at, read_to,
    owner_role, owner_since, owner_at, owner_marks)
  select m.workspace_id, survivor, m.phone_number_id, m.last_inbound_at, m.last_message_at, m.read_to, m.owner_role,
    m.owner_since, m.owner_at, m.owner_marks from moved m
  on conflict (workspace_id, contact_id, phone_number_id) do update set
    last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at),
    last_message_at = greatest(v.last_message_at, excluded.last_message_at),
    read_to = greatest(v.read_to, excluded.read_to),
    ${MERGED_OWNER};`;

/** Tags of both, the survivor's first where there would be too many; sorted. */
const BOTH_TAGS = `array(
      select k.t from (
        select u.t, min(u.own) as own from (
          select unnest(c.tags) as t, 0 as own union all select unnest(old_record.tags), 1) u
        group by u.t order by 2, 1 limit ${MOST_TAGS}) k
      order by k.t collate "C")`;

/** The survivor's attributes, and of the other's those that it does not have, as far as there is room. */
const BOTH_ATTRIBUTES = `coalesce((
      select jsonb_object_agg(k.key, k.value) from (
        select u.key, u.value from (
          select e.key, e.value, 0 as own from jsonb_each(c.attributes) e
          union all
          select e.key, e.value, 1 from jsonb_each(old_record.attributes) e where not c.attributes ? e.key) u
        order by u.own, u.key limit ${MOST_ATTRIBUTES}) k), '{}')`;

/**
 * Merges the record `merged` into `survivor`, with the event: the survivor's own values count, and those that it lacks are the
 * other's. With `keeps_number` the number that it is written to stays, though the other's names it too.
 */
const MERGE_TWO = innerFunction({
  name: "merge_records",
  takes: {
    of_workspace: "uuid",
    said_by: "text",
    proof: "uuid",
    said_in: "text",
    said_at: "timestamptz",
    survivor: "uuid",
    merged: "uuid",
    keeps_number: "boolean",
    now: "timestamptz",
  },
  keeps: { slots_filled: "bigint" },
  declare: `${EVENT_OF_ONE}
  r record;
  joining record;
  old_record contact;`,
  body: `
  select of_workspace as workspace_id, said_by as source, proof as message_id, said_in as scope, said_at as at into r;
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
    phone = case when keeps_number then c.phone else coalesce(c.phone, old_record.phone) end, user_id = coalesce(c.user_id, old_record.user_id),
    wa_id = case when keeps_number then c.wa_id when is_later then old_record.wa_id else coalesce(c.wa_id, old_record.wa_id) end,
    wa_id_at = case when keeps_number then c.wa_id_at else greatest(c.wa_id_at, old_record.wa_id_at) end,
    refused_form = case when keeps_number then c.refused_form else coalesce(c.refused_form, old_record.refused_form) end,
    parent_user_id = coalesce(c.parent_user_id, old_record.parent_user_id),
    username = coalesce(c.username, old_record.username), name = coalesce(c.name, old_record.name),
    profile_name = coalesce(c.profile_name, old_record.profile_name),
    named_at = case when coalesce(c.username, c.profile_name) is null then old_record.named_at else c.named_at end,
    phone_app_name = case when c.name is null then old_record.phone_app_name else c.phone_app_name end, email = coalesce(c.email, old_record.email),
    locale = coalesce(c.locale, old_record.locale), tags = ${BOTH_TAGS},
    attributes = ${BOTH_ATTRIBUTES},
    ${mergedConsent("old_record", `r.source = '${BY_CLIENT}'`)},
    updated_at = now
  from (select old_record.wa_id_at > coalesce((
    select s.wa_id_at from contact s where s.workspace_id = r.workspace_id and s.id = survivor), '-infinity') as is_later) l
  where c.workspace_id = r.workspace_id and c.id = survivor;
  insert into contact_evidence (workspace_id, id, contact_id, other_contact_id, source, message_id, scope, at, look_at)
  values (r.workspace_id, new_uuid(now), survivor, merged, '${AFTERMATH}', r.message_id, r.scope, r.at, now + ${AFTERMATH_AFTER});
  ${emitEvent({
    workspace: "r.workspace_id",
    kind: "'contact_merged'",
    contact: "survivor",
    occurredAt: "r.at",
    state: "json_build_object('source', r.source, 'merged_contact_id', merged)",
    conversation: "hashtextextended(survivor::text, 0)",
  })}`,
});

/** Merges `survivor` and `merged`. */
export const MERGE_RECORDS = MERGE_TWO.call({
  of_workspace: "r.workspace_id",
  said_by: "r.source",
  proof: "r.message_id",
  said_in: "r.scope",
  said_at: "r.at",
  survivor: "survivor",
  merged: "merged",
  keeps_number: "keeps_number",
  now: "now",
});
