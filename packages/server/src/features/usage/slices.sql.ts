import { sqlInterval } from "../../db/hot-function.ts";
import type { Question } from "../../db/question.ts";
import { DAY_MS, HOUR_MS } from "../../lib/duration.ts";

// Counting what grows without a write for each row: rows with a time in their ids are cut into slices, which are counted again as they
// get older. PL/pgSQL for a function with `sliceVariables`.

/** Rows of a slice: some 60 ms of counting. */
const SLICE_ROWS = 10_000;
/** A call ends after this, far below the statement's eight seconds; the next one goes on. */
const CALL_MS = 1_000;
const SLICES_A_CALL = 500;
/** A slice is counted at least this often while it is left to change. */
const MOST_MS = 4 * DAY_MS;
/** Statuses and prices come for up to a month; then a slice is left as it is. */
const CHANGES_FOR_MS = 32 * DAY_MS;
/** Ids of processes whose clock is ahead. */
const AHEAD_MS = HOUR_MS;

/** The tables of one counting. */
export type Slices = {
  /** What is counted, by workspace_id and id. */
  rows: "message" | "event";
  slice: string;
  frontier: string;
  /** The id from which a workspace is counted that was not until now. */
  begin: string;
};

/** `s` is the slice at hand; `counted` and `total` are what was counted of it, and how many rows it has. */
export const sliceVariables = ({ slice }: Slices): string => `
  stops timestamptz := clock_timestamp() + ${sqlInterval(CALL_MS)};
  w record; s ${slice};
  found_id uuid; begins uuid; ends uuid; middle uuid; midnight timestamptz;
  counted json; total bigint; done int := 0;`;

/** New rows get slices: each of an hour at most, and of one day. Late commits of an hour before are in one too. */
export const cutSlices = ({ rows, slice, frontier, begin }: Slices): string => `
for w in
  select k.workspace_id, f.next from workspace k left join ${frontier} f on f.workspace_id = k.workspace_id
loop
  begins := coalesce(w.next, ${begin});
  loop
    found_id := (
      select m.id from ${rows} m
      where m.workspace_id = w.workspace_id and m.id >= begins and m.id < uuid_floor(now + ${sqlInterval(AHEAD_MS)})
      order by m.id limit 1);
    exit when found_id is null;
    midnight := date_trunc('day', uuid_time(found_id), 'UTC');
    if begins < uuid_floor(midnight) then
      insert into ${slice} (workspace_id, first, until, due)
      values (w.workspace_id, greatest(begins, uuid_floor(midnight - interval '1 hour')), uuid_floor(midnight), now)
      on conflict do nothing;
      begins := uuid_floor(midnight);
    end if;
    ends := uuid_floor(date_trunc('hour', uuid_time(found_id), 'UTC') + interval '1 hour');
    insert into ${slice} (workspace_id, first, until, due) values (w.workspace_id, begins, ends, now)
    on conflict do nothing;
    begins := ends;
    insert into ${frontier} as f (workspace_id, next) values (w.workspace_id, begins)
    on conflict (workspace_id) do update set next = greatest(f.next, excluded.next);
    exit when clock_timestamp() > stops;
  end loop;
  exit when clock_timestamp() > stops;
end loop;`;

/** When a slice is counted again: after `shareOfAge` times its age, or `rowMs` for each of its rows, or `leastMs`, the longest of them. */
export type Again = { shareOfAge: number; rowMs: number; leastMs: number };

/**
 * Counts the slices that are due, in one call some. `count` sets `counted` and `total` of `s`; `correct` writes by what that differs
 * from `s.groups`; `rowsBefore` is the column with the number of rows of the last time. A slice that has grown too long is split before.
 */
export const countSlices = (
  { rows, slice }: Slices,
  { count, correct, rowsBefore, end = "" }: { count: string; correct: string; rowsBefore: string; end?: string },
  { shareOfAge, rowMs, leastMs }: Again,
): string => `
for s in select u.* from ${slice} u where u.due <= now order by u.due limit ${SLICES_A_CALL} loop
  middle := (
    select m.id from ${rows} m where m.workspace_id = s.workspace_id and m.id >= s.first and m.id < s.until
    order by m.id offset ${SLICE_ROWS} limit 1);
  if middle is not null then
    insert into ${slice} (workspace_id, first, until, due) values (s.workspace_id, middle, s.until, now);
    s.until := middle;
  end if;
${count}
  -- Retention has removed some: what they were counted as stays.
  if total < s.${rowsBefore} then
    delete from ${slice} u where u.workspace_id = s.workspace_id and u.first = s.first;
    continue;
  end if;
${correct}
  if now - uuid_time(s.first) > ${sqlInterval(CHANGES_FOR_MS)} then
    delete from ${slice} u where u.workspace_id = s.workspace_id and u.first = s.first;${end}
  else
    update ${slice} u set until = s.until, groups = counted, ${rowsBefore} = total, due = now + least(greatest(
        ${sqlInterval(leastMs)}, total * ${sqlInterval(rowMs)}, (now - uuid_time(s.until)) * ${shareOfAge}),
      ${sqlInterval(MOST_MS)})
    where u.workspace_id = s.workspace_id and u.first = s.first;
  end if;
  done := done + 1;
  exit when clock_timestamp() > stops;
end loop;
return query select done, exists (select from ${slice} u where u.due <= now);`;

/** Whether slices of this table are to be counted. What is in none yet is no answer: to look for it is to look at each workspace. */
export const dueSlices = (slice: Slices["slice"]): Question => ({
  name: `due_${slice}`,
  rows: `select from ${slice} u where u.due <= now`,
});

/** Leaves the function at once while another process counts: it holds this lock. */
export const orLeave = (lock: number): string => `
if not pg_try_advisory_xact_lock(${lock}) then
  return query select 0, false;
  return;
end if;`;
