import type { Sql } from "../../db/database.ts";
import { columns, hotFunction } from "../../db/hot-function.ts";
import { USAGE_LOCK } from "../../db/locks.ts";
import { STATUS_OF_RANK } from "../threads/status.ts";
import { isOfHistory } from "../threads/thread.sql.ts";
import { isBillable, priceCategory, wasBillable } from "./price.sql.ts";
import { countSlices, cutSlices, dueSlices, orLeave, type Slices, sliceVariables } from "./slices.sql.ts";

const SLICES: Slices = {
  rows: "message",
  slice: "usage_slice",
  frontier: "usage_frontier",
  begin: "uuid_floor('epoch')",
};

/**
 * A slice is counted again when it is twice as old, a full one at most once in five minutes, none more than once a minute: some
 * fifteen times in all, a month long. A message takes 6 µs each time; counted every ten seconds, callbacks cost PostgreSQL 8 % more.
 */
const AGAIN = { shareOfAge: 1, rowMs: 30, leastMs: 60_000 };

/** The longest known category has 28 characters. It is in a key, and one that does not fit would end all counting. */
const MAX_CATEGORY_CHARS = 64;

const STATUS = `case
        when not m.outbound then 'received'
        ${Object.entries(STATUS_OF_RANK)
          .map(([rank, status]) => `when s2.rank = ${rank} then '${status}'`)
          .join(" ")}
        when m.send_at > now then 'scheduled' else 'queued' end`;

const GROUP = "outbound boolean, number uuid, status text, category text, count bigint, billable bigint";

/** Counts the slice `s`. */
const COUNT_SLICE = `
  typed_from := (select uuid_floor(f.typed_from) from usage_frontier f where f.workspace_id = s.workspace_id);
  select coalesce(json_agg(g), '[]'), coalesce(sum(g.count), 0) into counted, total from (
    select m.outbound, m.phone_number_id as number, ${STATUS} as status,
      coalesce(s2.category, case when s2.fallback_used then m.fallback_category else m.category end, '') as category, count(*) as count, count(*) filter (where s2.billable) as billable
    from message m
    cross join lateral (
      select i.rank, i.fallback_used, left(${priceCategory("i.pricing")}, ${MAX_CATEGORY_CHARS}) as category,
        case when i.pricing is null then false when i.id < typed_from then ${wasBillable("i.pricing")} else ${isBillable("i.pricing")} end as billable
      from message_state i
      where i.workspace_id = m.workspace_id and i.id = m.id and i.id >= s.first and i.id < s.until offset 0) s2
    where m.workspace_id = s.workspace_id and m.id >= s.first and m.id < s.until and not ${isOfHistory("m")}
    group by 1, 2, 3, 4) g;`;

/** Corrects the day of the slice `s`. */
const CORRECT_DAY = `
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
    count = d.count + excluded.count, billable = d.billable + excluded.billable;`;

/**
 * Keeps `usage_day`: counts what is due, slice by slice, and corrects the days by what is different from the last time. So each
 * message is in one group, the one that it belongs to now, however often a call is repeated or killed; two processes take turns.
 * It reads what is committed and writes nothing for each message. Messages that retention has removed stay counted.
 */
export const countUsage = hotFunction({
  name: "count_usage",
  input: [],
  answers: columns({ slices: "int", more: "boolean" }),
  declare: `${sliceVariables(SLICES)}
  typed_from uuid;`,
  body: `${orLeave(USAGE_LOCK)}
${cutSlices(SLICES)}
${countSlices(SLICES, { count: COUNT_SLICE, correct: CORRECT_DAY, rowsBefore: "messages" }, AGAIN)}`,
});

export const DUE_USAGE = dueSlices(SLICES.slice);

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

/**
 * Days from `first` to `last`, the latest first. The provider writes one category in two ways, with a hyphen and with an underscore: they
 * are one here.
 */
export const selectUsageRows = (
  sql: Sql,
  workspaceId: string,
  { first, last, numbers }: { first: string; last: string; numbers: readonly string[] | null },
): Promise<UsageRow[]> =>
  sql.query<UsageRow>(
    `select to_char(d.day, 'YYYY-MM-DD') as day, d.outbound, d.status, replace(d.category, '-', '_') as category, d.phone_number_id,
       sum(d.count)::bigint as count, sum(d.billable)::bigint as billable
     from usage_day d
     where d.workspace_id = $1 and d.day between $2::date and $3::date and ($4::uuid[] is null or d.phone_number_id = any($4))
       and d.count > 0
     group by d.day, d.phone_number_id, d.outbound, d.status, 4
     order by d.day desc, d.phone_number_id, d.outbound desc, d.status, 4`,
    [workspaceId, first, last, numbers],
  );
