import { HAS_ONE_ROW, ofRecord, recordset, some } from "../../../db/hot-function.ts";
import { SLOTS_MASK } from "../../events/event.sql.ts";
import { claimsOf, TAKE_CLAIMS } from "../../identity/recipient.sql.ts";
import { REPORTS } from "../../threads/status.ts";
import { CHANGE_READ_STATE, readReport, recordReport } from "../report.sql.ts";
import { queueRow } from "./dispatch.store.ts";
import { insertNamed, insertTried, NAMED_VALUES, SETTLED_ROW, TRIED_VALUES } from "./send-result.sql.ts";

/** What decides on the short way, and is written there. */
const ONE_RESULT = some(SETTLED_ROW, [
  "slot",
  "seq",
  "workspace_id",
  "message_id",
  "attempt",
  "outcome",
  "at",
  "provider_message_id",
  "error",
  "takes_thread",
  "wa_id",
  "user_id",
  "hands",
]);
const REPORT_COLUMNS = ["workspace_id", "message_id", "attempt", "outcome", "at", "provider_message_id", "error"];

/**
 * The short way of an outcome that is alone in its call, as most are: the provider accepted the message, under the only id that is known of
 * it, no status waits for that id, and no conversation is taken. What is anything else leaves before anything is written, and so does a
 * message of which another call has stored something between the reading and the writing.
 */
export const SETTLE_ONE = `
if not again and ${HAS_ONE_ROW} then
  select x.* into r from ${recordset(ONE_RESULT)};
  if r.outcome = 'accepted' and r.takes_thread is not true and r.provider_message_id is not null then
    ${readReport(
      { ...ofRecord("r", REPORT_COLUMNS), bit: `${REPORTS.accepted.bit}`, pricing: "null::json" },
      `, exists (
        select from parked_status w
        where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id) as is_parked`,
    )}
    into x;
    if x.is_new and x.known_provider_id = x.provider_message_id and not x.is_parked then
      ${CHANGE_READ_STATE}
      if found then
        delete from dispatch d where ${queueRow("r")} and d.attempt = r.attempt;
        ${recordReport("r.hands")}
        ${insertNamed(`values (${NAMED_VALUES})`)};
        if r.attempt > 0 then
          ${insertTried(`values (${TRIED_VALUES})`)};
        end if;
        if coalesce(r.wa_id, r.user_id) is not null then
          claims := ${claimsOf("answer", `(select y.*, x.was_contact_id as to_contact from ${recordset(SETTLED_ROW, "y")})`, "false", "x.to_contact")};
          ${TAKE_CLAIMS}
        end if;
        return query select true, false, coalesce(x.was_minted_id, x.known_provider_id), has_evidence, ${SLOTS_MASK}, handed;
        return;
      end if;
    end if;
  end if;
end if;`;
