import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, recordset, sqlInterval } from "../../db/hot-function.ts";

/** Events that are looked at in one step: some milliseconds, in the order of the key. */
const EVENTS_A_STEP = 2_000;
/** A call ends after this, far below the statement's eight seconds; the next one goes on. */
const CALL_MS = 500;
/** Events are committed within this time after their ids were drawn: the last ones are looked at again. */
const LATE_MS = 10 * 60_000;

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
  /** No process of an earlier version runs any more: what is empty now stays so. */
  alone: "boolean",
});

/**
 * Empties the `detail` of account events that earlier versions wrote, of each workspace from its oldest event on. Where it stands is
 * kept, so a call that was killed is gone on with; one that looks at the same events again changes nothing. What this version writes
 * (`is_reduced`) says nothing of people.
 */
export const emptyEvents = hotFunction({
  name: "empty_events",
  input: ASK,
  answers: columns({ emptied: "int", more: "boolean" }),
  declare: `
  stops timestamptz := clock_timestamp() + ${sqlInterval(CALL_MS)};
  a record; w record; r record;
  before uuid; last uuid; found_events int; n int; total int := 0; rest boolean := false;`,
  body: `
for a in select x.* from ${recordset(ASK)} loop
  for w in
    select k.workspace_id, e.next from workspace k
    left join emptied_event e on e.workspace_id = k.workspace_id
    where e.done_at is null
    order by k.workspace_id
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
      update event v set state = (v.state::jsonb || '{"detail":{}}')::json
      where v.workspace_id = w.workspace_id and v.id > before and v.id <= last and v.kind = 'account_changed'
        and v.state ->> 'provider_event' = any('{${WITH_PEOPLE.join(",")}}')
        and v.state ->> 'is_reduced' is null and (v.state -> 'detail')::text <> '{}';
      get diagnostics n = row_count;
      total := total + n;
      before := last;
      insert into emptied_event as e (workspace_id, next) values (w.workspace_id, least(last, uuid_floor(now - ${sqlInterval(LATE_MS)})))
      on conflict (workspace_id) do update set next = excluded.next;
      exit when found_events < ${EVENTS_A_STEP};
    end loop;
    exit when rest;
    if a.alone then
      insert into emptied_event as e (workspace_id, next, done_at) values (w.workspace_id, before, now)
      on conflict (workspace_id) do update set done_at = excluded.done_at;
    end if;
  end loop;
  return query select total, rest;
end loop;`,
});

/** Each process records every hour which functions it uses (db/functions.ts): without a record for this long it is gone. */
const OTHERS_GONE_AFTER = "3 hours";

/** Whether processes of several versions have run within the last hours. */
export async function selectIsAlone(sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `select from function_use where last_used > clock_timestamp() - interval '${OTHERS_GONE_AFTER}'
     group by regexp_replace(name, '_[0-9a-f]{10}$', '') having count(*) > 1 limit 1`,
  );
  return rows.length === 0;
}
