import { innerFunction } from "../../db/inner-function.ts";
import { EVENT_OF_ONE, emitEvent } from "../events/event.sql.ts";
import { IDLE_MS } from "./owner.ts";

// Who owns a conversation, as steps of the functions that store what says something about it. Expressions are SQL.

/** For `ownersOf` and `TAKE_OWNERS`, beside `SLOTS_FILLED`. */
export const OWNER_VARIABLES = `
  owner_signs json[] := '{}';`;

/** What the rows `x` of a `from` list say of their conversations. */
export type OwnerStep = {
  workspace: string;
  contact: string;
  phoneNumber: string;
  /** self, other or none */
  role: string;
  /** When it became so; by default the provider's time. */
  since?: string;
  /** The provider's time of what says so. */
  at: string;
  /** text: what distinguishes a repetition from another one of the same second; null where repetitions come to nothing before. */
  mark?: string;
  /** uuid and json: the callback of a handover, and its place there. */
  callback?: string;
  place?: string;
  /** boolean: it is no news where nothing was known of the owner. */
  isPlain?: string;
  /** boolean: that it was taken from the provider's agent, which may be a report of our own taking. */
  fromAgent?: string;
  /** boolean: its person has written within the last day, though perhaps nothing of that came here. */
  opensWindow?: string;
  ordinality?: string;
};

const ofCallback = ({ callback = "null", place }: OwnerStep): string =>
  place === undefined ? "" : `, 'callback_id', ${callback}, 'place', ${place}`;

/** json[]: `owner_signs` with what rows say. `TAKE_OWNERS` applies it. */
export const ownersOf = (from: string, step: OwnerStep): string => `
  owner_signs || array(
    select json_build_object('workspace_id', ${step.workspace}, 'contact_id', ${step.contact}, 'phone_number_id', ${step.phoneNumber},
      'role', ${step.role}, 'since', ${step.since ?? step.at}, 'at', ${step.at}, 'mark', ${step.mark ?? "null"},
      'is_plain', ${step.isPlain ?? "false"}, 'from_agent', ${step.fromAgent ?? "false"}, 'opens', ${step.opensWindow ?? "false"}${ofCallback(step)})
    from ${from} order by ${step.ordinality ?? "x.ordinality"})`;

/**
 * The mark of what this app did itself. The provider's times are whole seconds: what it reports of the same second comes later, so an act
 * counts from the beginning of its second.
 */
export const OWN_ACT = "own";
export const secondOf = (time: string): string => `date_trunc('second', ${time})`;

/** A taking from the agent that is reported within this time of our own is our own. */
const OWN_REPORT_WITHIN = "interval '1 minute'";
const IDLE = `interval '${IDLE_MS} milliseconds'`;

/** boolean: whether another responder owns a conversation `v`, now. */
export const isOthers = (v: string, now: string): string =>
  `coalesce(${v}.owner_role = 'other' and greatest(${v}.last_inbound_at, ${v}.owner_since) > ${now} - ${IDLE}, false)`;

/** Of one second so many handovers are distinguished; a conversation has a few a day. */
const MOST_MARKS = 20;

/**
 * Applies what was gathered in `owner_signs`, each with an event where the owner changes. The newest counts by the provider's time,
 * whenever it arrives; within a second, the one that arrives later. An owner who was heard of for the last time a day ago owns nothing.
 */
const APPLY_OWNERS = innerFunction({
  name: "apply_owners",
  takes: { now: "timestamptz" },
  keeps: { slots_filled: "bigint", owner_signs: "json[]" },
  declare: `${EVENT_OF_ONE}
  owner_sign record;
  thread conversation;
  owner_before text;
  owner_before_since timestamptz;`,
  body: `
for owner_sign in
  select s.* from unnest(owner_signs) with ordinality u(said, n)
  cross join lateral json_to_record(u.said) as s(workspace_id uuid, contact_id uuid, phone_number_id uuid, role text,
    since timestamptz, at timestamptz, mark text, is_plain boolean, from_agent boolean, opens boolean, callback_id uuid, place json)
  where s.contact_id is not null
  order by s.workspace_id, s.contact_id, s.phone_number_id, u.n
loop
  if not owner_sign.is_plain then
    insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
    values (owner_sign.workspace_id, owner_sign.contact_id, owner_sign.phone_number_id, owner_sign.at)
    on conflict (workspace_id, contact_id, phone_number_id) do nothing;
  end if;
  select v.* into thread from conversation v
  where v.workspace_id = owner_sign.workspace_id and v.contact_id = owner_sign.contact_id
    and v.phone_number_id = owner_sign.phone_number_id
  for no key update;
  continue when not found or (owner_sign.is_plain and thread.owner_role is null)
    or thread.owner_at > owner_sign.at
    or (thread.owner_at = owner_sign.at and owner_sign.mark = any(thread.owner_marks)
      and (owner_sign.mark <> '${OWN_ACT}' or thread.owner_role = owner_sign.role))
    or (owner_sign.from_agent and owner_sign.role = 'other' and thread.owner_role = 'self'
      and '${OWN_ACT}' = any(thread.owner_marks) and owner_sign.at < thread.owner_at + ${OWN_REPORT_WITHIN});
  owner_before := coalesce(thread.owner_role, 'none');
  owner_before_since := thread.owner_since;
  if owner_before <> 'none' and greatest(thread.owner_at, thread.owner_since) <= owner_sign.at - ${IDLE} then
    owner_before := 'none';
    owner_before_since := greatest(thread.owner_at, thread.owner_since) + ${IDLE};
  end if;
  update conversation v set owner_role = owner_sign.role, owner_at = owner_sign.at,
    last_inbound_at = case when owner_sign.opens and coalesce(v.last_inbound_at <= owner_sign.at - ${IDLE}, true) then owner_sign.at
      else v.last_inbound_at end,
    owner_since = case when owner_before = owner_sign.role and thread.owner_role = owner_sign.role then v.owner_since else owner_sign.since end,
    owner_marks = case
      when thread.owner_at = owner_sign.at and owner_sign.mark is not null then (owner_sign.mark || v.owner_marks)[1:${MOST_MARKS}]
      when thread.owner_at = owner_sign.at then v.owner_marks
      when owner_sign.mark is not null then array[owner_sign.mark] end
  where v.workspace_id = owner_sign.workspace_id and v.contact_id = owner_sign.contact_id
    and v.phone_number_id = owner_sign.phone_number_id;
  if owner_before <> owner_sign.role then
    ${emitEvent({
      workspace: "owner_sign.workspace_id",
      kind: "case when owner_sign.role = 'self' then 'thread_taken' else 'thread_released' end",
      contact: "owner_sign.contact_id",
      resource: "owner_sign.phone_number_id",
      phoneNumber: "owner_sign.phone_number_id",
      occurredAt: "owner_sign.since",
      state: `json_build_object('previous_owner', json_build_object('role', owner_before, 'since', owner_before_since),
        'owner', json_build_object('role', owner_sign.role, 'since', owner_sign.since),
        'place', owner_sign.place)`,
      conversation: "hashtextextended(owner_sign.phone_number_id::text || owner_sign.contact_id::text, 0)",
      callback: "owner_sign.callback_id",
    })}
  end if;
end loop;
owner_signs := '{}';`,
});

/** Applies what was gathered in `owner_signs`, if there is any. */
export const TAKE_OWNERS = `
if cardinality(owner_signs) > 0 then ${APPLY_OWNERS.call({ now: "now" })}
end if;`;

/** Of a conversation that is moved (`excluded`) onto another one `v` of the same person: columns of an `update`. */
export const MERGED_OWNER = ["owner_role", "owner_since", "owner_at", "owner_marks"]
  .map(
    (column) =>
      `${column} = case when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.${column} else v.${column} end`,
  )
  .join(",\n    ");
