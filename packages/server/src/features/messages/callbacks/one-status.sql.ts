import { ofRecord, recordset } from "../../../db/hot-function.ts";
import { SLOTS_MASK } from "../../events/event.sql.ts";
import { CLAIM, claimsOf, NAMED, TAKE_CLAIMS } from "../../identity/recipient.sql.ts";
import { REPORTS, UNREACHED_BITS } from "../../threads/status.ts";
import { CHANGE_READ_STATE, readReport, recordReport } from "../report.sql.ts";
import { insertCallback, isNext } from "./callback.sql.ts";
import { STATUS } from "./status.store.ts";

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
 * The short way of the callback `g` that holds one status: of a message that has this provider's id here, of which it is new, and which
 * nothing ended before. What is anything else leaves before anything is written, and so does a message of which another call has stored
 * something between the reading and the writing.
 */
export const REPORT_ONE = `
    select x.* into r from ${recordset(STATUS, "x", "g.reports")};
    if r.bit & ${USUAL} <> 0 and r.error is null then
      select w.message_id into k from provider_message w
      where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.inbound is false;
      if found and coalesce(r.message_id, k.message_id) = k.message_id and ${isNext("g")} then
        r.message_id := k.message_id;
        ${readReport(ofRecord("r", REPORT_COLUMNS), ", x.was_seen")}
        into x;
        if x.is_new and x.known_provider_id = x.provider_message_id and x.was_seen & ${UNREACHED_BITS} = 0 then
          ${CHANGE_READ_STATE}
          if found then
            ${insertCallback("g")}
            ${recordReport("g.hands", { conversation: "r.conversation", callback: "r.callback_id" })}
            if coalesce(r.wa_id, r.user_id) is not null then
              claims := ${claimsOf("status", CLAIMED, "false", "x.to_contact")};
              ${TAKE_CLAIMS}
            end if;
            return query select 'taken', array[x.message_id], '{}'::uuid[], has_evidence, ${SLOTS_MASK}, handed;
            return;
          end if;
        end if;
      end if;
    end if;`;
