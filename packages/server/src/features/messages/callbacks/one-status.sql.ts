import { columns, HAS_ONE_ROW, ofRecord, recordset } from "../../../db/hot-function.ts";
import { SLOTS_MASK } from "../../events/event.sql.ts";
import { CLAIM, claimsOf, NAMED, TAKE_CLAIMS } from "../../identity/recipient.sql.ts";
import { REPORTS, UNREACHED_BITS } from "../../threads/status.ts";
import { CHANGE_READ_STATE, readReport, recordReport } from "../report.sql.ts";
import { CALLBACK_INPUT, insertCallback, isWaitingInLane } from "./callback.sql.ts";
import { STATUS } from "./status.store.ts";

/** A callback as `take_callbacks` gets it; `reports` is json. */
export const CALLBACK_ROW = columns({
  ...CALLBACK_INPUT,
  /** The provider's id of the number, and whose it was when the caller looked. */
  number: "text",
  workspace_id: "uuid",
  reports: "json",
  /** The process has lanes that take the deliveries of the callback's event, where both are alone. */
  hands: "boolean?",
});

/** For `TAKE_ONE_STATUS`. */
export const ONE_STATUS_VARIABLES = `
  g record;
  r record;
  k record;
  x record;`;

/** Of a message that is on its way, or has come. */
const USUAL = REPORTS.sent.bit | REPORTS.delivered.bit | REPORTS.read.bit | REPORTS.played.bit;
const REPORT_COLUMNS = ["workspace_id", "message_id", "at", "provider_message_id", "error", "bit", "pricing"];
const OF_PERSON = Object.keys({ ...CLAIM, ...NAMED })
  .map((column) => `y.${column}`)
  .join(", ");
/** What the status `r` says of its person, and whom the message `x` was to. */
const CLAIMED = `(
            select y.workspace_id, x.message_id as message_id, y.at, ${OF_PERSON}, x.was_contact_id as to_contact, y.ordinality
            from ${recordset(STATUS, "y", "g.reports")})`;

/**
 * The short way of a callback that is alone in its call and holds one status, as most do: of a message that has this provider's id here, of
 * which it is new, and which nothing ended before. What is anything else leaves before anything is written, and so does a message of
 * which another call has stored something between the reading and the writing.
 */
export const TAKE_ONE_STATUS = `
if not again and ${HAS_ONE_ROW} then
  select x.* into g from ${recordset(CALLBACK_ROW)};
  if json_array_length(g.reports) = 1 and g.reports->0->>'kind' = 'status' then
    select x.* into r from ${recordset(STATUS, "x", "g.reports")};
    if r.bit & ${USUAL} <> 0 and r.error is null then
      select w.message_id into k from provider_message w
      where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.inbound is false;
      if found and coalesce(r.message_id, k.message_id) = k.message_id and not ${isWaitingInLane("g")} and exists (
          select from phone_number_route o
          where o.provider_phone_number_id = g.number and o.workspace_id = g.workspace_id) then
        r.message_id := k.message_id;
        ${readReport(ofRecord("r", REPORT_COLUMNS), ", x.was_seen")}
        into x;
        if x.is_new and x.known_provider_id = x.provider_message_id and x.was_seen & ${UNREACHED_BITS} = 0 then
          ${CHANGE_READ_STATE}
          if found then
            ${insertCallback("g")}
            ${recordReport("g.hands", "r.conversation")}
            if coalesce(r.wa_id, r.user_id) is not null then
              claims := ${claimsOf("status", CLAIMED, "false", "x.to_contact")};
              ${TAKE_CLAIMS}
            end if;
            return query select 'taken', array[x.message_id], '{}'::uuid[], has_evidence, ${SLOTS_MASK}, handed;
            return;
          end if;
        end if;
      end if;
    end if;
  end if;
end if;`;
