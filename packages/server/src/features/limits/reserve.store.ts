import { columns, hotFunction, inSpan, lookUp, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { survivorOf } from "../identity/identifiers.sql.ts";
import { UNREACHED_BITS } from "../threads/status.ts";
import { isOutsideWindow } from "../threads/thread.sql.ts";
import { countRecipients, LEDGER_VARIABLES, lockPortfolios, recipientOf, roomAt, withoutRoom } from "./ledger.sql.ts";

const RESERVE = columns({
  workspace_id: "uuid",
  message_id: "uuid",
  /** The sender's portfolio. */
  portfolio: "text",
});
export type ReserveRow = RowOf<typeof RESERVE>;

const RESERVED = columns({
  /** `full`: the recipient would be a new person, and there is no room for one. */
  outcome: of<"counted" | "full">("text"),
  /** With `full`: when a person leaves. */
  room_at: "timestamptz?",
});

/**
 * Counts the recipients of messages that are about to be sent, in a transaction of its own: an intent waits for no portfolio. A
 * person who counts already moves forward. A message with a fallback comes here when the fallback is what is going to be sent. The
 * process that sends the message after a crash finds them counted. No person is counted for a message that was canceled or has
 * expired meanwhile: who was counted for it has been given back, which happens once.
 */
export const reserveRecipients = hotFunction({
  name: "reserve_recipients",
  input: RESERVE,
  answers: RESERVED,
  span: ({ message_id }) => [message_id],
  declare: `${LEDGER_VARIABLES}`,
  body: `
${lockPortfolios("now")}
return query with asked as materialized (
  select x.*, case when s.is_waiting and (m.has_fallback or m.type = 'template' and ${isOutsideWindow("v.last_inbound_at", "now")})
    then ${recipientOf("counted_person(x.workspace_id, m.contact_id, m.phone_number_id)")} end as counted_as
  from (select * from ${recordset(RESERVE)} order by x.workspace_id, x.message_id) x
  -- Locked, in the order of all calls: what ends it after this gives its person back.
  ${lookUp("s", `select true as is_waiting from message_state s where s.workspace_id = x.workspace_id and s.id = x.message_id and ${inSpan("s.id")} and s.seen & ${UNREACHED_BITS} = 0 for no key update`)}
  ${lookUp("m", `select g.type, g.fallback is not null as has_fallback, g.phone_number_id, ${survivorOf("g.workspace_id", "g.contact_id")} as contact_id from message g where g.workspace_id = x.workspace_id and g.id = x.message_id and ${inSpan("g.id")}`)}
  ${lookUp("v", "select v.last_inbound_at from conversation v where v.workspace_id = x.workspace_id and v.contact_id = m.contact_id and v.phone_number_id = m.phone_number_id")}),
refused as materialized (
  select array(${withoutRoom("message_id", "(select * from asked a where a.portfolio = any(tight) and a.counted_as is not null) x", "now")}) as ids),
granted as materialized (
  select x.*, x.message_id = any(f.ids) as is_refused from asked x cross join refused f),
${countRecipients("(select * from granted g where not g.is_refused and g.portfolio = any(counting))", "message_id", "now")}
select case when x.is_refused then 'full' else 'counted' end, case when x.is_refused then ${roomAt("x.portfolio")} end
from granted x order by x.ordinality;`,
});
