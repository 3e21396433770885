import { each, recordset } from "../../../db/hot-function.ts";
import { survivorOf } from "../../identity/identifiers.sql.ts";
import { isOfGroup } from "../../threads/thread.sql.ts";
import { ACCEPT } from "./accept-input.ts";
import { KNOWN_RECIPIENT, RECIPIENT, SENDER } from "./verdict.sql.ts";

const AUTHOR = survivorOf("x.workspace_id", "q.contact_id");

/**
 * Finds the rows whose quoted message is in the chat that they go to, of the same number and person: the provider refuses any other
 * (131009). A contact that may be the same person counts as one: the provider knows who they are.
 *
 * Looking into 16 months of messages costs a statement its start, whatever it finds: only when a row quotes one.
 */
export const FIND_QUOTES = `
if position('"reply_to"' in rows_text) > 0 then
  rows_with_quote := array(
    select x.id from ${recordset(ACCEPT)}
    ${SENDER}
    ${KNOWN_RECIPIENT}
    ${each(
      "q",
      `
      select q.contact_id from message q
      where q.workspace_id = x.workspace_id and q.id = x.reply_to and q.phone_number_id = x.phone_number_id
        and not ${isOfGroup("q")}`,
    )}
    where ${AUTHOR} = c.id or ${AUTHOR} in (
      select twins_of(x.workspace_id, c.id, ${RECIPIENT.phone}, coalesce(x.phone_loose, x.phone_key, ${RECIPIENT.phone}))));
end if;`;
