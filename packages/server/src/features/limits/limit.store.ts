import { type AnswerOf, columns, hotFunction, lookUp, of, recordset } from "../../db/hot-function.ts";
import { scopeOf } from "../identity/identifiers.sql.ts";
import { leavesAt, oldestMinute } from "./ledger.sql.ts";

const FULL = columns({ portfolio: "text", until: "timestamptz" });

/** Notes that the provider refused a message for the limit: until then no new person is written to. */
export const markPortfoliosFull = hotFunction({
  name: "mark_portfolios_full",
  input: FULL,
  answers: columns({ portfolio_id: "text" }),
  declare: "r record;",
  body: `
for r in select x.* from ${recordset(FULL)} order by x.portfolio loop
  insert into portfolio_limit as p (portfolio_id, full_until, updated_at) values (r.portfolio, r.until, now)
  on conflict (portfolio_id) do update set full_until = greatest(p.full_until, excluded.full_until), updated_at = now;
  return query select r.portfolio;
end loop;`,
});

const ACCOUNT = columns({ workspace_id: "uuid", business_account_id: "uuid" });

const HEADROOM = columns({
  /** Null: not known, or unlimited. */
  most: "int?",
  is_unlimited: "boolean",
  /** Null where no person is counted. */
  used: "int?",
  /** When the next person leaves. */
  resets_at: "timestamptz?",
  /** The provider's own refusal counts until then. */
  full_until: "timestamptz?",
});
export type HeadroomAnswer = AnswerOf<typeof HEADROOM>;

/** What an account's portfolio has used of its messaging limit. One answer for each row. */
export const readHeadroom = hotFunction({
  name: "read_headroom",
  writes: false,
  input: ACCOUNT,
  answers: HEADROOM,
  body: `return query
with asked as materialized (
  select x.*, p.portfolio_id, p.most, coalesce(p.is_unlimited, false) as is_unlimited,
    case when p.full_until > now then p.full_until end as full_until
  from ${recordset(ACCOUNT)}
  ${lookUp("a", "select a.portfolio_id, a.provider_account_id from business_account a where a.workspace_id = x.workspace_id and a.id = x.business_account_id")}
  ${lookUp("p", `select p.* from portfolio_limit p where p.portfolio_id = ${scopeOf("a")}`)}),
-- Numbers of one portfolio are counted once.
counts as materialized (
  select d.portfolio_id, c.used, c.first from (
    select distinct q.portfolio_id from asked q where q.most is not null) d
  cross join lateral (
    select count(*)::int as used, min(r.minute) as first from portfolio_recipient r
    where r.portfolio_id = d.portfolio_id and r.minute >= ${oldestMinute("now")}
      and not exists (
        select from portfolio_return t
        where t.portfolio_id = r.portfolio_id and t.message_id = r.message_id and t.recipient = r.recipient)) c)
select q.most, q.is_unlimited, c.used, ${leavesAt("c.first")}, q.full_until
from asked q left join counts c on c.portfolio_id = q.portfolio_id
order by q.ordinality;`,
});

/** What is left of a messaging limit: of ten parts none, less than one, less than five, or more. */
export const ROOMS = ["none", "below_tenth", "below_half", "above_half", "unlimited", "unknown"] as const;

/**
 * How many portfolios have how much left. `used` is never too low, so people are counted only where half of the limit may be used.
 */
export const countRooms = hotFunction({
  name: "count_rooms",
  writes: false,
  input: [],
  answers: columns({ room: of<(typeof ROOMS)[number]>("text"), portfolios: "int" }),
  body: `return query
with known as materialized (
  select p.*, case when p.full_until > now then 0 when p.used * 2 < p.most then p.most - p.used
    else p.most - (
      select count(*)::int from portfolio_recipient r
      where r.portfolio_id = p.portfolio_id and r.minute >= ${oldestMinute("now")}) end as left_over
  from portfolio_limit p)
select k.room, count(*)::int from (
  select case when k.most is null then case when k.is_unlimited then 'unlimited' else 'unknown' end
    when k.left_over <= 0 then 'none' when k.left_over * 10 < k.most then 'below_tenth'
    when k.left_over * 2 < k.most then 'below_half' else 'above_half' end as room
  from known k) k
group by k.room order by k.room;`,
});
