import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, recordset, sqlInterval } from "../../db/hot-function.ts";
import { EMPTY_EVENTS_LOCK } from "../../db/locks.ts";

/** Events that are looked at in one step: some milliseconds, in the order of the key. */
const EVENTS_A_STEP = 2_000;
/** A call ends after this, far below the statement's eight seconds; the next one goes on. */
const CALL_MS = 500;
/** Events are committed within this time after their ids were drawn: the last ones are looked at again. */
const LATE_MS = 10 * 60_000;
/** Each process records every hour which functions it uses (db/functions.ts): without a record for this long it is gone. */
const GONE_AFTER_MS = 3 * 3_600_000;

/** What earlier versions reported with all that the provider said, people's texts and names among it. */
const WITH_PEOPLE = [
  "automatic_events",
  "calls",
  "consumer_profile",
  "errors",
  "group_participants_update",
  "history",
  "messaging_handovers",
  "smb_app_state_sync",
  "standby",
  "user_preferences",
];

const ASK = columns({
  /** When a process of another version recorded last that it runs; none within the last days. */
  others_until: "timestamptz?",
});

/** Escapes in JSON of texts that PostgreSQL cannot read: U+0000, and halves of surrogate pairs. */
const UNREADABLE = "'\\\\u(0000|d[89a-f][0-9a-f]{2})'";
/** json: the state of the event `v`, as it can be read. */
const READABLE = `case when v.state::text ~* ${UNREADABLE}
          then regexp_replace(v.state::text, ${UNREADABLE}, '\\\\ufffd', 'gi')::json else v.state end`;

/** Whether the state `said` has what was said of people. */
const SAYS_OF_PEOPLE = `(said -> 'provider_event')::text in (${WITH_PEOPLE.map((event) => `'"${event}"'`).join(", ")})
          and said -> 'is_reduced' is null and (said -> 'detail')::text <> '{}'`;

/** The state `said` without it. */
const WITHOUT_PEOPLE = `case when said -> 'phone_number_id' is null
            then json_build_object('business_account', said -> 'business_account', 'provider_event', said -> 'provider_event',
              'detail', '{}'::json)
            else json_build_object('business_account', said -> 'business_account', 'provider_event', said -> 'provider_event',
              'detail', '{}'::json, 'phone_number_id', said -> 'phone_number_id') end`;

/**
 * Empties the `detail` of account events that earlier versions wrote, of each workspace from its oldest event on, first of those that
 * are furthest behind. Where it stands is kept, so a call that was killed is gone on with; one that looks at the same events again
 * changes nothing. A workspace is done when no process of another version can write more, and is looked at again when one has run
 * since. What this version writes (`is_reduced`) says nothing of people.
 */
export const emptyEvents = hotFunction({
  name: "empty_events",
  input: ASK,
  answers: columns({ emptied: "int", more: "boolean" }),
  declare: `
  stops timestamptz := clock_timestamp() + ${sqlInterval(CALL_MS)};
  a record; w record; r record;
  before uuid; last uuid; found_events int; said json; are_gone boolean; total int := 0; rest boolean := false;`,
  body: `
for a in
  select x.*, coalesce(x.others_until + ${sqlInterval(GONE_AFTER_MS)}, '-infinity') as others_gone from ${recordset(ASK)}
loop
  -- Two at once would only wait for each other.
  if not pg_try_advisory_xact_lock(${EMPTY_EVENTS_LOCK}) then
    return query select 0, false;
    continue;
  end if;
  for w in
    select k.workspace_id, e.next from workspace k
    left join emptied_event e on e.workspace_id = k.workspace_id
    where e.done_at is null or e.done_at <= a.others_gone
    order by e.next nulls first, k.workspace_id
  loop
    before := coalesce(w.next, uuid_floor('epoch'));
    loop
      if clock_timestamp() > stops then
        rest := true;
        exit;
      end if;
      select count(*), (array_agg(v.id order by v.id desc))[1] into found_events, last from (
        select v.id from event v where v.workspace_id = w.workspace_id and v.id > before order by v.id limit ${EVENTS_A_STEP}) v;
      exit when found_events = 0;
      -- One by one: a history that was kept whole has megabytes.
      for r in
        select v.id from event v
        where v.workspace_id = w.workspace_id and v.id > before and v.id <= last and v.kind = 'account_changed' order by v.id
      loop
        select ${READABLE} into said from event v where v.workspace_id = w.workspace_id and v.id = r.id;
        if ${SAYS_OF_PEOPLE} then
          update event v set state = ${WITHOUT_PEOPLE} where v.workspace_id = w.workspace_id and v.id = r.id;
          total := total + 1;
        end if;
        if clock_timestamp() > stops then
          last := r.id;
          found_events := ${EVENTS_A_STEP};
          exit;
        end if;
      end loop;
      before := last;
      exit when found_events < ${EVENTS_A_STEP};
    end loop;
    are_gone := a.others_gone < clock_timestamp();
    -- What others may still commit is ahead of it. One with nothing new is not the furthest behind.
    before := case when are_gone then before
      when rest then least(before, uuid_floor(now - ${sqlInterval(LATE_MS)}))
      else uuid_floor(now - ${sqlInterval(LATE_MS)}) end;
    insert into emptied_event as e (workspace_id, next, done_at)
    values (w.workspace_id, before, case when are_gone and not rest then clock_timestamp() end)
    on conflict (workspace_id) do update set next = excluded.next, done_at = coalesce(excluded.done_at, e.done_at);
    exit when rest;
  end loop;
  return query select total, rest;
end loop;`,
});

/**
 * When a process of another version recorded last that it runs, by the functions that are there in several; null where there is none.
 * That of this version, an hour old at most, where the other's is younger.
 */
export async function selectOthersUntil(sql: Sql): Promise<string | null> {
  const rows = await sql.query<{ until: Date | null }>(
    `select max(f.last_used) as until from (
       select u.last_used, row_number() over (partition by regexp_replace(u.name, '_[0-9a-f]{10}$', '') order by u.last_used desc) as n
       from function_use u) f
     where f.n > 1`,
  );
  return rows[0]?.until?.toISOString() ?? null;
}
