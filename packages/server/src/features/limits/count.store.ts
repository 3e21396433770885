import { columns, each, hotFunction, lookUp, type RowOf, recordset } from "../../db/hot-function.ts";
import { deleteRows } from "../../lanes/finished-rows.sql.ts";
import { scopeOf, survivorOf } from "../identity/identifiers.sql.ts";
import { REPORTS } from "../threads/status.ts";
import { isOutsideWindow } from "../threads/thread.sql.ts";
import { LEDGER_VARIABLES, lockPortfolios, minuteOf, recipientOf } from "./ledger.sql.ts";

const PORTFOLIO = columns({ portfolio: "text" });

/** The workspaces that have numbers of a portfolio. */
export const workspacesOfPortfolios = hotFunction({
  name: "workspaces_of_portfolios",
  writes: false,
  input: PORTFOLIO,
  answers: columns({ workspace_id: "uuid" }),
  body: `return query select distinct a.workspace_id from ${recordset(PORTFOLIO)}
    join business_account a on ${scopeOf("a")} = x.portfolio order by 1;`,
});

const PAGE = columns({
  portfolio: "text",
  workspace_id: "uuid",
  /** Messages behind this id. */
  lo: "uuid",
  most: "int",
});

export type PageRow = RowOf<typeof PAGE>;

/** A message of later may have been sent when its window had closed. */
const SENT_AT = "greatest(p.created_at, s.accepted_at)";
const UNSENT = [REPORTS.failed.rank, REPORTS.canceled.rank, REPORTS.expired.rank].join(", ");

/**
 * Counts whom the templates of a page of messages have reached, for a portfolio whose limit became known after they were sent. Who
 * wrote since then may have had a window at the time: they count, since too many is allowed and too few is not. No person is given back
 * whom a message has reached after it had failed.
 */
export const countSent = hotFunction({
  name: "count_sent",
  input: PAGE,
  answers: columns({
    /** The page's last message; null: there are no more. */
    last: "uuid?",
  }),
  declare: `${LEDGER_VARIABLES}`,
  body: `
${lockPortfolios("now")}
return query with page as materialized (
  select x.portfolio, x.ordinality, m.* from ${recordset(PAGE)}
  cross join lateral (
    select m.id, m.workspace_id, m.outbound, m.type, m.contact_id, m.phone_number_id, m.created_at from message m
    where m.workspace_id = x.workspace_id and m.id > x.lo order by m.id limit x.most) m),
sent as materialized (
  select p.portfolio, p.id, ${minuteOf(SENT_AT)} as minute,
    ${recipientOf(`counted_person(p.workspace_id, ${survivorOf("p.workspace_id", "p.contact_id")}, p.phone_number_id)`)} as counted_as
  from page p
  ${lookUp("n", "select n.business_account_id from phone_number n where n.workspace_id = p.workspace_id and n.id = p.phone_number_id")}
  ${lookUp("a", "select a.portfolio_id, a.provider_account_id from business_account a where a.workspace_id = p.workspace_id and a.id = n.business_account_id")}
  ${lookUp("s", "select s.rank, s.accepted_at, s.fallback_used from message_state s where s.workspace_id = p.workspace_id and s.id = p.id")}
  ${lookUp("v", "select v.last_inbound_at from conversation v where v.workspace_id = p.workspace_id and v.contact_id = p.contact_id and v.phone_number_id = p.phone_number_id")}
  where p.outbound and (p.type = 'template' or s.fallback_used) and p.portfolio = any(counting) and ${scopeOf("a")} = p.portfolio
    and coalesce(s.rank, 0) not in (${UNSENT})
    and (v.last_inbound_at > p.created_at or ${isOutsideWindow("v.last_inbound_at", SENT_AT)})),
kept as (
  ${deleteRows(
    "portfolio_return",
    `array(
    select k.place from sent t
    ${each("k", "select k.ctid as place from portfolio_return k where k.portfolio_id = t.portfolio and k.message_id = t.id")})`,
  )}),
counted as (
  insert into portfolio_recipient as r (portfolio_id, recipient, minute, message_id)
  select t.portfolio, t.counted_as, max(t.minute), case when count(*) = 1 then (array_agg(t.id))[1] end
  from sent t group by t.portfolio, t.counted_as order by t.portfolio, t.counted_as
  on conflict (portfolio_id, recipient) do update set minute = greatest(r.minute, excluded.minute),
    message_id = case when r.message_id = excluded.message_id then r.message_id end
  returning r.portfolio_id, r.xmax = 0 as is_new),
portfolios as (
  insert into portfolio_limit as p (portfolio_id, used, updated_at)
  select c.portfolio_id, count(*) filter (where c.is_new), now from counted c group by c.portfolio_id
  on conflict (portfolio_id) do update set used = p.used + excluded.used, next_room_at = '-infinity')
select (select max(p.id::text)::uuid from page p where p.ordinality = x.ordinality) from ${recordset(PAGE)} order by x.ordinality;`,
});
