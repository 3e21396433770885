import { each, lookUp } from "../../../db/hot-function.ts";
import { countRecipients, LEDGER_VARIABLES, lockPortfolios, withoutRoom } from "../../limits/ledger.sql.ts";
import { CONVERSATION, COUNTED_AS, FACTS, VERDICT } from "./verdict.sql.ts";

/** For `findRoom`: `beyond` are the rows that would be new people of a portfolio that has no room for them. */
export const ROOM_VARIABLES = `${LEDGER_VARIABLES}
  beyond uuid[] := '{}';`;

/**
 * The step of `accept_messages` that finds out which rows the messaging limits of their portfolios refuse. Rows that count no person
 * pay nothing; all others share one short statement that locks their portfolios, and are only looked at where not all of them fit.
 * `input` is the rows of the call, as `x`.
 */
export const findRoom = (input: string): string => `
if position('"portfolio"' in rows_text) > 0 then
${lockPortfolios("batch_now")}
  if tight <> '{}' then
    with asked as materialized (
      select x.*, ${COUNTED_AS} as counted_as, ${VERDICT} as verdict from ${input}
      ${FACTS}
      ${CONVERSATION}
      cross join (select null::bigint as sequence) m
      where x.portfolio = any(tight))
    select array(${withoutRoom(
      "id",
      "(select * from asked a where a.verdict in ('fresh', 'stranger') and a.counted_as is not null) x",
      "batch_now",
    )}) into beyond;
  end if;
end if;`;

/**
 * The last step: counts the recipients of what was accepted. Apart from the statement that stores it, which every call pays for; the
 * messages are found by their ids.
 */
export const countAccepted = (input: string): string => `
if counting <> '{}' then
  with accepted as materialized (
    select x.portfolio, x.id, ${COUNTED_AS} as counted_as from ${input}
    ${each("m", "select m.contact_id from message m where x.portfolio = any(counting) and m.workspace_id = x.workspace_id and m.id = x.id")}
    ${lookUp("c", "select c.id, c.phone from contact c where c.workspace_id = x.workspace_id and c.id = m.contact_id")}
    ${CONVERSATION}),
  ${countRecipients("accepted", "id", "batch_now")}
  select count(*) as portfolios into ledger from portfolios;
end if;`;
