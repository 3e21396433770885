import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, sqlInterval } from "../../db/hot-function.ts";
import { USAGE_LOCK } from "../../db/locks.ts";
import { DAY_MS, HOUR_MS } from "../../lib/duration.ts";
import { STATUS_OF_RANK } from "../messages/status.ts";

/** Messages of a slice: some 60 ms of counting. */
const SLICE_MESSAGES = 10_000;
/** A call ends after this, far below the statement's eight seconds; the next one goes on. */
const CALL_MS = 1_000;
const SLICES_A_CALL = 500;
/**
 * A slice is counted again when it is twice as old, a full one at most once in five minutes, none more than once a minute, and each
 * every four days: some fifteen times in all, a month long. A message takes 6 µs each time; counted every ten seconds, callbacks cost
 * PostgreSQL 8 % more.
 */
const SHARE_OF_AGE = 1;
const A_MESSAGE_MS = 30;
const LEAST_MS = 60_000;
const MOST_MS = 4 * DAY_MS;
/** Statuses and prices come for up to a month; then a slice is left as it is. */
const CHANGES_FOR_MS = 32 * DAY_MS;
/** Ids of processes whose clock is ahead. */
const AHEAD_MS = HOUR_MS;

const STATUS = `case
        when not m.outbound then 'received'
        ${Object.entries(STATUS_OF_RANK)
          .map(([rank, status]) => `when s2.rank = ${rank} then '${status}'`)
          .join(" ")}
        when m.send_at > now then 'scheduled' else 'queued' end`;

const GROUP = "outbound boolean, number uuid, status text, category text, count bigint, billable bigint";

/** New messages get slices: each of an hour at most, and of one day. Late commits of an hour before are in one too. */
const CUT_SLICES = `
for w in
  select k.workspace_id, f.next from workspace k left join usage_frontier f on f.workspace_id = k.workspace_id
loop
  begins := coalesce(w.next, uuid_floor('epoch'));
  loop
    found_id := (
      select m.id from message m
      where m.workspace_id = w.workspace_id and m.id >= begins and m.id < uuid_floor(now + ${sqlInterval(AHEAD_MS)})
      order by m.id limit 1);
    exit when found_id is null;
    midnight := date_trunc('day', uuid_time(found_id), 'UTC');
    if begins < uuid_floor(midnight) then
      insert into usage_slice (workspace_id, first, until, due)
      values (w.workspace_id, greatest(begins, uuid_floor(midnight - interval '1 hour')), uuid_floor(midnight), now)
      on conflict do nothing;
      begins := uuid_floor(midnight);
    end if;
    ends := uuid_floor(date_trunc('hour', uuid_time(found_id), 'UTC') + interval '1 hour');
    insert into usage_slice (workspace_id, first, until, due) values (w.workspace_id, begins, ends, now)
    on conflict do nothing;
    begins := ends;
    insert into usage_frontier as f (workspace_id, next) values (w.workspace_id, begins)
    on conflict (workspace_id) do update set next = greatest(f.next, excluded.next);
    exit when clock_timestamp() > stops;
  end loop;
  exit when clock_timestamp() > stops;
end loop;`;

/** Counts the slice `s` and corrects the day by the difference. A slice that has grown too long is split before. */
const COUNT_SLICE = `
  middle := (
    select m.id from message m where m.workspace_id = s.workspace_id and m.id >= s.first and m.id < s.until
    order by m.id offset ${SLICE_MESSAGES} limit 1);
  if middle is not null then
    insert into usage_slice (workspace_id, first, until, due) values (s.workspace_id, middle, s.until, now);
    s.until := middle;
  end if;
  select coalesce(json_agg(g), '[]'), coalesce(sum(g.count), 0) into counted, total from (
    select m.outbound, m.phone_number_id as number, ${STATUS} as status,
      coalesce(s2.category, case when s2.fallback_used then m.fallback_category else m.category end, '') as category, count(*) as count, count(*) filter (where s2.billable) as billable
    from message m
    cross join lateral (
      select i.rank, i.fallback_used, lower(i.pricing->>'category') as category, i.pricing->>'billable' = 'true' as billable
      from message_state i
      where i.workspace_id = m.workspace_id and i.id = m.id and i.id >= s.first and i.id < s.until offset 0) s2
    where m.workspace_id = s.workspace_id and m.id >= s.first and m.id < s.until
    group by 1, 2, 3, 4) g;`;

/**
 * Keeps `usage_day`: counts what is due, slice by slice, and corrects the days by what is different from the last time. So each
 * message is in one group, the one that it belongs to now, however often a call is repeated or killed; two processes take turns.
 * It reads what is committed and writes nothing for each message. Messages that retention has removed stay counted.
 */
export const countUsage = hotFunction({
  name: "count_usage",
  input: [],
  answers: columns({ slices: "int", more: "boolean" }),
  declare: `
  stops timestamptz := clock_timestamp() + ${sqlInterval(CALL_MS)};
  w record; s usage_slice;
  found_id uuid; begins uuid; ends uuid; middle uuid; midnight timestamptz;
  counted json; total bigint; done int := 0;`,
  body: `
if not pg_try_advisory_xact_lock(${USAGE_LOCK}) then
  return query select 0, false;
  return;
end if;
${CUT_SLICES}
for s in select u.* from usage_slice u where u.due <= now order by u.due limit ${SLICES_A_CALL} loop
${COUNT_SLICE}
  -- Retention has removed some: what they were counted as stays.
  if total < s.messages then
    delete from usage_slice u where u.workspace_id = s.workspace_id and u.first = s.first;
    continue;
  end if;
  insert into usage_day as d (workspace_id, day, phone_number_id, outbound, status, category, count, billable)
  select s.workspace_id, (uuid_time(s.first) at time zone 'UTC')::date, x.number, x.outbound, x.status, x.category,
    sum(x.count), sum(x.billable)
  from (
    select n.* from json_to_recordset(counted) as n(${GROUP})
    union all
    select o.outbound, o.number, o.status, o.category, -o.count, -o.billable from json_to_recordset(s.groups) as o(${GROUP})) x
  group by x.number, x.outbound, x.status, x.category
  having sum(x.count) <> 0 or sum(x.billable) <> 0
  order by x.number, x.outbound, x.status, x.category
  on conflict (workspace_id, day, phone_number_id, outbound, status, category) do update set
    count = d.count + excluded.count, billable = d.billable + excluded.billable;
  if now - uuid_time(s.first) > ${sqlInterval(CHANGES_FOR_MS)} then
    delete from usage_slice u where u.workspace_id = s.workspace_id and u.first = s.first;
  else
    update usage_slice u set until = s.until, groups = counted, messages = total, due = now + least(greatest(
        ${sqlInterval(LEAST_MS)}, total * ${sqlInterval(A_MESSAGE_MS)}, (now - uuid_time(s.until)) * ${SHARE_OF_AGE}),
      ${sqlInterval(MOST_MS)})
    where u.workspace_id = s.workspace_id and u.first = s.first;
  end if;
  done := done + 1;
  exit when clock_timestamp() > stops;
end loop;
return query select done, exists (select from usage_slice u where u.due <= now);`,
});

export type UsageRow = {
  /** `2026-01-31` */
  day: string;
  outbound: boolean;
  status: string;
  category: string;
  phone_number_id: string;
  count: number;
  billable: number;
};

/** Days from `first` to `last`, the latest first. */
export const selectUsageRows = (
  sql: Sql,
  workspaceId: string,
  { first, last, number }: { first: string; last: string; number: string | null },
): Promise<UsageRow[]> =>
  sql.query<UsageRow>(
    `select to_char(d.day, 'YYYY-MM-DD') as day, d.outbound, d.status, d.category, d.phone_number_id, d.count, d.billable
     from usage_day d
     where d.workspace_id = $1 and d.day between $2::date and $3::date and ($4::uuid is null or d.phone_number_id = $4)
       and d.count > 0
     order by d.day desc, d.phone_number_id, d.outbound desc, d.status, d.category`,
    [workspaceId, first, last, number],
  );
