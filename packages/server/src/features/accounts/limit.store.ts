import { columns, hotFunction, lookUp, recordset } from "../../db/hot-function.ts";
import { EVENT_VARIABLES } from "../events/event.sql.ts";
import { scopeOf } from "../identity/identifiers.sql.ts";
import { numberChanged } from "./numbers/number.sql.ts";
import { statusHasLeft } from "./numbers/number-status.sql.ts";

const LIMIT = columns({
  workspace_id: "uuid",
  business_account_id: "uuid",
  /** The account is connected for the first time now: it has written to no person. */
  is_new: "boolean",
  /** It was in another portfolio until now: whom it has written to counts in this one. */
  has_moved: "boolean",
  /** False: the provider did not say, and what is known stays. */
  is_known: "boolean",
  /** People in 24 hours; null: unlimited. */
  most: "int?",
});

/**
 * Takes what the provider says of the limit of an account's portfolio: the limit of all its numbers, in whichever workspace. Where
 * another one was known, there is an event for each of them.
 */
export const setPortfolioLimits = hotFunction({
  name: "set_portfolio_limits",
  input: LIMIT,
  answers: columns({
    portfolio_id: "text",
    /** There is a limit, and people may have been written to who are not counted in it. */
    must_count: "boolean",
  }),
  declare: `${EVENT_VARIABLES}
  r record;
  before portfolio_limit;
  n record;`,
  body: `
for r in
  select x.*, ${scopeOf("a")} as portfolio from ${recordset(LIMIT)}
  join business_account a on a.workspace_id = x.workspace_id and a.id = x.business_account_id
  order by portfolio
loop
  insert into portfolio_limit (portfolio_id, updated_at) values (r.portfolio, now) on conflict do nothing;
  select p.* into before from portfolio_limit p where p.portfolio_id = r.portfolio for no key update;
  if r.is_known then
    update portfolio_limit p set most = r.most, is_unlimited = r.most is null, updated_at = now,
      -- The provider has spoken since it refused.
      full_until = case when p.most is distinct from r.most then null else p.full_until end
    where p.portfolio_id = r.portfolio;
    if (before.most is not null or before.is_unlimited) and before.most is distinct from r.most then
      for n in
        select p.* from business_account a
        join phone_number p on p.workspace_id = a.workspace_id and p.business_account_id = a.id
        where ${scopeOf("a")} = r.portfolio and a.status in ('connected', 'restricted') and not ${statusHasLeft("p.status")}
        order by p.workspace_id, p.id
      loop
        ${numberChanged("n", `'["limit"]'`, "r.most")}
      end loop;
    end if;
  else
    update portfolio_limit p set updated_at = now where p.portfolio_id = r.portfolio;
  end if;
  return query select r.portfolio, case when r.is_known then r.most else before.most end is not null
    and (r.has_moved or before.most is null and exists (
      select from business_account b
      where ${scopeOf("b")} = r.portfolio and not (r.is_new and b.workspace_id = r.workspace_id and b.id = r.business_account_id)));
end loop;`,
});

const STALE = columns({ before: "timestamptz", most: "int" });

/** Connected accounts whose portfolio's limit was last read before a time, or never; some of them. One input row. */
export const staleLimits = hotFunction({
  name: "stale_limits",
  writes: false,
  input: STALE,
  answers: columns({ workspace_id: "uuid", business_account_id: "uuid" }),
  body: `return query select s.workspace_id, s.id from ${recordset(STALE)}
    cross join lateral (
      select a.workspace_id, a.id from business_account a
      ${lookUp("p", `select p.updated_at from portfolio_limit p where p.portfolio_id = ${scopeOf("a")}`)}
      where a.status = 'connected' and (p.updated_at is null or p.updated_at < x.before)
      -- Not the longest ago first: those that cannot be read would always come before the others. In another order each time.
      order by hashtextextended(a.id::text, extract(epoch from now)::bigint) limit x.most) s;`,
});
